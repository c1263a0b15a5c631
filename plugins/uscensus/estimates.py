"""The Population Estimates Program: yearly estimates of residents, which newer vintages have as files only.

A file of a vintage has every year since the last decennial census, each revised; the newest file that is out
answers for a year.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from plugins.uscensus.client import CensusClient
from plugins.uscensus.geography import Area
from plugins.uscensus.records import NoVintage, Published, Row, Table
from shared.query.evidence import Measure
from shared.query.quantity import Unit, UnitKind

PROGRAM = "pep"
RESIDENTS = "POPESTIMATE"
PAGE = "https://www.census.gov/programs-surveys/popest.html"
ROOT = "https://www2.census.gov/programs-surveys/popest/datasets"
STATE_TOTALS = f"{ROOT}/{{decade}}-{{vintage}}/state/totals/NST-EST{{vintage}}-ALLDATA.csv"
COUNTY_TOTALS = f"{ROOT}/{{decade}}-{{vintage}}/counties/totals/co-est{{vintage}}-alldata.csv"
TOTALS = {"state": STATE_TOTALS, "county": COUNTY_TOTALS}
"""The file of a level's totals."""
AGE_AND_SEX = f"{ROOT}/{{decade}}-{{vintage}}/state/asrh/sc-est{{vintage}}-agesex-civ.csv"
SUMMARY = {"us": 10, "state": 40, "county": 50}
CODES = ("SUMLEV", "STATE", "NAME")
PEOPLE = Unit(kind=UnitKind.COUNT, code="people", label="people")


def address_of(pattern: str, vintage: int) -> str:
    """The address of a vintage's file."""
    return pattern.format(decade=vintage // 10 * 10, vintage=vintage)


def residents(source: str) -> Measure:
    """The measure of the yearly totals."""
    return Measure(
        source=source,
        variable=RESIDENTS,
        name="Resident population",
        unit=PEOPLE,
        definition="Residents on 1 July, estimated from the last decennial census, births, deaths and migration.",
        grain="place",
        additive=True,
    )


def geoid_in(cells: Mapping[str, str], level: str) -> str | None:
    """The identifier of a file's line, or ``None`` for a line of another level."""
    if not cells["SUMLEV"].isdigit() or int(cells["SUMLEV"]) != SUMMARY[level]:
        return None
    if level == "us":
        return "1"
    return cells["STATE"].zfill(2) + (cells["COUNTY"].zfill(3) if level == "county" else "")


@dataclass(frozen=True, slots=True)
class Files:
    """The published files of one question; each is read once however many years of it are asked for."""

    client: CensusClient
    _read: dict[str, asyncio.Task[Published]] = field(default_factory=dict)

    async def read(self, pattern: str, vintage: int) -> Published:
        """The file of a vintage; raises ``NoVintage`` where it is not out."""
        url = address_of(pattern, vintage)
        if url not in self._read:
            self._read[url] = asyncio.create_task(self.client.file(url, CODES[:2]))
        return await self._read[url]

    async def totals(self, year: int, area: Area, newest: int) -> Table:
        """The residents of an area, or of all areas of a level, in a year, from the newest file that has it.

        Raises ``NoVintage`` where none has.
        """
        pattern, column = TOTALS.get(area.level.name), f"{RESIDENTS}{year}"
        for vintage in vintages_of(year, newest) if pattern else ():
            try:
                found = await self.read(str(pattern), vintage)
            except NoVintage:
                continue
            if not found.lines or column in found.lines[0]:
                return Table(tuple(_rows(found, area, column)), found.provenance)
        raise NoVintage(f"the Census Bureau has no estimates of residents in {year}")


def vintages_of(year: int, newest: int) -> list[int]:
    """The vintages whose files may have a year, the newest first."""
    last = min(newest, year // 10 * 10 + 9)
    return list(range(last, year - 1, -1))


def _rows(found: Published, area: Area, column: str) -> Iterator[Row]:
    for line in found.lines:
        geoid = geoid_in(line, area.level.name)
        if geoid is not None and area.holds(geoid):
            yield Row(geoid, {"NAME": line.get("NAME") or line.get("CTYNAME"), column: line[column]})
