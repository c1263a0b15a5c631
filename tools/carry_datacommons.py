"""Carry published figures into the recorded answers of Data Commons.

Reads ``../shared/data`` (a folder beside the repository, or the one given as argument) and writes
``plugins/datacommons/snapshot/data`` and the table that the finder's leaves are made of. Usage:
``python -m tools.carry_datacommons [SOURCE_FOLDER]``.
"""

from __future__ import annotations

import gzip
import json
import shutil
import sys
from pathlib import Path

from tools.datacommons_carried.gathered import Gathered, facet_id
from tools.datacommons_carried.goldens import read_goldens
from tools.datacommons_carried.places import PlaceRow, read_places
from tools.datacommons_carried.publications import (
    ACS5_COUNT,
    ACS5_MONEY,
    DECENNIAL,
    FRED,
    LAUS,
    PEP,
    S1901,
    add_publications,
)

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT.parent / "shared" / "data"
TARGET = ROOT / "plugins" / "datacommons" / "snapshot" / "data"
LEAVES = ROOT / "finder_index" / "generators" / "data" / "datacommons_carried.tsv"

ERS = "US Department of Agriculture, Economic Research Service"
NOTES = (
    ("Count_Person", PEP, "recorded populations of states are the US Census Bureau's estimates of vintage 2025 as "
     "published through FRED, which equal Data Commons' own for California"),
    ("Count_Person", facet_id(FRED), "recorded populations of states are the US Census Bureau's estimates of "
     "vintage 2025 as published through FRED; of 1980, 2020 and 2021 Data Commons itself keeps other vintages"),
    ("Count_Person", ACS5_COUNT, "recorded populations of counties are the US Census Bureau's tables of "
     "2013-2017 and 2019-2023, which equal Data Commons' own for California"),
    ("Count_Person", DECENNIAL, "recorded populations of counties are the US Census Bureau's counts of 2020, "
     "which equal Data Commons' own for California"),
    ("Median_Income_Household", ACS5_MONEY, "recorded figures are the US Census Bureau's tables that Data Commons "
     "imports: of counties 2013-2017 and 2019-2023, of states 2018-2022"),
    ("Median_Income_Household", S1901, "recorded from the US Census Bureau's own answer for its table S1901"),
    *((variable, ACS5_COUNT, f"figures of the American Community Survey 2015-2019 as published by the {ERS}")
      for variable in ("Count_Person_EducationalAttainmentBachelorsDegreeOrHigher",
                       "Count_Person_25OrMoreYears_EducationalAttainmentLessThanHighSchoolDiploma")),
    *((variable, LAUS, "recorded figures of counties are annual averages of 2000 to 2020 as the Bureau of Labor "
       "Statistics published them in 2021; Data Commons has its later revisions")
      for variable in ("UnemploymentRate_Person", "Count_Person_Employed", "Count_Person_Unemployed",
                       "Count_Person_InLaborForce")),
)  # fmt: skip


def main(arguments: list[str]) -> int:
    """Write all files anew; the same sources give the same bytes."""
    source = Path(arguments[0]) if arguments else SOURCE
    if absent := [name for name in ("datacommons", "us_facts") if not (source / name).is_dir()]:
        print(
            f"no {' and no '.join(absent)} in {source}: nothing was carried, and what is carried stays",
            file=sys.stderr,
        )
        return 1
    gathered = Gathered()
    read_goldens(source / "datacommons", gathered)
    add_publications(source, gathered)
    places = read_places(source)
    known = {row.dcid for row in places}
    shutil.rmtree(TARGET / "values", ignore_errors=True)
    (TARGET / "values").mkdir(parents=True)
    leaves = ["variable\tcountries\tstates\tcounties\tcities\tfirst\tlast\timports"]
    for variable in sorted(gathered.values):
        tables = _ordered(gathered, variable)
        _write(TARGET / "values" / f"{variable.replace('/', '~')}.tsv.gz", _lines(tables, known))
        leaves.append(_leaf(gathered, variable, tables, places))
    used = {facet for tables in gathered.values.values() for facet in tables}
    facets = {facet: gathered.facets[facet] for facet in sorted(used, key=int)}
    _json(TARGET / "facets.json", facets)
    _json(TARGET / "notes.json", [{"variable": v, "facet": f, "note": n} for v, f, n in NOTES])
    _write(TARGET / "places.tsv.gz", ["\t".join(PlaceRow._fields), *("\t".join(row) for row in places)])
    LEAVES.write_text("\n".join(leaves) + "\n", encoding="utf-8")
    cells = sum(len(dates) for v in gathered.values.values() for f in v.values() for dates in f.values())
    print(f"{len(gathered.values)} variables, {len(used)} facets, {len(places)} places, {cells} figures")
    return 0


def _ordered(gathered: Gathered, variable: str) -> dict[str, dict[str, dict[str, str]]]:
    order = gathered.order.get(variable, [])
    tables = gathered.values[variable]
    ordered = [*order, *(one for one in tables if one not in order)]
    return {facet: tables[facet] for facet in ordered if facet in tables}


def _lines(tables: dict[str, dict[str, dict[str, str]]], known: set[str]) -> list[str]:
    lines = []
    for facet, places in tables.items():
        dates = sorted({date for cells in places.values() for date in cells})
        lines.append("\t".join(("#facet", facet, *dates)))
        lines += [
            "\t".join((place, *(places[place].get(date, "") for date in dates))).rstrip("\t")
            for place in sorted(places)
            if place in known
        ]
    return lines


def _leaf(
    gathered: Gathered, variable: str, tables: dict[str, dict[str, dict[str, str]]], places: list[PlaceRow]
) -> str:
    have = {place for of_facet in tables.values() for place in of_facet}
    count = {
        kind: sum(row.types.startswith(kind) and row.dcid in have for row in places)
        for kind in ("Country", "State", "County", "City")
    }
    years = sorted({date[:4] for of_facet in tables.values() for cells in of_facet.values() for date in cells})
    imports = dict.fromkeys(gathered.facets[facet]["importName"] for facet in tables)
    return "\t".join((variable, *map(str, count.values()), years[0], years[-1], ",".join(imports)))


def _write(path: Path, lines: list[str]) -> None:
    raw = ("\n".join(lines) + "\n").encode()
    path.write_bytes(gzip.compress(raw, compresslevel=9, mtime=0))


def _json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
