"""The questions of the Data Commons query sets that World Bank figures can answer, as they were written.

Where a question has one definite answer it is expected; a vague one is only expected to end properly.
Spelling variants stay, since that is how people asked. Questions about states, cities, disasters or
weather are left out, but for a few that must be declined.
"""

from __future__ import annotations

from typing import Any

from question_cases.build import ANSWERED, DECLINED, Book
from question_cases.several import Ranked, add_ranked

ORIGIN = "datacommons"
GDP, HEAD, GROWTH, PEOPLE, LIFE = (
    "NY.GDP.MKTP.CD",
    "NY.GDP.PCAP.CD",
    "NY.GDP.MKTP.KD.ZG",
    "SP.POP.TOTL",
    "SP.DYN.LE00.IN",
)
INFLATION, JOBLESS, FERTILITY, BIRTHS = "FP.CPI.TOTL.ZG", "SL.UEM.TOTL.ZS", "SP.DYN.TFRT.IN", "SP.DYN.CBRT.IN"
CO2, GREENHOUSE, WOMEN = "EN.ATM.CO2E.KT", "EN.ATM.GHGT.KT.CE", "SP.POP.TOTL.FE.ZS"
ENDS_PROPERLY = ["complete", "partial", "unanswered", "refused", "needs_clarification"]

VALUES: list[tuple[str, str | None, str, str]] = [
    ("GDP of Poland", "value", GDP, "POL"),
    ("GDP of syria", "value", GDP, "SYR"),
    ("What is the GDP of Iran", "value", GDP, "IRN"),
    ("Inflation in argentina", "value", INFLATION, "ARG"),
    ("What is the populaiton in India?", "value", PEOPLE, "IND"),
    ("What is the population of India?", "value", PEOPLE, "IND"),
    ("population of india", "value", PEOPLE, "IND"),
    ("What is the population of the United States?", "value", PEOPLE, "USA"),
    ("population of USA", "value", PEOPLE, "USA"),
    ("population of the USA", "value", PEOPLE, "USA"),
    ("poopulation of USA", "value", PEOPLE, "USA"),
    ("what is the population of the usa", "value", PEOPLE, "USA"),
    ("population in the US in the last year", None, PEOPLE, "USA"),
    ("population of syria", "value", PEOPLE, "SYR"),
    ("how many people live in israel", "value", PEOPLE, "ISR"),
    ("what is the world's population", "value", PEOPLE, "WLD"),
    ("how long do women live in the world", "value", "SP.DYN.LE00.FE.IN", "WLD"),
    ("what is the average age that women live to in the USA", "value", "SP.DYN.LE00.FE.IN", "USA"),
    ("unemployment rate in malaysia", "value", JOBLESS, "MYS"),
    ("unemployment rates in Canada", "value", JOBLESS, "CAN"),
    ("show me unemployment rates in america", "value", JOBLESS, "USA"),
    ("prevalene of diabetes in the USA", "value", "SH.STA.DIAB.ZS", "USA"),
    ("greenhouse gas emissions in usa", "value", GREENHOUSE, "USA"),
    ("What is the electricity usage of the US", None, "EG.USE.ELEC.KH.PC", "USA"),
    ("Hunger in Nigeria", None, "SN.ITK.DEFC.ZS", "NGA"),
    ("tell me about tree cover in paraguay", None, "AG.LND.FRST.ZS", "PRY"),
    ("economy of Paraguay", "vague_aspect", GDP, "PRY"),
    ("how is the economy in the USA", "vague_aspect", GDP, "USA"),
    ("tell me about the economy of the United States", "vague_aspect", GDP, "USA"),
    ("Tell me about the economy in Brazil", "vague_aspect", GDP, "BRA"),
    ("tell me about El Salvador", "vague_aspect", PEOPLE, "SLV"),
    ("tell me about Japan", "vague_aspect", PEOPLE, "JPN"),
    ("tell me about bhutan", "vague_aspect", PEOPLE, "BTN"),
    ("tell me about north korea", "vague_aspect", PEOPLE, "PRK"),
    ("tell me about paraguay", "vague_aspect", PEOPLE, "PRY"),
    ("tell me about russia", "vague_aspect", PEOPLE, "RUS"),
    ("tell me about usa", "vague_aspect", PEOPLE, "USA"),
    ("what can you tell me about Canada", "vague_aspect", PEOPLE, "CAN"),
    ("what do you know about malaysia", "vague_aspect", PEOPLE, "MYS"),
    ("what do you want to know about china?", None, PEOPLE, "CHN"),
]

