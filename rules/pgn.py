"""PGN of xiangqi: the game record that programs exchange.

Written in the field's convention: the tag `Game "Chinese Chess"` first, moves in ICCS, WXF or Chinese as the tag
`Format` says, the mover's clock as `{[%clk h:mm:ss]}`. Reading takes each move in whichever notation it is written,
and keeps what follows a move that is illegal or cannot be read.
"""

import re
from collections.abc import Iterator

from rules.errors import NotationError, RulesError
from rules.fen import format_fen, parse_fen
from rules.game import START, Game, Ply, Result, after, parse_result
from rules.legality import is_legal
from rules.move import Move
from rules.notations import NOTATIONS
from rules.piece import BLACK
from rules.position import Position
from rules.text_encoding import decode_text

FIRST_TAGS = ("Event", "Site", "Date", "Round", "RedTeam", "Red", "BlackTeam", "Black")
"""Always written, in this order; `?` where nothing is known."""
DERIVED_TAGS = ("Game", "Result", "Format", "FEN")
"""What the game itself says."""
FORMAT_NAMES = {"iccs": "ICCS", "wxf": "WXF", "chinese": "Chinese", "chinese-short": "Chinese"}
LINE_WIDTH = 80

_PIECES = re.compile(
    r"""\[\s*(?P<tag>[A-Za-z_]\w*)\s+"(?P<value>(?:\\.|[^\\\n])*?)"\s*\]
    | \{(?P<comment>[^}]*)\}?
    | (?P<skip>;[^\n]*|^%[^\n]*|\$\d+)
    | (?P<open>\() | (?P<close>\))
    | (?P<result>1-0|0-1|1/2-1/2|\*)(?=\s|$|[{(])
    | (?P<number>[0-9０-９]+\s*[.．…]+(?![0-9](?:\s|$)))
    | (?P<word>[^\s{}()\[\];]+)
    | \S""",
    re.VERBOSE | re.MULTILINE,
)
_CLOCK = re.compile(r"\s*\[%clk\s+(?:(\d{1,4}):)?(\d{1,4}):(\d{1,2}(?:\.\d{1,9})?)\s*\]\s*", re.ASCII)


def format_pgn(game: Game, notation: str = "iccs") -> str:
    """The game as PGN; `notation` is iccs, wxf, chinese or chinese-short."""
    tags = {"Game": "Chinese Chess"} | {name: game.headers.get(name, "?") for name in FIRST_TAGS}
    tags["Result"] = game.result.value
    tags |= {name: value for name, value in game.headers.items() if name not in tags and name not in DERIVED_TAGS}
    tags |= {"Format": FORMAT_NAMES[notation], "FEN": format_fen(game.start)}
    head = "".join(f'[{name} "{_escape(value)}"]\n' for name, value in tags.items())
    return head + "\n" + _wrap([*_movetext(game, notation), game.result.value])


