"""Figures of one place for a slot: a value and a series. No judgments here."""

from __future__ import annotations

from collections.abc import Sequence

from plugins.datacommons.asking import Asking
from plugins.datacommons.dates import date_asked, expected_years, is_yearly, period_of, year_of
from plugins.datacommons.facets import Admission, cells_within, newest_of, spanning
from plugins.datacommons.places import KEY, renamed
from plugins.datacommons.records import Cell, Observations, Series
from plugins.datacommons.reporting import executed, other_dates, said_of
from plugins.reporting.recorded import recorded_figures
from shared.query.annotated import Executed
from shared.query.evidence import Disclosure, DisclosureKind, FailureStatus, Observation, Unanswerable
from shared.query.readings import PeriodKindAsked


async def answer_value(asking: Asking) -> Executed | Unanswerable:
    """One figure of one place: of the year asked for, else of the newest year that has one."""
    place = asking.entity.keys[KEY]
    found = await asking.client.observations([asking.variable], [place], date=date_asked(asking.period))
    offered = admissible_of(asking, found, place)
    chosen = _of_dataset(asking, offered) or (None if asking.dataset else newest_of(offered))
    if chosen is None:
        return await nothing(asking, found)
    cell: Cell | None = chosen.cells[-1]
    if asking.period.kind is PeriodKindAsked.YEARS_AGO and asking.period.count is not None:
        year = year_of(chosen.cells[-1].date) - asking.period.count
        cell = next((one for one in chosen.cells if one.date == str(year)), None)
        if cell is None:
            return await nothing(asking, found, why=f"{asking.period.count} years before the newest is {year}")
    if cell is None:
        return await nothing(asking, found)
    notes = [*said_of(asking, found, chosen.facet), *other_dates(asking, found, place, cell), *_ended(asking)]
    return executed(asking, found, chosen.facet, [_observed(asking, cell)], notes, offered=offered)


async def answer_series(asking: Asking) -> Executed | Unanswerable:
    """The figures of one place over a span, oldest first; years of the span without one are ``incomplete``."""
    place = asking.entity.keys[KEY]
    found = await asking.client.observations([asking.variable], [place], date="")
    offered = admissible_of(asking, found, place)
    chosen = _of_dataset(asking, offered) or (None if asking.dataset else spanning(offered, asking.period))
    cells = cells_within(chosen, asking.period) if chosen else []
    if chosen is None or not cells:
        return await nothing(asking, found)
    return executed(
        asking,
        found,
        chosen.facet,
        [_observed(asking, cell) for cell in cells],
        [*said_of(asking, found, chosen.facet), *_ended(asking)],
        offered=offered,
        incomplete=_holes(asking, chosen, cells),
    )


def admissible_of(asking: Asking, found: Observations, place: str) -> list[Series]:
    """The place's series that may answer, best first."""
    return admission(asking, found).of(found.of(asking.variable, place))


def admission(asking: Asking, found: Observations) -> Admission:
    """What decides which of an answer's series may answer."""
    return Admission(found.facets, asking.measure.unit, this_year=asking.this_year, future=asking.to_come)


def _of_dataset(asking: Asking, offered: Sequence[Series]) -> Series | None:
    return next((one for one in offered if one.facet == asking.dataset), None)


def _holes(asking: Asking, chosen: Series, cells: Sequence[Cell]) -> list[str]:
    """The years of the span that the series has no figure for; a series of every few years has none.

    A census of every ten years lacks nothing between two of them.
    """
    if not all(is_yearly(cell.date) for cell in cells):
        return []
    years = {year_of(cell.date) for cell in chosen.cells}
    steps = [later - earlier for earlier, later in zip(sorted(years), sorted(years)[1:], strict=False)]
    if steps and sorted(steps)[len(steps) // 2] > 1:
        return []
    span = expected_years(asking.period, first=min(years), newest=max(years))
    return [str(year) for year in span if year not in years]


def _ended(asking: Asking) -> list[Disclosure]:
    """That a place has no newer figures because it exists no more, where no year was asked for."""
    became = renamed(asking.entity)
    if became is None or asking.period.explicit_year is not None:
        return []
    return [Disclosure(kind=DisclosureKind.MEMBERS, text=became)]


def _observed(asking: Asking, cell: Cell) -> Observation:
    return Observation(entity=asking.entity, period=period_of(cell.date), value=cell.value)


async def nothing(asking: Asking, found: Observations, *, why: str = "") -> Unanswerable:
    """No figure: say what there is instead, so that the reader can ask for it."""
    entity, place = asking.entity, asking.entity.keys[KEY]
    if asking.period.kind is not PeriodKindAsked.ALL and date_asked(asking.period):
        found = await asking.client.observations([asking.variable], [place], date="")
    reason = f"Data Commons has no figure of {asking.measure.name} for {entity.name}"
    if asking.period.explicit_year is not None:
        reason += f" in {asking.period.explicit_year}"
    dates = sorted({cell.date for one in admissible_of(asking, found, place) for cell in one.cells})
    if not dates:
        reason += "; no date has one"
    elif len(dates) == 1:
        reason += f"; it has one for {dates[0]}"
    else:
        reason += f"; it has figures from {dates[0]} to {dates[-1]}"
    if asking.dataset is not None and dates:
        reason += f", none of them of the dataset {asking.dataset} that the other figures are of"
    if why and dates:
        reason += f" ({why})"
    if became := renamed(entity):
        reason += f"; {became}"
    if found.provenance.snapshot_as_of is not None:
        reason += recorded_figures()
    return Unanswerable(status=FailureStatus.NO_DATA, reason=reason)
