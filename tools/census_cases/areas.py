"""Questions that list areas, or are answered from the yearly estimates of residents."""

from __future__ import annotations

from census_cases.published import Cases, Figures, Published, claim, ranked

RESIDENTS = "POPESTIMATE"


def lists(cases: Cases, data: Published) -> None:
    """Lists of areas, each of them whole."""
    counties = data.in_2023("POPULATION SIZE")
    for question, state in (
        ("counties of Arizona", "04"),
        ("list the counties of Delaware", "10"),
        ("Which counties are in Hawaii?", "15"),
        ("What counties are in New Jersey?", "34"),
        ("What counties are in Connecticut?", "09"),
    ):
        members = sorted(code for code in counties if code.startswith(state))
        cases.add("list", question, type="item_list", entities=members)
    states = sorted({code[:2] for code in counties})
    cases.add("list", "list the states of the United States", type="item_list", entities=states)
    for question, state in (
        ("list the congressional districts in Iowa", "19"),
        ("list the congressional districts in Alabama", "01"),
    ):
        members = sorted(code for code in data.districts if code.startswith(state))
        cases.add("list", question, type="item_list", entities=members)


def estimates(cases: Cases, data: Published) -> None:
    """Residents of states and counties by year, and of congressional districts."""
    for question, postal, fips, year in (
        ("What is the population of Texas according to the Census Bureau?", "TX", "48", 2025),
        ("population of Wyoming in 2023", "WY", "56", 2023),
        ("What was the population of California in 2022?", "CA", "06", 2022),
        ("How many people lived in Vermont in 2024?", "VT", "50", 2024),
        ("What was the population of the District of Columbia in 2021?", "DC", "11", 2021),
    ):
        figure = claim(fips, year, data.yearly[postal, year], "people", RESIDENTS)
        cases.add("estimate", question, source="Census" not in question, type="value", claims=[figure])
    for question, fips in (
        ("What was the population of Harris County, Texas in 2022?", "48201"),
        ("population of Loudoun County, Virginia in 2022", "51107"),
        ("What was the population of Capitol Planning Region, Connecticut in 2022?", "09110"),
    ):
        figure = claim(fips, 2022, data.county_2022[fips], "people", RESIDENTS)
        cases.add("estimate", question, type="value", claims=[figure])
    by_state: Figures = {postal: value for (postal, year), value in data.yearly.items() if year == 2025}
    names = {"CA": "06", "TX": "48", "FL": "12", "NY": "36", "PA": "42"}
    cases.add(
        "estimate",
        "Which US states have the largest population?",
        type="ranking",
        entities_in_order=[names[postal] for postal in ranked(by_state, 5)],
    )
    cases.add(
        "estimate",
        "Which 5 counties had the largest population in 2022?",
        type="ranking",
        entities_in_order=ranked(data.county_2022, 5),
    )
    cases.add(
        "estimate",
        "How has the population of Florida changed since 2020?",
        type="trend",
        claims=[claim("12", year, data.yearly["FL", year], "people", RESIDENTS) for year in range(2020, 2026)],
    )
    for question, state in (
        ("most populous congressional districts in Texas", "48"),
        ("Which congressional district in California has the most people?", "06"),
    ):
        inside = {code: value for code, value in data.districts.items() if code.startswith(state)}
        cases.add(
            "district",
            question,
            type="ranking",
            claims=[{"value": str(inside[code]), "period": "2021"} for code in ranked(inside, 1)],
        )


SUBJECTS = (lists, estimates)