def _escape(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


def _movetext(game: Game, notation: str) -> Iterator[str]:
    if game.comment:
        yield _comment(game.comment, None)
    number_due = True
    for position, ply in game.walk():
        number = f"{position.round_number}{'...' if position.side == BLACK else '.'} "
        yield (number if number_due or position.side != BLACK else "") + write_ply(position, ply, notation)
        number_due = bool(ply.comment) or ply.clock_s is not None
        if number_due:
            yield _comment(ply.comment, ply.clock_s)


def write_ply(position: Position, ply: Ply, notation: str) -> str:
    """The ply in that notation; in ICCS where its name would read as another move, as an illegal one's may."""
    if ply.move is None:
        return ply.text
    legal = is_legal(position, ply.move)
    try:
        text = NOTATIONS[notation].format(position, ply.move)
        return text if legal or NOTATIONS[notation].parse(position, text) == ply.move else str(ply.move)
    except NotationError:
        return str(ply.move)


def _comment(text: str, clock_s: float | None) -> str:
    clock = "" if clock_s is None else f"[%clk {format_clock(clock_s)}]"
    return "{" + " ".join(filter(None, (clock, text.replace("}", "｝")))) + "}"


def format_clock(clock_s: float) -> str:
    """`h:mm:ss`, whole seconds as a clock shows them; nothing left is 0:00:00."""
    minutes, seconds = divmod(max(int(clock_s), 0), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def _wrap(tokens: list[str]) -> str:
    lines = [""]
    for token in tokens:
        if lines[-1] and len(lines[-1]) + 1 + len(token) > LINE_WIDTH:
            lines.append(token)
        else:
            lines[-1] = f"{lines[-1]} {token}" if lines[-1] else token
    return "\n".join(lines) + "\n"


def parse_pgn(source: str | bytes) -> Game:
    """The first game of a PGN; NotationError where there is none."""
    return next(read_games(source))


def read_games(source: str | bytes) -> Iterator[Game]:
    """Every game of a PGN, one after another; NotationError where there is none at all."""
    text = source if isinstance(source, str) else decode_text(source)
    found = False
    reader = _Reader()
    for piece in _PIECES.finditer(text.lstrip("\ufeff")):
        if piece["tag"] and reader.in_moves:
            if reader.is_game():
                found = True
                yield reader.game()
            reader = _Reader()
        reader.take(piece)
    if reader.is_game():
        found = True
        yield reader.game()
    if not found:
        raise NotationError(f"expected tags or moves of a PGN: {text[:40]!r}...")


class _Reader:
    """Gathers the pieces of one game's text."""

    def __init__(self) -> None:
        self.in_moves = False
        self._tags: dict[str, str] = {}
        self._position: Position = START
        self._start: Position = START
        self._plies: list[Ply] = []
        self._comment = ""
        self._result = Result.OPEN
        self._depth = 0

    def is_game(self) -> bool:
        """Whether anything of a game was among the pieces."""
        return bool(self._tags) or any(ply.move for ply in self._plies)

    def take(self, piece: re.Match[str]) -> None:
        """Add the next piece of text."""
        if piece["tag"]:
            self._take_tag(piece["tag"], re.sub(r'\\(["\\])', r"\1", piece["value"]))
        elif piece["open"] or piece["close"]:
            # Variations are not part of what was played.
            self._depth = max(self._depth + (1 if piece["open"] else -1), 0)
        elif self._depth:
            return
        elif piece["comment"] is not None:
            self._take_comment(piece["comment"])
        elif piece["result"]:
            self._result = Result(piece["result"])
            self.in_moves = True
        elif piece["word"]:
            self._take_word(piece["word"])

    def _take_tag(self, name: str, value: str) -> None:
        self._tags[name] = value
        if name.upper() == "FEN" and value.strip():
            self._start = self._position = parse_fen(value)

    def _take_word(self, word: str) -> None:
        plain = word.rstrip("!?！？#")
        if not any(map(str.isalnum, plain)):
            return
        self.in_moves = True
        move = read_move(self._position, plain)
        self._plies.append(Ply(move, text="" if move else plain))
        self._position = after(self._position, self._plies[-1])

    def _take_comment(self, comment: str) -> None:
        clock = _CLOCK.search(comment)
        clock_s = None
        if clock:
            clock_s = int(clock[1] or 0) * 3600 + int(clock[2]) * 60 + float(clock[3])
            comment = comment[: clock.start()] + " " + comment[clock.end() :]
        comment = comment.strip()
        if not self._plies:
            self._comment = "\n".join(filter(None, (self._comment, comment)))
            return
        last = self._plies[-1]
        said = "\n".join(filter(None, (last.comment, comment)))
        self._plies[-1] = Ply(last.move, last.clock_s if clock_s is None else clock_s, said, last.text)

    def game(self) -> Game:
        """The game gathered so far."""
        headers = {name: value for name, value in self._tags.items() if name not in DERIVED_TAGS and name != "FEN"}
        headers = {name: value for name, value in headers.items() if value not in ("", "?")}
        result = parse_result(self._tags.get("Result", "")) or Result.OPEN
        if result is Result.OPEN:
            result = self._result
        return Game(self._start, tuple(self._plies), result, headers, self._comment)


def read_move(position: Position, text: str) -> Move | None:
    """The move of a record in whichever notation it is written; None where it names none in this position."""
    for name in ("iccs", "wxf", "chinese"):
        try:
            move = NOTATIONS[name].parse(position, text)
        except RulesError:
            continue
        if position.board[move.from_point]:
            return move
    return None
