"""Questions about change over time, differences, ratios and correlations."""

from __future__ import annotations

from decimal import Decimal

from question_cases.build import Book, computed, divided, pearson

GDP, HEAD, GROWTH = "NY.GDP.MKTP.CD", "NY.GDP.PCAP.CD", "NY.GDP.MKTP.KD.ZG"
PEOPLE, LIFE, INFLATION, JOBLESS = "SP.POP.TOTL", "SP.DYN.LE00.IN", "FP.CPI.TOTL.ZG", "SL.UEM.TOTL.ZS"
CO2, FERTILITY, INFANTS, URBAN = "EN.ATM.CO2E.KT", "SP.DYN.TFRT.IN", "SP.DYN.IMRT.IN", "SP.URB.TOTL.IN.ZS"

FIRST, NEWEST = 0, 9999
"""Stand for the first and the newest year of the series."""

SPANS: list[tuple[str, str, str, int, int]] = [
    ("How has India's GDP changed from 2000 to 2020?", GDP, "IND", 2000, 2020),
    ("life expectancy in china since 1990", LIFE, "CHN", 1990, NEWEST),
    ("population of nigeria over time", PEOPLE, "NGA", FIRST, NEWEST),
    ("Show me US inflation in the 1970s", INFLATION, "USA", 1970, 1979),
    ("argentina's gdp in the 1990s", GDP, "ARG", 1990, 1999),
    ("trend of fertility in iran 1980-2010", FERTILITY, "IRN", 1980, 2010),
    ("How did Greece's unemployment rate develop between 2008 and 2018?", JOBLESS, "GRC", 2008, 2018),
    ("infant mortality in ethiopia since 2000", INFANTS, "ETH", 2000, NEWEST),
    ("uk gdp per capita 1960 to 2000", HEAD, "GBR", 1960, 2000),
    ("How has the share of Chinese people living in cities changed since 1980?", URBAN, "CHN", 1980, NEWEST),
    ("co2 emissions of the world from 1960 until 2014", CO2, "WLD", 1960, 2014),
    ("german gdp growth by year, 2005 through 2015", GROWTH, "DEU", 2005, 2015),
    ("graph of rwanda life expectancy 1985-2005", LIFE, "RWA", 1985, 2005),
    ("historical population of japan", PEOPLE, "JPN", FIRST, NEWEST),
    ("how has access to electricity in Bangladesh evolved from 1995 to 2020", "EG.ELC.ACCS.ZS", "BGD", 1995, 2020),
    ("Brazil forest area as % of land over the years", "AG.LND.FRST.ZS", "BRA", FIRST, NEWEST),
    ("Has life expectancy in the world been going up since 1960?", LIFE, "WLD", 1960, NEWEST),
]

SPANS_OF_SEVERAL: list[tuple[str, str, str, int, int]] = [
    ("population of India and China from 1960 to 2020", PEOPLE, "IND CHN", 1960, 2020),
    ("gdp of south korea vs north macedonia since 2000", GDP, "KOR MKD", 2000, NEWEST),
]

LAST_YEARS: list[tuple[str, str, str]] = [
    ("Mexican GDP over the last decade", GDP, "MEX"),
    ("US unemployment in the past five years", JOBLESS, "USA"),
]

BETWEEN_PLACES: list[tuple[str, str, str, str, int | None]] = [
    ("How many more people live in India than in China?", PEOPLE, "IND", "CHN", None),
    ("difference between the GDP of the US and China in 2020", GDP, "USA", "CHN", 2020),
    ("how much longer do people live in japan than in nigeria, 2019", LIFE, "JPN", "NGA", 2019),
    ("What was the gap in GDP per capita between Switzerland and Germany in 2015?", HEAD, "CHE", "DEU", 2015),
    (
        "by how many percentage points was inflation higher in turkey than in germany in 2022",
        INFLATION,
        "TUR",
        "DEU",
        2022,
    ),
    ("population difference nigeria vs ghana 2000", PEOPLE, "NGA", "GHA", 2000),
    ("How much bigger was Brazil's economy than Argentina's in 2019, in dollars?", GDP, "BRA", "ARG", 2019),
]

BETWEEN_YEARS: list[tuple[str, str, str, int, int, str | None]] = [
    ("By how much did India's population grow between 2000 and 2020?", PEOPLE, "IND", 2000, 2020, "difference"),
    ("how many years of life expectancy did ethiopia gain from 1990 to 2015", LIFE, "ETH", 1990, 2015, None),
    ("difference in kenya's gdp between 2010 and 2020", GDP, "KEN", 2010, 2020, "difference"),
    ("How many more people lived in the UK in 2020 than in 1960?", PEOPLE, "GBR", 1960, 2020, "difference"),
]

BY_PERCENT: list[tuple[str, str, str, int, int]] = [
    ("By what percentage did China's GDP grow between 2000 and 2010 in current dollars?", GDP, "CHN", 2000, 2010),
    ("percent change in nigeria's population from 1990 to 2020", PEOPLE, "NGA", 1990, 2020),
]

TIMES: list[tuple[str, str, str, str, int | None]] = [
    ("How many times larger was China's GDP than India's in 2022?", GDP, "CHN", "IND", 2022),
    ("ratio of the population of India to that of Pakistan", PEOPLE, "IND", "PAK", None),
    ("what is the ratio of US GDP to Japan's GDP in 1995", GDP, "USA", "JPN", 1995),
    ("germany's gdp divided by france's gdp, 2021", GDP, "DEU", "FRA", 2021),
    ("How many times more people live in Nigeria than in Ghana? 2010", PEOPLE, "NGA", "GHA", 2010),
    ("GDP per capita of luxembourg relative to that of bulgaria as a ratio in 2018", HEAD, "LUX", "BGR", 2018),
]

