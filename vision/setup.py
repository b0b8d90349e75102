"""What is fixed for a recording: the numbers of all stages, and what is known before it begins."""

from dataclasses import dataclass, field

from calibration.grid import Grid
from rules.position import Position
from vision.belief import BeliefConfig
from vision.carried import CarriedConfig
from vision.decode import DecodeConfig
from vision.disorder import DisorderConfig
from vision.exchanged import ExchangeConfig
from vision.follow import FollowConfig
from vision.known_start import KnownStartConfig
from vision.observation import ObservationConfig
from vision.pieces.enrolment import Enrolment
from vision.pieces.nets import PieceNets
from vision.placing import PlacingConfig
from vision.touch import TouchConfig


@dataclass(frozen=True, slots=True)
class PipelineConfig:
    """The stages' numbers, and those of the pipeline itself."""

    observation: ObservationConfig = field(default_factory=ObservationConfig)
    belief: BeliefConfig = field(default_factory=BeliefConfig)
    decode: DecodeConfig = field(default_factory=DecodeConfig)
    carried: CarriedConfig = field(default_factory=CarriedConfig)
    follow: FollowConfig = field(default_factory=FollowConfig)
    touch: TouchConfig = field(default_factory=TouchConfig)
    exchange: ExchangeConfig = field(default_factory=ExchangeConfig)
    placing: PlacingConfig = field(default_factory=PlacingConfig)
    disorder: DisorderConfig = field(default_factory=DisorderConfig)
    known_start: KnownStartConfig = field(default_factory=KnownStartConfig)
    patience_s: float = 1.5
    """A leading explanation that leaves something unexplained is taken after this long."""
    dark_patience_s: float = 4.0
    """The same in a frame that is darker than remembered by `dark_light`: cameras take seconds to see in the dark."""
    dark_light: float = 0.7
    """With less than this share of the light its noise, made brighter with it, looks like change."""
    lawless_patience_s: float = 4.0
    """The same where the explanation breaks the rules: what is unexplained may be the lawful half of it."""
    unseen_patience_s: float = 20.0
    """A move out of turn, while the other side may have moved under a hand, is told with a doubt after this long."""
    unseen_picture_patience_s: float = 5.0
    """The same where frames are single pictures."""
    upset_points: int = 6
    """With more points unexplained than a few plies change, pieces are being swept away or put up: no touch is
    told, and no explanation taken before it is quiet"""
    upset_quiet_s: float = 1.0
    """for this long, and disorder could be told."""
    doubt_patience_s: float = 2.5
    """An explanation that leads by too little is taken after this long, and the doubt told."""
    doubt_margin_nats: float = 0.7
    """By less than this nothing is taken at all."""
    absorb_s: float = 1.0
    """A quiet view this long becomes the remembered scene, small strange things beside the points with it."""
    adapt_every_s: float = 0.5
    """How often it follows them; rarer is cheaper and coarser."""
    adapt_per_s: float = 0.4
    """Rate at which the remembered scene follows slow changes of light where nothing is foreign, 1/s."""
    blocked_share: float = 0.12
    """With this share of the points hidden the view is blocked: moves may be made there that are not seen."""
    missed_share: float = 0.3
    """So it is where this share of the last frames showed nothing: a loose cable, a bad link."""
    blocked_s: float = 4.0
    """A view blocked this long is told."""
    search_every_s: float = 0.5
    """How often the board is searched for until it is found, s of the source."""
    least_grid_confidence: float = 0.2
    """A grid less sure than this is no board to read from: boards have 0.9 and more, noise 0.01 and less."""
    read_confidence: float = 0.5
    """A position read with at least this probability is taken at once."""
    read_again: int = 3
    """A less probable one is taken when it was read this often in a row."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What is fixed for a recording."""

    config: PipelineConfig = field(default_factory=PipelineConfig)
    nets: PieceNets | None = None
    """The nets that read any position; without them only the usual start, or the given one, is recognised."""
    grid: Grid | None = None
    """The grid, where it was given; else it is searched for."""
    enrolment: Enrolment | None = None
    """What is known of the set, where it was enrolled: read positions are surer for it."""
    start: Position | None = None
    """The start position, where it was given; else the usual one is looked for, then any is read."""
