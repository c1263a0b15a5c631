"""Figures of the publications that Data Commons imports, where the publication equals the import.

Checked against Data Commons' recorded answers: the American Community Survey tables and the decennial counts are
its own figures to the digit; the state estimates equal it for California in every year but three.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.datacommons_carried.gathered import Gathered, facet_id, read_rows, whole

ACS5_COUNT, ACS5_YEARS, ACS5_MONEY = "1145703171", "3795540742", "1305418269"
S0101, S1901, DECENNIAL, PEP, LAUS = "1964317807", "1107922769", "1541763368", "2176550201", "2978659163"
REVISED = frozenset({"1980", "2020", "2021"})
"""Years of which Data Commons keeps another vintage of the state estimates than the newest."""

_ACS = {
    "importName": "CensusACS5YearSurvey",
    "provenanceUrl": "https://www.census.gov/programs-surveys/acs/data/data-via-ftp.html",
    "measurementMethod": "CensusACS5yrSurvey",
}
FACETS = {
    ACS5_MONEY: {**_ACS, "unit": "USDollar"},
    S1901: {
        "importName": "CensusACS5YearSurvey_SubjectTables_S1901",
        "provenanceUrl": "https://data.census.gov/cedsci/table?q=S1901&tid=ACSST5Y2023.S1901",
        "measurementMethod": "CensusACS5yrSurveySubjectTable",
        "unit": "InflationAdjustedUSD_CurrentYear",
    },
}
FRED = {
    "importName": "CensusPEP_StatePopulation_FRED",
    "provenanceUrl": "https://fred.stlouisfed.org",
    "measurementMethod": "CensusPEPSurvey",
    "observationPeriod": "P1Y",
}
"""The Census Bureau's state estimates as FRED publishes them; no import of Data Commons."""

AGES = {
    2: "Upto5Years", 3: "5To9Years", 4: "10To14Years", 5: "15To19Years", 6: "20To24Years", 7: "25To29Years",
    8: "30To34Years", 9: "35To39Years", 10: "40To44Years", 11: "45To49Years", 12: "50To54Years", 13: "55To59Years",
    14: "60To64Years", 15: "65To69Years", 16: "70To74Years", 17: "75To79Years", 18: "80To84Years",
    19: "85OrMoreYears", 22: "Upto18Years", 26: "18OrMoreYears", 30: "65OrMoreYears",
}  # fmt: skip
"""Rows of table S0101 and the age in the variables that Data Commons makes of them."""
RACES = {
    2: "WhiteAlone", 3: "BlackOrAfricanAmericanAlone", 4: "AmericanIndianAndAlaskaNativeAlone", 5: "AsianAlone",
    6: "NativeHawaiianAndOtherPacificIslanderAlone", 7: "SomeOtherRaceAlone", 8: "TwoOrMoreRaces",
}  # fmt: skip


def add_publications(data: Path, gathered: Gathered) -> None:
    """All publications, after the recorded answers."""
    gathered.facets |= FACETS
    for add in (_states, _decennial, _acs_2023, _acs_2017, _education, _unemployment, _recorded_census):
        add(data, gathered)


def _states(data: Path, gathered: Gathered) -> None:
    fips = {row["state_abbr"]: row["fips"].zfill(2) for row in read_rows(data / "us_facts" / "state_fips_2018.csv")}
    fips["DC"] = "11"
    own = facet_id(FRED)
    gathered.facets[own] = FRED
    gathered.order["Count_Person"].append(own)
    for row in read_rows(data / "us_facts" / "state_population_1900_2025.csv.gz"):
        place, year, value = f"geoId/{fips[row['state']]}", row["year"], whole(row["population"])
        if not value:
            continue
        gathered.add("Count_Person", own, place, year, value)
        if year not in REVISED and not gathered.has("Count_Person", PEP, place, year):
            gathered.add("Count_Person", PEP, place, year, value)