COMPARED: list[tuple[str, str | None, str, str]] = [
    ("GDP of russia vs ukraine", "comparison", GDP, "RUS UKR"),
    ("How does the birthrate of korea compare with japan", "comparison", BIRTHS, "KOR JPN"),
    ("Population of the US vs china", "comparison", PEOPLE, "USA CHN"),
    ("north vs south korea population", "comparison", PEOPLE, "PRK KOR"),
    ("population of india, pakistan and bangladesh", "comparison", PEOPLE, "IND PAK BGD"),
    ("How does the GDP of USA compare with that of China", "comparison", GDP, "USA CHN"),
    ("What is the GDP of USA? How does that compare to Russia?", "comparison", GDP, "USA RUS"),
]

DATED: list[tuple[str, str | None, str, str, tuple[int, ...]]] = [
    ("USA population in 2021", "value", PEOPLE, "USA", (2021,)),
    ("How has the population of the United States changed over the last decade?", "trend", PEOPLE, "USA", (2025,)),
    ("How has the population in USA changed over time", "trend", PEOPLE, "USA", (1960, 2025)),
    ("How has access to electricity improved in Kenya", "trend", "EG.ELC.ACCS.ZS", "KEN", (2023,)),
    ("murder rates in USA, all time", "trend", "VC.IHR.PSRC.P5", "USA", ()),
]

CO2_QUESTIONS = [
    "Which countries have the most CO2 emissions",
    "Which countries in the world have the highest level of CO2 emission",
    "Which countries in the world have the highest level of CO2 emissions",
    "Which countries in the world have the most CO2 emissions",
    "which countries have the highest co2 emissions",
    "which countries in the world had the highest level of CO2 emissions",
    "CO2 emissions by country, highest to lowest",
]
GREENHOUSE_QUESTIONS = [
    "Which countries emit the most greenhouse gases?",
    "Which countries emit the most Greenhouse gases",
    "Which countries emit the most Greenhouse gasses",
    "Which countries emit the most greenhouse gas emissions",
    "Which countries emit the most greenhouse gases",
    "which countries emit the most greenhouse gasses",
    "Which countries have the most greenhouse gas emissions",
    "which countries have the most greenhouse gasses",
    "which countries in the world have the most greenhouse gas emissions",
    "which countries in the world have the most greenhouse gases",
    "which countries produce the most greenhouse gasses",
    "most greenhouse gas emitters across the world",
]
RANKED = [
    *(Ranked(question, CO2) for question in CO2_QUESTIONS),
    *(Ranked(question, GREENHOUSE) for question in GREENHOUSE_QUESTIONS),
    Ranked("countries with highest GDP", GDP),
    Ranked("Richest countries by GDP", GDP),
    Ranked("Poorest countries by GDP", GDP, lowest=True),
    Ranked("countries with highest fertility rate", FERTILITY),
    Ranked("countries with the highest fertility rate", FERTILITY),
    Ranked("countries with lowest life expectancy", LIFE, lowest=True),
    Ranked("lowest birthrates in the world", BIRTHS, lowest=True, count=1),
    Ranked("countries in the world with highest remittances", "BX.TRF.PWKR.CD.DT"),
    Ranked("Which countries have the most incoming remittances", "BX.TRF.PWKR.CD.DT"),
    Ranked("what countries in the world have the most refugees", "SM.POP.REFG"),
]

