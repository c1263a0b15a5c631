"""Questions about one figure of one entity."""

from __future__ import annotations

from question_cases.build import ANSWERED, COMPLETE, Book

GDP, HEAD, PPP, GROWTH = "NY.GDP.MKTP.CD", "NY.GDP.PCAP.CD", "NY.GDP.PCAP.PP.CD", "NY.GDP.MKTP.KD.ZG"
PEOPLE, LIFE, INFLATION, JOBLESS = "SP.POP.TOTL", "SP.DYN.LE00.IN", "FP.CPI.TOTL.ZG", "SL.UEM.TOTL.ZS"
URBAN = "SP.URB.TOTL.IN.ZS"

NEWEST: list[tuple[str, str, str]] = [
    ("What is India's GDP?", GDP, "IND"),
    ("india gdp", GDP, "IND"),
    ("whats the poplation of germny", PEOPLE, "DEU"),
    ("How many people live in Brazil?", PEOPLE, "BRA"),
    ("population of the UK", PEOPLE, "GBR"),
    ("Ivory Coast population", PEOPLE, "CIV"),
    ("What is the population of America?", PEOPLE, "USA"),
    ("Indian inflation", INFLATION, "IND"),
    ("how rich is the average Norwegian", HEAD, "NOR"),
    ("Could you tell me the life expectancy in Japan, please?", LIFE, "JPN"),
    ("unemployment in spain", JOBLESS, "ESP"),
    ("What's the jobless rate in South Africa?", JOBLESS, "ZAF"),
    ("GDP per head in Switzerland", HEAD, "CHE"),
    ("How long do people in Sweden live on average?", LIFE, "SWE"),
    ("what share of Nigerians live in cities", URBAN, "NGA"),
    ("how big is vietnam's economy", GDP, "VNM"),
    ("Turkish inflation rate", INFLATION, "TUR"),
    ("How fast is Bangladesh's economy growing?", GROWTH, "BGD"),
    ("fertility rate south korea", "SP.DYN.TFRT.IN", "KOR"),
    ("How many children does the average woman in Niger have?", "SP.DYN.TFRT.IN", "NER"),
    ("infant mortality in Pakistan", "SP.DYN.IMRT.IN", "PAK"),
    ("what percentage of the population of Chad has access to electricity", "EG.ELC.ACCS.ZS", "TCD"),
    ("how much of finland is covered by forest", "AG.LND.FRST.ZS", "FIN"),
    ("what is the area of Kazakhstan in square kilometres", "AG.SRF.TOTL.K2", "KAZ"),
    ("population density of bangladesh", "EN.POP.DNST", "BGD"),
    ("GDP of the world", GDP, "WLD"),
    ("How many people are there on Earth?", PEOPLE, "WLD"),
    ("European Union GDP", GDP, "EUU"),
    ("life expectancy in sub-saharan africa", LIFE, "SSF"),
    ("GDP per capita PPP of Poland", PPP, "POL"),
    ("How much does Israel spend on its military as a share of GDP?", "MS.MIL.XPND.GD.ZS", "ISR"),
    ("remittances received by the Philippines", "BX.TRF.PWKR.CD.DT", "PHL"),
    ("Gini coefficient of Brazil", "SI.POV.GINI", "BRA"),
    ("women in parliament in Rwanda, percent", "SG.GEN.PARL.ZS", "RWA"),
    ("maternal mortality ratio of Sierra Leone", "SH.STA.MMRT", "SLE"),
    ("pls give me the population of czech republic", PEOPLE, "CZE"),
    ("Kenyan GDP growth", GROWTH, "KEN"),
    ("swiss life expectency", LIFE, "CHE"),
    ("Holland population?", PEOPLE, "NLD"),
    ("how many ppl in burma", PEOPLE, "MMR"),
    ("What proportion of Ethiopia's population is rural?", "SP.RUR.TOTL.ZS", "ETH"),
    ("Saudi Arabia imports of goods and services as % of GDP", "NE.IMP.GNFS.ZS", "SAU"),
    ("foreign direct investment into Singapore", "BX.KLT.DINV.CD.WD", "SGP"),
    ("What is the youth literacy rate of Mali?", "SE.ADT.1524.LT.ZS", "MLI"),
    ("hospital beds per 1000 people in Korea, South", "SH.MED.BEDS.ZS", "KOR"),
    ("GDP of Eswatini (formerly Swaziland)", GDP, "SWZ"),
    ("Russia: death rate", "SP.DYN.CDRT.IN", "RUS"),
    ("how many mobile phone subscriptions per 100 people are there in Ghana", "IT.CEL.SETS.P2", "GHA"),
    ("percentage of people 65 and older in Italy", "SP.POP.65UP.TO.ZS", "ITA"),
    ("tuberculosis incidence philippines", "SH.TBS.INCD", "PHL"),
]

