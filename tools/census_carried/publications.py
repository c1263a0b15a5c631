"""The publications that the recorded figures come from, cell by cell."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from tools.census_carried.cube import Cube

COUNTY_2017 = {
    "TotalPop": "B01003_001E",
    "Men": "B01001_002E",
    "Women": "B01001_026E",
    "Hispanic": "DP05_0071PE",
    "White": "DP05_0077PE",
    "Black": "DP05_0078PE",
    "Native": "DP05_0079PE",
    "Asian": "DP05_0080PE",
    "Pacific": "DP05_0081PE",
    "VotingAgeCitizen": "B29001_001E",
    "Income": "B19013_001E",
    "IncomeErr": "B19013_001M",
    "IncomePerCap": "B19301_001E",
    "IncomePerCapErr": "B19301_001M",
    "Poverty": "DP03_0128PE",
    "ChildPoverty": "DP03_0129PE",
    "Professional": "DP03_0027PE",
    "Service": "DP03_0028PE",
    "Office": "DP03_0029PE",
    "Construction": "DP03_0030PE",
    "Production": "DP03_0031PE",
    "Drive": "DP03_0019PE",
    "Carpool": "DP03_0020PE",
    "Transit": "DP03_0021PE",
    "Walk": "DP03_0022PE",
    "OtherTransp": "DP03_0023PE",
    "WorkAtHome": "DP03_0024PE",
    "MeanCommute": "DP03_0025E",
    "Employed": "DP03_0004E",
    "PrivateWork": "DP03_0047PE",
    "PublicWork": "DP03_0048PE",
    "SelfEmployed": "DP03_0049PE",
    "FamilyWork": "DP03_0050PE",
    "Unemployment": "DP03_0009PE",
}
COUNTY_2023 = {
    "POPULATION SIZE": "B01003_001E",
    "white": "DP05_0037PE",
    "african american": "DP05_0038PE",
    "age": "B01002_001E",
    "age under 5": "DP05_0005PE",
    "age 85 plus": "DP05_0017PE",
    "age 18 plus": "DP05_0021PE",
    "age 65 plus": "DP05_0024PE",
    "household size": "B25010_001E",
    "family size": "DP02_0017E",
    "hs grad": "S1501_C02_014E",
    "college grad": "S1501_C02_015E",
    "total households": "B11001_001E",
    "household income mean": "S1901_C01_013E",
    "per capita income": "B19301_001E",
    "household income median": "B19013_001E",
    "veterans": "S2101_C04_001E",
    "unemployment 20 64": "S2301_C04_021E",
    "uninsured": "S2701_C05_001E",
    "broadband": "DP02_0154PE",
}
"""Columns of the 2023 file that every county has; those that the file leaves out for half of them are not taken."""

SAIPE_2019 = {
    "SAEMHI": ("MEDHHINC_2019", "CI90LBINC_2019", "CI90UBINC_2019"),
    "SAEPOVALL": ("POVALL_2019", "CI90LBALL_2019", "CI90UBALL_2019"),
    "SAEPOVRTALL": ("PCTPOVALL_2019", "CI90LBALLP_2019", "CI90UBALLP_2019"),
    "SAEPOV0_17": ("POV017_2019", "CI90LB017_2019", "CI90UB017_2019"),
    "SAEPOVRT0_17": ("PCTPOV017_2019", "CI90LB017P_2019", "CI90UB017P_2019"),
    "SAEPOV5_17R": ("POV517_2019", "CI90LB517_2019", "CI90UB517_2019"),
    "SAEPOVRT5_17R": ("PCTPOV517_2019", "CI90LB517P_2019", "CI90UB517P_2019"),
}
"""Estimates of the model with the columns of their figure and of the bounds of its 90% interval."""

FORMS = {"us": 1, "state": 2, "county": 3, "tract": 6, "place": 5, "county subdivision": 5,
         "congressional district": 2, "block group": 1}  # fmt: skip


def _csv(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def add_counties(source: Path, cube: Cube) -> None:
    """Two five-year tables of all counties; a blank of the source is a blank here."""
    for row in _csv(source / "census" / "acs2017_5yr_county.csv.gz"):
        geoid = row["CountyId"].zfill(5)
        cube.put(("acs5", "2017", "county"), geoid, "NAME", f"{row['County']}, {row['State']}")
        for column, variable in COUNTY_2017.items():
            cube.put(("acs5", "2017", "county"), geoid, variable, row[column] or None)
    for row in _csv(source / "us_facts" / "county_acs_2023.csv.gz"):
        geoid = row["GEOID"].zfill(5)
        cube.put(("acs5", "2023", "county"), geoid, "NAME", row["county state"])
        for column, variable in COUNTY_2023.items():
            value = row[column]
            cube.put(("acs5", "2023", "county"), geoid, variable, None if value in {"", "NA"} else value)


COUNTED_2020 = 331_449_281
"""The resident population counted on 1 April 2020, as published for the nation."""


def add_decennial(source: Path, cube: Cube) -> None:
    """The population counted in 2020, of states and counties; the island areas have a data set of their own.

    Raises ``ValueError`` where the states do not make up the nation.
    """
    path = source / "census" / "census_2020_population_county.csv"
    for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines()):
        state, county = row["state_code"], row["county_code"]
        if state in {"60", "66", "69", "78"}:
            continue
        level, geoid = ("state", state) if county == "000" else ("county", state + county)
        name = row["county_name"] if county == "000" else f"{row['county_name']}, {row['state_name']}"
        cube.put(("pl", "2020", level), geoid, "NAME", name)
        cube.put(("pl", "2020", level), geoid, "P1_001N", row["population"])
    states = {geoid: cells for geoid, cells in cube.cells["pl", "2020", "state"].items() if geoid != "72"}
    counted = sum(int(cells["P1_001N"] or 0) for cells in states.values())
    if counted != COUNTED_2020:
        raise ValueError(f"the states count {counted} people and the nation {COUNTED_2020}")
    cube.put(("pl", "2020", "us"), "1", "NAME", "United States")
    cube.put(("pl", "2020", "us"), "1", "P1_001N", str(COUNTED_2020))


DISTRICTS = 117
"""The Congress whose districts the one-year file of 2021 has."""
AT_LARGE = {"00": "Congressional District (at Large)", "98": "Delegate District (at Large)"}
RESIDENT_COMMISSIONER = "72"


def add_districts(source: Path, cube: Cube) -> None:
    """The population of congressional districts in 2021, of the one-year file; Guam is not in the survey."""
    path = source / "census" / "census_2021_population_congressional_district.csv"
    for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines()):
        state, district = row["state_code"], row["congressional_district"]
        if state == "66":
            continue
        name = AT_LARGE.get(district, f"Congressional District {int(district)}")
        if state == RESIDENT_COMMISSIONER:
            name = "Resident Commissioner District (at Large)"
        key = ("acs1", "2021", "congressional district")
        state_name = row["state_name"].replace(" Of ", " of ")
        cube.put(key, state + district, "NAME", f"{name} ({DISTRICTS}th Congress), {state_name}")
        cube.put(key, state + district, "B01003_001E", row["population"])


ATTAINMENT = {
    "B16010_002E": ("Less than a high school diploma, 2015-19", "less than a high school diploma"),
    "B16010_015E": ("High school diploma only, 2015-19", "a high school diploma only"),
    "B16010_028E": ("Some college or associate's degree, 2015-19", "completing some college or associate's degree"),
    "B16010_041E": ("Bachelor's degree or higher, 2015-19", "a bachelor's degree or higher"),
}
"""Adults of four levels of education, which make up the table's total, and how the file names their shares."""
ROUNDED = 0.051
"""How far a percentage of one decimal may be from what its counts give."""
ADULTS_2019 = 220_622_076
"""The population of 25 years and over in 2015-2019, as published for the nation."""


