"""Homographies: fitting them to pairs of positions."""

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]


def fit_homography(from_xy: F64, to_xy: F64, weights: F64 | None = None) -> F64:
    """Least-squares homography of N >= 4 pairs (normalised direct linear transform).

    from_xy, to_xy : (N, 2) positions
    weights        : (N,) weights of the pairs; all alike where None
    returns        : (3, 3) with to ~ H from and H[2, 2] = 1
    """
    t_from, t_to = _normalising(from_xy), _normalising(to_xy)
    x, y = apply(t_from, from_xy).T
    u, v = apply(t_to, to_xy).T
    one, zero = np.ones_like(x), np.zeros_like(x)
    rows_u = np.column_stack([x, y, one, zero, zero, zero, -u * x, -u * y, -u])
    rows_v = np.column_stack([zero, zero, zero, x, y, one, -v * x, -v * y, -v])
    if weights is not None:
        root = np.sqrt(weights)[:, None]
        rows_u, rows_v = rows_u * root, rows_v * root
    h = np.linalg.svd(np.vstack([rows_u, rows_v]), full_matrices=True)[2][-1].reshape(3, 3)
    out: F64 = np.linalg.inv(t_to) @ h @ t_from
    out /= out[2, 2]
    return out


def apply(h: F64, xy: F64) -> F64:
    """Map (N, 2) positions through the (3, 3) homography `h`."""
    flat = np.column_stack([xy, np.ones(len(xy))]) @ h.T
    out: F64 = flat[:, :2] / flat[:, 2:]
    return out


def _normalising(xy: F64) -> F64:
    centre = xy.mean(axis=0)
    spread = float(np.sqrt(((xy - centre) ** 2).sum(axis=1).mean())) or 1.0
    scale = np.sqrt(2.0) / spread
    return np.array([[scale, 0.0, -scale * centre[0]], [0.0, scale, -scale * centre[1]], [0.0, 0.0, 1.0]])
