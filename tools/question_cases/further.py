"""More questions of every kind, appended so that the split of the earlier ones stays as it is."""

from __future__ import annotations

from decimal import Decimal

from question_cases.build import ANSWERED, DECLINED, GROUPS, Book, computed, divided
from question_cases.moving import NEWEST, correlation, ends
from question_cases.sets import HOLDS, Filtered, Test, passing, stated, yes
from question_cases.several import Ranked, add_ranked

GDP, HEAD, PPP, GROWTH = "NY.GDP.MKTP.CD", "NY.GDP.PCAP.CD", "NY.GDP.PCAP.PP.CD", "NY.GDP.MKTP.KD.ZG"
PEOPLE, LIFE, INFLATION, JOBLESS = "SP.POP.TOTL", "SP.DYN.LE00.IN", "FP.CPI.TOTL.ZG", "SL.UEM.TOTL.ZS"
FERTILITY, INFANTS, POWER, BIRTHS = "SP.DYN.TFRT.IN", "SP.DYN.IMRT.IN", "EG.ELC.ACCS.ZS", "SP.DYN.CBRT.IN"
CHILDREN, CO2_EACH, PM25, FOREST = "SH.DYN.MORT", "EN.ATM.CO2E.PC", "EN.ATM.PM25.MC.M3", "AG.LND.FRST.ZS"
NOT_COMPLETE = [*DECLINED, "needs_clarification"]

VALUES: list[tuple[str, str, str, int | None]] = [
    ("how old do women get in france", "SP.DYN.LE00.FE.IN", "FRA", None),
    ("merchandise exports of china in dollars", "TX.VAL.MRCH.CD.WT", "CHN", None),
    ("external debt of pakistan", "DT.DOD.DECT.CD", "PAK", None),
    ("bangladesh pop density 1970", "EN.POP.DNST", "BGD", 1970),
    ("unemployment among young men in Spain", "SL.UEM.1524.MA.ZS", "ESP", None),
    ("female labor force participation rate in Saudi Arabia", "SL.TLF.CACT.FE.ZS", "SAU", None),
    ("How many refugees were living in Uganda in 2016?", "SM.POP.REFG", "UGA", 2016),
    ("net migration to germany in 2015", "SM.POP.NETM", "DEU", 2015),
    ("fixed broadband subscriptions per 100 people in denmark", "IT.NET.BBND.P2", "DNK", None),
    ("deaths of children under five per 1000 births in Chad", CHILDREN, "TCD", None),
    ("GNI per capita of Bhutan, Atlas method", "NY.GNP.PCAP.CD", "BTN", None),
    ("How much of Mongolia's GDP comes from industry?", "NV.IND.TOTL.ZS", "MNG", None),
    ("agriculture's share of ethiopia's gdp", "NV.AGR.TOTL.ZS", "ETH", None),
    ("cereal yield in Ukraine 2018", "AG.YLD.CREL.KG", "UKR", 2018),
    ("current account balance of the netherlands in 2020", "BN.CAB.XOKA.CD", "NLD", 2020),
    ("Tax revenue of Denmark as % of GDP, 2019", "GC.TAX.TOTL.GD.ZS", "DNK", 2019),
    ("patent applications by residents in japan 2018", "IP.PAT.RESD", "JPN", 2018),
    ("adolescent fertility rate in Mozambique", "SP.ADO.TFRT", "MOZ", None),
    ("price of gasoline at the pump in Norway in 2016", "EP.PMP.SGAS.CD", "NOR", 2016),
    ("armed forces personnel of brazil in 2018", "MS.MIL.TOTL.P1", "BRA", 2018),
    ("population of Inida", PEOPLE, "IND", None),
    ("the population in frnace in 1999", PEOPLE, "FRA", 1999),
    ("unemploymnet rate in portgual 2014", JOBLESS, "PRT", 2014),
    ("UAE gdp per capita", HEAD, "ARE", None),
    ("the DRC's population in 2000", PEOPLE, "COD", 2000),
    ("Any idea how many Koreans there are in South Korea?", PEOPLE, "KOR", None),
    ("Danish life expectancy, year 1975", LIFE, "DNK", 1975),
]