def add_education(source: Path, cube: Cube) -> None:
    """Adults by education in 2015-2019: the nation, states and counties, with the total that they make up.

    Raises ``ValueError`` where the parts and the published shares or the nation's total do not agree.
    """
    path = source / "us_facts" / "county_education_1970_2019.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    for row in rows:
        counts = {name: row[column].replace(",", "") for name, (column, _) in ATTAINMENT.items()}
        if not all(counts.values()):
            continue
        level, geoid = _of_five(row["FIPS Code"])
        total = sum(map(int, counts.values()))
        for name, (_, words) in ATTAINMENT.items():
            column = next(
                one for one in row if words in one and one.startswith("Percent") and one.endswith("2015-19")
            )
            if abs(100 * int(counts[name]) / total - float(row[column])) > 0.051:
                raise ValueError(f"{row['Area name']}: {counts[name]} of {total} is not {row[column]}%")
        key = ("acs5", "2019", level)
        if level != "us":
            named = row["Area name"] if level == "state" else f"{row['Area name']}, {row['State']}"
            cube.put(key, geoid, "NAME", named)
        cube.put(key, geoid, "B16010_001E", str(total))
        for name, value in counts.items():
            cube.put(key, geoid, name, value)
    if cube.cells["acs5", "2019", "us"]["1"]["B16010_001E"] != str(ADULTS_2019):
        raise ValueError("the levels of education do not make up the nation's adults")


