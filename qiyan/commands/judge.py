"""`qiyan judge [MOVE...]`: what the rules say of a position and the moves that led to it."""

import json

import click

from qiyan.commands.failure import telling_failures
from rules.adjudication import Verdict, adjudicate
from rules.errors import IllegalMove
from rules.fen import START_FEN, format_fen, parse_fen
from rules.iccs import parse_iccs
from rules.legality import in_check, is_legal, legal_moves, status
from rules.move import Move
from rules.piece import BLACK, RED, SIDE_NAMES
from rules.point import format_point
from rules.position import Position
from rules.profile import DEFAULT_EDITION, RuleProfile, find_profile
from rules.repetition import Line, make_line


@click.command()
@click.option("--rules", "edition", default=DEFAULT_EDITION, help="Edition of the rules; see `qiyan rules`.")
@click.option("--start", default=START_FEN, help="Position before the first move, as FEN.")
@click.option("--json", "as_json", is_flag=True, help="Always JSON; taken for likeness with the other commands.")
@click.argument("moves", nargs=-1)
@telling_failures
def command(edition: str, start: str, as_json: bool, moves: tuple[str, ...]) -> None:
    """Print the position after MOVE... (ICCS), whether it is over, and the ruling where it stood before."""
    profile = find_profile(edition)
    line = make_line(parse_fen(start), _parse_moves(parse_fen(start), moves))
    click.echo(json.dumps(_judgement(line, profile), ensure_ascii=False))


def _parse_moves(position: Position, moves: tuple[str, ...]) -> list[Move]:
    parsed = []
    for number, text in enumerate(moves, 1):
        move = parse_iccs(text)
        if not is_legal(position, move):
            raise IllegalMove(f"move {number} is not legal: {text!r}")
        parsed.append(move)
        position = position.play(move)
    return parsed


def _judgement(line: Line, profile: RuleProfile) -> dict[str, object]:
    position = line.positions[-1]
    limit = profile.natural_limit_rounds
    audited = {SIDE_NAMES[side]: _audited_rounds(line, side, profile) for side in (RED, BLACK)}
    return {
        "fen": format_fen(position),
        "side": SIDE_NAMES[position.side],
        "check": in_check(position, position.side),
        "legal_moves": [str(move) for move in legal_moves(position)],
        "status": status(position).value,
        "rounds_without_capture": position.plies_without_capture // 2,
        "natural_limit": max(audited.values()) >= limit,
        "natural_limit_rounds": limit,
        "audited_rounds": audited,
        "repetition": _repetition(adjudicate(line, profile)),
        "rules": profile.name,
    }


def _audited_rounds(line: Line, side: int, profile: RuleProfile) -> int:
    """Rounds as the audit of 22.2 counts them for who claims: its checks only up to a number."""
    plies = line.positions[-1].plies_without_capture
    recent = line.positions[max(0, len(line.positions) - plies) :]
    checks = sum(position.side != side and in_check(position, position.side) for position in recent)
    return plies // 2 - max(0, checks - profile.natural_limit_checks)


def _repetition(verdict: Verdict) -> dict[str, object]:
    return {
        "count": verdict.count,
        "ruling": verdict.ruling.value,
        "side": None if verdict.side is None else SIDE_NAMES[verdict.side],
        "clause": verdict.clause,
        "evidence": [
            {
                "ply": e.ply,
                "label": e.label.kind.value,
                "targets": [format_point(point) for point in e.label.targets],
                "sure": e.label.sure,
                "doubt": e.label.doubt,
                "idle_as": None if e.label.idle_as is None else e.label.idle_as.value,
            }
            for e in verdict.evidence
        ],
    }
