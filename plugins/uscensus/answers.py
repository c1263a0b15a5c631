"""Figures of one place for a slot: a value and a series. No judgments here."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from plugins.uscensus.asking import Asking
from plugins.uscensus.geography import Area
from plugins.uscensus.measures import ONE_YEAR
from plugins.uscensus.records import CensusRejects, Estimate, NoVintage, Provenance, Table
from plugins.uscensus.reporting import (
    about_program,
    executed,
    margin_told,
    margins_told,
    recorded_note,
    succession_told,
)
from plugins.uscensus.successions import code_in, told
from plugins.uscensus.vintages import candidates, spanned
from plugins.uscensus.wire import read_estimate
from shared.query.annotated import Executed
from shared.query.evidence import Disclosure, DisclosureKind, FailureStatus, Observation, Unanswerable
from shared.query.quantity import Period
from shared.query.readings import PeriodKindAsked

COUNTY = "county"


@dataclass(frozen=True, slots=True)
class Found:
    """The figure of the asked-for area in one vintage; ``estimate`` is ``None`` where the area has no row."""

    vintage: int
    estimate: Estimate | None
    table: Table


async def answer_value(asking: Asking) -> Executed | Unanswerable:
    """One figure of one place: of the year asked for, else of the newest vintage that has the place."""
    wanted = candidates(asking.address.about, asking.period, asking.today)
    found, why = await _first(asking, wanted)
    if found is not None and asking.period.kind is PeriodKindAsked.YEARS_AGO and asking.period.count:
        earlier = found.vintage - asking.period.count
        found, why = await _first(asking, [earlier] if asking.address.about.exists(earlier) else [])
    if found is None or found.estimate is None:
        return _nothing(asking, why, found)
    if found.estimate.value is None:
        return _nothing(asking, f"for {found.vintage} it says: {found.estimate.missing}", found)
    notes = [
        *about_program(asking, found.vintage),
        *margin_told(asking, asking.entity.name, found.vintage, found.estimate),
        *succession_told(asking, found.vintage),
    ]
    return executed(asking, found.table.provenance, found.vintage, [_observed(asking, found)], notes)


async def _first(asking: Asking, vintages: Sequence[int]) -> tuple[Found | None, str]:
    """The newest of the vintages that has a row of the area, and why the others have none."""
    why = (
        "" if vintages or not asking.period.explicit_year else f"there is no vintage {asking.period.explicit_year}"
    )
    last: Found | None = None
    for vintage in vintages:
        found = await one_vintage(asking, vintage)
        if isinstance(found, Found):
            if found.estimate is not None:
                return found, ""
            last, why = found, "no row of it came"
        else:
            why = found
    return last, why


async def one_vintage(asking: Asking, vintage: int) -> Found | str:
    """The area's figure of one vintage, or why the vintage has none."""
    variable = asking.address.name_in(vintage)
    if variable is None:
        return f"the name of the variable in the vintage {vintage} is not known here"
    area = asking.area
    if area.level.name == COUNTY:
        code = code_in("".join(area.codes), vintage)
        if code is None:
            return f"{told(''.join(area.codes)) or 'the county did not exist'}; {vintage} has no such county"
        area = Area.one(COUNTY, code)
    try:
        table = await asking.table(vintage, variable, area)
    except NoVintage:
        return f"there is no vintage {vintage}"
    except CensusRejects as error:
        if error.unknown_variable:
            return f"the vintage {vintage} has no variable {variable}"
        raise
    row = table.row("".join(area.codes))
    return Found(vintage, read_estimate(row, variable) if row is not None else None, table)


async def answer_series(asking: Asking) -> Executed | Unanswerable:
    """The figures of one place over the vintages of a span, oldest first; the vintages are asked side by side."""
    program = asking.address.about
    vintages = spanned(program, asking.period, asking.today)
    results = await asyncio.gather(*(one_vintage(asking, vintage) for vintage in vintages))
    found = [one for one in results if isinstance(one, Found)]
    having = [one for one in found if one.estimate is not None and one.estimate.value is not None]
    if not having:
        why = next((one for one in reversed(results) if isinstance(one, str)), "")
        return _nothing(asking, why, found[-1] if found else None)
    first, last = having[0].vintage, having[-1].vintage
    told_of = {one.vintage for one in having}
    ranged = asking.period.kind is PeriodKindAsked.RANGE
    lacking = [str(year) for year in vintages if year not in told_of and (ranged or first < year < last)]
    notes = [*about_program(asking, last), *succession_told(asking, last)]
    estimates = [one.estimate for one in having if one.estimate is not None]
    notes += margins_told(asking, last, estimates)
    if program.years > 1:
        text = (
            f"estimates over {program.years} years of neighbouring vintages share most of their years, so that "
            "year-to-year changes between them say little"
        )
        notes.append(Disclosure(kind=DisclosureKind.CAVEAT, text=text))
    whole = _joined([one.table.provenance for one in having])
    return executed(asking, whole, last, [_observed(asking, one) for one in having], notes, incomplete=lacking)


def _joined(gathered: Sequence[Provenance]) -> Provenance:
    first = gathered[0]
    requests = tuple(request for one in gathered for request in one.requests)
    return Provenance(requests, first.retrieved_at, first.snapshot_as_of, first.note)


def _observed(asking: Asking, found: Found) -> Observation:
    value = found.estimate.value if found.estimate is not None else None
    return Observation(entity=asking.entity, period=Period.year(found.vintage), value=value)


def _nothing(asking: Asking, why: str, found: Found | None) -> Unanswerable:
    """No figure: say whose it would be and why there is none."""
    program = asking.address.about
    reason = f"the Census Bureau has no figure of {asking.measure.name} for {asking.entity.name}"
    if asking.period.explicit_year is not None:
        reason += f" in {asking.period.explicit_year}"
    reason += f" ({program.name})"
    reason += f": {why}" if why else ""
    if asking.address.program == ONE_YEAR and found is not None and found.estimate is None:
        reason += "; one-year estimates are published for areas of 65,000 people and more"
    if found is not None:
        reason += recorded_note(found.table.provenance)
    return Unanswerable(status=FailureStatus.NO_DATA, reason=reason)