RANKED_LOOSELY = [
    "which country uses the most renewable energy?",
    "richest countries in the world",
    "countries in the world with the highest mortality rates",
    "which countries have the lowest mortality rate",
    "countries in the world with the most immigration",
    "countries with the most number of women",
    "countries with the most number of women per capita",
    "lowest birth rate in asia",
    "lowest birth rate in asian countries",
    "which country has most senior citizens?",
    "Which country has the most old people",
    "which country has the most young people?",
    "which country use the most electricity",
    "which country use the most electricity?",
    "Which countries have the lowest Gini index",
    "Which countries have the best immunization rates in the world",
    "Countries whose populations are growing the slowest",
]

TYPED: list[tuple[str, str]] = [
    ("GDP of countries in Africa", "population_value"),
    ("GDP of countries in the world", "population_value"),
    ("gdp of countries in the world", "population_value"),
    ("population across the world", "population_value"),
    ("population across asia", "population_value"),
    ("tell me about life expectancy of countries in Africa", "population_value"),
    ("How does life Expectancy vary across countries in Africa", "population_value"),
    ("Tell me about maternal mortality across countries in the world", "population_value"),
    ("fertility rate vs. gdp across countries of the world", "correlation"),
    ("how does fertility rate correlate with GDP across countries in the world", "correlation"),
    ("how is gdp per country related to number of senior citizens", "correlation"),
    ("What is the correlation between GDP and remittances across countries in Africa", "correlation"),
    ("How does debt correlate with GDP for countries in Europe", "correlation"),
    ("How does child immunizations correlate with life expectancy in Asia", "correlation"),
    ("countries with over 1 Trillion dollars GDP", "filtered_list"),
    ("countries where gdp growth rate was greater than 2.5%", "filtered_list"),
    ("Compare the education expenditure in the US vs. Canada", "comparison"),
    ("Compare mortality in the US vs. Spain vs. Nigeria", "comparison"),
    ("debt in china, germany and india", "comparison"),
    ("air quality canada vs usa", "comparison"),
    ("air quality india vs usa", "comparison"),
]
"""The shape is plain, the figures depend on a choice (the measure, the year) that the product may make."""

