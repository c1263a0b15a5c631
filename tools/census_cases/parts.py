"""Questions that split a total, and those about adults by education and children in poverty."""

from __future__ import annotations

from decimal import Decimal

from census_cases.published import Case, Cases, Published, claim, ranked

DECLINED = ["unanswered", "refused"]
MARKERS = ["-666666666", "-888888888", "-999999999", "-555555555", "-222222222", "-333333333"]
MEN, WOMEN, ALL = "B01001_002E", "B01001_026E", "B01001_001E"
NO_STATES = frozenset({3, 7, 14, 43, 52})
"""Numbers that are no state's."""


def _claims(entity: str, year: int, parts: dict[str, Decimal], unit: str = "people") -> list[Case]:
    return [claim(entity, year, value, unit, variable) for variable, value in parts.items()]


def sexes(cases: Cases, data: Published) -> None:
    """Men and women of counties, whose parts add up to the total exactly."""
    men, women, total = (data.in_2017(column) for column in ("Men", "Women", "TotalPop"))
    for question, fips in (
        ("population of Cook County, Illinois by sex", "17031"),
        ("What is the gender breakdown of Los Angeles County, California?", "06037"),
        ("population of Travis County, Texas by gender", "48453"),
        ("sex breakdown of Miami-Dade County, Florida", "12086"),
        ("How is the population of King County, Washington split by sex?", "53033"),
        ("population of Loving County, Texas by sex", "48301"),
        ("What was the population of Fairfield County, Connecticut by sex in 2017?", "09001"),
    ):
        parts = {ALL: total[fips], MEN: men[fips], WOMEN: women[fips]}
        cases.add("split-sex", question, type="breakdown", claims=_claims(fips, 2017, parts))
    cases.add(
        "split-sex",
        "What was the population of Cook County, Illinois by sex in 2022?",
        status=DECLINED,
        reason_contains=["recorded figures"],
        absent_values=MARKERS,
    )


def civilians(cases: Cases, data: Published) -> None:
    """Ages and sexes of states from the estimates of the civilian population."""
    for question, fips, year in (
        ("sex breakdown of California", "06", 2021),
        ("population of Texas by sex", "48", 2021),
        ("population of Ohio by gender in 2020", "39", 2020),
        ("population of Wyoming by sex in 2019", "56", 2019),
        ("sex breakdown of Florida in 2010", "12", 2010),
    ):
        stem = f"POPEST{year}_CIV"
        parts = {stem: data.civilians(fips, year, "0", "999")} | {
            f"{stem},SEX={sex},AGE=999": data.civilians(fips, year, sex, "999") for sex in ("1", "2")
        }
        cases.add("split-civilian", question, type="breakdown", claims=_claims(fips, year, parts))
    for question, fips, year in (
        ("age distribution in Texas", "48", 2021),
        ("age breakdown of California in 2019", "06", 2019),
        ("population of Vermont by age", "50", 2021),
    ):
        stem = f"POPEST{year}_CIV"
        parts = {stem: data.civilians(fips, year, "0", "999")} | {
            f"{stem},SEX=0,AGE={age}": data.civilians(fips, year, "0", str(age)) for age in range(86)
        }
        cases.add("split-civilian", question, type="breakdown", claims=_claims(fips, year, parts))
    cases.add(
        "split-civilian", "sex breakdown of Texas in 2013", status=DECLINED, reason_contains=["no parts", "Texas"]
    )


