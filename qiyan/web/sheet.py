"""The sheet of one incident, to be printed, signed and filed: one file, with its pictures inside."""

import base64
import html
import json
from datetime import datetime, timedelta
from typing import Any

from qiyan.decision import CLAIMS
from qiyan.evidence import touched_at
from qiyan.evidence_fate import Fate
from qiyan.web.board_svg import board_svg
from qiyan.web.hall import Table
from qiyan.web.public_game import PublicGame
from qiyan.web.replies import static_text

_STYLE = """
body{font:11pt/1.45 "Noto Serif CJK SC","Songti SC",SimSun,serif;color:#000;
background:#fff;max-width:180mm;margin:8mm auto}
h1{font-size:17pt;margin:0 0 4mm}table{border-collapse:collapse;width:100%;margin:3mm 0}
th,td{border:1px solid #888;padding:1.2mm 2mm;text-align:left;vertical-align:top}th{width:28%;font-weight:600}
figure{display:inline-block;width:48%;margin:0 1% 3mm 0;vertical-align:top}img,svg{width:100%;height:auto}
code{font:8pt monospace;overflow-wrap:anywhere}.line{border-bottom:1px solid #000;height:10mm}@page{size:A4;margin:15mm}
"""


def incident_sheet(table: Table, seq: int, language: str) -> str:
    """The sheet as HTML."""
    say = json.loads(static_text(f"messages/{language}.json"))
    entries = table.feed.entries
    incident = next(entry for entry in entries if entry["seq"] == seq)
    rows = [
        (say["sheet_table"], table.spec.name),
        *_names(table, say),
        *_times(incident, say),
        (say["sheet_kind"], f"{say['incident_' + incident['incident']]} · {say['severity_' + incident['severity']]}"),
        (say["sheet_side"], say.get(f"side_{incident['side']}", "-")),
        (say["sheet_ply"], str(incident["ply"])),
        (say["sheet_text"], incident["text"][language]),
        (say["sheet_clause"], _clause(incident, say)),
        *_decisions(entries, table.waiting(), seq, say),
    ]
    made = datetime.now().astimezone().isoformat(timespec="seconds")
    title = f"{say['sheet_title']} {seq}"
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>{_e(title)}</title>'
        f"<style>{_STYLE}</style></head><body><h1>{_e(title)}</h1>{_rows(rows)}"
        f"<figure>{_position(entries, incident)}<figcaption>{_e(say['sheet_position'])}</figcaption></figure>"
        f"{_stills(table, incident, say)}<h2>{_e(say['sheet_files'])}</h2>{_rows(_files(table, incident, say))}"
        f'<p>{_e(say["sheet_signature"])}</p><p class="line"></p><p>{_e(say["sheet_made"])} {_e(made)}</p>'
        "</body></html>"
    )


def _names(table: Table, say: dict[str, str]) -> list[tuple[str, str]]:
    names = table.names()
    shown = [(say["side_red"], names.get("Red")), (say["side_black"], names.get("Black"))]
    shown += [(say[f"name_{tag}"], names.get(tag)) for tag in ("Event", "Round")]
    return [(label, value) for label, value in shown if value]


def _times(incident: dict[str, Any], say: dict[str, str]) -> list[tuple[str, str]]:
    """When it happened, when a hand was there where that was before, and when it was told where that was later."""
    told, happened, touched = incident["t"], incident["t_happened"], touched_at(incident)
    texts = [_time(t, incident, say) for t in (touched, happened, told)]
    rows = [(say["sheet_happened"], texts[1])]
    if _ahead_s(incident):
        rows = [(say["sheet_touched"], texts[0]), (say["sheet_released"], texts[1])]
    return [*rows, (say["sheet_told"], texts[2])] if texts[2] != texts[1] else rows


def _ahead_s(incident: dict[str, Any]) -> float:
    """How long before it happened a hand was at its points, s; 0 where that is no other moment."""
    return float(round(max(0.0, incident["t_happened"] - touched_at(incident)), 1))


def _time(t: float, entry: dict[str, Any], say: dict[str, str]) -> str:
    """The time of day at a camera, which tells it of the time of `entry`; else since the recording began."""
    if not entry.get("at"):
        return say["sheet_since_start"].format(time=_clock_text(t))
    at = datetime.fromisoformat(entry["at"]) - timedelta(seconds=entry["t"] - t)
    return at.isoformat(sep=" ", timespec="seconds")


def _clause(incident: dict[str, Any], say: dict[str, str]) -> str:
    """The clause with its edition, and what it says."""
    clause = incident["clause"]
    if clause is None:
        return "-"
    edition = f" ({incident['rules']})" if incident.get("rules") else ""
    return f"{clause}{edition}: {say.get(f'clause_{clause}', say['clause_unknown'])}"


