"""Lists of areas: which areas of a level there are inside another, as the geography of a vintage has them."""

from __future__ import annotations

from collections.abc import Sequence

from plugins.uscensus.asking import Asking
from plugins.uscensus.measures import FIVE_YEARS, ONE_YEAR
from plugins.uscensus.places import in_territory, known_members, member_of, resolve_population, states_without
from plugins.uscensus.populations import connecticut_told
from plugins.uscensus.records import NoVintage, Table
from plugins.uscensus.reporting import LICENCE, PUBLISHER, executed, recorded_note
from plugins.uscensus.vintages import PROGRAMS, candidates
from shared.query.annotated import Bound, Executed, Meaning, Selected
from shared.query.discovery import TableDocument
from shared.query.evidence import (
    Disclosure,
    DisclosureKind,
    FailureStatus,
    Measure,
    Observation,
    Unanswerable,
)
from shared.query.quantity import Period, Unit, UnitKind
from shared.query.slots import Slot

WORDS = Unit(kind=UnitKind.NONE, code="", label="")
MEMBERS = "members"
GEOGRAPHY = "NAME"
"""The column that every data set has: it lists the areas."""
DATASETS = ((FIVE_YEARS, "acs/acs5"), (ONE_YEAR, "acs/acs1"))
"""The data sets whose geography is asked for; the second has the larger areas only."""
LARGER = frozenset({"state", "congressional district"})


def choose_members(slot: Slot, documents: Sequence[TableDocument]) -> Selected | Unanswerable:
    """The list itself, for a population of the Census Bureau's areas; it needs no table of figures."""
    wanted = slot.population.text if slot.population else slot.describes
    if slot.population is None or slot.relation not in {None, MEMBERS} or slot.entity is not None:
        return _no_list(wanted)
    resolved = resolve_population(slot.population, wanted)
    if isinstance(resolved, Unanswerable):
        return resolved
    if not documents or slot.population.listed:
        return _no_list(wanted)
    meaning = Meaning(id=MEMBERS, label=wanted, variable=GEOGRAPHY, rank=0, documents=(documents[0],))
    return Selected(meanings=(meaning,), why=f"the geography of the Census Bureau's tables lists {wanted}")


def _no_list(wanted: str) -> Unanswerable:
    return Unanswerable(
        status=FailureStatus.NOT_COVERED,
        reason=f"“{wanted}” is no list of the Census Bureau's: it lists the states, and the counties, places and "
        "smaller areas of each",
    )


def bind_members(slot: Slot, selected: Selected, *, source: str, version: str) -> Bound:
    """The list as a measure without figures."""
    name = slot.population.text if slot.population else slot.describes
    measure = Measure(
        source=source,
        variable=GEOGRAPHY,
        name=name[:1].upper() + name[1:],
        unit=WORDS,
        grain="place",
        additive=False,
    )
    return Bound(
        meaning=selected.meanings[0].id,
        measure=measure,
        plugin=source,
        plugin_version=version,
        locator={"dataset": DATASETS[0][1], "program": FIVE_YEARS, "variable": GEOGRAPHY},
    )


async def answer_members(asking: Asking) -> Executed | Unanswerable:
    """The areas of the newest vintage that lists all that are known to exist; their names in order."""
    area, why = asking.area, "there is no such vintage"
    note = ""
    for program, dataset in DATASETS:
        if program == ONE_YEAR and area.level.name not in LARGER:
            continue
        for vintage in candidates(PROGRAMS[program], asking.period, asking.today):
            try:
                table = await asking.client.table(dataset, vintage, [GEOGRAPHY], area)
            except NoVintage:
                continue
            note = recorded_note(table.provenance)
            if lacking := _lacking(asking, table, vintage):
                why = lacking
                continue
            return _listed(asking, table, vintage)
    reason = f"the Census Bureau has no list of {asking.measure.name} here: {why}{note}"
    return Unanswerable(status=FailureStatus.NO_DATA, reason=reason)


def _lacking(asking: Asking, table: Table, vintage: int) -> str:
    """Why the rows are no list of all members; empty where they are."""
    area = asking.area
    if not table.rows:
        return f"no areas of {vintage} came"
    known = known_members(area, vintage)
    if absent := known.keys() - {row.geoid for row in table.rows}:
        return f"of {vintage} only {len(known) - len(absent)} of {len(known)} {area.level.noun} came"
    if holes := states_without(area, vintage, table.rows):
        return f"{area.level.noun} of {vintage} came for only {holes}"
    return ""


def _listed(asking: Asking, table: Table, vintage: int) -> Executed:
    area = asking.area
    rows = [row for row in table.rows if not in_territory(row.geoid, area)]
    entities = sorted((member_of(row, area) for row in rows), key=lambda one: one.name)
    notes = [
        Disclosure(
            kind=DisclosureKind.MEMBERS,
            text=f"{asking.measure.name}: the areas of {vintage}, as the tables of that year have them",
        )
    ]
    notes += connecticut_told(area, vintage)
    if area.level.name == "place":
        text = "the Census Bureau's places are cities and towns, and communities that are neither (CDPs)"
        notes.append(Disclosure(kind=DisclosureKind.MEMBERS, text=text))
    if area.level.name == "state" and any(one.keys.get("fips") == "11" for one in entities):
        text = "the Census Bureau lists the District of Columbia beside the fifty states"
        notes.append(Disclosure(kind=DisclosureKind.MEMBERS, text=text))
    cells = [Observation(entity=one, period=Period.undated(), flag=True) for one in entities]
    answer = executed(asking, table.provenance, vintage, cells, notes)
    response = answer.response.model_copy(update={"publisher": PUBLISHER, "licence": LICENCE, "page_url": None})
    return answer.model_copy(update={"response": response})
