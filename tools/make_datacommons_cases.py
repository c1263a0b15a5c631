"""Writes the labelled questions for Data Commons: hand-written questions, expectations from published figures.

    python tools/make_datacommons_cases.py [--data ../shared/data] [--out tests/cases/datacommons.jsonl]

The data is not part of the project: without it nothing is written, and the committed cases stay as they are.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from decimal import Decimal, localcontext
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(Path(__file__).resolve().parent))

from datacommons_cases.published import Figures, Published  # noqa: E402

Case = dict[str, Any]
COMPLETE, DECLINED = ["complete"], ["unanswered", "refused"]
OPTIONS = {"sources": ["datacommons"]}
PEP, ACS, LAUS, CENSUS = "2176550201", "1145703171", "2978659163", "1541763368"
PEOPLE, INCOME, JOBLESS = "Count_Person", "Median_Income_Household", "UnemploymentRate_Person"


class Cases:
    """Collects cases; every third of a type is held out."""

    def __init__(self) -> None:
        self.made: list[Case] = []

    def add(self, kind: str, question: str, **expect: Any) -> None:
        """Add one case; ``kind`` is its type, or what is wrong with it."""
        number = sum(case["id"].startswith(f"dc-{kind}-") for case in self.made) + 1
        expect.setdefault("status", COMPLETE)
        self.made.append(
            {
                "id": f"dc-{kind}-{number:02}",
                "question": question,
                "options": OPTIONS,
                "expect": expect,
                "split": "holdout" if number % 3 == 0 else "dev",
            }
        )


def claim(entity: str, period: str, value: Decimal, unit: str, variable: str) -> Case:
    """An expected claim of one published figure."""
    return {"entity": entity, "period": period, "value": str(value), "unit": unit, "variable": variable}


def worked_out(value: Decimal) -> Case:
    """An expected claim of a computed figure."""
    return {"value": str(value), "rel_tol": 1e-9}


def ratio(top: Decimal, bottom: Decimal, *, percent: bool = False) -> Decimal:
    """A quotient with more digits than anybody compares."""
    with localcontext() as context:
        context.prec = 30
        return top / bottom * (100 if percent else 1)


def ranked(figures: Figures, count: int, *, lowest: bool = False, inside: str = "") -> list[str]:
    """The codes of the first or last members; raises ``ValueError`` where a tie makes the order open."""
    members = sorted((v, k) for k, v in figures.items() if k.startswith(inside))
    ordered = members if lowest else members[::-1]
    values = [value for value, _ in ordered[: count + 1]]
    if len(set(values)) < len(values):
        raise ValueError(f"a tie among {ordered[: count + 1]}")
    return [code for _, code in ordered[:count]]


def above(figures: Figures, bound: int, inside: str) -> list[str]:
    """The codes of the members above a bound."""
    return [code for code, value in figures.items() if code.startswith(inside) and value > bound]


def values(cases: Cases, data: Published) -> None:
    """One figure of one place."""
    states, newest = data.state_population, data.state_population["2025"]
    for question, fips in (
        ("What is the population of California?", "06"),
        ("How many people live in Wyoming?", "56"),
        ("population of Texas", "48"),
        ("What's the population of the District of Columbia?", "11"),
    ):
        cases.add("value", question, type="value", claims=[claim(fips, "2025", newest[fips], "people", PEOPLE)])
    for question, fips, year in (
        ("What was the population of California in 2015?", "06", "2015"),
        ("population of Florida in 1950", "12", "1950"),
        ("How many people lived in New York state in 2000?", "36", "2000"),
        ("population of Ohio in 2020", "39", "2020"),
    ):
        figure = claim(fips, year, states[year][fips], "people", PEOPLE)
        cases.add("value", question, type="value", claims=[figure])
    income, age, homes = (
        data.acs_2023("household income median"),
        data.acs_2023("age"),
        data.acs_2023("total households"),
    )
    people = data.acs_2023("POPULATION SIZE")
    for question, fips, figures, unit, variable in (
        ("Median household income of Harris County, Texas", "48201", income, "USD", INCOME),
        ("median household income in Fairfax County, Virginia", "51059", income, "USD", INCOME),
        ("What is the population of Cook County, Illinois?", "17031", people, "people", PEOPLE),
        (
            "How many households are there in Maricopa County, Arizona?",
            "04013",
            homes,
            "households",
            "Count_Household",
        ),
        ("population of Orleans Parish, Louisiana", "22071", people, "people", PEOPLE),
    ):
        cases.add("value", question, type="value", claims=[claim(fips, "2023", figures[fips], unit, variable)])
    figure = claim("12086", "2023", age["12086"], "years", "Median_Age_Person")
    cases.add("value", "median age of Miami-Dade County in 2023", type="value", claims=[figure])
    jobless = data.unemployment("unemployment_rate_pct", "2020")
    for question, fips in (
        ("unemployment rate in Los Angeles County", "06037"),
        ("What is the unemployment rate of Clark County, Nevada?", "32003"),
        ("unemployment rate in Hartford County, Connecticut", "09003"),
    ):
        cases.add("value", question, type="value", claims=[claim(fips, "2020", jobless[fips], "%", JOBLESS)])
    figure = claim(
        "48201", "2009", data.unemployment("unemployed", "2009")["48201"], "people", "Count_Person_Unemployed"
    )
    cases.add("value", "How many unemployed people were there in Harris County, Texas in 2009?", claims=[figure])
    state = data.golden("contained_in_latest/US_State.json.gz", JOBLESS, LAUS)["geoId/06"]["2025"]
    cases.add(
        "value", "unemployment rate of California", type="value", claims=[claim("06", "2025", state, "%", JOBLESS)]
    )
    degrees = data.education("Bachelor's degree or higher, 2015-19")
    figure = claim(
        "25", "2019", degrees["25000"], "people", "Count_Person_EducationalAttainmentBachelorsDegreeOrHigher"
    )
    cases.add("value", "How many people in Massachusetts have a bachelor's degree or higher?", claims=[figure])
    income_2022 = {row["state"]: Decimal(row["S1903_C03_001E"]) for row in data.census("S1903_C03_001E")}
    figure = claim("24", "2022", income_2022["24"], "USD", INCOME)
    cases.add("value", "median household income of Maryland", type="value", claims=[figure])


def side_by_side(cases: Cases, data: Published) -> None:
    """Figures of named places held against each other."""
    newest, older = data.state_population["2025"], data.state_population["2000"]
    cases.add(
        "comparison", "Compare the population of California and New York", type="comparison",
        claims=[claim(fips, "2025", newest[fips], "people", PEOPLE) for fips in ("06", "36")],
        entities_in_order=["06", "36"],
    )  # fmt: skip
    cases.add(
        "comparison", "Which has more people, Georgia or Michigan?", type="comparison",
        claims=[claim(fips, "2025", newest[fips], "people", PEOPLE) for fips in ("13", "26")],
    )  # fmt: skip
    income = data.acs_2023("household income median")
    cases.add(
        "comparison", "median household income in King County, Washington vs Travis County, Texas",
        type="comparison",
        claims=[claim(fips, "2023", income[fips], "USD", INCOME) for fips in ("53033", "48453")],
    )  # fmt: skip
    cases.add(
        "difference", "How much larger is the population of Texas than that of Florida?", type="difference",
        claims=[worked_out(newest["48"] - newest["12"])],
    )  # fmt: skip
    cases.add(
        "difference", "By how much did the population of Nevada grow from 2000 to 2010?", type="difference",
        claims=[worked_out(data.state_population["2010"]["32"] - older["32"])],
    )  # fmt: skip
    cases.add(
        "yes_no", "Is the population of Texas larger than that of California?", type="yes_no",
        claims=[claim("48", "2025", newest["48"], "people", PEOPLE)], text_contains=["No"],
    )  # fmt: skip
    cases.add(
        "yes_no", "Does Wyoming have more than 500,000 people?", type="yes_no",
        claims=[claim("56", "2025", newest["56"], "people", PEOPLE)], text_contains=["Yes"],
    )  # fmt: skip
    cases.add(
        "ratio", "How many times larger is the population of California than that of Wyoming?", type="ratio",
        claims=[worked_out(ratio(newest["06"], newest["56"]))],
    )  # fmt: skip
    women, all_people = data.acs_2017("Women"), data.acs_2017("TotalPop")
    share = ratio(women["48201"], all_people["48201"], percent=True)
    cases.add(
        "ratio",
        "What share of Harris County, Texas' population is female?",
        type="ratio",
        claims=[worked_out(share)],
    )


def sets(cases: Cases, data: Published) -> None:
    """Orders and lists over the members of a place."""
    people, income = data.acs_2023("POPULATION SIZE"), data.acs_2023("household income median")
    newest = data.state_population["2025"]
    cases.add(
        "ranking", "What are the 10 most populous counties in the US?", type="ranking",
        entities_in_order=ranked(people, 10),
        claims=[claim(fips, "2023", people[fips], "people", PEOPLE) for fips in ranked(people, 3)],
    )  # fmt: skip
    cases.add(
        "ranking", "counties with the lowest median household income", type="ranking",
        entities_in_order=ranked(income, 5, lowest=True),
    )  # fmt: skip
    cases.add(
        "ranking", "Which county in California has the highest median household income?", type="ranking",
        entities_in_order=ranked(income, 1, inside="06"),
    )  # fmt: skip
    cases.add(
        "ranking",
        "Which US states have the largest population?",
        type="ranking",
        entities_in_order=ranked(newest, 5),
    )
    cases.add(
        "ranking", "the 5 least populated states in 1960", type="ranking",
        entities_in_order=ranked(data.state_population["1960"], 5, lowest=True),
    )  # fmt: skip
    jobless = data.golden("contained_in_latest/US_State.json.gz", JOBLESS, LAUS)
    rates = {place[6:]: dates["2025"] for place, dates in jobless.items() if place != "geoId/72"}
    cases.add(
        "ranking", "Which US state has the highest unemployment rate?", type="ranking",
        entities_in_order=ranked(rates, 1),
        claims=[claim(ranked(rates, 1)[0], "2025", max(rates.values()), "%", JOBLESS)],
    )  # fmt: skip
    cities = {row["NAME"]: Decimal(row["B01003_001E"]) for row in data.census("for=place%3A%2A&in=state%3A04")}
    towns = sorted(cities, key=lambda name: -cities[name])[:3]
    names = [f"{name.rpartition(' ')[0].rpartition(' ')[0]}, Arizona" for name in towns]
    cases.add("ranking", "Which cities in Arizona have the most people?", type="ranking", entities_in_order=names)
    cases.add(
        "filtered_list", "Which counties in Texas have more than 1 million people?", type="filtered_list",
        entities=above(people, 1_000_000, "48"),
    )  # fmt: skip
    cases.add(
        "filtered_list", "Which states have more than 15 million people?", type="filtered_list",
        entities=above(newest, 15_000_000, ""),
    )  # fmt: skip
    cases.add(
        "filtered_list", "counties in California with a median household income above $120,000",
        type="filtered_list",
        entities=above(income, 120_000, "06"),
    )  # fmt: skip
    delaware = {fips: value for fips, value in people.items() if fips.startswith("10")}
    cases.add(
        "aggregate", "total population of counties in Delaware", type="aggregate",
        claims=[worked_out(Decimal(sum(delaware.values())))],
    )  # fmt: skip
    cases.add(
        "population_value", "median household income of counties in Delaware", type="population_value",
        claims=[claim(fips, "2023", income[fips], "USD", INCOME) for fips in sorted(delaware)],
    )  # fmt: skip
    cases.add(
        "population_value", "population of US states in 2020", type="population_value",
        claims=[claim(f, "2020", data.state_population["2020"][f], "people", PEOPLE) for f in ("06", "48", "56")],
    )  # fmt: skip


def over_time(cases: Cases, data: Published) -> None:
    """Series of one place and parts of one figure."""
    states = data.state_population
    for question, fips, years in (
        ("How did the population of Texas change from 2010 to 2020?", "48", ("2010", "2015", "2020")),
        ("population of Michigan since 2000", "26", ("2000", "2012", "2025")),
    ):
        claims = [claim(fips, year, states[year][fips], "people", PEOPLE) for year in (years[0], years[-1])]
        cases.add("trend", question, type="trend", claims=claims)
    rates = [data.unemployment("unemployment_rate_pct", year)["06037"] for year in ("2010", "2020")]
    claims = [claim("06037", year, rate, "%", JOBLESS) for year, rate in zip(("2010", "2020"), rates, strict=True)]
    cases.add("trend", "unemployment rate in Los Angeles County since 2010", type="trend", claims=claims)
    men, women = data.acs_2017("Men")["48201"], data.acs_2017("Women")["48201"]
    cases.add(
        "breakdown", "breakdown of population by sex in Harris County, Texas", type="breakdown",
        claims=[{"entity": "48201", "period": "2017", "value": str(value)} for value in (men, women)],
    )  # fmt: skip
    (ages,) = data.census("group(S0101)")
    cases.add(
        "breakdown", "What is the age distribution in the USA?", type="breakdown",
        claims=[{"entity": "USA", "period": "2023", "value": ages[f"S0101_C01_{row:03}E"]} for row in range(1, 20)],
    )  # fmt: skip
    king = next(row for row in data.census("B02001_001E") if row["county"] == "033")
    cases.add(
        "breakdown", "race distribution in King County, Washington", type="breakdown",
        claims=[{"entity": "53033", "period": "2022", "value": king[f"B02001_{row:03}E"]} for row in range(1, 9)],
    )  # fmt: skip
    texas = next(row for row in data.census("group(B17001)") if row["state"] == "48")
    cases.add(
        "breakdown", "people in poverty in Texas by sex", type="breakdown",
        claims=[{"entity": "48", "period": "2021", "value": texas[f"B17001_{row:03}E"]} for row in (2, 3, 17)],
    )  # fmt: skip


def together(cases: Cases, data: Published) -> None:
    """Two measures over all counties, of the newest year that has both."""
    income, rates = data.acs_2017("Income"), data.unemployment("unemployment_rate_pct", "2017")
    both = sorted(set(income) & set(rates))
    value = pearson([income[fips] for fips in both], [rates[fips] for fips in both])
    cases.add(
        "correlation", "Is median household income correlated with unemployment rate across US counties?",
        type="correlation", claims=[{"value": str(value), "rel_tol": 1e-6}],
    )  # fmt: skip


def pearson(xs: Sequence[Decimal], ys: Sequence[Decimal]) -> Decimal:
    """Pearson's coefficient."""
    with localcontext() as context:
        context.prec = 40
        n = Decimal(len(xs))
        mean_x, mean_y = sum(xs) / n, sum(ys) / n
        products = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True))
        squares = [sum((value - mean) ** 2 for value in some) for some, mean in ((xs, mean_x), (ys, mean_y))]
        return Decimal(products) / (Decimal(squares[0]) * Decimal(squares[1])).sqrt()


