"""Requests to the World Bank for one slot, and its figures as verified observations. No judgments here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from plugins.reporting.years import compared_year, years_to_request
from plugins.worldbank.asking import Asking
from plugins.worldbank.caveats import (
    coverage_of,
    names,
    old_figure,
    other_extent,
    own_group,
    recorded_limits,
    thin_year,
    year_chosen,
)
from plugins.worldbank.partitions import disagreement, partition_by_key, read_partition
from plugins.worldbank.periods import RECENT_YEARS, choose_cell, choose_series
from plugins.worldbank.records import Cell, Observations, WorldBankRejects
from shared.query.annotated import Executed
from shared.query.evidence import (
    Disclosure,
    DisclosureKind,
    FailureStatus,
    Observation,
    SourceResponse,
    Unanswerable,
)
from shared.query.quantity import Entity, Period, PlaceKind
from shared.query.readings import PeriodAsked

LICENCE = "CC BY 4.0"
PUBLISHER = "World Bank"
COUNTRIES_UNLISTED = frozenset({"TWN", "VAT"})
"""Their absence leaves a hole in a population; the other unlisted places are dependent or disputed territories."""
PAGE = "https://data.worldbank.org/indicator/"


async def answer_value(asking: Asking) -> Executed | Unanswerable:
    """One figure of one entity: of the year asked for, else of the newest year that has one."""
    entity = asking.entity
    code = entity.keys["wb"]
    years = years_to_request(asking.period, this_year=asking.this_year)
    found = await asking.client.observations(asking.indicator, [code], years=years)
    chosen = choose_cell(found.reported(code), asking.period)
    if isinstance(chosen, str):
        return await _nothing(asking, entity, chosen, found)
    notes = [*recorded_limits(found, asking.period), *old_figure(asking, entity, chosen)]
    if entity.kind is PlaceKind.COUNTRY_GROUP:
        notes += [own_group(entity, chosen), *await other_extent(asking, entity)]
        notes += await thin_year(asking, entity, chosen)
    return executed_of(asking, found, [observation_of(entity, chosen)], notes, page_of=[entity])


async def answer_series(asking: Asking) -> Executed | Unanswerable:
    """The figures of one entity over a span, oldest first; years of the span without one are ``incomplete``."""
    entity = asking.entity
    code = entity.keys["wb"]
    years = years_to_request(asking.period, this_year=asking.this_year)
    found = await asking.client.observations(asking.indicator, [code], years=years)
    cells, lacking = choose_series(found.reported(code), asking.period)
    if not cells:
        return await _nothing(asking, entity, "no year has a figure", found)
    notes = recorded_limits(found, asking.period)
    if entity.kind is PlaceKind.COUNTRY_GROUP:
        notes += [own_group(entity, cells[-1]), *await other_extent(asking, entity)]
    observations = [observation_of(entity, cell) for cell in cells]
    return executed_of(
        asking, found, observations, notes, page_of=[entity], incomplete=[str(year) for year in lacking]
    )


YearOf = Callable[[Mapping[int, int], PeriodAsked], int | None]
"""Chooses the year of a population from how many members report each, and the span asked for."""


async def answer_population(asking: Asking, *, year_of: YearOf = compared_year) -> Executed | Unanswerable:
    """One cell for each member, all of one year; a member without a figure of that year is ``missing``."""
    resolved = asking.planned.resolved
    asked = {entity.keys["wb"]: entity for entity in resolved.members if "wb" in entity.keys}
    found = await _population_figures(asking, list(asked))
    coverage = coverage_of(found, asked)
    year = year_of(coverage, asking.period)
    if year is None:
        asked_year = asking.period.explicit_year
        span = f" in {asked_year}" if asked_year is not None else ""
        limits = f" ({'; '.join((*found.notes, *found.shortened))})" if found.notes or found.shortened else ""
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
        observations.append(observation_of(entity, cell) if cell else _missing(entity, year, newest))
    unlisted = [entity for entity in resolved.members if "wb" not in entity.keys]
    notes = [*recorded_limits(found, asking.period), *year_chosen(asking, year, coverage, len(asked))]
    if others:
        notes.append(
            Disclosure(
                kind=DisclosureKind.COVERAGE,
                text=f"{asking.measure_name}: no figure of {year}, the newest being of another year: "
                f"{names(others)}",
            )
        )
    if unlisted:
        notes.append(
            Disclosure(
                kind=DisclosureKind.MEMBERS,
                text=f"the World Bank has no entity for {names([entity.name for entity in unlisted])}, "
                "so no figures of them",
            )
        )
    lacking = [entity.name for entity in unlisted if entity.keys.get("iso3") in COUNTRIES_UNLISTED]
    executed = executed_of(asking, found, observations, notes, page_of=[], incomplete=lacking)
    return executed.model_copy(update={"total": await _of_the_group(asking, year)})


async def _of_the_group(asking: Asking, year: int) -> Observation | None:
    """The publisher's own figure of the population's group, where its members are reduced to one figure.

    What adds up is left to the sum; for anything else the publisher weighs its members, as a plain mean does not.
    """
    slot = asking.planned.slot
    container = slot.population.container if slot.population is not None else None
    group = container.entity if container is not None else None
    code = group.keys.get("wb") if group is not None else None
    if slot.role != "members" or group is None or code is None or asking.planned.bound.measure.additive:
        return None
    if slot.population is not None and slot.population.fact_filter is not None:
        return None
    try:
        found = await asking.client.observations(asking.indicator, [code], years=(year, year))
    except WorldBankRejects:
        return None
    cell = found.newest(code)
    return None if cell is None or cell.year != year else observation_of(group, cell)


async def answer_categories(asking: Asking) -> Executed | Unanswerable:
    """The parts of a whole, all of one year, if they make it up in every year that has all of them."""
    entity = asking.entity
    code = entity.keys["wb"]
    partition = partition_by_key(asking.indicator)
    if partition is None:
        raise LookupError(f"{asking.indicator} was bound as a split and is none")
    found = await read_partition(partition, code, asking.client)
    if wrong := disagreement(partition, found):
        whole = "100%" if partition.total is None else "the total"
        return Unanswerable(
            status=FailureStatus.NOT_COMPARABLE,
            reason=f"{asking.measure_name}: the parts that the World Bank publishes for {entity.name} do not add "
            f"up to {whole} in {wrong}: they overlap or some are missing",
        )
    complete = found.years()
    chosen = _year_of_split(asking, complete, entity)
    if isinstance(chosen, Unanswerable):
        return chosen

    def cell(indicator: str) -> Observation:
        return Observation(entity=entity, period=Period.year(chosen), value=found.by_indicator[indicator][chosen])

    notes = [
        *recorded_limits(found.whole, asking.period),
        *old_figure(asking, entity, Cell(code, entity.name, chosen, None)),
    ]
    cells = [cell(part.indicator) for part in partition.parts]
    executed = executed_of(asking, found.whole, cells, notes, page_of=[entity])
    return executed.model_copy(
        update={
            "categories": tuple(part.name for part in partition.parts),
            "parts": asking.planned.bound.parts,
            "part_pages": tuple(_page(part.indicator, [entity]) for part in partition.parts),
            "total": cell(partition.total) if partition.total else None,
            "whole": partition.whole,
        }
    )


def _year_of_split(asking: Asking, complete: list[int], entity: Entity) -> int | Unanswerable:
    """Of the years that have all parts, the one asked for, else the newest of the span."""
    span = years_to_request(asking.period, this_year=asking.this_year)
    within = [year for year in complete if span is None or span[0] <= year <= span[1]]
    chosen = choose_cell([Cell("", "", year, None) for year in within], asking.period)
    if not isinstance(chosen, str):
        return chosen.year
    reason = f"the World Bank has no figures of all parts of {asking.measure_name} for {entity.name}"
    if asking.period.explicit_year is not None:
        reason += f" in {asking.period.explicit_year}"
    if complete:
        reason += f"; it has them for {_years(complete)}"
    return Unanswerable(status=FailureStatus.NO_DATA, reason=reason)


def _years(years: list[int]) -> str:
    """``1960 to 2025`` for years without gaps, else each of the newest ones."""
    if len(years) > 2 and years[-1] - years[0] == len(years) - 1:
        return f"{years[0]} to {years[-1]}"
    return names([str(year) for year in reversed(years)])


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
    if recent and found.is_empty:
        found = await asking.client.observations(asking.indicator, "all" if expression == "all" else entities)
    return found


def observation_of(entity: Entity, cell: Cell) -> Observation:
    """A row of the publisher as an observation."""
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
    reported = whole.reported(entity.keys["wb"])
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
    if notes := "; ".join((*found.notes, *found.shortened)):
        reason += f" ({notes})"
    return Unanswerable(status=FailureStatus.NO_DATA, reason=reason)


def executed_of(
    asking: Asking,
    found: Observations,
    observations: Sequence[Observation],
    disclosures: Sequence[Disclosure],
    *,
    page_of: Sequence[Entity],
    incomplete: Sequence[str] = (),
) -> Executed:
    """The observations with their provenance."""
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
    return SourceResponse(
        source=source,
        publisher=PUBLISHER,
        requests=found.requests,
        retrieved_at=found.retrieved_at,
        as_of=found.last_updated,
        snapshot=found.snapshot_as_of is not None,
        licence=LICENCE,
        page_url=_page(found.indicator, entities),
    )


def _page(indicator: str, entities: Sequence[Entity]) -> str:
    places = "-".join(entity.keys["iso2"] for entity in entities if "iso2" in entity.keys)
    return f"{PAGE}{indicator}" + (f"?locations={places}" if places else "")
