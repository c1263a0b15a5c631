"""Requests to the World Bank for one slot, and its figures as verified observations. No judgments here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plugins.worldbank.client import Cell, Observations, WorldBankClient
from plugins.worldbank.periods import (
    RECENT_YEARS,
    choose_cell,
    choose_series,
    common_year,
    population_year,
    years_to_request,
)
from shared.query.annotated import Executed, PlannedRequest
from shared.query.evidence import (
    Disclosure,
    DisclosureKind,
    FailureStatus,
    Observation,
    SourceResponse,
    Unanswerable,
)
from shared.query.quantity import Entity, Period, PlaceKind
from shared.query.readings import PeriodAsked, PeriodKindAsked
from shared.text.places import by_code, members

LICENCE = "CC BY 4.0"
PUBLISHER = "World Bank"
PAGE = "https://data.worldbank.org/indicator/"
OLD_YEARS = 4
"""A newest figure that is older than this is pointed out."""
NAMES_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Asking:
    """One planned request with what it is carried out by. ``this_year`` is the calendar's."""

    planned: PlannedRequest
    client: WorldBankClient
    this_year: int

    @property
    def indicator(self) -> str:
        """The indicator that was bound."""
        return self.planned.bound.locator["indicator"]

    @property
    def measure_name(self) -> str:
        """The measure's published title."""
        return self.planned.bound.measure.name

    @property
    def period(self) -> PeriodAsked:
        """The span that the slot asks for."""
        return self.planned.slot.period


async def answer_value(asking: Asking) -> Executed | Unanswerable:
    """One figure of one entity: of the year asked for, else of the newest year that has one."""
    entity = _entity(asking)
    code = entity.keys["wb"]
    years = years_to_request(asking.period, this_year=asking.this_year)
    found = await asking.client.observations(asking.indicator, [code], years=years)
    chosen = choose_cell(found.reported(code), asking.period)
    if isinstance(chosen, str):
        return await _nothing(asking, entity, chosen, found)
    notes = [*_recorded_limits(found), *_old_figure(asking, entity, chosen)]
    if entity.kind is PlaceKind.COUNTRY_GROUP:
        notes += [_own_group(entity, chosen), *await _thin_year(asking, entity, chosen)]
    return _executed(asking, found, [_observation(entity, chosen)], notes, page_of=[entity])


async def answer_series(asking: Asking) -> Executed | Unanswerable:
    """The figures of one entity over a span, oldest first; years of the span without one are ``incomplete``."""
    entity = _entity(asking)
    code = entity.keys["wb"]
    years = years_to_request(asking.period, this_year=asking.this_year)
    found = await asking.client.observations(asking.indicator, [code], years=years)
    cells, lacking = choose_series(found.reported(code), asking.period)
    if not cells:
        return await _nothing(asking, entity, "no year has a figure", found)
    notes = _recorded_limits(found)
    if entity.kind is PlaceKind.COUNTRY_GROUP:
        notes.append(_own_group(entity, cells[-1]))
    observations = [_observation(entity, cell) for cell in cells]
    return _executed(
        asking, found, observations, notes, page_of=[entity], incomplete=[str(year) for year in lacking]
    )


