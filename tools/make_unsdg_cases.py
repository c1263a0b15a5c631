"""Writes the question cases of the UN's SDG database: hand-written questions, values from the published figures.

    python tools/make_unsdg_cases.py [--data ../shared/data/unsdg] [--out tests/cases/unsdg.jsonl]

A case names its series, the area and the dimensions; its value is looked up in the publisher's own table, not in
what is carried. Without the data nothing is written, and the committed cases stay as they are.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CODES = ROOT / "shared" / "text" / "places" / "data" / "countries.tsv"

Case = dict[str, Any]
UNSDG = {"sources": ["unsdg"]}


@dataclass(frozen=True)
class Figures:
    """The published values: series to (area, dimensions) to year to text."""

    rows: dict[str, dict[tuple[str, str], dict[int, str]]]
    iso3: dict[str, str]

    @classmethod
    def read(cls, data: Path) -> Figures:
        rows: dict[str, dict[tuple[str, str], dict[int, str]]] = defaultdict(lambda: defaultdict(dict))
        with gzip.open(data / "values_2020.csv.gz", "rt", encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                kept = [part for part in row["dimensions"].split(";") if part and "observation_status" not in part]
                rows[row["series"]][row["geo_area"], ";".join(sorted(kept))][int(row["year"])] = row["value"]
        with CODES.open(encoding="utf-8", newline="") as file:
            table = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            iso3 = {row["m49"].lstrip("0"): row["iso3"] for row in table if row["m49"]}
        return cls(rows, iso3)

    def area(self, iso3: str) -> str:
        return next(m49 for m49, code in self.iso3.items() if code == iso3)

    def series(self, series: str, area: str, dimensions: str = "") -> dict[int, str]:
        return self.rows[series][area, dimensions]

    def newest(self, series: str, area: str, dimensions: str = "") -> tuple[int, str]:
        return max(self.series(series, area, dimensions).items())

    def members(self, series: str, year: int, dimensions: str = "") -> dict[str, Decimal]:
        """The numbers of every country in a year, by ISO3."""
        found = {}
        for (area, own), years in self.rows[series].items():
            if own == dimensions and area in self.iso3 and year in years:
                try:
                    found[self.iso3[area]] = Decimal(years[year])
                except InvalidOperation:
                    continue
        return found


def claim(entity: str, period: int, value: str | Decimal, variable: str) -> Case:
    return {"entity": entity, "period": str(period), "value": str(value), "variable": variable, "rel_tol": 1e-9}


class Book:
    """The cases, numbered as they are added."""

    def __init__(self, figures: Figures) -> None:
        self.figures = figures
        self.cases: list[Case] = []

    def add(self, question: str, *, options: Case | None = None, **expect: Any) -> None:
        case: Case = {"id": f"unsdg-{len(self.cases) + 1:03}", "question": question}
        if options:
            case["options"] = options
        self.cases.append({**case, "expect": expect})

    def newest(
        self,
        question: str,
        series: str,
        iso3: str,
        dimensions: str = "",
        *,
        variable: str = "",
        times: int = 1,
        options: Case | None = None,
    ) -> None:
        area = "1" if iso3 == "World" else self.figures.area(iso3)
        year, value = self.figures.newest(series, area, dimensions)
        shown = Decimal(value) * times
        self.add(
            question,
            options=options,
            status=["complete"],
            type="value",
            claims=[claim(iso3, year, f"{shown:f}", variable or series)],
        )

    def of_year(self, question: str, series: str, iso3: str, year: int, dimensions: str = "") -> None:
        value = self.figures.series(series, self.figures.area(iso3), dimensions)[year]
        self.add(question, status=["complete"], type="value", claims=[claim(iso3, year, value, series)])

    def split(self, question: str, series: str, iso3: str, parts: dict[str, str], whole: str = "") -> None:
        """A series by one dimension: ``parts`` are the publisher's codes and where their rows are."""
        area = "202" if iso3 == "Sub-Saharan Africa" else self.figures.area(iso3)
        year = min(self.figures.newest(series, area, own)[0] for own in parts.values())
        claims = [
            claim(iso3, year, self.figures.series(series, area, own)[year], f"{series}.{code}")
            for code, own in parts.items()
        ]
        if whole:
            claims.append(claim(iso3, year, self.figures.series(series, area, whole)[year], series))
        self.add(question, status=["complete"], type="breakdown", claims=claims)

    def ranking(
        self,
        question: str,
        series: str,
        year: int,
        count: int,
        *,
        lowest: bool = False,
        among: frozenset[str] | None = None,
        dimensions: str = "",
    ) -> None:
        members = self.figures.members(series, year, dimensions)
        kept = {code: value for code, value in members.items() if among is None or code in among}
        ordered = sorted(kept, key=lambda code: (kept[code], code) if lowest else (-kept[code], code))
        self.add(
            question,
            status=["complete"],
            type="ranking",
            entities_in_order=ordered[:count],
            claims=[claim(ordered[0], year, kept[ordered[0]], series)],
        )