COMPARED: list[tuple[str, str, str, int | None]] = [
    ("which population grew faster in 2022, kenya's or ghana's?", "SP.POP.GROW", "KEN GHA", 2022),
    ("denmark and norway: co2 emissions per capita 2012", CO2_EACH, "DNK NOR", 2012),
    ("Ethiopia, Kenya, Nigeria - life expectancy, 2005", LIFE, "ETH KEN NGA", 2005),
    ("Poland against Hungary in GDP per capita PPP for 2020", PPP, "POL HUN", 2020),
    ("who has more forest relative to land area, sweden or finland, 2020?", FOREST, "SWE FIN", 2020),
    ("inflation of the UK and the US side by side for 1975", INFLATION, "GBR USA", 1975),
]

RANKED = [
    Ranked("who has the highest unemployment in the world, 2020?", JOBLESS, 2020, count=1),
    Ranked("bottom five countries for access to electricity in 2018", POWER, 2018, lowest=True),
    Ranked("Which five countries had the fastest gdp growth in 2010?", GROWTH, 2010),
    Ranked("Asia's most populous countries in 2000", PEOPLE, 2000, continent="Asia"),
    Ranked("top 3 in europe by gdp 2005", GDP, 2005, continent="Europe", count=3),
    Ranked("3 least populous countries in Africa, 2010", PEOPLE, 2010, continent="Africa", lowest=True, count=3),
    Ranked("largest countries by land area, top five", "AG.LND.TOTL.K2"),
    Ranked("What was the most densely populated EU country in 2015?", "EN.POP.DNST", 2015, group="EU", count=1),
    Ranked(
        "order the nordic countries by gdp per capita, lowest first, 2018", HEAD, 2018, group="Nordic", lowest=True
    ),
]

EACH: list[tuple[str, str, str, int]] = [
    ("birth rate of each benelux country in 1990", BIRTHS, "Benelux", 1990),
    ("baltic countries' gdp per capita 2010", HEAD, "Baltic", 2010),
    ("co2 per person for each g7 member in 2005", CO2_EACH, "G7", 2005),
    ("unemployment rates of all the nordic countries, 2020", JOBLESS, "Nordic", 2020),
]

SPANS: list[tuple[str, str, str, int, int, str | None]] = [
    ("How is the population of Russia changing over the years?", PEOPLE, "RUS", 0, NEWEST, "trend"),
    ("south korean fertility from 1960 till 1990", FERTILITY, "KOR", 1960, 1990, "trend"),
    ("inflation in japan during the 1990s", INFLATION, "JPN", 1990, 1999, "trend"),
    ("uganda gdp per capita, yearly, 2000-2010", HEAD, "UGA", 2000, 2010, "trend"),
    ("the development of under-five mortality in Malawi since 1980", CHILDREN, "MWI", 1980, NEWEST, "trend"),
    ("Did the forest share of Vietnam rise between 1990 and 2020?", FOREST, "VNM", 1990, 2020, None),
]

GAPS: list[tuple[str, str, str, str, int]] = [
    ("How much higher was US GDP per capita than China's in 2010?", HEAD, "USA", "CHN", 2010),
    ("subtract the gdp of portugal from the gdp of spain in 2005", GDP, "ESP", "PRT", 2005),
    ("inflation gap between brazil and chile in 1995", INFLATION, "BRA", "CHL", 1995),
    ("how many more people did the US have than Canada in 2000", PEOPLE, "USA", "CAN", 2000),
    ("difference in infant mortality between Haiti and Cuba in 2015", INFANTS, "HTI", "CUB", 2015),
]

