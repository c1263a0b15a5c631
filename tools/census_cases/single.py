"""Questions about one place, the smaller areas, changed counties and what cannot be answered."""

from __future__ import annotations

from census_cases.published import Cases, Published, claim, ranked

INCOME, POVERTY, PEOPLE, UNINSURED = "B19013_001E", "S1701_C03_001E", "B01003_001E", "S2701_C05_001E"
DECLINED = ["unanswered", "refused"]
MARKERS = ["-666666666", "-888888888", "-999999999", "-555555555", "-222222222", "-333333333"]


def values(cases: Cases, data: Published) -> None:
    """One figure of one place, by named source in several wordings and by option."""
    income, people, old = data.in_2023("household income median"), data.in_2023("POPULATION SIZE"), data.in_2017
    harris = claim("48201", 2023, income["48201"], "USD", INCOME)
    for question in (
        "What is the median household income of Harris County, Texas, according to the Census Bureau?",
        "According to the American Community Survey, what is the median household income of Harris County, Texas?",
        "What is the median household income of Harris County, Texas, according to the ACS?",
        "Median household income of Harris County, Texas from the US Census Bureau",
    ):
        cases.add("named", question, source=False, type="value", claims=[harris])
    for question, fips, year, figures, unit, variable in (
        ("What is the population of Cook County, Illinois?", "17031", 2023, people, "people", PEOPLE),
        (
            "What was the population of Harris County, Texas, in 2017?",
            "48201",
            2017,
            old("TotalPop"),
            "people",
            PEOPLE,
        ),
        ("uninsured rate in Maricopa County, Arizona", "04013", 2023, data.in_2023("uninsured"), "%", UNINSURED),
        (
            "What is the median age in Sumter County, Florida?",
            "12119",
            2023,
            data.in_2023("age"),
            "years",
            "B01002_001E",
        ),
        (
            "What is the average commute in Los Angeles County?",
            "06037",
            2017,
            old("MeanCommute"),
            "minutes",
            "DP03_0025E",
        ),
        ("poverty rate of Holmes County, Mississippi", "28051", 2017, old("Poverty"), "%", POVERTY),
    ):
        cases.add("value", question, type="value", claims=[claim(fips, year, figures[fips], unit, variable)])
    states = data.answered("S1903_C03_001E", "S1903_C03_001E")
    cases.add(
        "value",
        "What is the median household income of Texas according to the Census Bureau?",
        source=False,
        type="value",
        claims=[claim("48", 2022, states["48"], "USD", INCOME)],
    )
    poor = data.answered("group(B17001)", "B17001_002E")
    cases.add(
        "value",
        "How many people in California are below the poverty level?",
        type="value",
        claims=[claim("06", 2021, poor["06"], "people", "B17001_002E")],
    )
    nation = data.answered("S1901_C01_012E", "S1901_C01_012E")
    cases.add(
        "value",
        "What is the median household income of the United States according to the Census Bureau?",
        source=False,
        type="value",
        claims=[claim("USA", 2023, nation["1"], "USD", INCOME)],
    )
    for question, fips in (
        ("What was the population of Texas in the 2020 census?", "48"),
        ("How many people were counted in Wyoming in the 2020 census?", "56"),
        ("What was the population of California in the 2020 census?", "06"),
        ("What was the population of Cook County, Illinois in 2020 according to the decennial census?", "17031"),
    ):
        count = claim(fips, 2020, data.counted[fips], "people", "P1_001N")
        cases.add("counted", question, source=False, type="value", claims=[count])
    for question, fips, column, unit, variable in (
        (
            "What was the poverty rate of Texas in 2019 according to the Census Bureau?",
            "48",
            "PCTPOVALL_2019",
            "%",
            "SAEPOVRTALL_PT",
        ),
        (
            "What was the median household income of Harris County, Texas in 2019 according to SAIPE?",
            "48201",
            "MEDHHINC_2019",
            "USD",
            "SAEMHI_PT",
        ),
    ):
        figure = claim(fips, 2019, data.modelled(column)[fips], unit, variable)
        cases.add("modelled", question, source=False, type="value", claims=[figure])


