"""The civilian population of the nation and the states by age and sex, from the Population Estimates Program.

The program publishes it by single years of age as one file of each vintage. It stands in where the survey has no
table of ages or sexes, under its own name: members of the armed forces on active duty are not in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from plugins.uscensus.asking import Asking
from plugins.uscensus.breakdowns import Wanted, disagreement
from plugins.uscensus.estimates import AGE_AND_SEX, PEOPLE, PROGRAM, Files, geoid_in, vintages_of
from plugins.uscensus.geography import Area
from plugins.uscensus.records import NoVintage, Published
from plugins.uscensus.reporting import about_program, executed, recorded_note
from plugins.uscensus.vintages import PROGRAMS
from shared.query.annotated import Executed
from shared.query.evidence import (
    Disclosure,
    DisclosureKind,
    FailureStatus,
    Measure,
    Observation,
    Unanswerable,
)
from shared.query.quantity import Period
from shared.query.readings import PeriodKindAsked
from shared.runtime.errors import ResponseMalformed

LEVELS = frozenset({"us", "state"})
DATASET = "popest/agesex-civ"
EARLIEST = 2010
ALL_AGES, BOTH_SEXES, OLDEST = "999", "0", 85
AGES = {
    "0": "Under 1 year",
    "1": "1 year",
    **{str(age): f"{age} years" for age in range(2, OLDEST)},
    str(OLDEST): f"{OLDEST} years and over",
}
SEXES = {"1": "Male", "2": "Female"}
BY: Mapping[str, Mapping[tuple[str, str], str]] = {
    "age": {(BOTH_SEXES, age): name for age, name in AGES.items()},
    "sex": {(sex, ALL_AGES): name for sex, name in SEXES.items()},
}
"""The file's lines of each part, by sex and age, with what the part is called."""
TOTAL = (BOTH_SEXES, ALL_AGES)


@dataclass(frozen=True, slots=True)
class CivilianPlan:
    """A vintage's file and the year of it."""

    dimension: str
    vintage: int
    year: int

    @property
    def locator(self) -> dict[str, str]:
        """The binding's own address."""
        return {
            "dataset": DATASET,
            "program": PROGRAM,
            "variable": "POPEST_CIV",
            "vintage": str(self.vintage),
            "year": str(self.year),
            "dimension": self.dimension,
        }

    def measure(self, source: str, part: tuple[str, str] | None = None) -> Measure:
        """The measure of all civilians, or of those of one sex and age as the file's lines have them."""
        name, variable = "Civilian population", f"POPEST{self.year}_CIV"
        return Measure(
            source=source,
            variable=f"{variable},SEX={part[0]},AGE={part[1]}" if part else variable,
            name=f"{name}: {BY[self.dimension][part]}" if part else name,
            unit=PEOPLE,
            definition="Residents on 1 July who are not on active duty in the armed forces.",
            grain="place",
            additive=True,
        )

    @property
    def parts(self) -> list[tuple[str, str]]:
        """Sex and age of each part, in order."""
        return list(BY[self.dimension])


async def plan_civilians(dimension: str, wanted: Wanted) -> CivilianPlan | Unanswerable:
    """The year to ask for, or why there is none: the year of the question, else the newest of the newest file."""
    area, period, files = wanted.area, wanted.period, Files(wanted.client)
    newest = PROGRAMS[PROGRAM].newest(wanted.today)
    asked = period.explicit_year or (period.end if period.kind is PeriodKindAsked.RANGE else None)
    for vintage in vintages_of(asked, newest) if asked else range(newest, EARLIEST - 1, -1):
        try:
            found = await files.read(AGE_AND_SEX, vintage)
        except NoVintage:
            continue
        year = asked or vintage
        if period.kind is PeriodKindAsked.YEARS_AGO and period.count:
            year -= period.count
        if isinstance(cells_of(found, area, year), dict):
            return CivilianPlan(dimension, vintage, year)
    when = f" in {asked}" if asked else ""
    return Unanswerable(
        status=FailureStatus.NO_DATA,
        reason=f"the Census Bureau has no civilian population of {wanted.entity.name} by {dimension}{when}",
    )


def cells_of(found: Published, area: Area, year: int) -> dict[tuple[str, str], Decimal] | None:
    """The figures of an area by sex and age; ``None`` where the file has not the year or the area."""
    column = f"POPEST{year}_CIV"
    if not found.lines or column not in found.lines[0]:
        return None
    cells = {}
    for line in found.lines:
        if geoid_in(line, area.level.name) == "".join(area.codes):
            if not line[column].isdigit():
                raise ResponseMalformed(f"{column} is {line[column]!r}, which is no number of people")
            cells[line["SEX"], line["AGE"]] = Decimal(line[column])
    return cells or None


async def answer_civilians(asking: Asking) -> Executed | Unanswerable:
    """The parts and their total from the planned file, held against each other."""
    locator = asking.planned.bound.locator
    vintage, year, by = int(locator["vintage"]), int(locator["year"]), BY[locator["dimension"]]
    found = await asking.files.read(AGE_AND_SEX, vintage)
    cells = cells_of(found, asking.area, year)
    if cells is None or not {TOTAL, *by} <= cells.keys():
        reason = f"the file of {vintage} has not all parts of the civilian population of {asking.entity.name}"
        return Unanswerable(status=FailureStatus.NO_DATA, reason=reason + recorded_note(found.provenance))
    values = [cells[one] for one in by]
    if wrong := disagreement(cells[TOTAL], values, shares=False):
        reason = f"civilian population of {asking.entity.name}, {year}: {wrong}"
        return Unanswerable(status=FailureStatus.NOT_COMPARABLE, reason=reason)
    period = Period.year(year)
    text = (
        f"{asking.measure.name}: residents on 1 July {year} without members of the armed forces on active duty, "
        f"as the estimates of the vintage {vintage} have it"
    )
    notes = [*about_program(asking, year), Disclosure(kind=DisclosureKind.CAVEAT, text=text)]
    observed = [Observation(entity=asking.entity, period=period, value=value) for value in values]
    answer = executed(asking, found.provenance, year, observed, notes)
    return answer.model_copy(
        update={
            "categories": tuple(by.values()),
            "parts": asking.planned.bound.parts,
            "total": Observation(entity=asking.entity, period=period, value=cells[TOTAL]),
        }
    )