async def answer_population(asking: Asking) -> Executed | Unanswerable:
    """One cell for each member, all of one year; a member without a figure of that year is ``missing``."""
    resolved = asking.planned.resolved
    asked = {entity.keys["wb"]: entity for entity in resolved.members if "wb" in entity.keys}
    found = await _population_figures(asking, list(asked))
    coverage = _coverage(found, asked)
    year = population_year(coverage, asking.period)
    if year is None:
        asked_year = asking.period.explicit_year
        span = f" in {asked_year}" if asked_year is not None else ""
        limits = f" ({'; '.join(found.notes)})" if found.notes else ""
        return Unanswerable(
            status=FailureStatus.NO_DATA,
            reason=f"the World Bank has no figure of {asking.measure_name} for any member{span}{limits}",
        )
    at_year = {cell.entity: cell for cell in found.cells if cell.year == year and cell.value is not None}
    observations, others = [], []
    for code, entity in asked.items():
        cell = at_year.get(code)
        newest = found.newest(code)
        if cell is None and newest is not None:
            others.append(f"{entity.name} ({newest.year})")
        observations.append(_observation(entity, cell) if cell else _missing(entity, year, newest))
    uncovered = [entity.name for entity in resolved.members if "wb" not in entity.keys]
    notes = [*_recorded_limits(found), *_year_chosen(asking, year, coverage, len(asked))]
    if others:
        notes.append(
            Disclosure(
                kind=DisclosureKind.COVERAGE,
                text=f"{asking.measure_name}: no figure of {year}, the newest being of another year: "
                f"{_names(others)}",
            )
        )
    if uncovered:
        notes.append(
            Disclosure(
                kind=DisclosureKind.MEMBERS,
                text=f"the World Bank has no entity for {_names(uncovered)}, so no figures of them",
            )
        )
    return _executed(asking, found, observations, notes, page_of=[], incomplete=uncovered)


async def _population_figures(asking: Asking, codes: Sequence[str]) -> Observations:
    """The members' figures over enough years to choose one from."""
    expression = asking.planned.resolved.expression
    entities: Sequence[str] = codes
    years = years_to_request(asking.period, this_year=asking.this_year)
    recent = years is None and (asking.period.count or 0) < RECENT_YEARS
    if recent:
        years = (asking.this_year - RECENT_YEARS, asking.this_year)
    found = await asking.client.observations(
        asking.indicator, "all" if expression == "all" else entities, years=years
    )
    if recent and not found.reported():
        found = await asking.client.observations(asking.indicator, "all" if expression == "all" else entities)
    return found


def _coverage(found: Observations, members_asked: Iterable[str]) -> dict[int, int]:
    """How many of the members have a value, by year; groups of countries are never counted."""
    asked = set(members_asked)
    years: dict[int, int] = {}
    for cell in found.cells:
        if cell.value is not None and cell.entity in asked:
            years[cell.year] = years.get(cell.year, 0) + 1
    return years


def _year_chosen(asking: Asking, year: int, coverage: dict[int, int], of: int) -> list[Disclosure]:
    newer = {later: count for later, count in coverage.items() if later > year}
    if not newer or asking.period.kind is not PeriodKindAsked.LATEST:
        return []
    told = ", ".join(f"{later} by {count}" for later, count in sorted(newer.items()))
    return [
        Disclosure(
            kind=DisclosureKind.PERIOD,
            text=f"{asking.measure_name} is compared for {year}, which {coverage[year]} of {of} members report; "
            f"later years are reported by too few: {told}",
        )
    ]


def _entity(asking: Asking) -> Entity:
    entity = asking.planned.resolved.entity
    if entity is None:
        raise LookupError(f"{asking.planned.slot.id} was planned without an entity")
    return entity


def _observation(entity: Entity, cell: Cell) -> Observation:
    return Observation(entity=entity, period=Period.year(cell.year), value=cell.value)


def _missing(entity: Entity, year: int, newest: Cell | None) -> Observation:
    reason = f"not reported for {year}"
    return Observation(
        entity=entity,
        period=Period.year(year),
        missing=f"{reason}; the newest figure is of {newest.year}" if newest else reason,
    )


