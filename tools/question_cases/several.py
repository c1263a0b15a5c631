"""Questions over several entities: comparisons, rankings and the figures of whole groups."""

from __future__ import annotations

from dataclasses import dataclass

from question_cases.build import GROUPS, Book

GDP, HEAD, GROWTH = "NY.GDP.MKTP.CD", "NY.GDP.PCAP.CD", "NY.GDP.MKTP.KD.ZG"
PEOPLE, LIFE, INFLATION, JOBLESS = "SP.POP.TOTL", "SP.DYN.LE00.IN", "FP.CPI.TOTL.ZG", "SL.UEM.TOTL.ZS"

COMPARED: list[tuple[str, str, str, int | None]] = [
    ("Compare the population of India and China", PEOPLE, "IND CHN", None),
    ("france vs germany gdp", GDP, "FRA DEU", None),
    ("Which country has more people, Nigeria or Brazil?", PEOPLE, "NGA BRA", None),
    ("Who had the bigger economy in 2010, China or Japan?", GDP, "CHN JPN", 2010),
    ("GDP per capita: Norway, Sweden and Denmark in 2022", HEAD, "NOR SWE DNK", 2022),
    ("How does life expectancy in the US compare with Canada and the UK?", LIFE, "USA CAN GBR", None),
    ("inflation in turkey vs argentina 2022", INFLATION, "TUR ARG", 2022),
    ("is unemployment higher in spain, italy or greece? 2021", JOBLESS, "ESP ITA GRC", 2021),
    ("compare kenya, uganda and tanzania on fertility rate in 2015", "SP.DYN.TFRT.IN", "KEN UGA TZA", 2015),
    ("infant mortality: india versus bangladesh, 2000", "SP.DYN.IMRT.IN", "IND BGD", 2000),
    ("Which emitted more CO2 in 2014, Russia or India?", "EN.ATM.CO2E.KT", "RUS IND", 2014),
    ("Ivory Coast or Ghana, who has the larger GDP?", GDP, "CIV GHA", None),
    ("UK France Germany population 1960", PEOPLE, "GBR FRA DEU", 1960),
    ("how do chile and peru compare in access to electricity in 1995", "EG.ELC.ACCS.ZS", "CHL PER", 1995),
    ("urban population share of egypt against south africa", "SP.URB.TOTL.IN.ZS", "EGY ZAF", None),
    ("Australian and New Zealand GDP growth in 2020", GROWTH, "AUS NZL", 2020),
    ("Do people live longer in Spain or Portugal?", LIFE, "ESP PRT", None),
    ("Between Vietnam and Thailand, which has the higher GDP per person?", HEAD, "VNM THA", None),
]


@dataclass(frozen=True)
class Ranked:
    """A ranking: over ``members`` (all economies when empty), in ``year`` (the ranking year when none)."""

    question: str
    indicator: str
    year: int | None = None
    continent: str | None = None
    group: str | None = None
    lowest: bool = False
    count: int = 5
    type: str | None = "ranking"


