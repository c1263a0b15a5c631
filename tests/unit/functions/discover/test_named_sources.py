"""Sources that a question names."""

import pytest

from functions.discover.named_sources import called, named_sources

MOUNTED = [
    ("worldbank", ("worldbank", "World Bank", "WDI", "World Development Indicators")),
    ("countryfacts", ("countryfacts", "Country facts", "REST Countries")),
]


@pytest.mark.parametrize(
    ("question", "mounted", "missing"),
    [
        ("What is India's GDP according to the World Bank?", ("worldbank",), ()),
        ("gdp of india from the world bank", ("worldbank",), ()),
        ("GDP of France, source: WDI", ("worldbank",), ()),
        ("What is India's GDP according to the IMF?", (), ("the IMF",)),
        ("US population from the Census Bureau", (), ("the US Census Bureau",)),
        ("obesity in Texas according to the CDC", (), ("the CDC",)),
        ("German inflation from Eurostat", (), ("Eurostat",)),
        ("World Bank GDP of France", ("worldbank",), ()),
        ("What is the IMF GDP of France?", (), ("the IMF",)),
        ("Data Commons population of California", (), ("Data Commons",)),
        ("World Bank projects in Kenya", (), ()),
        ("census tracts in California", (), ()),
        ("OECD unemployment rate in 2020", (), ()),
        ("OECD GDP for the 1990s", (), ()),
        ("Who leads the population of Kenya", (), ()),
        ("What is India's GDP?", (), ()),
        ("How many people in the UN are women?", (), ()),
        ("Population of countries in the United Nations", (), ()),
        ("Which countries have more people than Nigeria?", (), ()),
        ("people who moved from the US to Canada", (), ()),
        ("unemployment by sector in France", (), ()),
        ("gdp according to the World Bank and the IMF", ("worldbank",), ("the IMF",)),
    ],
)
def test_a_source_counts_only_behind_words_that_name_one(
    question: str, mounted: tuple[str, ...], missing: tuple[str, ...]
) -> None:
    found = named_sources(question, MOUNTED)
    assert tuple(one.source for one in found if one.source) == mounted
    assert tuple(called(one.words) for one in found if one.source is None) == missing
