"""Requests to the SDG database for one place, and its figures as verified observations. No judgments here."""

from __future__ import annotations

from collections.abc import Sequence

from plugins.reporting.years import years_to_request
from plugins.unsdg.asking import Asking
from plugins.unsdg.caveats import described_now, given_in_full, no_total, old_figure, own_group, said_of, whole_of
from plugins.unsdg.periods import choose_cell, choose_series, ends_lacking
from plugins.unsdg.records import Cell, SeriesData
from plugins.unsdg.slices import NoTotal, Slice, slice_of
from plugins.unsdg.units import multiplier
from shared.query.annotated import Executed
from shared.query.evidence import (
    Disclosure,
    DisclosureKind,
    FailureStatus,
    Observation,
    SourceResponse,
    Unanswerable,
)
from shared.query.quantity import Entity, Period

LICENCE = "free to use with the source named"
PUBLISHER = "United Nations Statistics Division"
PAGE = "https://unstats.un.org/sdgs/dataportal/database?series="


async def answer_value(asking: Asking) -> Executed | Unanswerable:
    """One figure of one area: of the year asked for, else of the newest year that has one.

    A newest figure that is published as a bound (``<2.5``) is told as a bound; no older number stands in for it.
    """
    found = await _of_area(asking)
    if isinstance(found, Unanswerable):
        return found
    data, chosen, reported = found
    cell = choose_cell(reported, asking.period)
    if cell is None:
        return await nothing(asking, reported)
    notes = [
        *said_of(asking, data, [cell]),
        *whole_of(asking, data, chosen),
        *own_group(asking, cell),
        *old_figure(asking, cell),
        *described_now(asking, data),
        *given_in_full(asking, cell),
    ]
    if cell.figure.bound:
        text = f"the UN publishes no number for {asking.entity.name} in {cell.year}, only a bound"
        notes.append(Disclosure(kind=DisclosureKind.CAVEAT, text=text))
    return executed(asking, data, [observed(asking, asking.entity, cell)], notes)


async def answer_series(asking: Asking) -> Executed | Unanswerable:
    """The figures of one area over a span, oldest first; years with a bound and missing ends are ``incomplete``.

    Many series come from surveys of some years: years without one lack nothing.
    """
    found = await _of_area(asking)
    if isinstance(found, Unanswerable):
        return found
    data, chosen, reported = found
    cells = choose_series(reported, asking.period)
    numbers = [cell for cell in cells if cell.figure.value is not None]
    bounds = [f"{cell.year} ({cell.figure.in_words()})" for cell in cells if cell.figure.bound]
    if not numbers:
        return await nothing(asking, reported, why=f"only bounds: {', '.join(bounds)}" if bounds else "")
    notes = [
        *said_of(asking, data, numbers),
        *whole_of(asking, data, chosen),
        *own_group(asking, numbers[-1]),
        *described_now(asking, data),
        *given_in_full(asking, numbers[-1]),
    ]
    lacking = [*ends_lacking(cells, asking.period), *bounds]
    return executed(
        asking, data, [observed(asking, asking.entity, cell) for cell in numbers], notes, incomplete=lacking
    )


async def _of_area(asking: Asking) -> tuple[SeriesData, Slice, list[Cell]] | Unanswerable:
    """The area's rows that answer, and of them the reported ones, oldest first, one a year."""
    years = years_to_request(asking.period, this_year=asking.this_year)
    data = await asking.client.values(asking.series, [asking.area], years=years)
    cells = [cell for cell in data.cells if cell.area == asking.area]
    if not cells:
        return await nothing(asking, [], notes=data.provenance.notes)
    chosen = slice_of(data, cells, asking.slice)
    if isinstance(chosen, NoTotal):
        return Unanswerable(status=chosen.status, reason=no_total(asking, data, asking.entity.name, chosen))
    if conflict := conflict_of(asking, chosen.cells):
        return Unanswerable(status=FailureStatus.NOT_COMPARABLE, reason=conflict)
    by_year = {cell.year: cell for cell in chosen.cells if cell.reported}
    return data, chosen, [by_year[year] for year in sorted(by_year)]


def conflict_of(asking: Asking, cells: Sequence[Cell]) -> str | None:
    """Why rows that should be one a year are not: another unit, or two different figures of one year."""
    other = sorted({cell.unit for cell in cells if asking.unit_code and cell.unit != asking.unit_code})
    if other:
        return f"{asking.measure_name} came in the unit {', '.join(other)} and is bound in {asking.unit_code}"
    seen: dict[tuple[str, int], Cell] = {}
    for cell in cells:
        known = seen.setdefault((cell.area, cell.year), cell)
        if cell.reported and known.reported and (cell.figure, cell.unit) != (known.figure, known.unit):
            return (
                f"the UN's database has two different figures of {asking.measure_name} for {cell.name} in "
                f"{cell.year} and does not tell which one counts"
            )
        if cell.reported and not known.reported:
            seen[cell.area, cell.year] = cell
    return None


def observed(asking: Asking, entity: Entity, cell: Cell) -> Observation:
    """A cell as an observation: a number, or a bound in words."""
    period, figure = Period.year(cell.year), cell.figure.times(multiplier(cell.unit))
    if figure.value is not None:
        return Observation(entity=entity, period=period, value=figure.value)
    return Observation(entity=entity, period=period, text=figure.in_words(asking.sign))


async def nothing(
    asking: Asking, reported: Sequence[Cell], *, why: str = "", notes: Sequence[str] = ()
) -> Unanswerable:
    """No figure: say which years have one, so that the reader can ask for them."""
    entity = asking.entity
    reason = f"the UN's SDG database has no figure of {asking.measure_name} for {entity.name}"
    if asking.period.explicit_year is not None:
        reason += f" in {asking.period.explicit_year}"
    cells: Sequence[Cell] = reported
    if years_to_request(asking.period, this_year=asking.this_year) is not None:
        data = await asking.client.values(asking.series, [asking.area])
        own = slice_of(data, data.cells, asking.slice) if data.cells else None
        if isinstance(own, NoTotal):
            return Unanswerable(status=own.status, reason=no_total(asking, data, entity.name, own))
        cells = [cell for cell in own.cells if cell.reported] if own else []
    years = sorted({cell.year for cell in cells})
    if not years:
        reason += "; no year has one"
    elif years[0] == years[-1]:
        reason += f"; it has one for {years[0]}"
    else:
        reason += f"; it has figures from {years[0]} to {years[-1]}"
    said = "; ".join(text for text in (why, *notes) if text)
    return Unanswerable(status=FailureStatus.NO_DATA, reason=f"{reason} ({said})" if said else reason)


def executed(
    asking: Asking,
    data: SeriesData,
    observations: Sequence[Observation],
    disclosures: Sequence[Disclosure],
    *,
    incomplete: Sequence[str] = (),
) -> Executed:
    """The observations with their provenance."""
    bound, provenance = asking.planned.bound, data.provenance
    return Executed(
        meaning=bound.meaning,
        measure=bound.measure,
        response=SourceResponse(
            source=bound.plugin,
            publisher=PUBLISHER,
            requests=provenance.requests,
            retrieved_at=provenance.retrieved_at,
            as_of=provenance.snapshot_as_of,
            snapshot=provenance.snapshot_as_of is not None,
            licence=LICENCE,
            page_url=f"{PAGE}{asking.series}",
        ),
        observations=tuple(observations),
        incomplete=tuple(incomplete),
        disclosures=tuple(disclosures),
    )