DATED: list[tuple[str, str, str, int]] = [
    ("What was India's GDP in 2019?", GDP, "IND", 2019),
    ("population nigeria 1990", PEOPLE, "NGA", 1990),
    ("gdp of the united states in 2008", GDP, "USA", 2008),
    ("How many people lived in China in 1960?", PEOPLE, "CHN", 1960),
    ("argentina inflation 2023", INFLATION, "ARG", 2023),
    ("What was the unemployment rate in Greece in 2013?", JOBLESS, "GRC", 2013),
    ("Rwandan life expectancy in 1994", LIFE, "RWA", 1994),
    ("In 2010, what was the GDP per capita of Qatar?", HEAD, "QAT", 2010),
    ("german gdp growth 2009", GROWTH, "DEU", 2009),
    ("CO2 emissions per person in Qatar in 2014", "EN.ATM.CO2E.PC", "QAT", 2014),
    ("What was the euro area's inflation in 2022?", INFLATION, "EMU", 2022),
    ("poverty headcount at $3.00 a day in China in 1990", "SI.POV.DDAY", "CHN", 1990),
    ("share of the world's population living in urban areas in 2007", URBAN, "WLD", 2007),
    ("Zimbabwe inflation 2019?", INFLATION, "ZWE", 2019),
    ("how much was bolivia's gdp back in 1985", GDP, "BOL", 1985),
    ("U.S. population, 2000", PEOPLE, "USA", 2000),
    ("measles immunization rate in Ukraine in 2016", "SH.IMM.MEAS", "UKR", 2016),
    ("military expenditure of pakistan (% of gdp) in 1999", "MS.MIL.XPND.GD.ZS", "PAK", 1999),
    ("I'd like to know Mexico's exports as a percentage of GDP for 2015", "NE.EXP.GNFS.ZS", "MEX", 2015),
    ("kwh of electricity used per person in iceland in 2021", "EG.USE.ELEC.KH.PC", "ISL", 2021),
    ("renewable energy share of total energy consumption in Norway 2020", "EG.FEC.RNEW.ZS", "NOR", 2020),
    ("the Gambia's population in 2001", PEOPLE, "GMB", 2001),
    ("Cape Verde GDP 2018", GDP, "CPV", 2018),
    ("official exchange rate of the Japanese yen per US dollar in 1995", "PA.NUS.FCRF", "JPN", 1995),
    ("low income countries' life expectancy in 2000", LIFE, "LIC", 2000),
]

YEARS_AGO: list[tuple[str, str, str, int]] = [
    ("What was the population of Egypt ten years ago?", PEOPLE, "EGY", 10),
    ("japan gdp 20 years ago", GDP, "JPN", 20),
    ("life expectancy in ethiopia thirty years ago", LIFE, "ETH", 30),
]


def add(book: Book) -> None:
    """Values of the newest year, of a named year and of a year counted back."""
    debatable = {"what share of Nigerians live in cities", "What proportion of Ethiopia's population is rural?"}
    for question, indicator, code in NEWEST:
        kind = None if question in debatable else "value"
        book.add("value", question, type=kind, claims=[book.claim(indicator, code)])
    for question, indicator, code, year in DATED:
        # GDP has several meanings, and purchasing power parities begin in 1990: before, one of them is missing.
        status = ANSWERED if indicator == GDP and year < 1990 else COMPLETE
        book.add("value", question, status=status, type="value", claims=[book.claim(indicator, code, year)])
    for question, indicator, code, back in YEARS_AGO:
        newest, _ = book.figures.newest(indicator, code)
        book.add(
            "value",
            question,
            type="value",
            claims=[book.claim(indicator, code, newest - back)],
            note="counted back from the newest year with a figure",
        )
