"""Questions that order places by how much a published figure of each changed between two years."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from question_cases.build import Book, computed, divided
from question_cases.figures import NoFigure
from question_cases.moving import GDP, HEAD, INFANTS, JOBLESS, LIFE, NEWEST, PEOPLE
from question_cases.several import members

ELECTRICITY, FOREST = "EG.ELC.ACCS.ZS", "AG.LND.FRST.ZS"


@dataclass(frozen=True)
class Changed:
    """Members in order of the change from ``first`` to ``last`` (the ranking year when ``NEWEST``)."""

    question: str
    indicator: str
    first: int
    last: int = NEWEST
    continent: str | None = None
    group: str | None = None
    falls: bool = False
    smallest: bool = False
    relative: bool = False
    count: int = 5


CHANGED = [
    Changed("Which countries have seen the greatest increase in life expectancy since 2000?", LIFE, 2000),
    Changed(
        "Which African countries had the largest drop in infant mortality between 1990 and 2020?",
        INFANTS,
        1990,
        2020,
        continent="Africa",
        falls=True,
    ),
    Changed(
        "Which EU countries had the largest percentage increase in population between 2000 and 2020?",
        PEOPLE,
        2000,
        2020,
        group="EU",
        relative=True,
    ),
    Changed(
        "Which country's population grew fastest between 1990 and 2020?", PEOPLE, 1990, 2020, relative=True, count=1
    ),
    Changed("Which countries' GDP grew the most between 2000 and 2010?", GDP, 2000, 2010),
    Changed("top 5 countries by increase in GDP per capita from 2000 to 2020", HEAD, 2000, 2020),
    Changed("Where has unemployment fallen the most since 2010?", JOBLESS, 2010, falls=True, count=1),
    Changed("Which countries lost the most people between 1990 and 2020?", PEOPLE, 1990, 2020, falls=True),
    Changed(
        "Which South American country had the biggest increase in life expectancy from 1960 to 2000?",
        LIFE,
        1960,
        2000,
        continent="South America",
        count=1,
    ),
    Changed(
        "countries in Africa with the greatest increase in access to electricity from 2000 to 2020",
        ELECTRICITY,
        2000,
        2020,
        continent="Africa",
    ),
    Changed(
        "Which countries had the largest decline in forest area as a share of land from 1990 to 2020?",
        FOREST,
        1990,
        2020,
        falls=True,
    ),
    Changed(
        "Which G7 country had the smallest increase in life expectancy between 1980 and 2015?",
        LIFE,
        1980,
        2015,
        group="G7",
        smallest=True,
        count=1,
    ),
    Changed(
        "fastest growing economies in South America between 2000 and 2010 by GDP",
        GDP,
        2000,
        2010,
        continent="South America",
        relative=True,
    ),
    Changed(
        "Which EU countries saw unemployment rise the most from 2008 to 2013?", JOBLESS, 2008, 2013, group="EU"
    ),
    Changed(
        "Which Nordic country's population grew the most from 2000 to 2020?",
        PEOPLE,
        2000,
        2020,
        group="Nordic",
        count=1,
    ),
    Changed(
        "Which 3 African countries gained the most people from 2010 to 2020?",
        PEOPLE,
        2010,
        2020,
        continent="Africa",
        count=3,
    ),
]

OF_EACH: list[tuple[str, str, int, int, str]] = [
    (
        "How has life expectancy changed across the Nordic countries between 2000 and 2020?",
        LIFE,
        2000,
        2020,
        "Nordic",
    ),
    ("how has the unemployment rate changed in the G7 countries from 2010 to 2020", JOBLESS, 2010, 2020, "G7"),
]


def changes(book: Book, case: Changed) -> list[tuple[Decimal, str]]:
    """The size of each member's change, in order, of those that moved the way that is asked for."""
    everyone = members(book, continent=case.continent, group=case.group)
    last = book.figures.ranking_year(case.indicator, everyone) if case.last == NEWEST else case.last
    before, after = (book.figures.members_at(case.indicator, everyone, year) for year in (case.first, last))
    found = []
    for code in before.keys() & after.keys():
        change = after[code] - before[code]
        if change and (change < 0) is case.falls:
            size = divided(change * 100, before[code]) if case.relative else change
            found.append((abs(size), code))
    order = sorted(found, reverse=not case.smallest)
    if len({size for size, _ in order[: case.count + 1]}) < min(len(order), case.count + 1):
        raise NoFigure(f"{case.question}: a tie among the first: {order[: case.count + 1]}")
    return order[: case.count]


def add(book: Book) -> None:
    """The members in order; of the first the change and both published figures."""
    for case in CHANGED:
        order = changes(book, case)
        size, code = order[0]
        everyone = members(book, continent=case.continent, group=case.group)
        last = book.figures.ranking_year(case.indicator, everyone) if case.last == NEWEST else case.last
        book.add(
            "change",
            case.question,
            type="change_ranking",
            claims=[
                computed(-size if case.falls else size, entity=code),
                book.claim(case.indicator, code, case.first),
                book.claim(case.indicator, code, last),
            ],
            entities_in_order=[code for _, code in order],
        )
    for question, indicator, first, last, group in OF_EACH:
        gaps = [
            computed(book.number(indicator, code, last) - book.number(indicator, code, first), entity=code)
            for code in members(book, group=group)
        ]
        book.add("change", question, type="change_ranking", claims=gaps)