async def _nothing(asking: Asking, entity: Entity, why: str, found: Observations) -> Unanswerable:
    """No figure: say which years have one, so that the reader can ask for them."""
    whole = found
    if years_to_request(asking.period, this_year=asking.this_year) is not None:
        whole = await asking.client.observations(asking.indicator, [entity.keys["wb"]])
    reported = whole.reported()
    asked = asking.period.explicit_year
    reason = f"the World Bank has no figure of {asking.measure_name} for {entity.name}"
    if asked is not None:
        reason += f" in {asked}"
    if not reported:
        reason += "; no year has one"
    elif reported[0].year == reported[-1].year:
        reason += f"; it has one for {reported[0].year}"
    else:
        reason += f"; it has figures from {reported[0].year} to {reported[-1].year}"
    if why and asked is None and reported:
        reason += f" ({why})"
    if notes := "; ".join(found.notes):
        reason += f" ({notes})"
    return Unanswerable(status=FailureStatus.NO_DATA, reason=reason)


def _recorded_limits(found: Observations) -> list[Disclosure]:
    return [Disclosure(kind=DisclosureKind.SNAPSHOT, text=note) for note in found.notes]


def _old_figure(asking: Asking, entity: Entity, cell: Cell) -> list[Disclosure]:
    if asking.period.kind is not PeriodKindAsked.LATEST or asking.this_year - cell.year < OLD_YEARS:
        return []
    text = f"the newest figure of {asking.measure_name} for {entity.name} is of {cell.year}"
    return [Disclosure(kind=DisclosureKind.PERIOD, text=text)]


def _own_group(entity: Entity, cell: Cell) -> Disclosure:
    return Disclosure(
        kind=DisclosureKind.MEMBERS,
        text=f"the figure for {entity.name} is the World Bank's own for its group “{cell.name}” ({cell.entity})",
    )


async def _thin_year(asking: Asking, entity: Entity, cell: Cell) -> list[Disclosure]:
    """A caveat when far fewer members report the year of a group's newest figure than an earlier year."""
    if asking.period.kind is not PeriodKindAsked.LATEST:
        return []
    countries = {country.code for country in await asking.client.countries() if not country.is_group}
    group = by_code(entity.keys["wb"])
    known = members(group) if group is not None else None
    counted = {member.keys["iso3"] for member in known} & countries if known else countries
    span = (cell.year - 3, cell.year)
    found = await asking.client.observations(asking.indicator, "all", years=span)
    coverage = _coverage(found, counted)
    fuller = common_year(coverage)
    if fuller is None or fuller == cell.year:
        return []
    return [
        Disclosure(
            kind=DisclosureKind.CAVEAT,
            text=f"{asking.measure_name}, {entity.name}, {cell.year}: only {coverage.get(cell.year, 0)} members "
            f"report that year, against {coverage[fuller]} for {fuller}: the two years are not like for like",
        )
    ]


def _names(names: Sequence[str]) -> str:
    if len(names) <= NAMES_SHOWN:
        return ", ".join(names)
    return f"{', '.join(names[:NAMES_SHOWN])} and {len(names) - NAMES_SHOWN} more"


def _executed(
    asking: Asking,
    found: Observations,
    observations: Sequence[Observation],
    disclosures: Sequence[Disclosure],
    *,
    page_of: Sequence[Entity],
    incomplete: Sequence[str] = (),
) -> Executed:
    bound = asking.planned.bound
    return Executed(
        meaning=bound.meaning,
        measure=bound.measure,
        response=source_response(bound.plugin, found, page_of),
        observations=tuple(observations),
        incomplete=tuple(incomplete),
        disclosures=tuple(disclosures),
    )


def source_response(source: str, found: Observations, entities: Sequence[Entity]) -> SourceResponse:
    """The answer's provenance; ``page_url`` shows the indicator for the entities to a reader."""
    places = "-".join(entity.keys["iso2"] for entity in entities if "iso2" in entity.keys)
    return SourceResponse(
        source=source,
        publisher=PUBLISHER,
        requests=found.requests,
        retrieved_at=found.retrieved_at,
        as_of=found.last_updated,
        snapshot=found.snapshot_as_of is not None,
        licence=LICENCE,
        page_url=f"{PAGE}{found.indicator}" + (f"?locations={places}" if places else ""),
    )