TIMES: list[tuple[str, str, str, str, int, int]] = [
    ("nigeria's population as a multiple of kenya's in 1990", PEOPLE, "NGA", "KEN", 1990, 1),
    ("uk gdp to ireland gdp ratio 2019", GDP, "GBR", "IRL", 2019, 1),
    ("how many times higher was japan's gdp per capita than india's in 1990", HEAD, "JPN", "IND", 1990, 1),
    ("mexico's gdp as a percent of us gdp, 2000", GDP, "MEX", "USA", 2000, 100),
    ("What percentage of the world's population lived in China in 1980?", PEOPLE, "CHN", "WLD", 1980, 100),
]

CORRELATED: list[tuple[str, str, str, int]] = [
    ("relationship between birth rate and GDP per capita across countries, 2010", BIRTHS, HEAD, 2010),
    (
        "Do countries with more access to electricity have a higher life expectancy? correlation, 2010",
        POWER,
        LIFE,
        2010,
    ),
    (
        "correlation between population density and pm2.5 air pollution across countries in 2015",
        "EN.POP.DNST",
        PM25,
        2015,
    ),
    (
        "under-5 mortality against fertility rate, all countries, 1990: correlation coefficient please",
        CHILDREN,
        FERTILITY,
        1990,
    ),
]

FILTERED = [
    Filtered("countries whose GDP per capita exceeded $80,000 in 2012", 2012, ((HEAD, ">", "80000"),)),
    Filtered("nations with populations under 20,000 in 2020", 2020, ((PEOPLE, "<", "20000"),)),
    Filtered(
        "name the African countries with gdp over 100 billion dollars in 2018",
        2018,
        ((GDP, ">", f"{10**11}"),),
        "Africa",
    ),
    Filtered("countries with unemployment higher than 20% in 2019", 2019, ((JOBLESS, ">", "20"),)),
    Filtered("which G7 members had inflation below 1% in 2015?", 2015, ((INFLATION, "<", "1"),), group="G7"),
    Filtered(
        "countries with gdp growth between 8 and 10 percent in 2012",
        2012,
        ((GROWTH, ">=", "8"), (GROWTH, "<=", "10")),
    ),
    Filtered(
        "EU members with at least 40 million people and inflation above 3% in 2011",
        2011,
        ((PEOPLE, ">=", f"{40 * 10**6}"), (INFLATION, ">", "3")),
        group="EU",
    ),
]

COUNTED = [
    Filtered("count the countries with inflation above 20% in 2022", 2022, ((INFLATION, ">", "20"),)),
    Filtered(
        "how many african countries had a life expectancy under 60 in 2019", 2019, ((LIFE, "<", "60"),), "Africa"
    ),
    Filtered("how many countries had fewer than 100,000 people in 2010?", 2010, ((PEOPLE, "<", "100000"),)),
    Filtered(
        "In 2005, how many countries had a gdp per capita of at least $40,000?", 2005, ((HEAD, ">=", "40000"),)
    ),
]

REDUCED: list[tuple[str, str, str, int, bool]] = [
    ("combined GDP of Belgium, the Netherlands and Luxembourg in 2000", GDP, "Benelux", 2000, False),
    ("average population of the baltic states in 2015", PEOPLE, "Baltic", 2015, True),
    ("mean fertility rate of the nordic countries in 1985", FERTILITY, "Nordic", 1985, True),
]

HELD: list[tuple[str, Test, str, int | None]] = [
    ("was ireland's gdp per capita above 50 thousand dollars in 2010", (HEAD, ">", "50000"), "IRL", 2010),
    ("did japan have inflation under 1% in 2015", (INFLATION, "<", "1"), "JPN", 2015),
    ("Was the population of Iceland at most 350,000 in 2018?", (PEOPLE, "<=", "350000"), "ISL", 2018),
    (
        "Does more than 60 percent of Kenya's population have access to electricity?",
        (POWER, ">", "60"),
        "KEN",
        None,
    ),
]