VAGUE = [
    "What countries in Africa had the greatest increase in life expectancy",
    "Which countries in Africa had the greatest increase in life expectancy",
    "Which countries have had the greatest increase in Greenhouse gas emissions",
    "which countries in the world have had the greatest increase in co2 emissions",
    "which countries in the world have had the greatest increase in greenhouse gas emissions",
    "which countries in the world have the greatest increase in greenhouse gas emissions",
    "Countries with greatest increase in population",
    "what countries experienced the largest increase in the number of mobile phone subscribers in the world",
    "Which countries in Africa have had the greatest increase in electricity access?",
    "Which countries in Africa have had the greatest increase in electricity access over the last 10 years?",
    "which countries in Africa have show the greatest reduction in poverty?",
    "which countries have show the greatest reduction?",
    "What countries have seen a rise in the unemployment rate",
    "hunger across the world",
    "end hunger across the world",
    "end poverty across the world",
    "end poverty in the world",
    "SDG poverty across the world",
    "tell me about poverty in africa",
    "Tell me about poverty across africa",
    "Tell me about poverty across europe",
    "tell me about poverty across asia",
    "tell me about poverty in Asia",
    "tell me about poverty in South America",
    "tell me about poverty in europe",
    "tell me about poverty in europe among women",
    "show me about poverty in Africa",
    "poverty across africa",
    "poverty in uganda",
    "Poverty in Mexico",
    "health in the world",
    "health across the world",
    "tell me about health across the world",
    "health care across the world",
    "health and well-being across the world",
    "maternal health in the world",
    "maternal health Asia",
    "maternal health across countries in Africa",
    "maternal health across countries in Asia",
    "maternal health issues across the world",
    "infant mortality rate in africa",
    "Tell me about infant mortality in the world",
    "life expectancy in asia",
    "unemployment europe",
    "umployment europe",
    "gdp of continents of the world",
    "No of people in agriculture in africa",
    "What are the energy sources of France?",
    "What are the top sources of co2 emissions among countries of the world",
    "Show me the top sources of co2 emissions by country",
    "top sources of co2 emissions across countries of the world",
    "what countries produce the most pollution in the air",
    "tell me about greenhouse gas emissions around the world",
    "tell me about different kinds of inflation in the US",
    "tell me about agriculture in USA",
    "tell me about air quality in the USA",
    "air quality in the USA",
    "tell me about people who work in the farms in the USA",
    "tell me about climate change in russia",
    "climate change in INdia",
    "climate change across united kingdom",
    "tell me about sustainability in the UK",
    "tell me about womens economic power in europe",
    "tell me about africa",
    "what can you tell me about Europe",
    "canada",
    "world",
    "compare paraguay with uruguay",
    "russia vs ukraine",
    "economic impact in kenya",
    "fertility rate across Portugal",
    "urban population across India",
    "GDP of countries in the US",
    "countries with highest mortality rate in the USA",
    "base interest rates in the US for the last 30 years",
    "how are fertility and life expectancy related in USA, over time?",
    "how many are unemployed in USA this year?",
    "number of people unemployed in USA",
    "how much of the USA has internet",
    "where do most people live in the world",
    "safest countries in south america",
    "which countries in africa are the safest",
    "what is the crime rate in guatemala",
    "how are the crime rates across the world",
    "Violence vs. poverty across the world",
    "immunization vs. debt in the world",
    "what is the gender pay gap in the us",
    "what is the highest education level attained across the world",
    "population of the US and the UK and san francisco",
    "top exports in China",
    "what does canada export",
    "what is peru's main export",
    "green house gas emissions of the US from agriculture",
    "What are the leading causes of death in the US",
    "What are the rates of child immunization in Pakistan",
    "Access to clean drinking water in Mexico",
    "Access to primary school education in Afghanistan",
    "How has informal employment changed over time in Bangladesh",
    "Women in managerial positions in India",
    "Compare progress on poverty in Mexico, Nigeria and Pakistan",
    "Compare SDG goals on climate change between Brazil, China and India",
    "Progress on health related goals in Pakistan",
    "SDG goals on gender equality across the world",
    "Healthiest countries",
    "Illest countries",
    "USA population in may, 2021",
    "USA population in Sep 2021",
    "countries with under 1 billion euro GDP",
    "countries with over 10B people",
    "Population over the past decade",
    "population since 1999",
    "Female population",
]

MEN: list[tuple[str, str]] = [("India male population", "IND"), ("Germany male population", "DEU")]

DECLINE: list[tuple[str, str]] = [
    ("Population of Toronto", "Toronto"),
    ("population of montreal", "montreal"),
    ("show me the population of mexico city", "mexico city"),
    ("GDP in counties of the United Kingdom", ""),
    ("Number of Shakespeare fans in San Francisco", ""),
    ("Hottest celebrity in the USA", ""),
    ("What is the meaning of life", ""),
    ("how to earn money online without investment", ""),
    ("what does a diet for diabetes look like?", ""),
    ("Floods in Brazil", ""),
    ("earthquakes in the world", ""),
    ("how many day beijing snow in december?", ""),
]


