"""The structure of a reading: what the members of a panel agree on, whatever their words.

It also decides which of their readings are kept: the chosen one and others about the same subject.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from enum import Enum

from pydantic import BaseModel

from shared.query.quantity import Entity
from shared.query.readings import EntityMention, MeasureMention, PeriodAsked, PopulationMention, Reading

MAX_READINGS = 4

SIMPLEST_FIRST = (
    "value",
    "status",
    "comparison",
    "item_list",
    "ranking",
    "change_ranking",
    "population_value",
    "trend",
    "difference",
    "yes_no",
    "ratio",
    "aggregate",
    "filtered_list",
    "breakdown",
    "correlation",
    "topical",
    "grant_graph",
    "vague_aspect",
)
"""What a tie is settled by: the type that asks for less comes first."""


def structure(reading: Reading) -> str:
    """A reading's type and the shape of each field, ignoring wording: ``value(entity=name, period=year...)``."""
    fields = ", ".join(
        f"{name}={_shape(getattr(reading, name))}" for name in type(reading).model_fields if name != "type"
    )
    return f"{reading.type}({fields})"


def _shape(value: object) -> str:
    match value:
        case None:
            return "-"
        case Enum():
            return str(value.value)
        case bool():
            return "yes" if value else "no"
        case int() | Decimal():
            return "number"
        case str():
            return "words"
        case tuple():
            shapes = [_shape(item) for item in value]
            return "[" + " ".join(shapes) + "]"
        case EntityMention() | Entity():
            return "name"
        case MeasureMention():
            return "measure"
        case PopulationMention():
            within = "in name" if value.container else "all"
            listed = f" of {len(value.listed)}" if value.listed else ""
            return f"{value.member.value} {within}{listed}"
        case BaseModel():
            inner = (
                f"{name}={_shape(getattr(value, name))}"
                for name in type(value).model_fields
                if name not in {"text"}
            )
            return "(" + " ".join(inner) + ")"
    return type(value).__name__


def stated(reading: Reading) -> str:
    """A reading's structure with the places and years that it names: what readers agree on in any words."""
    return f"{structure(reading)} of {' '.join(_named(reading))}"


def _named(value: object) -> Iterator[str]:
    """Identifiers of places and years in numbers, in the reading's order; names without identifiers are words."""
    if isinstance(value, Entity):
        yield from sorted(value.keys.values())
    elif isinstance(value, PeriodAsked):
        yield from (str(number) for number in (value.start, value.end, value.count) if number is not None)
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from _named(getattr(value, name))
    elif isinstance(value, tuple):
        for inner in value:
            yield from _named(inner)


def same_subject(one: Reading, other: Reading) -> bool:
    """Whether two readings are about the same names and sets; measures and types may differ."""
    return bool(_subjects(one) & _subjects(other)) or not (_subjects(one) or _subjects(other))


def _subjects(reading: Reading) -> frozenset[str]:
    found: set[str] = set()
    for name in type(reading).model_fields:
        value = getattr(reading, name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, EntityMention):
                found.add(item.label.casefold())
            elif isinstance(item, PopulationMention):
                found.add((item.container.label if item.container else item.member.value).casefold())
                found |= {mention.label.casefold() for mention in item.listed}
    return frozenset(found)


def simplicity(shape: str) -> int:
    """How simple the type of a structure is; the simplest is 0."""
    kind = shape.partition("(")[0]
    return SIMPLEST_FIRST.index(kind) if kind in SIMPLEST_FIRST else len(SIMPLEST_FIRST)


def kept_readings(replies: Sequence[Sequence[Reading]]) -> tuple[Reading, ...]:
    """Up to four readings: the chosen one, what other members read instead, then each one's alternatives.

    ``replies`` are the members' readings, the chosen member's first. A reading about another subject than the
    chosen one is dropped, and so is one that says the same again.
    """
    chosen = replies[0][0]
    kept: list[Reading] = [chosen]
    shapes = {structure(chosen)}
    for other in replies[1:]:
        first = other[0]
        if structure(first) not in shapes and same_subject(chosen, first):
            kept.append(first)
            shapes.add(structure(first))
    for alternative in replies[0][1:]:
        if alternative not in kept and same_subject(chosen, alternative):
            kept.append(alternative)
    return tuple(kept[:MAX_READINGS])