def recorded(cases: Cases, data: Published) -> None:
    """Splits whose figures are recorded answers of the API, with their margins of error."""
    nation = data.cells("group(S0101)", "1")
    ages = {f"S0101_C01_{line:03}E": Decimal(nation[f"S0101_C01_{line:03}E"]) for line in range(1, 20)}
    for question in ("US age distribution", "What is the age breakdown of the United States?"):
        cases.add("split-age", question, type="breakdown", claims=_claims("USA", 2023, ages))
    halves = {f"S0101_C0{column}_001E": Decimal(nation[f"S0101_C0{column}_001E"]) for column in (1, 3, 5)}
    cases.add("split-sex", "US population by sex", type="breakdown", claims=_claims("USA", 2023, halves))
    for question, fips in (
        ("occupation breakdown in California", "06"),
        ("employment by occupation in Wyoming", "56"),
        ("What is the breakdown of employment by occupation in New York State?", "36"),
    ):
        row = data.cells("group(S2401)", fips)
        parts = {f"S2401_C01_{line:03}E": Decimal(row[f"S2401_C01_{line:03}E"]) for line in (1, 2, 18, 26, 29, 33)}
        cases.add("split-work", question, type="breakdown", claims=_claims(fips, 2023, parts))
    for question, fips in (("employment by sex in Ohio", "39"), ("workers in Alaska by gender", "02")):
        row = data.cells("group(S2401)", fips)
        parts = {f"S2401_C0{column}_001E": Decimal(row[f"S2401_C0{column}_001E"]) for column in (1, 2, 4)}
        cases.add("split-work", question, type="breakdown", claims=_claims(fips, 2023, parts))
    for question, fips in (
        ("people in poverty by sex in Texas", "48"),
        ("poor people in Ohio by sex", "39"),
        ("How many people in poverty are there in Florida by sex?", "12"),
    ):
        row = data.cells("group(B17001)", fips)
        parts = {f"B17001_{line:03}E": Decimal(row[f"B17001_{line:03}E"]) for line in (2, 3, 17)}
        cases.add("split-poverty", question, type="breakdown", claims=_claims(fips, 2021, parts))
    for question, fips in (("racial breakdown of King County, Washington", "53033"),
                           ("population of Yakima County, Washington by race", "53077")):  # fmt: skip
        row = data.cells("B02001_001E", fips)
        parts = {f"B02001_{line:03}E": Decimal(row[f"B02001_{line:03}E"]) for line in range(1, 9)}
        cases.add("split-race", question, type="breakdown", claims=_claims(fips, 2022, parts))
    for question, fips in (
        ("language breakdown in Middlesex County, Massachusetts", "25017"),
        ("population of Suffolk County, Massachusetts by language", "25025"),
    ):
        row = data.cells("S1601)&for=county%3A%2A", fips)
        parts = {f"S1601_C01_{line:03}E": Decimal(row[f"S1601_C01_{line:03}E"]) for line in (1, 2, 4, 8, 12, 16)}
        cases.add("split-language", question, type="breakdown", claims=_claims(fips, 2023, parts))
    for question, fips in (
        ("marital status breakdown in Ohio", "39"),
        ("population of Nevada by marital status", "32"),
    ):
        row = data.cells("S1201", fips)
        parts = {f"S1201_C0{column}_001E": Decimal(row[f"S1201_C0{column}_001E"]) for column in range(2, 7)}
        cases.add("split-marital", question, type="breakdown", claims=_claims(fips, 2023, parts, "%"))
    for question, fips in (
        ("workers by mode of transport in Cook County, Illinois", "17031"),
        ("commuting by mode in DuPage County, Illinois", "17043"),
    ):
        row = data.cells("group(S0801)", fips)
        lines = (2, 9, 10, 11, 12, 13)
        parts = {f"S0801_C01_{line:03}E": Decimal(row[f"S0801_C01_{line:03}E"]) for line in lines}
        cases.add("split-commute", question, type="breakdown", claims=_claims(fips, 2023, parts, "%"))
    for question in (
        "racial breakdown in Santa Clara county",
        "population of Los Angeles County, California by race",
        "ethnic breakdown of Texas",
    ):
        cases.add(
            "split-declined",
            question,
            status=DECLINED,
            reason_contains=["recorded figures"],
            absent_values=MARKERS,
        )
    for question, reason in (
        ("poverty rate by sex in Texas", "a rate is not made up of parts"),
        ("gdp by industry in Texas", "no table of the Census Bureau's"),
    ):
        cases.add("split-declined", question, status=DECLINED, reason_contains=[reason])


