"""Names from a pairing file: CSV with a heading, in Chinese or English, in any usual encoding."""

import csv
import io
from pathlib import Path

from qiyan.errors import ConfigError
from qiyan.names import clean_names
from rules.text_encoding import decode_text

_HEADINGS = {
    "table": "table", "board": "table", "台次": "table", "台号": "table", "桌号": "table", "台": "table",
    "red": "Red", "红方": "Red", "红": "Red", "先手": "Red",
    "black": "Black", "黑方": "Black", "黑": "Black", "后手": "Black",
    "red_team": "RedTeam", "红方单位": "RedTeam", "红队": "RedTeam",
    "black_team": "BlackTeam", "黑方单位": "BlackTeam", "黑队": "BlackTeam",
    "event": "Event", "赛事": "Event", "round": "Round", "轮次": "Round",
}  # fmt: skip
LARGEST_BYTES = 1_000_000


def read_pairings(path: Path) -> dict[str, dict[str, str]]:
    """Names by PGN tag, for each table. ConfigError where the file cannot be made sense of."""
    data = path.read_bytes()
    if len(data) > LARGEST_BYTES:
        raise ConfigError(f"{path}: too large for a pairing file: {len(data)} bytes")
    return parse_pairings(decode_text(data), str(path))


def parse_pairings(text: str, where: str = "pairings") -> dict[str, dict[str, str]]:
    """The same from text."""
    first = text.lstrip("\ufeff").splitlines()[:1]
    sign = max(",;\t", key=(first or [""])[0].count)
    rows = list(csv.reader(io.StringIO(text.lstrip("\ufeff")), delimiter=sign))
    heading = [_HEADINGS.get(cell.strip().lower()) for cell in rows[0]] if rows else []
    if "table" not in heading or "Red" not in heading or "Black" not in heading:
        raise ConfigError(f"{where}: the first line must name the columns, such as table,red,black or 台次,红方,黑方")
    found: dict[str, dict[str, str]] = {}
    for row in rows[1:]:
        cells = {key: cell.strip() for key, cell in zip(heading, row, strict=False) if key}
        if cells.get("table"):
            found[cells["table"]] = clean_names(cells)
    return found
