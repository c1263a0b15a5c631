"""Files of the Population Estimates Program, of which other packages keep a part: the same columns and names."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterable
from pathlib import Path

from shared.text.places.tables import states

STATES_VINTAGE, COUNTIES_VINTAGE = 2025, 2022
SINCE = 2020
TERRITORIES = frozenset({"60", "66", "69", "72", "78"})
AGES = {
    "sc-est2021-agesex-civ.csv": (
        "state_population_age_sex_2020_2021.csv.gz",
        ("POPEST2020_CIV", "POPEST2021_CIV"),
    ),
    "sc-est2019-agesex-civ.csv": (
        "state_population_age_sex_2010_2015_2019.csv.gz",
        ("POPEST2010_CIV", "POPEST2015_CIV", "POPEST2019_CIV"),
    ),
}


def published_files(source: Path) -> dict[str, bytes]:
    """The files by their published names, as comma-separated values of the columns that are at hand.

    Raises ``ValueError`` where a state is lacking or ages and sexes do not add up.
    """
    made = {f"NST-EST{STATES_VINTAGE}-ALLDATA.csv": _states(source)}
    made[f"co-est{COUNTIES_VINTAGE}-alldata.csv"] = _counties(source)
    for name, (file, columns) in AGES.items():
        made[name] = _ages(source / "us_facts" / file, columns)
    return made


def _rows(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _written(header: Iterable[str], rows: Iterable[Iterable[object]]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(list(header))
    writer.writerows(rows)
    return out.getvalue().encode()


def _states(source: Path) -> bytes:
    known = {one.keys["postal"]: (one.keys["fips"], one.name) for one in states().values()}
    years = [str(year) for year in range(SINCE, STATES_VINTAGE + 1)]
    figures: dict[str, dict[str, str]] = {}
    for row in _rows(source / "us_facts" / "state_population_1900_2025.csv.gz"):
        if row["year"] in years:
            figures.setdefault(row["state"], {})[row["year"]] = row["population"]
    if len(figures) != 51 or any(len(one) != len(years) for one in figures.values()):
        raise ValueError(f"{len(figures)} states have yearly populations since {SINCE}")
    rows = sorted((*known[state], *(of[year] for year in years)) for state, of in figures.items())
    header = ("SUMLEV", "STATE", "NAME", *(f"POPESTIMATE{year}" for year in years))
    return _written(header, (("040", *row) for row in rows))


def _counties(source: Path) -> bytes:
    rows = []
    for row in _rows(source / "us_facts" / "countypop_2022.csv.gz"):
        fips, figure = row["fips"], row[f"pop_{COUNTIES_VINTAGE}"]
        if fips[:2] not in TERRITORIES and figure not in {"", "NA"}:
            # The package has one name whose letters were decoded twice.
            name = row["county"].replace("Ã±", "ñ")
            rows.append(("050", fips[:2], fips[2:], name, figure.removesuffix(".0")))
    header = ("SUMLEV", "STATE", "COUNTY", "CTYNAME", f"POPESTIMATE{COUNTIES_VINTAGE}")
    return _written(header, sorted(rows))


def _ages(path: Path, columns: tuple[str, ...]) -> bytes:
    cells = {}
    rows = []
    for row in _rows(path):
        key = (row["STATE"].zfill(2), row["SEX"], row["AGE"])
        cells[key] = [int(row[column]) for column in columns]
        rows.append((f"{int(row['SUMLEV']):03}", key[0], row["NAME"], *key[1:], *(row[one] for one in columns)))
    for (state, sex, age), all_ages in cells.items():
        if age == "999":
            ages = [one for (s, x, a), one in cells.items() if (s, x) == (state, sex) and a != "999"]
            if len(ages) != 86 or [sum(year) for year in zip(*ages, strict=True)] != all_ages:
                raise ValueError(f"the ages of {state}, sex {sex}, do not add up")
    return _written(("SUMLEV", "STATE", "NAME", "SEX", "AGE", *columns), rows)