def values(book: Book) -> None:
    sdg = "according to the UN SDG database"
    book.newest(
        f"What share of Kenya's population uses basic drinking water services {sdg}?",
        "SP_ACS_BSRVH2O",
        "KEN",
        "location=allarea",
    )
    book.newest(
        "What is the under-five mortality rate in Nigeria according to the UN?",
        "SH_DYN_MORT",
        "NGA",
        "age=lt5y;sex=bothsex",
    )
    book.newest(
        "According to the United Nations, what is the maternal mortality ratio of Chad?", "SH_STA_MMR", "TCD"
    )
    book.newest(
        "What is the unemployment rate of Spain according to the UN?", "SL_TLF_UEM", "ESP", "age=15;sex=bothsex"
    )
    book.newest(
        "What is the youth unemployment rate of Spain according to the UN?",
        "SL_TLF_UEM",
        "ESP",
        "age=15_24;sex=bothsex",
        variable="SL_TLF_UEM.15-24",
    )
    book.newest(
        "According to the UN, what is Uganda's rural access to electricity?",
        "EG_ELC_ACCS",
        "UGA",
        "location=rural",
        variable="EG_ELC_ACCS.RURAL",
    )
    book.newest("access to electricity in Uganda", "EG_ELC_ACCS", "UGA", "location=allarea", options=UNSDG)
    book.newest(
        "What share of the world's population lives in extreme poverty according to the UN?", "SI_POV_DAY1", "World"
    )
    book.newest("What is the tuberculosis incidence in South Africa?", "SH_TBS_INCID", "ZAF", options=UNSDG)
    book.newest(
        "According to the UN, what is the NEET rate in Italy?", "SL_TLF_NEET", "ITA", "age=15_24;sex=bothsex"
    )
    book.newest(
        "What is the alcohol consumption per capita of France according to UNSD?",
        "SH_ALC_CONSPT",
        "FRA",
        "age=15;sex=bothsex",
    )
    book.newest(
        "suicide rate of men in Lithuania according to the UN",
        "SH_STA_SCIDE",
        "LTU",
        "sex=male",
        variable="SH_STA_SCIDE.MALE",
    )
    book.newest(
        "What is the universal health coverage index of Ethiopia according to the SDG database?",
        "SH_ACS_UNHC",
        "ETH",
    )
    book.newest(
        "How many people are undernourished in India according to the UN SDG database?",
        "SN_ITK_DEFCN",
        "IND",
        times=1_000_000,
    )
    book.newest(
        "What is the forest area of Brazil in hectares according to the UN?", "AG_LND_FRSTN", "BRA", times=1_000
    )
    book.of_year(
        "According to the UN, what was the level of water stress in Egypt in 2010?", "ER_H2O_STRESS", "EGY", 2010
    )
    book.of_year(
        "What was the infant mortality rate of Rwanda in 2005 according to the UN?",
        "SH_DYN_IMRT",
        "RWA",
        2005,
        "age=lt1y;sex=bothsex",
    )
    book.of_year(
        "According to the UN, what was the prevalence of undernourishment in Haiti in 2015?",
        "SN_ITK_DEFC",
        "HTI",
        2015,
        "age=notspec",
    )


