"""Plans a split where judgments are allowed: by which dimension, of which source, into which parts.

What is offered comes from the finder and from the place's own figures; what is chosen is accepted only if it adds
up. A choice that does not is handed back with the sum and the total, at most twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from plugins.datacommons.breakdowns import Figures, disagreement, figures_of
from plugins.datacommons.client import DataCommonsClient
from plugins.datacommons.dates import is_yearly
from plugins.datacommons.dimensions import (
    Part,
    ages_of,
    canonical,
    constraints_of,
    partition,
    parts_of,
    reading_order,
)
from plugins.datacommons.facets import has_unit
from plugins.datacommons.measures import unit_of
from plugins.datacommons.places import KEY
from plugins.datacommons.records import Observations
from plugins.datacommons.reporting import facet_of
from plugins.datacommons.sources import is_projection, published_by
from plugins.datacommons.split_tasks import (
    CHOOSE_DIMENSION,
    CHOOSE_PARTS,
    FEWEST,
    NONE,
    DimensionOption,
    DimensionRequest,
    PartOption,
    PartsRequest,
    TriedParts,
)
from shared.query.discovery import Family, TableDocument
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.quantity import Entity
from shared.query.readings import PeriodAsked
from shared.runtime.context import RunContext
from shared.runtime.errors import FinderError, ModelError

MOST_CORRECTIONS = 2
"""How often a choice that does not add up is handed back."""
MOST_GROUPS = 4
"""Sources whose figures are tried, the richest first."""


@dataclass(frozen=True, slots=True)
class Parted:
    """What a total may be split into by one dimension: the total, others of its kind, and every part there is."""

    dimension: str
    totals: tuple[TableDocument, ...]
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """The chosen parts of a total in one facet."""

    facet: str
    total: TableDocument
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class _Group:
    """What one facet has of one date: parts together with the total."""

    facet: str
    publisher: str
    parts: tuple[Part, ...]
    totals: tuple[TableDocument, ...]
    figures: Figures


async def offered_parts(
    totals: Sequence[TableDocument], named: str, source: str, context: RunContext
) -> Parted | Unanswerable:
    """What the family of the first total is split into by the dimension that is named, or why it is not."""
    total = totals[0]
    own = constraints_of(total)
    family = _family(total)
    try:
        splits = await context.finder.splits(family) if family is not None else ()
        offered: dict[str, list[tuple[str, ...]]] = {}
        sizes: dict[str, int] = {}
        for split in splits:
            further = {canonical(name) for name in split.dimensions} - set(own)
            if len(further) == 1 and len(split.dimensions) == len(own) + 1:
                dimension = further.pop()
                offered.setdefault(dimension, []).append(split.dimensions)
                sizes[dimension] = sizes.get(dimension, 0) + split.variables
        chosen = await _dimension(total, named, sizes, context)
        if isinstance(chosen, Unanswerable) or family is None:
            return chosen if isinstance(chosen, Unanswerable) else _not_split(total, named, ())
        found = [
            document
            for dimensions in offered[chosen]
            for document in await context.finder.split_by(family, dimensions)
            if document.source == source
        ]
    except FinderError as error:
        return Unanswerable(status=FailureStatus.UNREACHABLE, reason=f"what {total.title} is split by: {error}")
    parts = parts_of(total, chosen, found)
    if len(parts) < FEWEST:
        return _not_split(total, named, tuple(set(sizes) - {chosen}))
    same = [one for one in totals if _family(one) == family and constraints_of(one) == own]
    return Parted(chosen, tuple({one.variable: one for one in same}.values()), tuple(parts))


async def _dimension(
    total: TableDocument, named: str, sizes: dict[str, int], context: RunContext
) -> str | Unanswerable:
    if not sizes:
        return _not_split(total, named, ())
    options = tuple(DimensionOption(id=name, variables=count) for name, count in sorted(sizes.items()))
    request = DimensionRequest(named=named, total=total.title, options=options)
    try:
        reply = await context.judge(CHOOSE_DIMENSION, request)
    except ModelError as error:
        return Unanswerable(status=FailureStatus.INTERNAL, reason=f"no dimension could be chosen: {error}")
    return _not_split(total, named, tuple(sizes)) if reply.dimension == NONE else reply.dimension


def _family(document: TableDocument) -> Family | None:
    terms = [document.terms.get(name, "") for name in ("populationType", "measuredProperty", "statType")]
    return Family(population_type=terms[0], measured_property=terms[1], statistic=terms[2]) if all(terms) else None


def _not_split(total: TableDocument, named: str, others: tuple[str, ...]) -> Unanswerable:
    reason = f"Data Commons' variables do not split {total.title} by {named}"
    there = f"; they split it by {', '.join(sorted(others))}" if others else ""
    return Unanswerable(status=FailureStatus.NOT_COVERED, reason=reason + there)


async def plan_split(
    parted: Parted,
    entity: Entity,
    period: PeriodAsked,
    *,
    asked: str,
    client: DataCommonsClient,
    context: RunContext,
) -> Split | Unanswerable:
    """The split to ask for, or why none holds: of the sources that have one, the richest that adds up."""
    place = entity.keys[KEY]
    variables = [*(total.variable for total in parted.totals), *(part.variable for part in parted.parts)]
    found = await client.observations(variables, [place], date="")
    groups = _groups(parted, found, place, period)
    said, corrections = "", MOST_CORRECTIONS
    for group in groups[:MOST_GROUPS]:
        tried: list[TriedParts] = []
        while True:
            try:
                choice = await _chosen(parted, group, tried, asked, context)
            except ModelError as error:
                return Unanswerable(status=FailureStatus.INTERNAL, reason=f"no parts could be chosen: {error}")
            if choice is None or any((one.total, one.parts) == choice for one in tried):
                break
            total, parts = choice
            wrong = disagreement(group.figures, total, parts) or _overlap(group, parts)
            if wrong is None:
                return _split(parted, group, total, parts)
            said = said or f"{group.publisher}: {wrong}"
            tried.append(TriedParts(total=total, parts=parts, problem=wrong))
            if not corrections:
                break
            corrections -= 1
    if not said:
        return Unanswerable(status=FailureStatus.NO_DATA, reason=_lacking(parted, entity, period))
    return Unanswerable(
        status=FailureStatus.NOT_COMPARABLE,
        reason=f"the parts of {parted.totals[0].title} that Data Commons has for {entity.name} do not make it up; "
        f"{said}",
    )


async def _chosen(
    parted: Parted, group: _Group, tried: Sequence[TriedParts], asked: str, context: RunContext
) -> tuple[str, tuple[str, ...]] | None:
    """A total and its parts, the parts in an order that two tries can be held against each other in."""
    request = PartsRequest(
        asked=asked,
        dimension=parted.dimension,
        totals=tuple(PartOption(id=one.variable, title=one.title) for one in group.totals),
        candidates=tuple(
            PartOption(id=part.variable, title=part.document.title, value=part.value) for part in group.parts
        ),
        tried=tuple(tried),
    )
    reply = await context.judge(CHOOSE_PARTS, request)
    values = {part.variable: part.value for part in group.parts}
    ordered = tuple(sorted(reply.parts, key=lambda part: (reading_order(values[part]), part)))
    return (reply.total, ordered) if ordered else None


def _overlap(group: _Group, parts: Sequence[str]) -> str | None:
    """Two parts that count the same people, by their values: a group that is small enough would still add up."""
    values = [part.value for part in group.parts if part.variable in set(parts)]
    ages = sorted((span, value) for value in values if (span := ages_of(value)) is not None)
    for (one_span, one), (other_span, other) in pairwise(ages):
        if other_span[0] <= one_span[1]:
            return f"{one} and {other} overlap"
    twice = next((value for value in values if values.count(value) > 1), None)
    return f"two parts are of {twice}" if twice else None


def _split(parted: Parted, group: _Group, total: str, parts: Sequence[str]) -> Split:
    document = next(one for one in parted.totals if one.variable == total)
    by_id = {part.variable: part for part in group.parts}
    return Split(group.facet, document, tuple(by_id[part] for part in parts))


def _groups(parted: Parted, found: Observations, place: str, period: PeriodAsked) -> list[_Group]:
    """What each source has together, the richest first; a source with fewer than two parts has nothing."""
    groups: list[tuple[int, _Group]] = []
    for facet in _facets(parted, found, place):
        documents = {one.variable: one for one in parted.totals}
        figures = figures_of(found, [*documents, *(part.variable for part in parted.parts)], place, facet)
        date = _date(parted, figures, period)
        totals = tuple(one for one in parted.totals if date in figures.get(one.variable, {}))
        here = tuple(part for part in parted.parts if date in figures.get(part.variable, {}))
        if totals and len(here) >= FEWEST:
            richness = len(partition({part.variable: part.value for part in here}))
            publisher = published_by(facet_of(found, facet))
            groups.append((richness, _Group(facet, publisher, here, totals, figures)))
    return [group for _, group in sorted(groups, key=lambda one: (-one[0], -len(one[1].parts)))]


def _facets(parted: Parted, found: Observations, place: str) -> list[str]:
    """The facets of the totals that may answer, by preference."""
    kept: dict[str, None] = {}
    for total in parted.totals:
        for one in found.of(total.variable, place):
            facet = facet_of(found, one.facet)
            if has_unit(facet, unit_of(total)) and not is_projection(facet):
                kept[one.facet] = None
    return list(kept)


def _date(parted: Parted, figures: Figures, period: PeriodAsked) -> str | None:
    """The date to split on: the year asked for, else the newest that any part has together with a total."""
    dates = {date for total in parted.totals for date in figures.get(total.variable, {})}
    if period.explicit_year is not None:
        return str(period.explicit_year) if str(period.explicit_year) in dates else None
    both = dates & {date for part in parted.parts for date in figures.get(part.variable, {})}
    return max([date for date in both if is_yearly(date)] or both, default=None)


def _lacking(parted: Parted, entity: Entity, period: PeriodAsked) -> str:
    year = f" in {period.explicit_year}" if period.explicit_year is not None else ""
    names = ", ".join(part.name for part in parted.parts[:6])
    return (
        f"no source that Data Commons has gives {parted.totals[0].title} of {entity.name}{year} together with "
        f"parts that make it up (of {names})"
    )
