"""Figures of a population: one facet, one year, every member that there is. No judgments here.

A containment expression asks for thousands of members in one request. Names come from the gazetteer; only those
that it does not know are asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from plugins.datacommons.answers import admission
from plugins.datacommons.asking import Asking
from plugins.datacommons.dates import date_asked, period_of, year_of
from plugins.datacommons.facets import covering
from plugins.datacommons.places import (
    DISTRICT_OF_COLUMBIA,
    in_territory,
    is_containment,
    known_members,
    known_place,
    place_of,
)
from plugins.datacommons.records import Cell, Observations, Series
from plugins.datacommons.reporting import executed, said_of
from plugins.reporting.recorded import recorded_figures
from plugins.reporting.years import well_reported_year
from shared.query.annotated import Executed
from shared.query.evidence import Disclosure, DisclosureKind, FailureStatus, Observation, Unanswerable
from shared.query.quantity import Entity, Period
from shared.query.readings import PeriodKindAsked

MOST_NAMED = 12
LEAST_REPORTING = 2
"""One in so many members must have a figure, or what is said of them is not said of the population."""


async def answer_population(asking: Asking) -> Executed | Unanswerable:
    """One cell for each member, all of one facet and one year; a member without a figure of it is ``missing``."""
    expression = asking.planned.resolved.expression or ""
    places: Sequence[str] | str = expression if is_containment(expression) else expression.split(";")
    found = await asking.client.observations([asking.variable], places, date=_first_date(asking))
    admitted = admission(asking, found)
    offered = {
        place: tuple(every)
        for place, series in found.by_variable[asking.variable].items()
        if (every := admitted.of(series))
    }
    facet = covering(offered, dataset=asking.dataset)
    year = _year(asking, offered, facet) if facet is not None else None
    if facet is None or year is None:
        return _nobody(asking, found)
    series = {place: one for place, every in offered.items() for one in every if one.facet == facet}
    at_year = {place: cell for place, one in series.items() if (cell := _at(one, year)) is not None}
    if elsewhere := _to_ask_again(asking, places, series, at_year, year):
        again = await asking.client.observations([asking.variable], elsewhere, date=str(year), facets=[facet])
        for place, exact in again.by_variable[asking.variable].items():
            if exact:
                at_year[place] = exact[0].cells[-1]
        found = _both(found, again)
    if not at_year:
        return _nobody(asking, found, year=year)
    members = await _members(asking, expression, at_year, series, year)
    reported = sum(place in at_year for place in members)
    if reported * LEAST_REPORTING < len(members):
        return _too_few(asking, reported, len(members), year)
    notes = [*said_of(asking, found, facet), *_about_year(asking, year, at_year, members, series)]
    periods = {cell.date: period_of(cell.date) for cell in at_year.values()}
    observations = [
        Observation(entity=entity, period=periods[cell.date], value=cell.value)
        if (cell := at_year.get(place)) is not None
        else _missing(entity, year, series.get(place))
        for place, entity in members.items()
    ]
    standing = Counter(one.facet for every in offered.values() for one in every)
    others = [Series(name, ()) for name, _ in standing.most_common()]
    return executed(asking, found, facet, observations, notes, offered=others)


def _to_ask_again(
    asking: Asking,
    places: Sequence[str] | str,
    series: Mapping[str, Series],
    at_year: Mapping[str, Cell],
    year: int,
) -> Sequence[str] | str:
    """Whom to ask for the year itself: all for a year before the newest, else those that report a later one."""
    if asking.period.kind is PeriodKindAsked.YEARS_AGO:
        return places
    return [place for place, one in series.items() if place not in at_year and year_of(one.cells[-1].date) > year]


def _first_date(asking: Asking) -> str:
    return date_asked(asking.period) if asking.period.explicit_year is not None else "LATEST"


def _year(asking: Asking, offered: Mapping[str, tuple[Series, ...]], facet: str) -> int | None:
    if asking.period.explicit_year is not None:
        return asking.period.explicit_year
    coverage = Counter(
        year_of(one.cells[-1].date) for series in offered.values() for one in series if one.facet == facet
    )
    year = well_reported_year(coverage)
    if year is not None and asking.period.kind is PeriodKindAsked.YEARS_AGO and asking.period.count is not None:
        year -= asking.period.count
    return year


def _at(series: Series, year: int) -> Cell | None:
    """The figure of a year; of months, the last of the year."""
    return next((cell for cell in reversed(series.cells) if year_of(cell.date) == year), None)


def _both(found: Observations, again: Observations) -> Observations:
    return Observations(
        found.by_variable,
        {**found.facets, **again.facets},
        found.provenance.joined(again.provenance),
        (*found.unread, *again.unread),
    )


async def _members(
    asking: Asking,
    expression: str,
    at_year: Mapping[str, Cell],
    series: Mapping[str, Series],
    year: int,
) -> dict[str, Entity]:
    """Whoever belongs to the population, by id: those known or listed, and those that have a figure."""
    listed = {entity.keys["dcid"]: entity for entity in asking.planned.resolved.members}
    known = listed or known_members(expression, year)
    found: dict[str, Entity] = dict(known)
    if listed:
        return found
    # Without a list of its own, a population is whom the source has a figure of.
    others = [
        place
        for place in (at_year if known else series)
        if place not in found and not in_territory(place, expression)
    ]
    unknown = [place for place in others if known_place(place) is None]
    names = await asking.client.names(unknown) if unknown else {}
    for place in others:
        found[place] = place_of(place, names.get(place, place))
    return found


def _missing(entity: Entity, year: int, series: Series | None) -> Observation:
    reason = f"not reported for {year}"
    if series is not None:
        reason += f"; the newest figure is of {series.cells[-1].date}"
    return Observation(entity=entity, period=Period.year(year), missing=reason)


def _about_year(
    asking: Asking,
    year: int,
    at_year: Mapping[str, Cell],
    members: Mapping[str, Entity],
    series: Mapping[str, Series],
) -> list[Disclosure]:
    notes = []
    if asking.period.kind is PeriodKindAsked.LATEST:
        text = (
            f"{asking.measure.name}: {year} is the newest year that is reported well enough to compare "
            f"({sum(place in members for place in at_year)} of {len(members)} members)"
        )
        notes.append(Disclosure(kind=DisclosureKind.PERIOD, text=text))
    if any(place not in members for place in at_year):
        text = "Puerto Rico, which Data Commons lists among the states, and its municipios are left out"
        notes.append(Disclosure(kind=DisclosureKind.MEMBERS, text=text))
    if DISTRICT_OF_COLUMBIA in members and not asking.planned.resolved.members:
        text = "the District of Columbia, which Data Commons lists among the states, is counted in"
        notes.append(Disclosure(kind=DisclosureKind.MEMBERS, text=text))
    others = [f"{members[place].name} ({one.cells[-1].date})" for place, one in series.items()
              if place not in at_year and place in members]  # fmt: skip
    if others:
        named = ", ".join(others[:MOST_NAMED]) + (
            f" and {len(others) - MOST_NAMED} more" if len(others) > MOST_NAMED else ""
        )
        text = f"{asking.measure.name}: no figure of {year}, the newest being of another year: {named}"
        notes.append(Disclosure(kind=DisclosureKind.COVERAGE, text=text))
    return notes


def _too_few(asking: Asking, reported: int, members: int, year: int) -> Unanswerable:
    whom = asking.planned.slot.population.text if asking.planned.slot.population else "the members"
    reason = (
        f"Data Commons has a figure of {asking.measure.name} in {year} for only {reported} of {members}: {whom}"
    )
    return Unanswerable(status=FailureStatus.NO_DATA, reason=f"{reason}; that is too few to speak of all of them")


def _nobody(asking: Asking, found: Observations, *, year: int | None = None) -> Unanswerable:
    year = asking.period.explicit_year or year
    span = f" in {year}" if year is not None else ""
    whom = asking.planned.slot.population.text if asking.planned.slot.population else "any member"
    reason = f"Data Commons has no figure of {asking.measure.name} for {whom}{span}"
    if asking.dataset is not None:
        reason += f" of the dataset {asking.dataset}"
    if found.provenance.snapshot_as_of is not None:
        reason += recorded_figures()
    return Unanswerable(status=FailureStatus.NO_DATA, reason=reason)
