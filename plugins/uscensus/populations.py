"""Figures of a population: all areas of a level from one request, of one vintage. No judgments here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from plugins.uscensus.asking import Asking
from plugins.uscensus.geography import Area
from plugins.uscensus.places import in_territory, known_members, member_of, states_without, wholly_named
from plugins.uscensus.records import CensusRejects, Estimate, NoVintage, Table
from plugins.uscensus.reporting import about_program, executed, margins_told, recorded_note
from plugins.uscensus.successions import CONNECTICUT, PLANNING_REGIONS_FROM
from plugins.uscensus.vintages import candidates
from plugins.uscensus.wire import read_estimate
from shared.query.annotated import Executed
from shared.query.evidence import Disclosure, DisclosureKind, FailureStatus, Observation, Unanswerable
from shared.query.quantity import Entity, Period
from shared.query.readings import PeriodKindAsked

LEAST_COVERED = 2
"""One part in so many of the members that exist must have a row, or the rows speak for too few."""
DISTRICT_OF_COLUMBIA = "11"
DISTRICT_COUNTED = "the District of Columbia, which the Census Bureau lists beside the fifty states, is counted in"


@dataclass(frozen=True, slots=True)
class Members:
    """Whoever belongs to the population in a vintage, by identifier, with their estimates where there is a row."""

    vintage: int
    entities: Mapping[str, Entity]
    estimates: Mapping[str, Estimate]
    territory: int
    table: Table

    @property
    def too_few(self) -> bool:
        """Whether rows came for too few members to speak of them all."""
        return len(self.estimates) * LEAST_COVERED < len(self.entities) or not self.reported

    @property
    def reported(self) -> int:
        """How many members have a figure."""
        return sum(one.value is not None for one in self.estimates.values())


async def answer_population(asking: Asking) -> Executed | Unanswerable:
    """One cell for each member, of the newest vintage that has them; who is without a figure is ``missing``."""
    chosen: Members | None = None
    best: Members | None = None
    vintages = candidates(asking.address.about, asking.period, asking.today)
    why = "" if vintages else f"there is no vintage {asking.period.explicit_year}"
    for vintage in vintages:
        found = await _members(asking, vintage)
        if isinstance(found, str):
            why = found
            continue
        if not found.too_few:
            chosen = found
            break
        best = best if best is not None and best.reported >= found.reported else found
    if chosen is not None and asking.period.kind is PeriodKindAsked.YEARS_AGO and asking.period.count:
        earlier = await _members(asking, chosen.vintage - asking.period.count)
        why = earlier if isinstance(earlier, str) else ""
        chosen = earlier if isinstance(earlier, Members) and not earlier.too_few else None
    if chosen is None:
        return _nobody(asking, why, best)
    notes = [
        *about_program(asking, chosen.vintage),
        *margins_told(asking, chosen.vintage, list(chosen.estimates.values())),
        *_who(asking, chosen),
    ]
    period = Period.year(chosen.vintage)
    observations = [
        _observed(entity, chosen.estimates.get(geoid), period) for geoid, entity in chosen.entities.items()
    ]
    return executed(asking, chosen.table.provenance, chosen.vintage, observations, notes)


async def _members(asking: Asking, vintage: int) -> Members | str:
    """The members and their estimates in one vintage, or why it has none."""
    variable, area = asking.address.name_in(vintage), asking.area
    if variable is None:
        return f"the name of the variable in the vintage {vintage} is not known here"
    try:
        table = await asking.table(vintage, variable, area)
    except NoVintage:
        return f"there is no vintage {vintage}"
    except CensusRejects as error:
        if error.unknown_variable:
            return f"the vintage {vintage} has no variable {variable}"
        raise
    listed = {entity.keys["fips"]: entity for entity in asking.planned.resolved.members}
    entities = listed or known_members(area, vintage)
    if not entities and (holes := states_without(area, vintage, table.rows)):
        return f"{area.level.noun} of the vintage {vintage} came for only {holes}"
    estimates = {}
    territory = 0
    added = {}
    for row in table.rows:
        if in_territory(row.geoid, area) and row.geoid not in listed:
            territory += 1
        elif row.geoid in entities:
            estimates[row.geoid] = read_estimate(row, variable)
        elif not listed:
            added[row.geoid] = member_of(row, area)
            estimates[row.geoid] = read_estimate(row, variable)
    return Members(vintage, {**entities, **added}, estimates, territory, table)


def _observed(entity: Entity, estimate: Estimate | None, period: Period) -> Observation:
    if estimate is None:
        return Observation(entity=entity, period=period, missing=f"not among the {period} figures")
    if estimate.value is None:
        return Observation(entity=entity, period=period, missing=estimate.missing)
    return Observation(entity=entity, period=period, value=estimate.value)


def _who(asking: Asking, members: Members) -> list[Disclosure]:
    """Which places are counted in, and which have no figure and why."""
    notes = []
    area, vintage = asking.area, members.vintage
    if members.territory:
        states = area.level.name == "state"
        text = "Puerto Rico, which the Census Bureau lists beside the states, is left out"
        text = text if states else f"{members.territory} {area.level.noun} of Puerto Rico are left out"
        notes.append(Disclosure(kind=DisclosureKind.MEMBERS, text=text))
    asked_for = bool(asking.planned.resolved.members)
    if area.level.name == "state" and DISTRICT_OF_COLUMBIA in members.entities and not asked_for:
        notes.append(Disclosure(kind=DisclosureKind.MEMBERS, text=DISTRICT_COUNTED))
    notes += connecticut_told(area, vintage)
    absent: dict[str, list[Entity]] = {}
    for geoid, entity in members.entities.items():
        estimate = members.estimates.get(geoid)
        if estimate is None or estimate.value is None:
            reason = f"not among the {vintage} figures" if estimate is None else str(estimate.missing)
            absent.setdefault(reason, []).append(entity)
    for reason, entities in absent.items():
        text = f"{asking.measure.name}, {vintage}: left out are {wholly_named(entities)}: {reason}"
        notes.append(Disclosure(kind=DisclosureKind.COVERAGE, text=text))
    return notes


def connecticut_told(area: Area, vintage: int) -> list[Disclosure]:
    """As what Connecticut is among the counties of a vintage; nothing where it is not among them."""
    if area.level.name != "county" or area.codes[0] not in {"*", CONNECTICUT}:
        return []
    which = "its nine planning regions" if vintage >= PLANNING_REGIONS_FROM else "its eight counties"
    text = f"Connecticut is counted in as {which}, as the vintage {vintage} has it"
    return [Disclosure(kind=DisclosureKind.MEMBERS, text=text)]


def _nobody(asking: Asking, why: str, best: Members | None) -> Unanswerable:
    program, population = asking.address.about, asking.planned.slot.population
    whom = population.text if population else asking.area.level.noun
    reason = f"the Census Bureau has no figures of {asking.measure.name} for {whom}"
    if asking.period.explicit_year is not None:
        reason += f" in {asking.period.explicit_year}"
    reason += f" ({program.name})"
    if best is not None and best.reported:
        reason += f": only {best.reported} of {len(best.entities)} have one, which are too few to speak of them all"
    elif why and (best is None or asking.period.explicit_year is not None):
        reason += f": {why}"
    if best is not None:
        reason += recorded_note(best.table.provenance)
    return Unanswerable(status=FailureStatus.NO_DATA, reason=reason)