def shares(cases: Cases, data: Published) -> None:
    """Splits that are published as percentages, of all counties."""
    jobs = {"DP03_0027PE": "Professional", "DP03_0028PE": "Service", "DP03_0029PE": "Office",
            "DP03_0030PE": "Construction", "DP03_0031PE": "Production"}  # fmt: skip
    ways = {"DP03_0019PE": "Drive", "DP03_0020PE": "Carpool", "DP03_0021PE": "Transit", "DP03_0022PE": "Walk",
            "DP03_0023PE": "OtherTransp", "DP03_0024PE": "WorkAtHome"}  # fmt: skip
    for question, fips, columns in (
        ("employment by occupation in Harris County, Texas", "48201", jobs),
        ("occupation breakdown in Maricopa County, Arizona", "04013", jobs),
        ("employment by occupation in Kings County, New York", "36047", jobs),
        ("workers by mode of transport in King County, Washington", "53033", ways),
        ("commuting by mode in New York County, New York", "36061", ways),
    ):
        parts = {variable: data.in_2017(column)[fips] for variable, column in columns.items()}
        cases.add("split-share", question, type="breakdown", claims=_claims(fips, 2017, parts, "%"))


def schooling(cases: Cases, data: Published) -> None:
    """Adults by level of education: the nation, states and counties."""
    variables = ("B16010_002E", "B16010_015E", "B16010_028E", "B16010_041E")
    for question, fips, code in (
        ("population of Texas by education level", "48", "48000"),
        ("educational attainment breakdown of Massachusetts", "25", "25000"),
        ("population of Cook County, Illinois by education level", "17031", "17031"),
        ("How is the population of Fulton County, Georgia divided by education level?", "13121", "13121"),
        ("population of Santa Clara County, California by education level", "06085", "06085"),
        ("population of the United States by education level according to the Census Bureau", "USA", "00000"),
    ):
        counts = data.schooled(code)
        parts = {"B16010_001E": sum(counts, Decimal(0)), **dict(zip(variables, counts, strict=True))}
        named = code == "00000"
        cases.add(
            "split-education", question, source=not named, type="breakdown", claims=_claims(fips, 2019, parts)
        )


def learned(cases: Cases, data: Published) -> None:
    """Counts of adults by education, and children in poverty by the small area estimates."""
    for question, fips, code, level, variable in (
        ("How many adults in Texas have a bachelor's degree or higher?", "48", "48000", 3, "B16010_041E"),
        ("How many college graduates are there in Ohio?", "39", "39000", 3, "B16010_041E"),
        (
            "number of adults without a high school diploma in Cook County, Illinois",
            "17031",
            "17031",
            0,
            "B16010_002E",
        ),
    ):
        figure = claim(fips, 2019, data.schooled(code)[level], "people", variable)
        cases.add("adults", question, type="value", claims=[figure])
    graduates = {
        f"{state:02}": data.schooled(f"{state:02}000")[3] for state in range(1, 57) if state not in NO_STATES
    }
    cases.add(
        "adults",
        "Which states have the most adults with a bachelor's degree or higher?",
        type="ranking",
        entities_in_order=ranked(graduates, 5),
    )
    for question, fips, column, unit, variable in (
        (
            "How many children in poverty were there in California in 2019 according to the Census Bureau?",
            "06",
            "POV017_2019",
            "people",
            "SAEPOV0_17_PT",
        ),
        (
            "poverty rate of school-age children in Harris County, Texas according to SAIPE",
            "48201",
            "PCTPOV517_2019",
            "%",
            "SAEPOVRT5_17R_PT",
        ),
    ):
        figure = claim(fips, 2019, data.modelled(column)[fips], unit, variable)
        cases.add("modelled", question, source=False, type="value", claims=[figure])


SUBJECTS = (sexes, civilians, recorded, shares, schooling, learned)
