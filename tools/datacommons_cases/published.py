"""The published figures that the cases are labelled with, read from the files themselves."""

from __future__ import annotations

import csv
import gzip
import io
import json
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any

Figures = dict[str, Decimal]
"""By FIPS code."""


class Published:
    """Tables under one data folder; every figure is the digits of its file."""

    def __init__(self, data: Path) -> None:
        self._data = data

    def _rows(self, name: str, delimiter: str = ",") -> list[dict[str, str]]:
        raw = (self._data / name).read_bytes()
        text = (gzip.decompress(raw) if name.endswith(".gz") else raw).decode("utf-8-sig")
        return list(csv.DictReader(io.StringIO(text), delimiter=delimiter))

    @cached_property
    def state_fips(self) -> dict[str, str]:
        """FIPS by postal code."""
        rows = self._rows("us_facts/state_fips_2018.csv")
        return {row["state_abbr"]: row["fips"].zfill(2) for row in rows} | {"DC": "11"}

    @cached_property
    def state_names(self) -> dict[str, str]:
        """Names by FIPS."""
        rows = self._rows("us_facts/state_fips_2018.csv")
        return {row["fips"].zfill(2): row["state_name"] for row in rows} | {"11": "District of Columbia"}

    @cached_property
    def state_population(self) -> dict[str, dict[str, Decimal]]:
        """By year and FIPS; the newest vintage."""
        found: dict[str, dict[str, Decimal]] = {}
        for row in self._rows("us_facts/state_population_1900_2025.csv.gz"):
            found.setdefault(row["year"], {})[self.state_fips[row["state"]]] = Decimal(row["population"])
        return found

    def acs_2023(self, column: str) -> Figures:
        """A column of the county table of the American Community Survey 2019-2023."""
        rows = self._rows("us_facts/county_acs_2023.csv.gz")
        return {row["GEOID"].zfill(5): Decimal(row[column]) for row in rows if _number(row[column])}

    def acs_2017(self, column: str) -> Figures:
        """A column of the county table of the American Community Survey 2013-2017, without Puerto Rico."""
        rows = self._rows("census/acs2017_5yr_county.csv.gz")
        found = {row["CountyId"].zfill(5): Decimal(row[column]) for row in rows if _number(row[column])}
        return {fips: value for fips, value in found.items() if fips < "72"}

    def unemployment(self, column: str, year: str) -> Figures:
        """A column of the county table of local area unemployment statistics."""
        rows = self._rows("us_facts/county_unemployment_laus_2000_2020.csv.gz")
        return {row["fips"]: Decimal(row[column]) for row in rows if row["year"] == year and row[column]}

    def education(self, column: str) -> Figures:
        """A column of the county table of educational attainment; the USA is 00000, a state ends in 000."""
        rows = self._rows("us_facts/county_education_1970_2019.tsv.gz", "\t")
        return {row["FIPS Code"]: Decimal(row[column].replace(",", "")) for row in rows if row[column]}

    def golden(self, name: str, variable: str, facet: str) -> dict[str, dict[str, Decimal]]:
        """By place and date, the figures of one facet in a recorded answer of the API."""
        path = self._data / "datacommons" / "mixer_v2_goldens" / "observation" / name
        raw = path.read_bytes()
        body = json.loads(gzip.decompress(raw) if path.suffix == ".gz" else raw, parse_float=Decimal)
        return {
            place: {cell["date"]: Decimal(cell["value"]) for cell in row.get("observations", ())}
            for place, of_place in body["by_variable"][variable]["by_entity"].items()
            for row in of_place.get("ordered_facets", ())
            if row.get("facet_id") == facet
        }

    def census(self, part: str) -> list[dict[str, str]]:
        """The rows of the recorded census answer whose address holds ``part``."""
        with gzip.open(self._data / "census" / "acs_recorded_responses.ndjson.gz", "rt", encoding="utf-8") as file:
            for line in file:
                answer: dict[str, Any] = json.loads(line)
                if part in answer["url"]:
                    header, *rows = answer["body"]
                    return [dict(zip(header, row, strict=True)) for row in rows]
        raise LookupError(part)


def _number(text: str) -> bool:
    try:
        return Decimal(text).is_finite() and Decimal(text) >= 0
    except ArithmeticError:
        return False