def _decisions(
    entries: list[dict[str, Any]], waiting: list[dict[str, Any]], seq: int, say: dict[str, str]
) -> list[tuple[str, str]]:
    """What was decided on an incident, with number and time; that it is undecided where no ruling stands."""
    undone = {(entry.get("change") or {}).get("undo") for entry in entries if entry["kind"] == "decision"}
    texts = []
    is_ruled = False
    for entry in entries:
        if entry["kind"] == "decision" and entry["of"] == seq:
            form = "{ruling}" if entry["seq"] not in undone else f"{{ruling}} ({say['undone']})"
            parts = (_time(entry["t"], entry, say), _decision(entry, form, say))
            texts.append(f"{entry['seq']}. " + " · ".join(parts))
            is_ruled |= entry["ruling"] != "noted" and entry["seq"] not in undone
    for decision in waiting:
        if decision["of"] == seq:
            texts.append(_decision(decision, say["waiting_ruling"], say))
            is_ruled |= decision["ruling"] != "noted"
    if not is_ruled:
        texts.append(say["sheet_undecided"])
    return [(say["sheet_decision"], text) for text in texts]


def _decision(decision: dict[str, Any], form: str, say: dict[str, str]) -> str:
    """A decision in words; `form` says of the ruling whether it stands in the record."""
    ruling = form.format(ruling=say[f"ruling_{decision['ruling']}"])
    parts = [ruling, *_changes(decision["change"] or {}, say), decision["by"]]
    return " · ".join(part for part in parts if part)


def _changes(change: dict[str, Any], say: dict[str, str]) -> list[str]:
    """What a decision changed, in words."""
    words = []
    if "undo" in change:
        words.append(say["undo_of"].format(seq=change["undo"]))
    if "iccs" in change:
        words.append(say["will_play"].format(ply=change["ply"], move=change["iccs"]))
    elif "ply" in change:
        words.append(f"{say['take_out']} ({say['at_ply'].format(ply=change['ply'])})")
    if "point" in change:
        words.append(f"{say['name_point']} {change['point']}")
    if "fen" in change:
        words.append(f"{say['edit_position']} {change['fen']}")
    if "result" in change:
        words.append(say[f"result_{change['result']}"])
    words += [f"{say[claim]}: {say['side_' + change[claim]]}" for claim in CLAIMS if claim in change]
    if "times" in change:
        times = change["times"]
        words.append(f"{say['adjust_times']} {times.get('red_s', '–')} s / {times.get('black_s', '–')} s")
    return [*words, *(str(change[name]) for name in ("clause", "note") if name in change)]


def _position(entries: list[dict[str, Any]], incident: dict[str, Any]) -> str:
    game = PublicGame()
    for entry in entries:
        if entry["seq"] >= incident["seq"]:
            break
        game.take(entry)
    # As the console shows it: after the ply that it is about, which a later one may have followed by then.
    ply, moves = incident["ply"], game.moves
    about = moves[ply - 1] if 0 < ply <= len(moves) else None
    fen = game.start_fen if ply <= 0 else about["fen"] if about else game.fen
    return board_svg(fen, incident["points"], about["iccs"] if about else None)


def _stills(table: Table, incident: dict[str, Any], say: dict[str, str]) -> str:
    figures = []
    stills = {path.rpartition("-")[2]: path for path in incident["evidence"]}
    for name in ("before", "moment", "after"):
        file = table.spec.folder / stills.get(f"{name}.jpg", "")
        if file.is_file():
            data = base64.b64encode(file.read_bytes()).decode()
            caption = _e(_caption(name, incident, say))
            image = f'<img alt="{caption}" src="data:image/jpeg;base64,{data}">'
            figures.append(f"<figure>{image}<figcaption>{caption}</figcaption></figure>")
    return "".join(figures)


def _caption(name: str, incident: dict[str, Any], say: dict[str, str]) -> str:
    """What a still is of; that of the moment shows the touch, where that came before what happened."""
    ahead_s = _ahead_s(incident)
    if name != "moment" or not ahead_s:
        return say[f"still_{name}"]
    return say["touch_ahead"].format(name=say["still_touch"], seconds=ahead_s)


_NO_HASH = {
    Fate.AWAITED: "sheet_no_hash",
    Fate.WRITTEN: "sheet_no_hash",
    Fate.REMOVED: "evidence_removed",
    Fate.LOST: "evidence_lost",
}
"""What stands in place of a file's hash."""


def _files(table: Table, incident: dict[str, Any], say: dict[str, str]) -> list[tuple[str, str]]:
    known = table.feed.file_hashes()
    return [(path, known.get(path) or say[_NO_HASH[table.feed.fate_of(path)]]) for path in incident["evidence"]]


def _rows(rows: list[tuple[str, str]]) -> str:
    cells = "".join(f"<tr><th>{_e(label)}</th><td>{_value(value)}</td></tr>" for label, value in rows)
    return f"<table>{cells}</table>"


def _value(value: str) -> str:
    is_hash = len(value) == 64 and all(sign in "0123456789abcdef" for sign in value)
    return f"<code>SHA-256 {value}</code>" if is_hash else _e(value)


def _e(text: str) -> str:
    return html.escape(text)


def _clock_text(t: float) -> str:
    t = round(t, 1)
    return f"{int(t // 3600)}:{int(t // 60) % 60:02}:{t % 60:04.1f}"
