"""How long a better view of the board is waited for: no longer than the source lasts."""

from dataclasses import replace

from vision.setup import PipelineConfig
from vision.source import FrameSource

SHORT_PICTURES = 10
"""A source with fewer frames is a handful of pictures: each of them counts, and few come again."""


def patience_for(source: FrameSource) -> PipelineConfig:
    """The numbers of the eye, where nothing is waited for that a short source cannot show.

    Views of the usual position that are not quite clear may take half of the pictures: a move in the others has to be
    told. What was read with little confidence has to be read twice at least.
    """
    config = PipelineConfig()
    count = source.frame_count
    if source.live or count is None or count >= SHORT_PICTURES:
        return config
    start = config.known_start
    half = max(1, count // 2)
    return replace(
        config,
        search_every_s=0.0,
        read_again=max(2, min(config.read_again, half)),
        known_start=replace(
            start,
            usual_again=min(start.usual_again, half),
            other_again=min(start.other_again, half),
            meanwhile_again=min(start.meanwhile_again, half),
            unexplained_again=min(start.unexplained_again, half),
        ),
    )
