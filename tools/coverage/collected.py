"""The collected questions of ``../shared/data/questions``, with the label of those that have one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LABELLED = "datacommons_nl_labelled.jsonl"
LISTS = ("datacommons_queryset_loadtest.csv", "datacommons_queryset_svindex.csv")
_OPENING = re.compile(r"position 1\)$")
"""The first question of a suite stands alone; a later one does where it names its place itself."""
_ALIASES = {"United States": r"\b(?:US|USA|America)\b", "World": r"\b(?:world|countries)\b"}
_CHART = re.compile(
    r"(?:_multiple_place_bar_block|_scatter|_growth_(?:abs|pct)|_\d{15,}|_(?:19|20)\d\d|(?<=\D)\d{1,2})+$"
)


@dataclass(frozen=True, slots=True)
class Label:
    """The place (``geoId/06``) and the variables of the published answer, the first ones shown."""

    place: str
    variables: frozenset[str]


@dataclass(slots=True)
class Collected:
    """A distinct question, the files that it stands in, and its label."""

    text: str
    files: set[str]
    label: Label | None = None


def collected(folder: Path) -> list[Collected]:
    """All distinct questions, in the order of the files; raises ``OSError`` where a file is lacking."""
    found: dict[str, Collected] = {}
    for file, text, label in _lines(folder):
        one = found.setdefault(text, Collected(text, set()))
        one.files.add(file)
        one.label = one.label or label
    return list(found.values())


def _lines(folder: Path) -> Iterator[tuple[str, str, Label | None]]:
    for line in (folder / LABELLED).read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        yield LABELLED, " ".join(entry["query"].split()), _label(entry)
    for file in LISTS:
        for line in (folder / file).read_text(encoding="utf-8").splitlines():
            if line.strip() and not line.startswith("#"):
                yield file, " ".join(line.split()), None


def _label(entry: dict[str, object]) -> Label | None:
    golden = entry.get("golden")
    if not isinstance(golden, dict) or not golden["place_dcid"]:
        return None
    named = re.escape(golden["main_place"] or "-")
    named = f"{named}|{_ALIASES[golden['main_place']]}" if golden["main_place"] in _ALIASES else named
    if not _OPENING.search(str(entry["group"])) and not re.search(named, str(entry["query"]), re.IGNORECASE):
        return None
    variables = frozenset(_CHART.sub("", name) for name in golden["first_vars"])
    return Label(golden["place_dcid"], variables) if variables else None