RANKED = [
    Ranked("Which countries have the largest population?", PEOPLE),
    Ranked("top 5 economies in the world", GDP),
    Ranked("Which country has the highest life expectancy in 2019?", LIFE, 2019, count=1),
    Ranked("poorest countries by gdp per capita 2020", HEAD, 2020, lowest=True),
    Ranked("10 most populous countries in 1990", PEOPLE, 1990, count=10),
    Ranked("What are the 3 biggest countries in Africa by population?", PEOPLE, continent="Africa", count=3),
    Ranked("Which African country had the highest GDP in 2015?", GDP, 2015, continent="Africa", count=1),
    Ranked("least densely populated countries, 2020", "EN.POP.DNST", 2020, lowest=True),
    Ranked("countries with the highest inflation in 2022", INFLATION, 2022),
    Ranked("In which country is the fertility rate highest?", "SP.DYN.TFRT.IN", count=1),
    Ranked("rank the G7 by GDP in 2021", GDP, 2021, group="G7", count=7),
    Ranked("Which EU country had the highest unemployment in 2013?", JOBLESS, 2013, group="EU", count=1),
    Ranked("top ten co2 emitters in 2014", "EN.ATM.CO2E.KT", 2014, count=10),
    Ranked("lowest life expectancy in the world 2010", LIFE, 2010, lowest=True),
    Ranked("Who received the most remittances in 2022?", "BX.TRF.PWKR.CD.DT", 2022),
    Ranked("south american countries ranked by population", PEOPLE, continent="South America", count=5),
    Ranked("most forested countries by share of land 2020", "AG.LND.FRST.ZS", 2020),
    Ranked("Which nordic country has the most people?", PEOPLE, group="Nordic", count=1),
    Ranked("countries with the worst air pollution (PM2.5) in 2019", "EN.ATM.PM25.MC.M3", 2019),
    Ranked("top 3 countries by surface area", "AG.SRF.TOTL.K2", count=3),
    Ranked(
        "which country has the oldest population, by share aged 65 and over, 2023",
        "SP.POP.65UP.TO.ZS",
        2023,
        count=1,
    ),
    Ranked("Which low income countries had the most people in 2020?", PEOPLE, 2020, group="Low income"),
    Ranked("biggest military spenders as a percentage of GDP, 2019", "MS.MIL.XPND.GD.ZS", 2019),
    Ranked("what five countries had the highest birth rates in 2000", "SP.DYN.CBRT.IN", 2000),
    Ranked("slowest growing economies 2020", GROWTH, 2020, lowest=True),
    Ranked("Largest economies in South America in 2019", GDP, 2019, continent="South America"),
]

EACH: list[tuple[str, str, str | list[str], int | None]] = [
    ("GDP of each G7 country in 2022", GDP, "G7", 2022),
    ("population of all the nordic countries", PEOPLE, "Nordic", None),
    ("life expectancy for the Baltic states in 2015", LIFE, "Baltic", 2015),
    ("What is the unemployment rate in every Benelux country in 2020?", JOBLESS, "Benelux", 2020),
    ("inflation across the G7 in 1980", INFLATION, "G7", 1980),
    ("show me gdp per capita for the g7 countries, 2000", HEAD, "G7", 2000),
    ("GDP growth in each of the Nordic countries in 2009", GROWTH, "Nordic", 2009),
    ("population of the countries of central america in 2020", PEOPLE, "Central America", 2020),
    ("fertility rate by country in South America, 1970", "SP.DYN.TFRT.IN", "South America", 1970),
]

EACH_OF_MANY: list[tuple[str, str, list[str], int | None]] = [
    ("Population of every country in the world in 2020", PEOPLE, [], 2020),
    ("life expectancy across Africa by country, 2019", LIFE, ["Africa"], 2019),
    ("co2 emissions per capita of all countries in 2010", "EN.ATM.CO2E.PC", [], 2010),
]


def members(book: Book, *, continent: str | None = None, group: str | None = None) -> list[str]:
    """The economies a question is about."""
    if continent:
        return book.figures.continent(continent)
    if group in GROUPS:
        return GROUPS[group]
    return book.figures.income(group) if group else book.everywhere()


def add_ranked(book: Book, case: Ranked, *, group: str = "ranking", origin: str | None = None) -> None:
    """A ranking: the first members in order, and the figure of the first."""
    population = members(book, continent=case.continent, group=case.group)
    year = case.year or book.figures.ranking_year(case.indicator, population)
    order = book.figures.ranked(case.indicator, population, year, lowest=case.lowest)[: case.count]
    book.add(
        group,
        case.question,
        type=case.type,
        claims=[book.claim(case.indicator, order[0], year)],
        entities_in_order=order,
        origin=origin,
    )


def add(book: Book) -> None:
    """Comparisons, rankings, population values."""
    for question, indicator, codes, year in COMPARED:
        book.add("comparison", question, type="comparison", claims=book.claims(indicator, codes.split(), year))
    for case in RANKED:
        add_ranked(book, case)
    for question, indicator, group, year in EACH:
        population = GROUPS.get(str(group)) or book.figures.continent(str(group))
        sure = [code for code in population if year is None or year in book.figures.series(indicator, code)]
        book.add("population_value", question, type="population_value", claims=book.claims(indicator, sure, year))
    for question, _indicator, _group, _year in EACH_OF_MANY:
        book.add(
            "population_value",
            question,
            status=["complete", "partial"],
            type="population_value",
            note="too many members to ask each as a claim",
        )