def beyond(cases: Cases) -> None:
    """What the figures do not answer, and names that mean several places."""
    declined: Mapping[str, list[str]] = {
        "population of Harris County, Texas in 1850": ["1850"],
        "population of Texas by religion": ["religion"],
        "population of Texas in fiscal year 2020": ["fiscal"],
        "median household income of low income countries": ["low income"],
        "age distribution in Loving County, Texas": ["Loving County"],
        "population of Kalawao County, Hawaii by race": ["Kalawao"],
    }
    for question, reasons in declined.items():
        cases.add("declined", question, status=DECLINED, reason_contains=reasons)


def make(data: Path) -> list[Case]:
    """All cases. Raises ``ValueError`` for a tie that leaves an order open."""
    published, cases = Published(data), Cases()
    for add in (values, side_by_side, sets, over_time, together):
        add(cases, published)
    beyond(cases)
    return cases.made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--out", type=Path, default=ROOT / "tests" / "cases" / "datacommons.jsonl")
    given = parser.parse_args()
    if not (given.data / "us_facts").is_dir():
        raise SystemExit(f"no figures at {given.data}: the cases in {given.out} were not written anew")
    lines = [json.dumps(case, ensure_ascii=False) + "\n" for case in make(given.data)]
    given.out.write_text("".join(lines), encoding="utf-8")
    print(f"{len(lines)} cases")


if __name__ == "__main__":
    main()