def sets(book: Book) -> None:
    figures = book.figures
    book.ranking(
        "Which 5 countries have the highest maternal mortality ratio according to the SDG database?",
        "SH_STA_MMR",
        2017,
        4,
    )
    book.ranking(
        "According to the UN, which 3 countries have the highest suicide rate?",
        "SH_STA_SCIDE",
        2016,
        3,
        dimensions="sex=bothsex",
    )
    book.ranking(
        "Which 5 countries have the lowest access to electricity according to the UN?",
        "EG_ELC_ACCS",
        2017,
        5,
        lowest=True,
        dimensions="location=allarea",
    )
    parliament = figures.members("SG_GEN_PARL", 2020, "sex=female")
    few = sorted(code for code, value in parliament.items() if value < 5)
    book.add(
        "Which countries have less than 5% of seats held by women in parliament according to the UN SDG database?",
        status=["complete"],
        type="filtered_list",
        entities=few,
    )
    for question, one, other, series, dimensions, year in (
        (
            "Compare the suicide rate of Japan and South Korea according to the UN.",
            "JPN",
            "KOR",
            "SH_STA_SCIDE",
            "sex=bothsex",
            2016,
        ),
        (
            "Compare access to electricity in Chad and Niger according to the UN.",
            "TCD",
            "NER",
            "EG_ELC_ACCS",
            "location=allarea",
            2017,
        ),
    ):
        found = [(code, figures.series(series, figures.area(code), dimensions)[year]) for code in (one, other)]
        book.add(
            question,
            status=["complete"],
            type="comparison",
            claims=[claim(code, year, value, series) for code, value in found],
        )
    rwanda = figures.series("EG_ELC_ACCS", figures.area("RWA"), "location=allarea")
    book.add(
        "How has access to electricity in Rwanda changed since 2005 according to the UN?",
        status=["complete"],
        type="trend",
        claims=[claim("RWA", year, rwanda[year], "EG_ELC_ACCS") for year in (2005, max(rwanda))],
    )
    hunger = figures.series("SN_ITK_DEFC", figures.area("IND"), "age=notspec")
    book.add(
        "How did the prevalence of undernourishment in India change between 2005 and 2015 according to the UN?",
        status=["complete"],
        claims=[claim("IND", year, hunger[year], "SN_ITK_DEFC") for year in (2005, 2015)],
    )


def lists(book: Book, data: Path) -> None:
    """What stands below a goal, a target and an indicator, by the publisher's lists."""

    def read(name: str) -> list[Case]:
        raw = next(data.glob(f"{name}_List_2022Q2.json*")).read_bytes()
        found: list[Case] = json.loads(gzip.decompress(raw).decode("utf-8-sig"))
        return found

    def names(rows: list[Case], title: str) -> list[str]:
        return [" ".join(f"{row['code']} {row[title]}".split()) for row in rows]

    targets = [row for row in read("Target") if row["goal"] == "3"]
    indicators = [row for row in read("Indicator") if row["target"] == "3.1"]
    series = [row for row in read("Series") if "6.1.1" in row["indicator"]]
    for question, rows, title in (
        ("What are the targets of Sustainable Development Goal 3?", targets, "title"),
        ("According to the UN SDG database, what are the indicators of target 3.1?", indicators, "description"),
        ("Which series are there for indicator 6.1.1?", series, "description"),
    ):
        book.add(question, status=["complete"], type="item_list", entities=names(rows, title))
    book.add(
        "What are the targets of goal 25?",
        status=["unanswered"],
        reason_contains=["the UN lists no targets of goal 25"],
    )


