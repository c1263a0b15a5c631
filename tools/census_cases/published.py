"""The published files that the questions' figures are taken from, and what a case is made of."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Mapping
from decimal import Decimal, localcontext
from pathlib import Path
from typing import Any

Case = dict[str, Any]
Figures = Mapping[str, Decimal]
"""Figures by FIPS code."""
COMPLETE = ["complete"]


class Published:
    """The published files, each read once."""

    def __init__(self, data: Path) -> None:
        self._new = {row["GEOID"].zfill(5): row for row in _rows(data / "us_facts" / "county_acs_2023.csv.gz")}
        self._old = {row["CountyId"].zfill(5): row for row in _rows(data / "census" / "acs2017_5yr_county.csv.gz")}
        counted = (data / "census" / "census_2020_population_county.csv").read_text(encoding="utf-8")
        self.counted: Figures = {
            row["state_code"] + row["county_code"].replace("000", ""): Decimal(row["population"])
            for row in csv.DictReader(counted.splitlines())
        }
        self._modelled = {row["FIPStxt"]: row for row in _tabbed(data, "county_poverty_median_income_2019.tsv.gz")}
        self._schooled = {row["FIPS Code"]: row for row in _tabbed(data, "county_education_1970_2019.tsv.gz")}
        self._civilians = [
            {
                (row["STATE"].zfill(2), row["SEX"], row["AGE"]): row
                for row in _rows(data / "us_facts" / f"state_population_age_sex_{years}.csv.gz")
            }
            for years in ("2010_2015_2019", "2020_2021")
        ]
        self.yearly: Mapping[tuple[str, int], Decimal] = {
            (row["state"], int(row["year"])): Decimal(row["population"])
            for row in _rows(data / "us_facts" / "state_population_1900_2025.csv.gz")
        }
        self.county_2022: Figures = {
            row["fips"]: Decimal(row["pop_2022"])
            for row in _rows(data / "us_facts" / "countypop_2022.csv.gz")
            if row["pop_2022"] not in {"", "NA"} and row["fips"][:2] != "72"
        }
        districts = (data / "census" / "census_2021_population_congressional_district.csv").read_text("utf-8")
        self.districts: Figures = {
            row["state_code"] + row["congressional_district"]: Decimal(row["population"])
            for row in csv.DictReader(districts.splitlines())
        }
        with gzip.open(data / "census" / "acs_recorded_responses.ndjson.gz", "rt", encoding="utf-8") as file:
            self._answers = {answer["url"]: answer["body"] for answer in map(json.loads, file)}

    def in_2023(self, column: str) -> Figures:
        """A column of the five-year table of 2019-2023, counties of the states without blanks."""
        return {k: Decimal(row[column]) for k, row in self._new.items() if row[column] not in {"", "NA"}}

    def in_2017(self, column: str) -> Figures:
        """A column of the five-year table of 2013-2017, counties of the states without blanks."""
        return {k: Decimal(row[column]) for k, row in self._old.items() if row[column] and k[:2] != "72"}

    def schooled(self, fips: str) -> list[Decimal]:
        """Adults of 2015-2019 by four levels of education, the lowest first; a state under five digits."""
        columns = (
            "Less than a high school diploma, 2015-19",
            "High school diploma only, 2015-19",
            "Some college or associate's degree, 2015-19",
            "Bachelor's degree or higher, 2015-19",
        )
        return [Decimal(self._schooled[fips][column].replace(",", "")) for column in columns]

    def civilians(self, state: str, year: int, sex: str, age: str) -> Decimal:
        """Civilians of a state (``00`` for the nation) in a year, of a sex and an age as the files code them."""
        found = (file[state, sex, age].get(f"POPEST{year}_CIV") for file in self._civilians)
        return Decimal(next(value for value in found if value is not None))

    def cells(self, part: str, geoid: str) -> Mapping[str, str]:
        """The row of an area in the recorded answer whose request contains ``part``."""
        header, *rows = next(body for url, body in self._answers.items() if part in url)
        codes = [header.index(name) for name in header if name in {"state", "county", "us"}]
        line = next(row for row in rows if "".join(row[code] for code in codes) == geoid)
        return dict(zip(header, line, strict=True))

    def modelled(self, column: str) -> Figures:
        """A column of the small area estimates of 2019; a state stands under its two digits."""
        found = {k.removesuffix("000"): row[column].replace(",", "") for k, row in self._modelled.items()}
        return {k: Decimal(value) for k, value in found.items() if value}

    def answered(self, part: str, variable: str) -> Figures:
        """A variable of the recorded answer whose request contains ``part``, Puerto Rico left out."""
        header, *rows = next(body for url, body in self._answers.items() if part in url)
        place = header.index(variable)
        codes = [
            header.index(name)
            for name in header
            if name in {"state", "county", "place", "tract", "us", "congressional district"}
        ]
        found = {"".join(row[code] for code in codes): row[place] for row in rows}
        return {k: Decimal(v) for k, v in found.items() if v is not None and not k.startswith("72")}


def _tabbed(data: Path, name: str) -> list[dict[str, str]]:
    with gzip.open(data / "us_facts" / name, "rt", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def _rows(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Cases:
    """Collects cases; every third of a type is held out."""

    def __init__(self) -> None:
        self.made: list[Case] = []

    def add(self, kind: str, question: str, *, source: bool = True, **expect: Any) -> None:
        """Add one case; ``source`` restricts it to the Census Bureau where the question does not name it."""
        number = sum(case["id"].startswith(f"census-{kind}-") for case in self.made) + 1
        expect.setdefault("status", COMPLETE)
        case: Case = {"id": f"census-{kind}-{number:02}", "question": question, "expect": expect}
        if source:
            case["options"] = {"sources": ["census"]}
        case["split"] = "holdout" if number % 3 == 0 else "dev"
        self.made.append(case)


def claim(entity: str, period: int, value: Decimal, unit: str, variable: str) -> Case:
    """An expected claim of one published figure."""
    return {"entity": entity, "period": str(period), "value": str(value), "unit": unit, "variable": variable}


def worked_out(value: Decimal) -> Case:
    """An expected claim of a computed figure."""
    return {"value": str(value), "rel_tol": 1e-6}


def ranked(figures: Figures, count: int, *, lowest: bool = False, inside: str = "") -> list[str]:
    """The codes of the first or last members; raises ``ValueError`` where a tie makes the order open."""
    ordered = sorted(((v, k) for k, v in figures.items() if k.startswith(inside)), reverse=not lowest)
    shown = [value for value, _ in ordered[: count + 1]]
    if len(set(shown)) < len(shown):
        raise ValueError(f"a tie among {ordered[: count + 1]}")
    return [code for _, code in ordered[:count]]


def pearson(xs: Figures, ys: Figures) -> Decimal:
    """The correlation over the members that both have."""
    both = sorted(xs.keys() & ys.keys())
    with localcontext() as context:
        context.prec = 40
        mean_x, mean_y = (sum((one[k] for k in both), Decimal(0)) / len(both) for one in (xs, ys))
        cross = sum(((xs[k] - mean_x) * (ys[k] - mean_y) for k in both), Decimal(0))
        spread_x = sum(((xs[k] - mean_x) ** 2 for k in both), Decimal(0)).sqrt()
        spread_y = sum(((ys[k] - mean_y) ** 2 for k in both), Decimal(0)).sqrt()
        return cross / (spread_x * spread_y)
