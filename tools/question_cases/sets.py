"""Questions about sets of countries: filters, counts and totals, members, memberships, yes and no."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from statistics import median

from question_cases.build import GROUPS, Book, Claim, computed, divided
from question_cases.several import members

GDP, HEAD, GROWTH = "NY.GDP.MKTP.CD", "NY.GDP.PCAP.CD", "NY.GDP.MKTP.KD.ZG"
PEOPLE, LIFE, INFLATION, JOBLESS = "SP.POP.TOTL", "SP.DYN.LE00.IN", "FP.CPI.TOTL.ZG", "SL.UEM.TOTL.ZS"
FERTILITY, POWER, MILITARY = "SP.DYN.TFRT.IN", "EG.ELC.ACCS.ZS", "MS.MIL.XPND.GD.ZS"
MILLION, BILLION, TRILLION = 10**6, 10**9, 10**12

Test = tuple[str, str, str]
"""Indicator, comparison, bound."""

HOLDS: dict[str, Callable[[Decimal, Decimal], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}


@dataclass(frozen=True)
class Filtered:
    """Members of a population in one year that pass every test."""

    question: str
    year: int
    tests: tuple[Test, ...]
    continent: str | None = None
    group: str | None = None


FILTERED = [
    Filtered("Which countries had a GDP of more than $1 trillion in 2020?", 2020, ((GDP, ">", f"{TRILLION}"),)),
    Filtered("countries with population over 100 million in 2020", 2020, ((PEOPLE, ">", f"{100 * MILLION}"),)),
    Filtered(
        "list countries that had at least 100 million people in 1990", 1990, ((PEOPLE, ">=", f"{100 * MILLION}"),)
    ),
    Filtered("Where was inflation over 50% in 2022?", 2022, ((INFLATION, ">", "50"),)),
    Filtered(
        "African countries with fewer than 1 million people in 2020", 2020, ((PEOPLE, "<", f"{MILLION}"),), "Africa"
    ),
    Filtered("countries where life expectancy was below 55 in 2019", 2019, ((LIFE, "<", "55"),)),
    Filtered("EU countries with unemployment above 10% in 2015", 2015, ((JOBLESS, ">", "10"),), group="EU"),
    Filtered("Which nations had a fertility rate under 1.1 in 2022?", 2022, ((FERTILITY, "<", "1.1"),)),
    Filtered(
        "countries with more than 50 million people and a gdp per capita above $30,000 in 2019",
        2019,
        ((PEOPLE, ">", f"{50 * MILLION}"), (HEAD, ">", "30000")),
    ),
    Filtered(
        "countries that had between 80 and 100 million inhabitants in 2015",
        2015,
        ((PEOPLE, ">=", f"{80 * MILLION}"), (PEOPLE, "<=", f"{100 * MILLION}")),
    ),
    Filtered("G7 countries with inflation over 5% in 1990", 1990, ((INFLATION, ">", "5"),), group="G7"),
    Filtered(
        "low income countries with more than 30 million people in 2020",
        2020,
        ((PEOPLE, ">", f"{30 * MILLION}"),),
        group="Low income",
    ),
    Filtered("who spent more than 5 percent of gdp on the military in 2018", 2018, ((MILITARY, ">", "5"),)),
    Filtered(
        "give me all countries where less than 20% of the population had access to electricity in 2015",
        2015,
        ((POWER, "<", "20"),),
    ),
    Filtered(
        "South American countries whose economy shrank by more than 5% in 2020",
        2020,
        ((GROWTH, "<", "-5"),),
        "South America",
    ),
    Filtered("countries with gdp less than 300 million usd 2019", 2019, ((GDP, "<", f"{300 * MILLION}"),)),
    Filtered(
        "which european countries had more than 50 million people in 2000?",
        2000,
        ((PEOPLE, ">", f"{50 * MILLION}"),),
        "Europe",
    ),
]

COUNTED = [
    Filtered(
        "How many countries had more than 100 million people in 2020?", 2020, ((PEOPLE, ">", f"{100 * MILLION}"),)
    ),
    Filtered("in how many countries was life expectancy above 80 years in 2019", 2019, ((LIFE, ">", "80"),)),
    Filtered(
        "number of african countries with over 50 million people in 2020",
        2020,
        ((PEOPLE, ">", f"{50 * MILLION}"),),
        "Africa",
    ),
    Filtered(
        "how many EU countries had an unemployment rate of 10% or more in 2014?",
        2014,
        ((JOBLESS, ">=", "10"),),
        group="EU",
    ),
    Filtered("How many economies exceeded 1 trillion dollars of GDP in 2010?", 2010, ((GDP, ">", f"{TRILLION}"),)),
]

TOTALS: list[tuple[str, str, str, int]] = [
    ("total GDP of the G7 in 2020", GDP, "G7", 2020),
    ("What was the combined population of the Nordic countries in 2010?", PEOPLE, "Nordic", 2010),
    ("sum of the populations of the benelux countries in 1980", PEOPLE, "Benelux", 1980),
    ("How many people lived in the Baltic states altogether in 2020?", PEOPLE, "Baltic", 2020),
]

MEANS: list[tuple[str, str, str, int]] = [
    ("average life expectancy of the G7 countries in 2019", LIFE, "G7", 2019),
    ("mean unemployment rate across the Nordic countries in 2012", JOBLESS, "Nordic", 2012),
    ("On average, what was inflation in the G7 countries in 2022?", INFLATION, "G7", 2022),
]

MEDIANS: list[tuple[str, str, int]] = [
    ("median fertility rate across all countries in 2010", FERTILITY, 2010),
    ("What was the median life expectancy of the world's countries in 2000?", LIFE, 2000),
]

HELD: list[tuple[str, Test, str, int | None]] = [
    ("Did German inflation exceed 6% in 2023?", (INFLATION, ">", "6"), "DEU", 2023),
    ("Was US GDP above $20 trillion in 2018?", (GDP, ">", f"{20 * TRILLION}"), "USA", 2018),
    ("does nigeria have more than 200 million people", (PEOPLE, ">", f"{200 * MILLION}"), "NGA", None),
    ("Is life expectancy in Japan over 80 years?", (LIFE, ">", "80"), "JPN", None),
    ("did unemployment in greece go above 25 percent in 2013?", (JOBLESS, ">", "25"), "GRC", 2013),
    ("was china's fertility rate below 2 in 1990?", (FERTILITY, "<", "2"), "CHN", 1990),
    ("Are there fewer than 10 million people in Sweden?", (PEOPLE, "<", f"{10 * MILLION}"), "SWE", None),
    ("Was inflation in Turkey at least 70% in 2022?", (INFLATION, ">=", "70"), "TUR", 2022),
    ("did argentina's economy shrink in 2020", (GROWTH, "<", "0"), "ARG", 2020),
    (
        "Is the infant mortality rate in Pakistan higher than 50 per 1,000 births?",
        ("SP.DYN.IMRT.IN", ">", "50"),
        "PAK",
        None,
    ),
    ("Did India's GDP reach 3 trillion dollars in 2021?", (GDP, ">=", f"{3 * TRILLION}"), "IND", 2021),
]

EXCEEDS: list[tuple[str, str, str, str, int | None]] = [
    ("Is India's population bigger than China's?", PEOPLE, "IND", "CHN", None),
    ("is norway richer than sweden in gdp per capita", HEAD, "NOR", "SWE", None),
    ("Was France's GDP larger than the UK's in 2010?", GDP, "FRA", "GBR", 2010),
    ("Do more people live in Mexico than in Japan?", PEOPLE, "MEX", "JPN", None),
    ("did spain have higher unemployment than italy in 2005?", JOBLESS, "ESP", "ITA", 2005),
]

NEIGHBOURS: list[tuple[str, str]] = [
    ("Which countries border Germany?", "DEU"),
    ("neighbours of uganda", "UGA"),
    ("countries that share a land border with Bolivia", "BOL"),
    ("what countries does switzerland border", "CHE"),
    ("list the countries bordering Thailand", "THA"),
    ("Which countries are next to Chad?", "TCD"),
]

HAS: list[tuple[str, bool, str]] = [
    ("Is Nepal landlocked?", True, "landlocked:NPL"),
    ("is peru a landlocked country", False, "landlocked:PER"),
    ("Is Norway a member of the EU?", False, "member:EU:NOR"),
    ("is croatia in the european union", True, "member:EU:HRV"),
    ("Does France border Switzerland?", True, "borders:CHE:FRA"),
    ("does portugal share a border with france?", False, "borders:PRT:FRA"),
    ("Is Malawi a low income country?", True, "income:Low income:MWI"),
    ("Is Kenya classified as low income by the World Bank?", False, "income:Low income:KEN"),
    ("is japan in the g7", True, "member:G7:JPN"),
]

CAPITALS = [("What is the capital of Australia?", "AUS"), ("capital of kazakhstan", "KAZ")]


def passing(book: Book, case: Filtered) -> list[str]:
    """The members that have a figure for every test and pass them all."""
    kept = set(members(book, continent=case.continent, group=case.group))
    for indicator, sign, bound in case.tests:
        found = book.figures.members_at(indicator, sorted(kept), case.year)
        kept = {code for code, value in found.items() if HOLDS[sign](value, Decimal(bound))}
    return sorted(kept)


def stated(book: Book, fact: str) -> bool:
    """What the data says about a fact, as ``landlocked:NPL``."""
    kind, *rest = fact.split(":")
    if kind == "landlocked":
        return book.figures.geography[rest[0]]["landlocked"] == "1"
    if kind == "member":
        return rest[1] in GROUPS[rest[0]]
    if kind == "income":
        return rest[1] in book.figures.income(rest[0])
    return rest[1] in book.figures.borders(rest[0])


def yes(holds: bool) -> list[str]:  # noqa: FBT001
    return ["Yes" if holds else "No"]


def add(book: Book) -> None:
    """Filters, aggregates, yes and no, members, facts."""
    for case in FILTERED:
        found = passing(book, case)
        first = case.tests[0][0]
        sample: list[Claim] = [book.claim(first, code, case.year) for code in found[:3]]
        book.add("filtered_list", case.question, type="filtered_list", entities=found, claims=sample)
    for case in COUNTED:
        book.add("aggregate", case.question, type="aggregate", claims=[computed(len(passing(book, case)))])
    for question, indicator, group, year in TOTALS:
        total = sum(book.number(indicator, code, year) for code in GROUPS[group])
        book.add("aggregate", question, type="aggregate", claims=[computed(total)])
    for question, indicator, group, year in MEANS:
        total = sum(book.number(indicator, code, year) for code in GROUPS[group])
        mean = divided(Decimal(total), Decimal(len(GROUPS[group])))
        book.add("aggregate", question, type="aggregate", claims=[computed(mean)], note="each member counts alike")
    for question, indicator, year in MEDIANS:
        middle = median(book.figures.members_at(indicator, book.everywhere(), year).values())
        book.add("aggregate", question, type="aggregate", claims=[computed(middle)])

    for question, (indicator, sign, bound), code, year in HELD:
        holds = HOLDS[sign](book.number(indicator, code, year), Decimal(bound))
        book.add(
            "yes_no", question, type="yes_no", claims=[book.claim(indicator, code, year)], text_contains=yes(holds)
        )
    for question, indicator, code, other, year in EXCEEDS:
        both = book.claims(indicator, [code, other], year)
        holds = Decimal(both[0]["value"]) > Decimal(both[1]["value"])
        book.add("yes_no", question, type="yes_no", claims=both, text_contains=yes(holds))

    for question, code in NEIGHBOURS:
        book.add("item_list", question, type="item_list", entities=book.figures.borders(code))
    add_members(book)
    for question, truth, fact in HAS:
        if stated(book, fact) is not truth:
            raise SystemExit(f"the data does not say so: {question}")
        book.add("status", question, type="status", text_contains=yes(truth))
    for question, code in CAPITALS:
        book.add("item_list", question, text_contains=[book.figures.capital(code)], note="type debatable")


def add_members(book: Book) -> None:
    """Members of groups and continents."""
    figures = book.figures
    book.add("item_list", "Which countries are in the G7?", type="item_list", entities=GROUPS["G7"])
    book.add("item_list", "members of the european union", type="item_list", entities=GROUPS["EU"])
    book.add("item_list", "what are the nordic countries?", type="item_list", entities=GROUPS["Nordic"])
    book.add("item_list", "list all low income countries", type="item_list", entities=figures.income("Low income"))
    book.add(
        "item_list",
        "Which countries are in South America?",
        type="item_list",
        entities_include=figures.continent("South America"),
        note="dependent territories may be listed too",
    )
    book.add(
        "item_list",
        "landlocked countries in south america",
        entities=[c for c in figures.continent("South America") if figures.geography[c]["landlocked"] == "1"],
        note="a list of members narrowed by a fact: type debatable",
    )
    land = "Alaska,Idaho,Maine,Minnesota,Montana,New Hampshire,New York,North Dakota,Vermont,Washington"
    book.add(
        "item_list",
        "Which US states border Canada?",
        type="item_list",
        entities_include=land.split(","),
        note="states whose border is in the Great Lakes may be listed too",
    )