EXCEEDS: list[tuple[str, str, str, str, int | None]] = [
    ("Has Ethiopia got more people than Germany?", PEOPLE, "ETH", "DEU", None),
    ("did italy have a higher gdp than brazil in 2012?", GDP, "ITA", "BRA", 2012),
]

HAS: list[tuple[str, bool, str]] = [
    ("is mongolia landlocked?", True, "landlocked:MNG"),
    ("Is Switzerland an EU member state?", False, "member:EU:CHE"),
    ("does india share a land border with myanmar", True, "borders:IND:MMR"),
    ("is vietnam a high income country", False, "income:High income:VNM"),
    ("Is Finland one of the Nordic countries?", True, "member:Nordic:FIN"),
    ("does japan border china by land?", False, "borders:JPN:CHN"),
]

NEIGHBOURS = [("neighbouring countries of austria", "AUT"), ("Who are Mongolia's neighbours?", "MNG")]
GROUP_LISTS = [("baltic states list", "Baltic"), ("which countries make up the benelux?", "Benelux")]

ASPECTS: list[tuple[str, str | None, str]] = [
    ("how is Ghana's economy performing", GDP, "GHA"),
    ("Overview of Portugal", PEOPLE, "PRT"),
    ("labour market in Tunisia", JOBLESS, "TUN"),
    ("energy in Iceland", None, "ISL"),
]

AGES = ["SP.POP.0014.TO.ZS", "SP.POP.1564.TO.ZS", "SP.POP.65UP.TO.ZS"]
DEATHS = ["SH.DTH.COMM.ZS", "SH.DTH.NCOM.ZS", "SH.DTH.INJR.ZS"]
FIFTHS = ["SI.DST.FRST.20", "SI.DST.02ND.20", "SI.DST.03RD.20", "SI.DST.04TH.20", "SI.DST.05TH.20"]
PARTS: list[tuple[str, list[str], str, int]] = [
    ("mexico's population by age in 2010", AGES, "MEX", 2010),
    ("deaths by cause of death in Nigeria in 2010", DEATHS, "NGA", 2010),
    ("income distribution by fifths in Brazil 2015", FIFTHS, "BRA", 2015),
    (
        "male employment by sector in China in 2010",
        ["SL.AGR.EMPL.MA.ZS", "SL.IND.EMPL.MA.ZS", "SL.SRV.EMPL.MA.ZS"],
        "CHN",
        2010,
    ),
]

NO_FIGURE: list[tuple[str, str, str, int]] = [
    ("Kenya GDP in 2050", GDP, "KEN", 2050),
    ("What was the unemployment rate in Poland in 1950?", JOBLESS, "POL", 1950),
    ("greenhouse gas emissions of Japan in 2023", "EN.ATM.GHGT.KT.CE", "JPN", 2023),
]

CUT_SHORT = ["population", "gdp of", "How many people live in ?", "compare", "top 10"]


def add(book: Book) -> None:
    """A second round of every kind."""
    for question, indicator, code, year in VALUES:
        book.add("value", question, type="value", claims=[book.claim(indicator, code, year)])
    for question, indicator, codes, year in COMPARED:
        book.add("comparison", question, type="comparison", claims=book.claims(indicator, codes.split(), year))
    for case in RANKED:
        add_ranked(book, case)
    for question, indicator, group, when in EACH:
        claims = book.claims(indicator, GROUPS[group], when)
        book.add("population_value", question, type="population_value", claims=claims)
    add_arithmetic(book)
    add_sets(book)
    add_rest(book)


def add_arithmetic(book: Book) -> None:
    """Trends, differences, ratios, correlations."""
    for question, indicator, code, first, last, kind in SPANS:
        book.add("trend", question, type=kind, claims=ends(book, indicator, code, first, last))
    for question, indicator, more, less, year in GAPS:
        gap = book.number(indicator, more, year) - book.number(indicator, less, year)
        claims = [computed(gap), *book.claims(indicator, [more, less], year)]
        book.add("difference", question, type="difference", claims=claims)
    for question, indicator, upper, lower, year, scale in TIMES:
        quotient = divided(book.number(indicator, upper, year) * scale, book.number(indicator, lower, year))
        book.add("ratio", question, type="ratio", claims=[computed(quotient)])
    for question, x, y, year in CORRELATED:
        r = correlation(book, x, y, book.everywhere(), year)
        book.add("correlation", question, type="correlation", claims=[computed(r, rel_tol=1e-3)])