def add_modelled(source: Path, cube: Cube) -> None:
    """Small Area Income and Poverty Estimates: 2019 whole, of 2021 the rate of all ages."""
    with gzip.open(
        source / "us_facts" / "county_poverty_median_income_2019.tsv.gz", "rt", encoding="utf-8"
    ) as file:
        for row in csv.DictReader(file, delimiter="\t"):
            level, geoid = _of_five(row["FIPStxt"])
            cube.put(("saipe", "2019", level), geoid, "NAME", row["Area_name"])
            for stem, columns in SAIPE_2019.items():
                for ending, column in zip(("PT", "LB90", "UB90"), columns, strict=True):
                    if row[column]:
                        cube.put(("saipe", "2019", level), geoid, f"{stem}_{ending}", row[column].replace(",", ""))
    for row in _csv(source / "us_facts" / "countypov_2021.csv.gz"):
        level, geoid = _of_five(row["fips"])
        if row["pct_pov_2021"]:
            cube.put(("saipe", "2021", level), geoid, "NAME", row["county"])
            cube.put(("saipe", "2021", level), geoid, "SAEPOVRTALL_PT", row["pct_pov_2021"])


def _of_five(fips: str) -> tuple[str, str]:
    """Level and identifier of a code of five digits, in which a state is 000 of its counties."""
    if fips == "00000":
        return "us", "1"
    return ("state", fips[:2]) if fips.endswith("000") else ("county", fips)


def add_recorded(source: Path, cube: Cube) -> int:
    """Every recorded answer of the API: all its cells that are not blank. Returns how many answers."""
    count = 0
    with gzip.open(source / "census" / "acs_recorded_responses.ndjson.gz", "rt", encoding="utf-8") as file:
        for line in file:
            answer = json.loads(line)
            count += 1
            parts = urlsplit(answer["url"])
            asked = dict(parse_qsl(parts.query))
            _, vintage, _, product, *_ = parts.path.strip("/").split("/")
            if parts.path.endswith("cprofile"):
                continue
            level = asked["for"].partition(":")[0]
            header, *rows = answer["body"]
            codes = [name for name in header if name in FORMS]
            for row in rows:
                cells = dict(zip(header, row, strict=True))
                geoid = "".join(cells[name] for name in codes)
                for column, value in cells.items():
                    if column in FORMS or column == "GEO_ID" or value is None:
                        continue
                    cube.put((product, vintage, level), geoid, column, str(value))
    return count
