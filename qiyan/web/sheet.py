"""The sheet of one incident, to be printed, signed and filed: one file, with its pictures inside."""

import base64
import html
import json
from datetime import datetime, timedelta
from typing import Any

from qiyan.decision import CLAIMS
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
    decisions = [entry for entry in entries if entry["kind"] == "decision" and entry["of"] == seq]
    waiting = [decision for decision in table.waiting() if decision["of"] == seq]
    rows = [
        (say["sheet_table"], table.spec.name),
        *_names(table, say),
        *_times(incident, say),
        (say["sheet_kind"], f"{say['incident_' + incident['incident']]} · {say['severity_' + incident['severity']]}"),
        (say["sheet_side"], say.get(f"side_{incident['side']}", "-")),
        (say["sheet_ply"], str(incident["ply"])),
        (say["sheet_text"], incident["text"][language]),
        (say["sheet_clause"], _clause(incident["clause"], say)),
    ]
    rows += [(say["sheet_decision"], _decision(decision, "{ruling}", say)) for decision in decisions]
    rows += [(say["sheet_decision"], _decision(decision, say["waiting_ruling"], say)) for decision in waiting]
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
    """When it happened, and when it was told where that was later."""
    told, happened = incident["t"], incident["t_happened"]
    if incident.get("at"):
        told_at = datetime.fromisoformat(incident["at"])
        happened_at = told_at - timedelta(seconds=told - happened)
        texts = [at.isoformat(sep=" ", timespec="seconds") for at in (happened_at, told_at)]
    else:
        texts = [say["sheet_since_start"].format(time=_clock_text(t)) for t in (happened, told)]
    rows = [(say["sheet_happened"], texts[0]), (say["sheet_told"], texts[1])]
    return rows if texts[0] != texts[1] else rows[:1]


def _clause(clause: str | None, say: dict[str, str]) -> str:
    if clause is None:
        return "-"
    return f"{clause}: {say.get(f'clause_{clause}', say['clause_unknown'])}"


def _decision(decision: dict[str, Any], form: str, say: dict[str, str]) -> str:
    """A decision in words; `form` says of the ruling whether it stands in the record."""
    ruling = form.format(ruling=say[f"ruling_{decision['ruling']}"])
    parts = [ruling, *_changes(decision["change"] or {}, say), decision["by"], decision.get("at")]
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
    return board_svg(game.fen, incident["points"])


def _stills(table: Table, incident: dict[str, Any], say: dict[str, str]) -> str:
    figures = []
    stills = {path.rpartition("-")[2]: path for path in incident["evidence"]}
    for name in ("before", "moment", "after"):
        file = table.spec.folder / stills.get(f"{name}.jpg", "")
        if file.is_file():
            data = base64.b64encode(file.read_bytes()).decode()
            caption = _e(say[f"still_{name}"])
            image = f'<img alt="{caption}" src="data:image/jpeg;base64,{data}">'
            figures.append(f"<figure>{image}<figcaption>{caption}</figcaption></figure>")
    return "".join(figures)


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