def smaller(cases: Cases, data: Published) -> None:
    """Tracts, places and districts."""
    tracts = data.answered("for=tract", "B01003_001E")
    for question in (
        "What is the population of census tract 1011.10 in Los Angeles County, California?",
        "population of tract 101110 in Los Angeles County",
    ):
        cases.add(
            "tract",
            question,
            type="value",
            claims=[claim("06037101110", 2023, tracts["06037101110"], "people", PEOPLE)],
        )
    cases.add(
        "tract",
        "Which census tracts in Los Angeles County, California have the most people?",
        type="ranking",
        claims=[claim(code, 2023, tracts[code], "people", PEOPLE) for code in ranked(tracts, 3)],
    )
    places = data.answered("for=place%3A%2A", "B01003_001E")
    cases.add(
        "place",
        "What is the population of Phoenix, Arizona?",
        type="value",
        claims=[{"value": str(places["0455000"]), "period": "2022", "unit": "people", "variable": PEOPLE}],
    )
    cases.add(
        "place",
        "Which places in Arizona have the most people?",
        type="ranking",
        claims=[{"value": str(places[code]), "period": "2022"} for code in ranked(places, 3)],
    )
    districts = data.answered("district%3A%2A&in=state%3A13", "B01001_001E")
    cases.add(
        "district",
        "What are the most populous congressional districts in Georgia?",
        type="ranking",
        claims=[{"value": str(districts[code]), "period": "2023"} for code in ranked(districts, 3)],
    )


def troubles(cases: Cases, data: Published) -> None:
    """Changed counties, names of several counties, blanks, and what cannot be answered."""
    income, people = data.in_2023("household income median"), data.in_2023("POPULATION SIZE")
    for question in (
        "What is the median household income of Oglala Lakota County, South Dakota?",
        "What is the median household income of Shannon County, South Dakota?",
    ):
        cases.add(
            "changed",
            question,
            type="value",
            claims=[{"period": "2023", "value": str(income["46102"]), "variable": INCOME}],
        )
    cases.add(
        "changed",
        "What was the population of Hartford County, Connecticut in 2017?",
        type="value",
        claims=[claim("09003", 2017, data.in_2017("TotalPop")["09003"], "people", PEOPLE)],
    )
    cases.add(
        "changed",
        "What was the population of Hartford County, Connecticut in 2023?",
        status=DECLINED,
        reason_contains=["planning regions since 2022"],
    )
    cases.add(
        "changed",
        "What is the population of Capitol Planning Region, Connecticut?",
        type="value",
        claims=[claim("09110", 2023, people["09110"], "people", PEOPLE)],
    )
    cases.add(
        "changed",
        "What was the population of Valdez-Cordova Census Area, Alaska in 2017?",
        type="value",
        claims=[claim("02261", 2017, data.in_2017("TotalPop")["02261"], "people", PEOPLE)],
    )
    cases.add(
        "changed",
        "What was the population of Valdez-Cordova Census Area, Alaska in 2023?",
        status=DECLINED,
        reason_contains=["split into Chugach"],
    )
    for question, codes in (
        ("What is the population of Orange County?", ("06059", "12095", "36071")),
        ("What is the population of Washington County?", ("41067", "27163")),
    ):
        cases.add(
            "ambiguous",
            question,
            type="value",
            claims=[claim(code, 2023, people[code], "people", PEOPLE) for code in codes],
        )
    cases.add("ambiguous", "What is the population of Orange County?", status=["needs_clarification"])
    cases.made[-1]["options"] = {"sources": ["census"], "on_ambiguity": "ask"}
    cases.add(
        "blank",
        "What was the median household income of Kenedy County, Texas in 2023?",
        status=DECLINED,
        reason_contains=["no estimate is published"],
        absent_values=[*MARKERS, "0"],
    )
    for question, reason in (
        ("What is the population of France?", "places in the United States"),
        ("What is the GDP of Texas?", "none of the Census Bureau's tables"),
        ("What was the median household income of Harris County, Texas in 1995?", "there is no vintage 1995"),
        ("What was the median household income of Harris County, Texas in fiscal year 2023?", "calendar years"),
    ):
        cases.add("declined", question, status=DECLINED, reason_contains=[reason])
    for question in (
        "What is India's GDP according to the US Census Bureau?",
        "What is the capital of Texas according to the Census Bureau?",
        "Which countries border France, according to the American Community Survey?",
    ):
        cases.add("unhonoured", question, source=False, status=DECLINED, absent_values=MARKERS)
    for question in (
        "How many restaurants are there in Harris County, Texas according to the Census Bureau?",
        "How many manufacturing establishments are in Texas according to the Census Bureau?",
    ):
        cases.add("business", question, source=False, status=DECLINED, reason_contains=["County Business Patterns"])


SUBJECTS = (values, smaller, troubles)