PM25, HEADCOUNT = "EN.ATM.PM25.MC.M3", "SI.POV.DDAY"
DEFINITE: dict[str, list[tuple[str, str]]] = {
    "tell me about different kinds of inflation in the US": [(INFLATION, "USA"), ("NY.GDP.DEFL.KD.ZG", "USA")],
    "What are the rates of child immunization in Pakistan": [("SH.IMM.IDPT", "PAK"), ("SH.IMM.MEAS", "PAK")],
    "What are the leading causes of death in the US": [
        ("SH.DTH.COMM.ZS", "USA"),
        ("SH.DTH.NCOM.ZS", "USA"),
        ("SH.DTH.INJR.ZS", "USA"),
    ],
    "air quality in the USA": [(PM25, "USA")],
    "tell me about air quality in the USA": [(PM25, "USA")],
    "air quality canada vs usa": [(PM25, "CAN"), (PM25, "USA")],
    "air quality india vs usa": [(PM25, "IND"), (PM25, "USA")],
    "poverty in uganda": [(HEADCOUNT, "UGA")],
    "Poverty in Mexico": [(HEADCOUNT, "MEX")],
    "population of the US and the UK and san francisco": [(PEOPLE, "USA"), (PEOPLE, "GBR")],
}
"""Loose questions with figures that any good answer holds."""

ANSWERABLE = {
    "GDP of countries in Africa",
    "GDP of countries in the world",
    "gdp of countries in the world",
    "population across the world",
    "population across asia",
    "tell me about life expectancy of countries in Africa",
    "How does life Expectancy vary across countries in Africa",
    "Tell me about maternal mortality across countries in the world",
    "fertility rate vs. gdp across countries of the world",
    "how does fertility rate correlate with GDP across countries in the world",
    "What is the correlation between GDP and remittances across countries in Africa",
    "countries where gdp growth rate was greater than 2.5%",
    "countries with over 1 Trillion dollars GDP",
    "lowest birth rate in asian countries",
}
"""Questions with open figures that the carried data can answer, and so must be."""

ONLY_AS_SHARES = {
    "which country uses the most renewable energy?",
    "which country has the most young people?",
    "which country has most senior citizens?",
    "Which country has the most old people",
}
"""Questions for the most of something of which the share alone is published: the highest share is no answer."""

IN_ANY_RECENT_YEAR = {"countries with over 1 Trillion dollars GDP": ["USA", "CHN", "DEU", "JPN", "IND"]}


def add(book: Book) -> None:
    """All questions of the sets."""

    def ask(question: str, **expect: Any) -> None:
        if question in DEFINITE:
            claims = [book.claim(indicator, code) for indicator, code in DEFINITE[question]]
            expect |= {"status": ANSWERED, "claims": claims}
        elif question in ONLY_AS_SHARES:
            expect |= {"status": ["unanswered"], "reason_contains": ["only as a share"]}
        elif question in ANSWERABLE:
            expect |= {"status": ANSWERED, "entities_include": IN_ANY_RECENT_YEAR.get(question, [])}
        book.add("datacommons", question, origin=ORIGIN, **expect)

    for question, kind, indicator, code in VALUES:
        vague = kind in (None, "vague_aspect")
        ask(question, status=ANSWERED if vague else ["complete"], type=kind, claims=[book.claim(indicator, code)])
    for question, kind, indicator, codes in COMPARED:
        ask(question, type=kind, claims=book.claims(indicator, codes.split()))
    for question, kind, indicator, code, years in DATED:
        wanted = years or (book.figures.newest(indicator, code)[0],)
        ask(question, type=kind, claims=[book.claim(indicator, code, year) for year in wanted])
    for case in RANKED:
        add_ranked(book, case, group="datacommons", origin=ORIGIN)
    for question in RANKED_LOOSELY:
        ask(question, status=ENDS_PROPERLY, type="ranking")
    for question, kind in TYPED:
        ask(question, status=ENDS_PROPERLY, type=kind)
    for question in VAGUE:
        ask(question, status=ENDS_PROPERLY)
    for question, code in MEN:
        total, women = book.claim(PEOPLE, code)["value"], book.claim(WOMEN, code)["value"]
        ask(
            question,
            status=ENDS_PROPERLY,
            absent_values=[total, women],
            note="only the share of women is carried: neither it nor the total is the number of men",
        )
    for question, name in DECLINE:
        ask(question, status=[*DECLINED, "needs_clarification"], reason_contains=[name] if name else [])
