"""Leaves for the US agencies whose figures are carried as files of states and counties."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from finder_index.generators.catalog_files import read_text
from finder_index.generators.catalog_leaf import (
    AccessFields,
    LeafFields,
    Operation,
    access_text,
    file_name,
    leaf_text,
)
from finder_index.generators.tally import Tally


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of the file; ``unit`` is people, USD, % or jobs."""

    name: str
    title: str
    queries: tuple[str, ...]
    unit: str


@dataclass(frozen=True, slots=True)
class _File:
    path: str
    source: str
    publisher: str
    domain: str
    title: str
    grain: tuple[str, ...]
    years: tuple[str, str]
    columns: tuple[_Column, ...]
    page: str


_KINDS = {"people": "count", "jobs": "count", "USD": "currency", "%": "percent"}

_POVERTY = (
    _Column("POVALL_2019", "People in poverty", ("how many people are in poverty", "number of poor"), "people"),
    _Column("PCTPOVALL_2019", "Poverty rate", ("what share of people is in poverty", "percent in poverty"), "%"),
    _Column("POV017_2019", "Children in poverty",
            ("how many children are poor", "people under 18 in poverty"), "people"),
    _Column("PCTPOV017_2019", "Child poverty rate",
            ("what share of children is poor", "percent of people under 18 in poverty"), "%"),
    _Column("POV517_2019", "School-age children in poverty",
            ("how many children aged 5 to 17 are poor", "children aged 5 to 17 in poverty"), "people"),
    _Column("PCTPOV517_2019", "Poverty rate of school-age children",
            ("what share of children aged 5 to 17 is poor", "percent of children aged 5 to 17 in poverty"), "%"),
    _Column("MEDHHINC_2019", "Median household income",
            ("how much does a typical household earn", "household income at the middle"), "USD"),
)  # fmt: skip
_LABOR = (
    _Column("labor_force", "Labor force",
            ("how many people are in the labor force", "size of the labor force"), "people"),
    _Column("employed", "Employed people", ("how many people have a job", "number of employed people"), "people"),
    _Column("unemployed", "Unemployed people", ("how many people are out of work", "unemployment"), "people"),
    _Column("unemployment_rate_pct", "Unemployment rate",
            ("what share of the labor force is unemployed", "jobless rate"), "%"),
)  # fmt: skip
_FILES = (
    _File("us_facts/county_unemployment_laus_2000_2020.csv.gz", "bls-laus", "US Bureau of Labor Statistics",
          "bls.gov", "Local Area Unemployment Statistics, annual averages", ("county",), ("2000", "2020"), _LABOR,
          "https://www.bls.gov/lau/"),
    _File("us_facts/county_poverty_median_income_2019.tsv.gz", "census-saipe", "US Census Bureau, SAIPE",
          "census.gov", "Small Area Income and Poverty Estimates", ("nation", "state", "county"),
          ("2019", "2019"), _POVERTY,
          "https://www.census.gov/programs-surveys/saipe.html"),
    _File("bea/county_total_employment_2001_2021.csv.gz", "bea", "US Bureau of Economic Analysis", "bea.gov",
          "Total employment of counties", ("county",), ("2001", "2021"),
          (_Column("totalemp", "Total employment, full-time and part-time jobs",
                   ("how many jobs are there in a county", "total employment in a county"), "jobs"),),
          "https://www.bea.gov/data/employment/employment-county-metro-and-other-areas"),
    _File("us_facts/state_population_1900_2025.csv.gz", "census-pep", "US Census Bureau, Population Estimates",
          "census.gov", "Population of states", ("state",), ("1900", "2025"),
          (_Column("population", "Population of US states by year",
                   ("how many people lived in a state", "state population history"), "people"),),
          "https://www.census.gov/programs-surveys/popest.html"),
    _File("us_facts/state_population_age_sex_2020_2021.csv.gz", "census-pep",
          "US Census Bureau, Population Estimates", "census.gov", "Civilian population of states by age and sex",
          ("nation", "state"), ("2020", "2021"),
          (_Column("POPEST2021_CIV", "Civilian population by single year of age and sex",
                   ("how many civilians of an age live in a state", "civilians by age and sex"), "people"),),
          "https://www.census.gov/programs-surveys/popest.html"),
    _File("us_facts/countypop_2022.csv.gz", "census-pep", "US Census Bureau, Population Estimates", "census.gov",
          "Population of counties", ("county",), ("2022", "2022"),
          (_Column("pop_2022", "Population of US counties",
                   ("how many people live in a county", "county population estimate"), "people"),),
          "https://www.census.gov/programs-surveys/popest.html"),
)  # fmt: skip
FILES = tuple(file.path for file in _FILES)
SOURCES = tuple(dict.fromkeys(file.source for file in _FILES))


def generate(data: Path, tally: Tally) -> Iterator[tuple[str, str]]:
    """``(path, text)`` of each source's access document and every leaf."""
    described: set[str] = set()
    for file in _FILES:
        if file.source not in described:
            described.add(file.source)
            yield f"sources/{file.source}/_access.md", access_text(_access(file))
        header = read_text(data / file.path).partition("\n")[0].strip().replace('"', "")
        columns = header.split("\t" if "\t" in header else ",")
        for column in file.columns:
            tally.read()
            if column.name not in columns:
                tally.leave_out("a column that the file no longer has", f"{file.path} {column.name}")
                continue
            tally.leaf()
            leaf = _leaf(file, column)
            yield f"sources/{file.source}/{file_name(leaf.variable)}", leaf_text(leaf)


def _leaf(file: _File, column: _Column) -> LeafFields:
    first, last = file.years
    span = first if first == last else f"{first} to {last}"
    return LeafFields(
        variable=column.name,
        title=column.title,
        description=f"{column.title}; {file.title}, {span}.",
        queries=column.queries,
        tags=["united-states", *file.grain],
        resource=file.page,
        terms={
            "populationType": "Person" if column.unit in {"people", "%"} else "Place",
            "measuredProperty": column.title,
            "statType": "share" if column.unit == "%" else "value",
            "unit": column.unit,
            "unitKind": _KINDS[column.unit],
            "grain": list(file.grain),
            "firstYear": first,
            "lastYear": last,
            "latest": last,
        },
    )


def _access(file: _File) -> AccessFields:
    return AccessFields(
        source=file.source,
        publisher=file.publisher,
        domain=file.domain,
        licence="public domain",
        title=file.title,
        description="A carried table of states or counties, one row a place and year.",
        resource=file.page,
        scope="states and counties of the United States",
        key_type="fips",
        grain=list(file.grain),
        frequency="yearly",
        coverage=f"United States, {file.years[0]} to {file.years[1]}",
        completeness="A place that the agency did not publish has no row.",
        tags=["united-states"],
        operations=[
            Operation("entity_value", "row of the place and year", "FIPS code"),
            Operation("entities_value", "rows of the places", "FIPS codes"),
            Operation("all_entities_value", "all rows of a year", "none"),
            Operation("entity_series", "all rows of the place", "FIPS code"),
        ],
    )
