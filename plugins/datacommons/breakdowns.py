"""A planned split's figures: read again without any judgment, and checked again.

A split is one facet's total and parts. It holds only if the parts add up to the total within 2% on every date of
which the facet has all of them: a sum that fits on one date can be a coincidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from plugins.datacommons.asking import Asking
from plugins.datacommons.dates import is_yearly, period_of, year_of
from plugins.datacommons.places import KEY
from plugins.datacommons.records import Observations
from plugins.datacommons.reporting import VARIABLE, executed, said_of
from shared.query.annotated import Executed
from shared.query.evidence import Disclosure, DisclosureKind, FailureStatus, Observation, Unanswerable
from shared.query.readings import PeriodKindAsked

TOLERANCE = Decimal("0.02")


Figures = dict[str, dict[str, Decimal]]
"""By variable, its figures by date, of one facet."""


def figures_of(found: Observations, variables: Sequence[str], place: str, facet: str) -> Figures:
    """The figures that one facet has of each variable for a place."""
    return {
        variable: {cell.date: cell.value for cell in one.cells}
        for variable in variables
        for one in found.of(variable, place)
        if one.facet == facet
    }


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
    figures = figures_of(found, [asking.variable, *parts], place, facet)
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