def add_sets(book: Book) -> None:
    """Filters, aggregates, yes and no."""
    for case in FILTERED:
        found = passing(book, case)
        sample = [book.claim(case.tests[0][0], code, case.year) for code in found[:3]]
        book.add("filtered_list", case.question, type="filtered_list", entities=found, claims=sample)
    for case in COUNTED:
        book.add("aggregate", case.question, type="aggregate", claims=[computed(len(passing(book, case)))])
    for question, indicator, group, when, mean in REDUCED:
        total = sum((book.number(indicator, code, when) for code in GROUPS[group]), Decimal(0))
        result = divided(total, Decimal(len(GROUPS[group]))) if mean else total
        book.add("aggregate", question, type="aggregate", claims=[computed(result)])
    for question, (indicator, sign, bound), code, year in HELD:
        holds = HOLDS[sign](book.number(indicator, code, year), Decimal(bound))
        claims = [book.claim(indicator, code, year)]
        book.add("yes_no", question, type="yes_no", claims=claims, text_contains=yes(holds))
    for question, indicator, code, other, year in EXCEEDS:
        both = book.claims(indicator, [code, other], year)
        holds = Decimal(both[0]["value"]) > Decimal(both[1]["value"])
        book.add("yes_no", question, type="yes_no", claims=both, text_contains=yes(holds))


def add_rest(book: Book) -> None:
    """Facts, members, aspects, parts, named sources, what cannot be answered."""
    for question, truth, fact in HAS:
        if stated(book, fact) is not truth:
            raise SystemExit(f"the data does not say so: {question}")
        book.add("status", question, type="status", text_contains=yes(truth))
    for question, code in NEIGHBOURS:
        book.add("item_list", question, type="item_list", entities=book.figures.borders(code))
    for question, group in GROUP_LISTS:
        book.add("item_list", question, type="item_list", entities=GROUPS[group])
    for question, indicator, code in ASPECTS:
        claims = [book.claim(indicator, code)] if indicator else []
        book.add("vague_aspect", question, status=ANSWERED, type="vague_aspect", claims=claims)
    for question, parts, code, year in PARTS:
        claims = [book.claim(indicator, code, year) for indicator in parts]
        book.add("breakdown", question, status=ANSWERED, type="breakdown", claims=claims)
    for question, indicator, code, year in NO_FIGURE:
        if year in book.figures.values[indicator].get(code, {}):
            raise SystemExit(f"there is a figure: {question}")
        book.add("unanswerable", question, status=DECLINED, reason_contains=[str(year)])
    for question in CUT_SHORT:
        book.add("bad_input", question, status=NOT_COMPLETE, note="names no place or no quantity")

    kenya = book.claim(GDP, "KEN", 2020)
    book.add("named_source", "GDP of Kenya in 2020 from the World Bank", type="value", claims=[kenya])
    book.add(
        "named_source",
        "According to the World Bank, how many people lived in Peru in 1985?",
        type="value",
        claims=[book.claim(PEOPLE, "PER", 1985)],
    )
    book.add(
        "named_source",
        "GDP of Kenya in 2020 according to the SEC",
        status=NOT_COMPLETE,
        absent_values=[kenya["value"]],
        note="a named source that cannot be honoured must not be replaced by another",
    )
    book.add(
        "named_source",
        "GDP of Kenya in 2020",
        status=NOT_COMPLETE,
        options={"sources": ["no-such-source"]},
        absent_values=[kenya["value"]],
        note="bad usage: the source is not mounted",
    )