SHARES: list[tuple[str, str, str, str, int]] = [
    ("What share of the world's population lived in India in 2020?", PEOPLE, "IND", "WLD", 2020),
    ("us gdp as a percentage of world gdp in 2019", GDP, "USA", "WLD", 2019),
    ("china's share of global co2 emissions in 2014", CO2, "CHN", "WLD", 2014),
    ("What percent of the EU's GDP was Germany's in 2015?", GDP, "DEU", "EUU", 2015),
]

QUOTIENTS: list[tuple[str, str, str, str, int]] = [
    ("ratio of rural population to total population in Kenya in 2000", "SP.RUR.TOTL", PEOPLE, "KEN", 2000),
    (
        "ratio of merchandise exports to merchandise imports for Germany in 2020",
        "TX.VAL.MRCH.CD.WT",
        "TM.VAL.MRCH.CD.WT",
        "DEU",
        2020,
    ),
]

CORRELATED: list[tuple[str, str, str, int, str | None]] = [
    (
        "What is the correlation between fertility rate and life expectancy across countries in 2015?",
        FERTILITY,
        LIFE,
        2015,
        None,
    ),
    (
        "is infant mortality related to access to electricity across the world's countries, 2018",
        INFANTS,
        "EG.ELC.ACCS.ZS",
        2018,
        None,
    ),
    ("correlation of GDP per capita and life expectancy by country in 2019", HEAD, LIFE, 2019, None),
    (
        "urban population share vs fertility rate across countries in 2000: do they correlate?",
        URBAN,
        FERTILITY,
        2000,
        None,
    ),
    ("Does unemployment correlate with inflation across countries in 2018?", JOBLESS, INFLATION, 2018, None),
    (
        "correlate life expectancy with infant mortality for african countries in 2010",
        LIFE,
        INFANTS,
        2010,
        "Africa",
    ),
    ("birth rate and death rate correlation, all countries, 2012", "SP.DYN.CBRT.IN", "SP.DYN.CDRT.IN", 2012, None),
    ("how closely are population and gdp linked across countries in 2005?", PEOPLE, GDP, 2005, None),
]


def ends(book: Book, indicator: str, code: str, first: int, last: int) -> list[dict[str, object]]:
    """The first and last figure of a span; every year between must be there too."""
    series = book.figures.series(indicator, code)
    first = min(series) if first == FIRST else first
    last = max(series) if last == NEWEST else last
    return [book.claim(indicator, code, first), book.claim(indicator, code, last)]


def correlation(book: Book, x: str, y: str, members: list[str], year: int) -> Decimal:
    """Pearson's r over the members with both values."""
    xs, ys = book.figures.members_at(x, members, year), book.figures.members_at(y, members, year)
    both = sorted(xs.keys() & ys.keys())
    return pearson([xs[code] for code in both], [ys[code] for code in both])


def add(book: Book) -> None:
    """Trends, differences, ratios, correlations."""
    for question, indicator, code, first, last in SPANS:
        book.add("trend", question, type="trend", claims=ends(book, indicator, code, first, last))
    for question, indicator, codes, first, last in SPANS_OF_SEVERAL:
        wanted = [claim for code in codes.split() for claim in ends(book, indicator, code, first, last)]
        book.add("trend", question, type="trend", claims=wanted)
    for question, indicator, code in LAST_YEARS:
        book.add("trend", question, type="trend", claims=[book.claim(indicator, code)])

    for question, indicator, more, less, year in BETWEEN_PLACES:
        inputs = book.claims(indicator, [more, less], year)
        gap = book.number(indicator, more, year) - book.number(indicator, less, year)
        book.add("difference", question, type="difference", claims=[computed(gap), *inputs])
    for question, indicator, code, first, last, kind in BETWEEN_YEARS:
        gap = book.number(indicator, code, last) - book.number(indicator, code, first)
        book.add(
            "difference",
            question,
            type=kind,
            claims=[computed(gap), book.claim(indicator, code, first), book.claim(indicator, code, last)],
        )
    for question, indicator, code, first, last in BY_PERCENT:
        before, after = book.number(indicator, code, first), book.number(indicator, code, last)
        change = divided((after - before) * 100, before)
        book.add("difference", question, type="difference", claims=[computed(change)])

    for question, indicator, upper, lower, year in TIMES:
        inputs = book.claims(indicator, [upper, lower], year)
        quotient = divided(book.number(indicator, upper, year), book.number(indicator, lower, year))
        book.add("ratio", question, type="ratio", claims=[computed(quotient), *inputs])
    for question, indicator, part, whole, year in SHARES:
        share = divided(book.number(indicator, part, year) * 100, book.number(indicator, whole, year))
        book.add("ratio", question, type="ratio", claims=[computed(share)], note="a percentage")
    for question, upper, lower, code, year in QUOTIENTS:
        quotient = divided(book.number(upper, code, year), book.number(lower, code, year))
        book.add("ratio", question, type="ratio", claims=[computed(quotient)])

    for question, x, y, year, continent in CORRELATED:
        population = book.figures.continent(continent) if continent else book.everywhere()
        r = correlation(book, x, y, population, year)
        book.add(
            "correlation",
            question,
            type="correlation",
            claims=[computed(r, rel_tol=1e-3)],
            note="Pearson's r over the countries with both figures",
        )
