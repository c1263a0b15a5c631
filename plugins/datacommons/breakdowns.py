"""Splits of a quantity: planned where judgments are allowed, read again and checked where they are not.

A split is one facet's total and parts. It is accepted only if the parts add up to the total within 2% on every
date of which the facet has all of them: a sum that fits on one date can be a coincidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from plugins.datacommons.asking import Asking
from plugins.datacommons.client import DataCommonsClient
from plugins.datacommons.dates import is_yearly, period_of, year_of
from plugins.datacommons.dimensions import Part, partition
from plugins.datacommons.facets import has_unit
from plugins.datacommons.measures import unit_of
from plugins.datacommons.places import KEY
from plugins.datacommons.records import Observations
from plugins.datacommons.reporting import VARIABLE, executed, facet_of, said_of
from plugins.datacommons.sources import is_projection, published_by
from shared.query.annotated import Executed
from shared.query.discovery import TableDocument
from shared.query.evidence import Disclosure, DisclosureKind, FailureStatus, Observation, Unanswerable
from shared.query.quantity import Entity
from shared.query.readings import PeriodAsked, PeriodKindAsked

TOLERANCE = Decimal("0.02")
FEWEST = 2


@dataclass(frozen=True, slots=True)
class Split:
    """The chosen parts of a total in one facet."""

    facet: str
    parts: tuple[Part, ...]


Figures = dict[str, dict[str, Decimal]]
"""By variable, its figures by date, of one facet."""


async def plan_split(
    total: TableDocument,
    parts: Sequence[Part],
    entity: Entity,
    period: PeriodAsked,
    client: DataCommonsClient,
) -> Split | Unanswerable:
    """The split to ask for, or why none holds: of the facets that have one, the richest."""
    place = entity.keys[KEY]
    found = await client.observations([total.variable, *(part.variable for part in parts)], [place], date="")
    tried = []
    for facet in _facets(found, total, place):
        figures = _figures(found, [total.variable, *(part.variable for part in parts)], place, facet)
        newest = _date(figures, total.variable, period)
        here = [part for part in parts if newest in figures.get(part.variable, {})]
        chosen = partition(here)
        if newest is not None and len(chosen) >= FEWEST:
            tried.append((len(chosen), facet, chosen, figures))
    if not tried:
        return Unanswerable(status=FailureStatus.NO_DATA, reason=_lacking(total, parts, entity, period))
    said = ""
    for _, facet, chosen, figures in sorted(tried, key=lambda one: -one[0]):
        wrong = disagreement(figures, total.variable, [part.variable for part in chosen])
        if wrong is None:
            return Split(facet, tuple(chosen))
        said = said or f"{published_by(facet_of(found, facet))}: {wrong}"
    return Unanswerable(
        status=FailureStatus.NOT_COMPARABLE,
        reason=f"the parts of {total.title} that Data Commons has for {entity.name} do not make it up; {said}",
    )


def _facets(found: Observations, total: TableDocument, place: str) -> list[str]:
    """The facets of the total that may answer, by preference."""
    unit = unit_of(total)
    return [
        one.facet
        for one in found.of(total.variable, place)
        if has_unit(facet_of(found, one.facet), unit) and not is_projection(facet_of(found, one.facet))
    ]


def _figures(found: Observations, variables: Sequence[str], place: str, facet: str) -> Figures:
    return {
        variable: {cell.date: cell.value for cell in one.cells}
        for variable in variables
        for one in found.of(variable, place)
        if one.facet == facet
    }


def _date(figures: Figures, total: str, period: PeriodAsked) -> str | None:
    """The date to split on: the year asked for, else the newest that any part has together with the total."""
    dates = sorted(figures.get(total, {}))
    if period.explicit_year is not None:
        return str(period.explicit_year) if str(period.explicit_year) in dates else None
    others = {date for variable, cells in figures.items() if variable != total for date in cells}
    return next((date for date in reversed(dates) if date in others), None)


def disagreement(figures: Figures, total: str, parts: Sequence[str]) -> str | None:
    """The first date on which the parts do not add up to the total, with both figures; ``None`` when they do."""
    for date in common_dates(figures, [total, *parts]):
        whole = figures[total][date]
        added = sum((figures[part][date] for part in parts), Decimal(0))
        if abs(added - whole) > abs(whole) * TOLERANCE:
            why = "some overlap" if added > whole else "some are missing"
            return f"on {date} they add up to {format(added, 'f')} and the total is {format(whole, 'f')}: {why}"
    return None


def common_dates(figures: Figures, variables: Sequence[str]) -> list[str]:
    """The dates on which every variable has a figure, oldest first."""
    if any(variable not in figures for variable in variables):
        return []
    return sorted(set.intersection(*(set(figures[variable]) for variable in variables)))


async def answer_categories(asking: Asking) -> Executed | Unanswerable:
    """The planned parts and their total, read again from the one facet, of one date on which all are there."""
    place = asking.entity.keys[KEY]
    locator = asking.planned.bound.locator
    parts, facet = locator["parts"].split(","), locator["facet"]
    found = await asking.client.observations([asking.variable, *parts], [place], date="", facets=[facet])
    figures = _figures(found, [asking.variable, *parts], place, facet)
    if wrong := disagreement(figures, asking.variable, parts):
        return Unanswerable(
            status=FailureStatus.NOT_COMPARABLE, reason=f"{asking.measure.name} of {asking.entity.name}: {wrong}"
        )
    dates = [date for date in common_dates(figures, [asking.variable, *parts]) if is_yearly(date)]
    chosen = _chosen(asking, dates)
    if chosen is None:
        reason = f"Data Commons has no figures of all parts of {asking.measure.name} for {asking.entity.name}"
        if asking.period.explicit_year is not None:
            reason += f" in {asking.period.explicit_year}"
        return Unanswerable(
            status=FailureStatus.NO_DATA, reason=reason + (f"; it has them for {', '.join(dates)}" if dates else "")
        )

    def cell(variable: str) -> Observation:
        return Observation(entity=asking.entity, period=period_of(chosen), value=figures[variable][chosen])

    notes = [*said_of(asking, found, facet), *_remainder(asking, figures, parts, chosen)]
    answer = executed(asking, found, facet, [cell(part) for part in parts], notes)
    bound = asking.planned.bound
    return answer.model_copy(
        update={
            "categories": tuple(locator["names"].split("|")),
            "parts": bound.parts,
            "part_pages": tuple(VARIABLE + part for part in parts),
            "total": cell(asking.variable),
        }
    )


def _remainder(asking: Asking, figures: Figures, parts: Sequence[str], date: str) -> list[Disclosure]:
    """What the parts leave of the total, where they do not make it up to the last."""
    left = figures[asking.variable][date] - sum((figures[part][date] for part in parts), Decimal(0))
    if not left:
        return []
    text = f"{asking.measure.name}: the parts differ from the total by {format(left, 'f')} in {date}"
    return [Disclosure(kind=DisclosureKind.COVERAGE, text=text)]


def _chosen(asking: Asking, dates: Sequence[str]) -> str | None:
    """Of the dates with all parts, the year asked for, else the newest of the span."""
    period = asking.period
    within = [date for date in dates if year_of(date) <= asking.this_year]
    if period.explicit_year is not None:
        return str(period.explicit_year) if str(period.explicit_year) in within else None
    if period.kind is PeriodKindAsked.YEARS_AGO and period.count is not None and within:
        wanted = str(year_of(within[-1]) - period.count)
        return wanted if wanted in within else None
    if period.kind is PeriodKindAsked.RANGE and period.end is not None:
        within = [date for date in within if year_of(date) <= period.end]
    return within[-1] if within else None


def _lacking(total: TableDocument, parts: Sequence[Part], entity: Entity, period: PeriodAsked) -> str:
    year = f" in {period.explicit_year}" if period.explicit_year is not None else ""
    names = ", ".join(part.name for part in parts[:6])
    return (
        f"no source that Data Commons has gives {total.title} of {entity.name}{year} together with parts that "
        f"make it up (of {names})"
    )
