"""The deterministic reader: one English question in, one to four typed readings out, or why not."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from functions.understand import spelling
from functions.understand.assumptions import assumed
from functions.understand.framing import asking
from functions.understand.measures import is_known
from functions.understand.opening import is_errand, is_foreign, is_greeting, one_sentence, without_orders
from functions.understand.question import plain
from functions.understand.rules import (
    aggregate,
    breakdown,
    change_ranking,
    comparison,
    correlation,
    difference,
    extreme,
    filtered_list,
    grants,
    lists,
    population_value,
    ranking,
    ratio,
    records,
    status,
    trend,
    vague,
    value,
    yes_no,
)
from functions.understand.rules.moment import refuse_moment
from functions.understand.rules.refusals import refuse_lost_words
from functions.understand.rules.residue import quantity
from functions.understand.scan import Scan, scan
from functions.understand.second_readings import alternatives
from shared.query.readings import Reading
from shared.runtime.errors import CannotRead
from shared.text.source_words import with_source_words

MAX_READINGS = 4
Rule = Callable[[Scan], "Reading | None"]

RULES: tuple[tuple[str, Rule], ...] = (
    ("grant_graph", grants.grant_graph),
    ("topical", records.topical),
    ("correlation", correlation.correlation),
    ("status", status.status),
    ("fact", status.fact),
    ("item_list", lists.item_list),
    ("ratio", ratio.ratio),
    ("difference", difference.difference),
    ("yes_no", yes_no.yes_no),
    ("breakdown", breakdown.breakdown),
    ("aggregate", aggregate.aggregate),
    ("filtered_list", filtered_list.filtered_list),
    ("vague_aspect", vague.vague_aspect),
    ("change_ranking", change_ranking.change_ranking),
    ("trend", extreme.extreme),
    ("ranking", ranking.ranking),
    ("trend", trend.trend),
    ("comparison", comparison.comparison),
    ("population_value", population_value.population_value),
    ("value", value.value),
)
"""Ordered: the first rule that reads the question wins."""

OPEN_TYPES = frozenset({"value", "comparison", "population_value"})
ABOVE = {name: OPEN_TYPES | {"ranking"} for name in ("change_ranking", "trend")}
"""What asks for more than a ranking and stands above it: a change, or the end of a course over time."""

FORMS = [
    "What is the population of Kenya?",
    "GDP of France vs Germany",
    "Which countries have the highest life expectancy?",
    "How has unemployment in Spain changed since 2010?",
]


@dataclass(frozen=True, slots=True)
class Read:
    """Readings, best first, and what was assumed while reading."""

    readings: tuple[Reading, ...]
    notes: tuple[str, ...] = ()


def read(question: str, *, today: date) -> Read:
    """Read a question. Raises ``CannotRead`` with the nearest forms that work."""
    found, notes = prepared(question, today)
    readings = _decide(found)[:MAX_READINGS]
    return Read(readings=readings, notes=(*notes, *assumed(found, readings[0])))


@lru_cache(maxsize=64)
def prepared(question: str, today: date) -> tuple[Scan, tuple[str, ...]]:
    """The masked question and what was corrected in it. Raises ``CannotRead`` for what is no English question."""
    text = plain(question)
    if not re.search(r"[A-Za-z]{2}", text):
        raise CannotRead("it holds no words that I can read", FORMS)
    if is_greeting(text):
        raise CannotRead("it is a greeting and asks for no figure", FORMS)
    asked = without_orders(text)
    if not asked:
        raise CannotRead("it tells me what to answer and asks for no figure", FORMS)
    notes: tuple[str, ...] = ()
    if asked != text:
        notes = ("only the question was read; the rest of the text asks for no figure",)
    text = asked
    text, cues = with_source_words(text)
    notes += tuple(f"read “{wrong}” as “{right}”" for wrong, right in cues)
    text, placed = asking(text)
    notes += placed
    if is_errand(text):
        raise CannotRead("it asks for something else than a figure or a fact", FORMS)
    if is_foreign(text):
        raise CannotRead("it does not look like English, the only language I read", FORMS)
    corrected, fixes = spelling.corrected(spelling.with_apostrophes(text))
    notes += tuple(f"read “{wrong}” as “{right}”" for wrong, right in fixes)
    found = scan(one_sentence(corrected), today=today)
    refuse_moment(found)
    refuse_lost_words(found)
    return found, notes


def read_as(kind: str, found: Scan) -> Reading | None:
    """The reading of one type, when the question has what that type needs. Raises ``CannotRead``.

    The open types ask for no form of their own, so they fit only what no form of another type claims.
    """
    for name, rule in RULES:
        if name == kind:
            if (reading := rule(found)) is not None:
                return reading
        elif kind in ABOVE.get(name, OPEN_TYPES) and rule(found) is not None:
            return None
    return None


def _decide(found: Scan) -> tuple[Reading, ...]:
    for name, rule in RULES:
        reading = rule(found)
        if reading is None:
            continue
        return (reading, *alternatives(name, reading, found))
    unknown = value.unknown_place(found)
    if unknown is not None:
        return (unknown,)
    raise CannotRead(*why_not(found))


def why_not(found: Scan) -> tuple[str, list[str]]:
    """The reason a question could not be read and the nearest forms that work."""
    marks, groups = found.marks("E"), found.marks("G")
    wanted = quantity(found.masked)
    if marks and wanted is None:
        name = found.name(marks[0]).label
        if len(marks) > 1:
            other = found.name(marks[1]).label
            return f"it names {name} and {other} and no quantity to compare", [
                f"population of {name} vs {other}",
                f"GDP of {name} vs {other}",
            ]
        return f"it names {name} and no quantity", [f"population of {name}", f"Tell me about {name}"]
    if groups and wanted is None:
        text = found.population(groups[0]).mention.text
        return f"it speaks of {text} and names no quantity", [
            f"population of {text}",
            f"Which {text} have the highest life expectancy?",
        ]
    if wanted is not None and not marks and not groups and is_known(wanted.text):
        return f"it names no place that I know, so I cannot tell whose {wanted.text} is meant", [
            f"{wanted.text} of Kenya",
            f"Which countries have the highest {wanted.text}?",
        ]
    return "its form is none that I know", list(FORMS)
