"""Questions about whole populations and about places held against each other."""

from __future__ import annotations

from decimal import Decimal, localcontext

from census_cases.published import Cases, Figures, Published, claim, pearson, ranked, worked_out

INCOME, POVERTY, PEOPLE, UNINSURED = "B19013_001E", "S1701_C03_001E", "B01003_001E", "S2701_C05_001E"
MARKERS = ["-666666666", "-888888888", "-999999999", "-555555555", "-222222222", "-333333333"]


def populations(cases: Cases, data: Published) -> None:
    """Rankings, lists and relations over counties and states."""
    income, people, poverty = (
        data.in_2023("household income median"),
        data.in_2023("POPULATION SIZE"),
        data.in_2017("Poverty"),
    )
    for question, figures, count, lowest, inside in (
        ("What are the 10 most populous counties in the US?", people, 10, False, ""),
        ("Which counties have the highest median household income?", income, 5, False, ""),
        ("Which county in Ohio has the lowest median household income?", income, 1, True, "39"),
        ("What are the 5 most populous counties in Texas?", people, 5, False, "48"),
        ("Which 5 US counties had the highest poverty rate in 2017?", poverty, 5, False, ""),
    ):
        order = ranked(figures, count, lowest=lowest, inside=inside)
        cases.add("ranking", question, type="ranking", entities_in_order=order, absent_values=MARKERS)
    modelled = data.modelled("PCTPOVALL_2019")
    counties = {code: value for code, value in modelled.items() if len(code) == 5}
    cases.add(
        "modelled",
        "Which 5 counties had the highest poverty rate in 2019?",
        type="ranking",
        entities_in_order=ranked(counties, 4),
    )
    states = data.answered("S1903_C03_001E", "S1903_C03_001E")
    cases.add(
        "ranking",
        "Which states have the highest median household income according to the Census Bureau?",
        source=False,
        type="ranking",
        entities_in_order=ranked(states, 5),
    )
    poor = data.answered("group(B17001)", "B17001_002E")
    cases.add(
        "ranking",
        "Which states have the most people in poverty?",
        type="ranking",
        entities_in_order=ranked(poor, 5),
    )
    for question, figures, inside, bound in (
        ("Which counties in Texas have a median household income above $100,000?", income, "48", 100_000),
        ("Which California counties have a population over 1 million?", people, "06", 1_000_000),
        ("Which counties have a poverty rate above 45%?", poverty, "", 45),
    ):
        members = [code for code, value in figures.items() if code.startswith(inside) and value > bound]
        cases.add("filtered_list", question, type="filtered_list", entities=sorted(members))
    few = [code for code, value in people.items() if code.startswith("48") and value < 1000]
    cases.add(
        "aggregate",
        "How many counties in Texas have a population under 1,000?",
        type="aggregate",
        claims=[{"value": str(len(few))}],
    )
    delaware = sum((value for code, value in people.items() if code.startswith("10")), Decimal(0))
    cases.add(
        "aggregate",
        "What is the total population of the counties in Delaware?",
        type="aggregate",
        claims=[worked_out(delaware)],
    )
    cases.add(
        "population_value",
        "What is the population of every county in Delaware?",
        type="population_value",
        claims=[claim(code, 2023, people[code], "people", PEOPLE) for code in ("10001", "10003", "10005")],
    )
    uninsured, degree = data.in_2023("uninsured"), data.in_2023("college grad")
    for question, xs, ys in (
        ("Is median household income correlated with the uninsured rate across US counties?", income, uninsured),
        (
            "Is per capita income correlated with the share of adults with a bachelor's degree across US counties?",
            data.in_2023("per capita income"),
            degree,
        ),
        (
            "How does median household income relate to the poverty rate across Texas counties in 2017?",
            _inside(data.in_2017("Income"), "48"),
            _inside(poverty, "48"),
        ),
        (
            "Is median age correlated with population across counties in California?",
            _inside(data.in_2023("age"), "06"),
            _inside(people, "06"),
        ),
    ):
        cases.add("correlation", question, type="correlation", claims=[worked_out(pearson(xs, ys))])


def _inside(figures: Figures, state: str) -> Figures:
    return {code: value for code, value in figures.items() if code.startswith(state)}


def pairs(cases: Cases, data: Published) -> None:
    """Two places held against each other."""
    income, people = data.in_2023("household income median"), data.in_2023("POPULATION SIZE")
    cases.add(
        "comparison",
        "Which has a higher poverty rate, Cook County, Illinois or Los Angeles County, California?",
        type="comparison",
        claims=[claim(code, 2017, data.in_2017("Poverty")[code], "%", POVERTY) for code in ("17031", "06037")],
    )
    cases.add(
        "comparison",
        "Compare the population of Travis County, Williamson County and Hays County, Texas",
        type="comparison",
        claims=[claim(code, 2023, people[code], "people", PEOPLE) for code in ("48453", "48491", "48209")],
    )
    cases.add(
        "difference",
        "What is the difference in median household income between Harris County, Texas and Dallas County, Texas?",
        type="difference",
        claims=[worked_out(income["48113"] - income["48201"])],
    )
    with localcontext() as context:
        context.prec = 30
        times = income["51107"] / income["48201"]
    cases.add(
        "ratio",
        "What is the ratio of median household income in Loudoun County, Virginia to that in Harris County, Texas?",
        type="ratio",
        claims=[worked_out(times)],
    )
    cases.add(
        "yes_no",
        "Is the population of Harris County, Texas greater than 4 million?",
        type="yes_no",
        claims=[claim("48201", 2023, people["48201"], "people", PEOPLE)],
    )
    cases.add(
        "trend",
        "How has the population of Harris County, Texas changed since 2015?",
        type="trend",
        status=["complete", "partial"],
        claims=[
            claim("48201", 2017, data.in_2017("TotalPop")["48201"], "people", PEOPLE),
            claim("48201", 2023, people["48201"], "people", PEOPLE),
        ],
    )


SUBJECTS = (populations, pairs)
