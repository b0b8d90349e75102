"""A position: what stands on the 90 points, and who is to move."""

from dataclasses import dataclass, replace

from rules.move import Move
from rules.piece import EMPTY, LETTERS, Piece, Side, other


@dataclass(frozen=True, slots=True)
class Position:
    """What stands on the board, legal or not, with the counters of FEN."""

    board: bytes
    """90 piece numbers (rules.piece) in the order of the points."""
    side: Side
    """The side to move."""
    plies_without_capture: int = 0
    """Plies since the last capture; FEN's fifth field."""
    round_number: int = 1
    """1 at the start, one more after each move of Black; FEN's sixth field."""

    def piece_at(self, point: int) -> Piece:
        """The piece on a point, EMPTY where there is none."""
        return Piece(self.board[point])

    def play(self, move: Move) -> "Position":
        """The position after `move`, which is taken as it is, legal or not."""
        captured = self.board[move.to_point]
        board = bytearray(self.board)
        board[move.to_point] = board[move.from_point]
        board[move.from_point] = EMPTY
        return Position(
            bytes(board),
            other(self.side),
            0 if captured else self.plies_without_capture + 1,
            self.round_number + self.side,
        )

    def with_board(self, board: bytes) -> "Position":
        """The same position with other pieces on the points."""
        return replace(self, board=board)

    def __str__(self) -> str:
        """Ten ranks in FEN letters, Black's back rank first; for logs and failing tests."""
        rows = ("".join(LETTERS[p] for p in self.board[rank * 9 : rank * 9 + 9]) for rank in range(9, -1, -1))
        return "\n".join(rows)