def _decennial(data: Path, gathered: Gathered) -> None:
    for row in read_rows(data / "census" / "census_2020_population_county.csv"):
        place = f"geoId/{row['state_code']}{row['county_code']}"
        if row["state_code"] <= "56" or row["state_code"] == "72":
            gathered.add("Count_Person", DECENNIAL, place, "2020", whole(row["population"]))


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table as a figure of a variable in a facet."""

    name: str
    variable: str
    facet: str


ACS_2023 = (
    Column("POPULATION SIZE", "Count_Person", ACS5_COUNT),
    Column("age", "Median_Age_Person", ACS5_YEARS),
    Column("household income median", "Median_Income_Household", ACS5_MONEY),
    Column("total households", "Count_Household", ACS5_COUNT),
)
ACS_2017 = (
    Column("TotalPop", "Count_Person", ACS5_COUNT),
    Column("Men", "Count_Person_Male", ACS5_COUNT),
    Column("Women", "Count_Person_Female", ACS5_COUNT),
    Column("Income", "Median_Income_Household", ACS5_MONEY),
)


def _acs_2023(data: Path, gathered: Gathered) -> None:
    for row in read_rows(data / "us_facts" / "county_acs_2023.csv.gz"):
        _columns(gathered, row, ACS_2023, f"geoId/{row['GEOID'].zfill(5)}", "2023")


def _acs_2017(data: Path, gathered: Gathered) -> None:
    for row in read_rows(data / "census" / "acs2017_5yr_county.csv.gz"):
        _columns(gathered, row, ACS_2017, f"geoId/{row['CountyId'].zfill(5)}", "2017")


def _columns(gathered: Gathered, row: dict[str, str], columns: tuple[Column, ...], place: str, date: str) -> None:
    for column in columns:
        if value := whole(row[column.name]):
            gathered.add(column.variable, column.facet, place, date, value)


def _education(data: Path, gathered: Gathered) -> None:
    variables = {
        "Less than a high school diploma, 2015-19": "Count_Person_25OrMoreYears_"
        "EducationalAttainmentLessThanHighSchoolDiploma",
        "Bachelor's degree or higher, 2015-19": "Count_Person_EducationalAttainmentBachelorsDegreeOrHigher",
    }
    for row in read_rows(data / "us_facts" / "county_education_1970_2019.tsv.gz", delimiter="\t"):
        place = _ers_place(row["FIPS Code"])
        for column, variable in variables.items():
            if value := whole(row[column] or ""):
                gathered.add(variable, ACS5_COUNT, place, "2019", value)


def _ers_place(code: str) -> str:
    if code == "00000":
        return "country/USA"
    return f"geoId/{code[:2]}" if code.endswith("000") else f"geoId/{code}"


def _unemployment(data: Path, gathered: Gathered) -> None:
    variables = {
        "labor_force": "Count_Person_InLaborForce",
        "employed": "Count_Person_Employed",
        "unemployed": "Count_Person_Unemployed",
        "unemployment_rate_pct": "UnemploymentRate_Person",
    }
    for row in read_rows(data / "us_facts" / "county_unemployment_laus_2000_2020.csv.gz"):
        for column, variable in variables.items():
            if row[column]:
                gathered.add(variable, LAUS, f"geoId/{row['fips']}", row["year"], row[column])


def _recorded_census(data: Path, gathered: Gathered) -> None:
    """Answers of the Census Bureau's own API, whose tables Data Commons imports."""
    for table, year, row in _census_rows(data / "census" / "acs_recorded_responses.ndjson.gz"):
        place = _census_place(row)
        match table:
            case "S0101":
                for column, sex in ((1, ""), (3, "_Male"), (5, "_Female")):
                    gathered.add(f"Count_Person{sex}", S0101, place, year, row[f"S0101_C0{column}_001E"])
                for line, age in AGES.items():
                    gathered.add(f"Count_Person_{age}", S0101, place, year, row[f"S0101_C01_{line:03}E"])
            case "B17001":
                below = "BelowPovertyLevelInThePast12Months"
                for line, name in ((2, below), (3, f"Male_{below}"), (17, f"Female_{below}")):
                    gathered.add(f"Count_Person_{name}", ACS5_COUNT, place, year, row[f"B17001_{line:03}E"])
                gathered.add("Count_Person_PovertyStatusDetermined", ACS5_COUNT, place, year, row["B17001_001E"])
            case "B02001":
                gathered.add("Count_Person", ACS5_COUNT, place, year, row["B02001_001E"])
                for line, race in RACES.items():
                    gathered.add(f"Count_Person_{race}", ACS5_COUNT, place, year, row[f"B02001_{line:03}E"])
            case "B03003":
                gathered.add("Count_Person_HispanicOrLatino", ACS5_COUNT, place, year, row["B03003_003E"])
            case "B25077":
                name = "Median_HomeValue_HousingUnit_OccupiedHousingUnit_OwnerOccupied"
                if value := whole(row["B25077_001E"]):
                    gathered.add(name, ACS5_MONEY, place, year, value)
            case "S1903":
                gathered.add("Median_Income_Household", ACS5_MONEY, place, year, row["S1903_C03_001E"])
            case "S1901":
                gathered.add("Median_Income_Household", S1901, place, year, row["S1901_C01_012E"])
            case "B19013":
                if value := whole(row["B19013_001E"]):
                    gathered.add("Median_Income_Household", ACS5_MONEY, place, year, value)
            case "B01003":
                gathered.add("Count_Person", ACS5_COUNT, place, year, row["B01003_001E"])


def _census_rows(path: Path) -> Iterator[tuple[str, str, dict[str, str]]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            answer = json.loads(line)
            year, dataset = answer["url"].split("/data/")[1].split("/")[:2]
            if dataset != "acs" or "/acs1" in answer["url"]:
                continue
            header, *rows = answer["body"]
            table = next((name.partition("_")[0] for name in header if name[:1] in "BS" and "_0" in name), "")
            whom = answer["url"].partition("for=")[2]
            wanted = table != "B01003" or whom.startswith(("us", "state", "county%3A", "place"))
            if wanted and whom.startswith(("us", "state", "county%3A", "place")):
                for row in rows:
                    yield table, year, dict(zip(header, row, strict=True))


def _census_place(row: dict[str, str]) -> str:
    if "us" in row or row.get("GEO_ID") == "0100000US":
        return "country/USA"
    return f"geoId/{row['state']}{row.get('county', '')}{row.get('place', '')}"
