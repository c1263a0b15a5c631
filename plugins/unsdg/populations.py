"""A series for every member of a population, in one year and for one combination of dimensions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from plugins.reporting.years import compared_year, years_to_request
from plugins.unsdg.answers import conflict_of, executed, observed
from plugins.unsdg.asking import Asking
from plugins.unsdg.bounds import leaves_open, no_end
from plugins.unsdg.caveats import described_now, given_in_full, names, said_of, whole_of
from plugins.unsdg.periods import RECENT_YEARS
from plugins.unsdg.places import KEY
from plugins.unsdg.records import Cell, SeriesData
from plugins.unsdg.slices import NoTotal, Slice, slice_of, spoken
from plugins.unsdg.units import multiplier
from shared.query.annotated import Executed
from shared.query.evidence import Disclosure, DisclosureKind, FailureStatus, Observation, Unanswerable
from shared.query.quantity import Entity, Period
from shared.query.readings import PeriodKindAsked

BOUND = "published only as a bound, "
"""How the reason begins of a member that has a bound and no number."""


async def answer_population(asking: Asking) -> Executed | Unanswerable:
    """One cell for each member, all of one year and one combination; who is without one is ``missing``.

    Where members are published for different age groups, the one that most have is compared.
    """
    members = {one.keys[KEY]: one for one in asking.planned.resolved.members if KEY in one.keys}
    data = await _figures(asking, list(members))
    if not data.cells:
        said = "; ".join(data.provenance.notes)
        return _no_data(asking, f" ({said})" if said else "")
    sliced, refused = _slices(asking, data, members)
    if not sliced:
        return Unanswerable(
            status=FailureStatus.AMBIGUOUS,
            reason=next(iter(refused.values())) if refused else "no member has a figure",
        )
    usual = Counter(one.stands_for for one in sliced.values()).most_common(1)[0][0]
    for code, one in list(sliced.items()):
        if one.stands_for != usual:
            whom = ", ".join(spoken(data, dimension, value) for dimension, value in one.stands_for) or "the total"
            refused[code] = f"published for {whom}"
            del sliced[code]
    cells = [cell for one in sliced.values() for cell in one.cells]
    if conflict := conflict_of(asking, cells):
        return Unanswerable(status=FailureStatus.NOT_COMPARABLE, reason=conflict)
    reported = {(cell.area, cell.year): cell for cell in cells if cell.reported}
    coverage = dict(Counter(year for _, year in reported))
    year = compared_year(coverage, asking.period)
    if year is None:
        return _no_data(asking, f"; it has figures of {_span(coverage)}" if coverage else "")
    observations = [_observed(asking, member, reported, year, refused) for member in members.items()]
    given = [cell for (_, when), cell in reported.items() if when == year]
    notes = [
        *said_of(asking, data, given),
        *whole_of(asking, data, Slice((), usual)),
        *_left_aside(asking, observations, year, coverage, len(members)),
        *described_now(asking, data),
        *given_in_full(asking, given[0]),
    ]
    unlisted = [one.name for one in asking.planned.resolved.members if KEY not in one.keys]
    if unlisted:
        text = f"the UN's SDG database has no area for {names(unlisted)}, so no figures of them"
        notes.append(Disclosure(kind=DisclosureKind.MEMBERS, text=text))
    open_cells = {
        code: cell for code in members if (cell := reported.get((code, year))) and leaves_open(asking, cell)
    }
    bounded = [members[code].name for code in open_cells]
    if refused_end := no_end(asking, list(open_cells.values()), bounded):
        return refused_end
    return executed(asking, data, observations, notes, incomplete=bounded)


async def _figures(asking: Asking, codes: list[str]) -> SeriesData:
    """The members' rows over enough years to choose one from."""
    everybody = asking.everybody
    years = years_to_request(asking.period, this_year=asking.this_year)
    recent = years is None
    if recent:
        years = (asking.this_year - RECENT_YEARS, asking.this_year)
    areas = [] if everybody else codes
    data = await asking.client.values(asking.series, areas, years=years)
    if recent and not data.cells:
        data = await asking.client.values(asking.series, areas)
    return data


def _slices(
    asking: Asking, data: SeriesData, members: Mapping[str, Entity]
) -> tuple[dict[str, Slice], dict[str, str]]:
    """Each member's rows that answer, and why a member has none. Areas that are no members are passed over."""
    by_area: dict[str, list[Cell]] = {}
    for cell in data.cells:
        if cell.area in members:
            by_area.setdefault(cell.area, []).append(cell)
    sliced, refused = {}, {}
    for area, cells in by_area.items():
        found = slice_of(data, cells, asking.slice)
        if isinstance(found, NoTotal):
            codes = names([spoken(data, found.dimension, code) for code in found.codes if code])
            refused[area] = f"published only for {codes}"
        elif found.cells:
            sliced[area] = found
    return sliced, refused


def _observed(
    asking: Asking,
    member: tuple[str, Entity],
    reported: Mapping[tuple[str, int], Cell],
    year: int,
    refused: Mapping[str, str],
) -> Observation:
    code, entity = member
    cell, period = reported.get((code, year)), Period.year(year)
    if cell is not None and cell.figure.value is not None:
        return observed(asking, entity, cell)
    if cell is not None:
        why = f"{BOUND}{cell.figure.times(multiplier(cell.unit)).in_words(asking.sign)}"
    else:
        why = refused.get(code) or f"not reported for {year}"
    return Observation(entity=entity, period=period, missing=why)


def _left_aside(
    asking: Asking, observations: list[Observation], year: int, coverage: Mapping[int, int], of: int
) -> list[Disclosure]:
    """Members that are published in another form, and later years that too few report."""
    notes = []
    others = [
        f"{one.entity.name} ({one.missing})" for one in observations if (one.missing or "").startswith("publ")
    ]
    if others:
        text = f"{asking.measure_name}: no number to compare of {names(others)}"
        notes.append(Disclosure(kind=DisclosureKind.COVERAGE, text=text))
    newer = {later: count for later, count in sorted(coverage.items()) if later > year}
    if newer and asking.period.kind is PeriodKindAsked.LATEST:
        told = ", ".join(f"{later} by {count}" for later, count in newer.items())
        text = f"{asking.measure_name} is taken for {year}, which {coverage[year]} of {of} members report; "
        notes.append(
            Disclosure(kind=DisclosureKind.PERIOD, text=f"{text}later years are reported by too few: {told}")
        )
    return notes


def _no_data(asking: Asking, more: str) -> Unanswerable:
    asked = asking.period.explicit_year
    return Unanswerable(
        status=FailureStatus.NO_DATA,
        reason=f"the UN's SDG database has no figure of {asking.measure_name} for any member"
        f"{f' in {asked}' if asked is not None else ''}{more}",
    )


def _span(coverage: Mapping[int, int]) -> str:
    return f"{min(coverage)}" if len(coverage) == 1 else f"{min(coverage)} to {max(coverage)}"