def hard(book: Book) -> None:
    """Bounds, parts without a total, places and years that are not there."""
    figures = book.figures
    year, said = figures.newest("SN_ITK_DEFC", figures.area("DEU"), "age=notspec")
    assert said.startswith("<")
    book.add(
        "From the UN SDG database, what is the prevalence of undernourishment in Germany?",
        status=["complete"],
        claims=[{"entity": "DEU", "period": str(year), "value": f"below {said[1:]}%"}],
    )
    assert (figures.area("KEN"), "location=allarea") not in figures.rows["SH_H2O_SAFE"]
    book.add(
        "What share of Kenya's population uses safely managed drinking water according to the UN SDG database?",
        status=["unanswered"],
        reason_contains=["urban areas"],
        absent_values=[figures.newest("SH_H2O_SAFE", figures.area("KEN"), "location=urban")[1]],
    )
    book.newest(
        "According to the UN, what is Kenya's safely managed drinking water in urban areas?",
        "SH_H2O_SAFE",
        "KEN",
        "location=urban",
        variable="SH_H2O_SAFE.URBAN",
    )
    sexes = [figures.newest("VC_IHR_PSRC", figures.area("BRA"), f"sex={sex}") for sex in ("male", "female")]
    book.add(
        "What is the homicide rate in Brazil according to UN SDG data?",
        status=["complete"],
        claims=[
            claim("BRA", when, value, f"VC_IHR_PSRC.{sex}")
            for sex, (when, value) in zip(("MALE", "FEMALE"), sexes, strict=True)
        ],
    )
    book.add(
        "According to the UN, what share of youth and adults in Estonia have ICT skills?",
        status=["complete", "partial"],
        claims=[
            claim(
                "EST",
                *figures.newest("SE_ADT_ACTS", figures.area("EST"), f"sex=bothsex;type_of_skill={skill}"),
                f"SE_ADT_ACTS.{skill.upper()}",
            )
            for skill in ("pcpr", "soft", "copa")
        ],
    )
    book.add(
        "Which countries have the lowest prevalence of undernourishment according to the UN?",
        status=["unanswered"],
        reason_contains=["below 2.5%", "in no order among themselves"],
    )
    hunger = figures.members("SN_ITK_DEFC", 2018, "age=notspec")
    book.add(
        "Which countries have a prevalence of undernourishment above 40% according to the UN?",
        status=["complete"],
        type="filtered_list",
        entities=sorted(code for code, value in hunger.items() if value > 40),
    )
    book.split(
        "What is access to electricity in Uganda by urban and rural areas according to the UN?",
        "EG_ELC_ACCS",
        "UGA",
        {"RURAL": "location=rural", "URBAN": "location=urban"},
        "location=allarea",
    )
    book.add(
        "What was the maternal mortality ratio of Chad in 1950 according to the UN?",
        status=["unanswered"],
        reason_contains=["1950", "2000 to 2017"],
    )
    book.add(
        "What is the maternal mortality ratio of Taiwan according to the UN?",
        status=["unanswered"],
        reason_contains=["for Taiwan; no year has one"],
    )
    book.add(
        "What is the infant mortality rate of Texas according to the UN?",
        status=["unanswered", "refused"],
        reason_contains=["not for Texas"],
    )
    book.add(
        "What is the price of bread in Kenya according to the UN SDG database?",
        status=["unanswered"],
        reason_contains=["none of the UN's SDG series at hand"],
    )


SEXES = {"FEMALE": "sex=female", "MALE": "sex=male"}


def by_sex(age: str = "") -> dict[str, str]:
    return {code: f"{age};{own}" if age else own for code, own in SEXES.items()}


