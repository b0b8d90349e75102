"""`qiyan rules`: the editions of the rules and their values."""

import json

import click

from qiyan.commands.failure import telling_failures
from rules.profile import EDITIONS, RuleProfile, find_profile
from rules.profile_values import MEANINGS, Meaning


@click.command()
@click.argument("edition", required=False)
@click.option("--lang", type=click.Choice(["zh", "en", "both"]), default="both", help="Language of the table.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@telling_failures
def command(edition: str | None, lang: str, as_json: bool) -> None:
    """Print the editions and their values, with clause and confidence (H two texts, M inferred, L a proposal)."""
    profiles = list(EDITIONS.values()) if edition is None else [find_profile(edition)]
    if as_json:
        click.echo(json.dumps({"editions": [_as_json(profile) for profile in profiles]}, ensure_ascii=False))
        return
    for profile in profiles:
        click.echo(_heading(profile, lang))
        for meaning in MEANINGS:
            click.echo(_line(profile, meaning, lang))


def _as_json(profile: RuleProfile) -> dict[str, object]:
    values = {
        meaning.name: {
            "value": getattr(profile, meaning.name),
            "unit": meaning.unit,
            "clause": meaning.clause,
            "confidence": meaning.confidence(profile).value,
            "zh": meaning.zh,
            "en": meaning.en,
        }
        for meaning in MEANINGS
    }
    return {"name": profile.name, "title": {"zh": profile.title_zh, "en": profile.title_en}, "values": values}


def _heading(profile: RuleProfile, lang: str) -> str:
    titles = {"zh": profile.title_zh, "en": profile.title_en, "both": f"{profile.title_zh} / {profile.title_en}"}
    return f"{profile.name}  {titles[lang]}"


def _line(profile: RuleProfile, meaning: Meaning, lang: str) -> str:
    texts = {"zh": meaning.zh, "en": meaning.en, "both": f"{meaning.zh} / {meaning.en}"}
    value = _shown(getattr(profile, meaning.name))
    shown = f"{value} {meaning.unit}".strip() if value != "-" else value
    return f"  {meaning.clause:<6} {shown:<10} {meaning.confidence(profile).value}  {texts[lang]}"


def _shown(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
