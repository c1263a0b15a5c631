"""A quantity split into parts."""

from __future__ import annotations

import re

from functions.understand.measures import measure, trimmed
from functions.understand.rules import signals
from functions.understand.rules.dimensions import SPLIT_NOUN, TOP_LEAD, dimension_of, refuse_finer
from functions.understand.rules.residue import quantity, without_marks
from functions.understand.scan import Scan
from shared.query.readings import (
    BreakdownReading,
    Direction,
    MeasureMention,
    Reading,
)
from shared.runtime.errors import CannotRead

_TOP_PARTS = re.compile(
    r"\b(?:top|main|major|largest|biggest|leading|most common|most popular|chief|primary|key|"
    r"greatest|common)?\s?(?:\d+\s)?(?P<what>exports?|imports?|industries|industry|sectors?|jobs|"
    r"occupations|causes of death|causes|sources of (?P<of>[a-z0-9 ]+)|sources|energy sources|"
    r"crimes|crops|trading partners|export partners|religions?|ethnic groups|languages|"
    r"export products|export goods|diseases|fuels|products|types of \w+|kinds of \w+)\b"
)


def breakdown(scan: Scan) -> Reading | None:
    """A quantity split into parts."""
    text = scan.masked
    marks = scan.marks("E")
    if scan.bounds or len(marks) > 1 or (scan.marks("G") and not re.search(r"\bby G\d|income G\d", text)):
        return None
    refuse_finer(text)
    found = dimension_of(text)
    if found is None:
        return _top_parts(scan, text, marks)
    dimension, rest = found
    if not marks:
        raise CannotRead("it names no place whose figure is to be split", ["population of Japan by age group"])
    order = signals.order_of(rest)
    rest = order.rest if order else rest
    wanted = quantity(
        rest,
        SPLIT_NOUN,
        r"\btell me (?:more )?about\b|\b(?:about|demographic|racial|ethnic|how|is|are|the|"
        r"look like|by|levels?|shares?|percentages?|percent|proportions?|group(?:s|ed)?|different|"
        r"various|into|among|across)\b",
    )
    if wanted is None or (dimension in _OF_PEOPLE and _DWELLING.search(wanted.text)):
        wanted = MeasureMention(text=_default_measure(dimension))
    if dimension == "income quintile" or (dimension == "cause" and re.search(r"\bdie|\bkill", text)):
        wanted = MeasureMention(text=_default_measure(dimension))
    return BreakdownReading(
        entity=scan.name(marks[0]),
        measure=wanted,
        dimension=dimension,
        period=scan.period,
        direction=order.direction if order else None,
        count=order.count if order else None,
    )


_DWELLING = re.compile(r"\b(?:liv(?:e|es|ing)|people)\b")
_OF_PEOPLE = frozenset(
    {"urban and rural", "age", "sex", "race", "ethnicity", "religion", "language", "marital status"}
)


def _default_measure(dimension: str) -> str:
    return {
        "sector": "gdp",
        "industry": "employment",
        "source": "energy",
        "income quintile": "income share",
        "occupation": "employment",
        "cause": "deaths",
        "partner": "exports of goods and services",
        "product": "exports of goods and services",
        "land use": "land area",
    }.get(dimension, "population")


def _top_parts(scan: Scan, text: str, marks: list[str]) -> Reading | None:
    parts = _TOP_PARTS.search(text)
    if (
        not parts
        or len(marks) != 1
        or scan.marks("G")
        or not TOP_LEAD.search(text)
        or re.match(r"^how (?:much|many)\b", text)
    ):
        return None
    if trimmed(
        re.sub(
            r"\b(?:top|main|major|largest|biggest|leading|most|common|popular|chief|primary|key|"
            r"greatest|different)\b|\d+",
            " ",
            without_marks(text.replace(parts["what"], " ")),
        )
    ):
        return None
    what = parts["what"]
    order = signals.order_of(text)
    count = order.count if order else None
    if parts["of"] or what.endswith("sources") or what == "sources":
        named = quantity(parts["of"] or ("energy" if "energy" in what else "")) or MeasureMention(text="energy")
        dimension = "source"
    else:
        dimension, text_measure = {
            "export": ("product", "exports of goods and services"),
            "import": ("product", "imports of goods and services"),
            "industr": ("industry", "gdp"),
            "sector": ("sector", "gdp"),
            "job": ("occupation", "employment"),
            "occupation": ("occupation", "employment"),
            "cause": ("cause", "deaths"),
            "crime": ("type of crime", "crimes"),
            "crop": ("crop", "crop production"),
            "trading": ("partner", "trade"),
            "religion": ("religion", "population"),
            "ethnic": ("ethnicity", "population"),
            "language": ("language", "population"),
            "disease": ("disease", "disease prevalence"),
            "fuel": ("source", "energy"),
            "product": ("product", "exports of goods and services"),
        }.get(
            next(
                (
                    key
                    for key in (
                        "export",
                        "import",
                        "industr",
                        "sector",
                        "job",
                        "occupation",
                        "cause",
                        "crime",
                        "crop",
                        "trading",
                        "religion",
                        "ethnic",
                        "language",
                        "disease",
                        "fuel",
                        "product",
                    )
                    if what.startswith(key)
                ),
                "",
            ),
            ("category", ""),
        )
        if not text_measure:
            kinds = re.match(r"(?:types|kinds) of (\w+)", what)
            if not kinds:
                return None
            text_measure = kinds[1]
        if what.startswith("export partner"):
            dimension = "partner"
        named = measure(text_measure) or MeasureMention(text=text_measure)
    return BreakdownReading(
        entity=scan.name(marks[0]),
        measure=named,
        dimension=dimension,
        period=scan.period,
        direction=order.direction if order else Direction.HIGHEST,
        count=count,
    )