def goals(book: Book, data: Path) -> None:
    rows = json.loads(next(data.glob("Goal_List_2022Q2.json")).read_text(encoding="utf-8-sig"))
    named = [" ".join(f"{row['code']} {row['title']}".split()) for row in rows]
    book.add("What are the Sustainable Development Goals?", status=["complete"], type="item_list", entities=named)


def splits(book: Book) -> None:
    """Rates of groups, held side by side; and splits that are not published."""
    figures = book.figures
    ages = {"15-24": "age=15_24;sex=bothsex", "25+": "age=25;sex=bothsex"}
    both, of_fifteen = "age=15;sex=bothsex", by_sex("age=15")
    town = {"RURAL": "location=rural", "URBAN": "location=urban"}
    book.split("unemployment by age in Kenya", "SL_TLF_UEM", "KEN", ages, both)
    book.split("What is the unemployment rate by sex in Kenya?", "SL_TLF_UEM", "KEN", of_fifteen, both)
    book.split("unemployment rate by gender in Egypt", "SL_TLF_UEM", "EGY", of_fifteen, both)
    book.split("working poverty rate by sex in India", "SI_POV_EMP1", "IND", of_fifteen, both)
    under_five = by_sex("age=lt5y")
    book.split("child mortality by sex in India", "SH_DYN_MORT", "IND", under_five, "age=lt5y;sex=bothsex")
    book.split(
        "child mortality by sex in Sub-Saharan Africa", "SH_DYN_MORT", "Sub-Saharan Africa", under_five,
        "age=lt5y;sex=bothsex",
    )  # fmt: skip
    book.split("suicide rate by sex in Japan", "SH_STA_SCIDE", "JPN", by_sex(), "sex=bothsex")
    book.split("prevalence of tobacco use by sex in Indonesia", "SH_PRV_SMOK", "IDN", of_fifteen, both)
    book.split(
        "NEET rate by sex in Egypt", "SL_TLF_NEET", "EGY", by_sex("age=15_24"), "age=15_24;sex=bothsex"
    )  # fmt: skip
    book.split("homicide rate by sex in Brazil", "VC_IHR_PSRC", "BRA", by_sex())
    book.split(
        "HIV incidence by age in South Africa", "SH_HIV_INCD", "ZAF",
        {"<15Y": "age=lt15y;sex=bothsex", "15-49": "age=15_49;sex=bothsex", "50+": "age=50;sex=bothsex"},
        "age=allage;sex=bothsex",
    )  # fmt: skip
    book.split(
        "access to electricity by urban and rural in Kenya", "EG_ELC_ACCS", "KEN", town, "location=allarea"
    )  # fmt: skip
    book.split(
        "national poverty rate by urban and rural in India", "SI_POV_NAHC", "IND", town, "location=allarea"
    )  # fmt: skip
    of_india = (figures.newest("SI_POV_EMP1", figures.area("IND"), own)[1] for own in of_fifteen.values())
    book.add(
        "poverty rate by sex in India",
        status=["unanswered", "refused"],
        reason_contains=["national poverty line (%) is split for India by location only"],
        absent_values=list(of_india),
    )
    book.add(
        "According to the UN, what is the prevalence of undernourishment by sex in Chad?",
        status=["unanswered", "refused"],
        reason_contains=["is not split for Chad"],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data" / "unsdg")
    parser.add_argument("--out", type=Path, default=ROOT / "tests" / "cases" / "unsdg.jsonl")
    given = parser.parse_args()
    if not given.data.is_dir():
        raise SystemExit(f"no figures at {given.data}: the cases in {given.out} were not written anew")
    book = Book(Figures.read(given.data))
    for add in (values, sets, hard):
        add(book)
    lists(book, given.data)
    splits(book)
    goals(book, given.data)
    text = "".join(json.dumps(case, ensure_ascii=False) + "\n" for case in book.cases)
    given.out.write_text(text, encoding="utf-8")
    print(f"{len(book.cases)} cases")


if __name__ == "__main__":
    main()
