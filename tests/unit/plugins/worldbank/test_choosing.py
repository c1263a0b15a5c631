"""What is chosen for a measure, what is said when nothing is, and which units a bound can be held against."""

from __future__ import annotations

from typing import Any

import pytest

from plugins.worldbank.measures import meets_unit, unit_of
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.slots import SlotKind
from tests.unit.plugins.nearest import nearest
from tests.unit.plugins.worldbank.test_plugin import PLUGIN, context, documents, slot

__all__ = ["context"]


async def refusal(measure: str, question: str, context: Any, **more: Any) -> Unanswerable:
    chosen = await PLUGIN.choose(
        slot(measure, **more), nearest(documents().values(), measure), question=question, context=context
    )
    assert isinstance(chosen, Unanswerable), chosen
    return chosen


async def test_a_number_published_only_as_a_share_tells_the_share_and_how_to_ask_for_it(context: Any) -> None:
    told = await refusal("population aged 65 and above", "Which country has the most senior citizens?", context)
    assert told.status is FailureStatus.NOT_FOUND
    assert "only as a share, not as a number" in told.reason
    assert "Population ages 65 and above (% of total population)" in told.reason
    assert "ask for it as a percentage" in told.reason


async def test_an_unknown_quantity_is_refused_with_what_is_near(context: Any) -> None:
    told = await refusal("happiness", "How happy is Finland?", context)
    assert told.reason.startswith("none of the World Bank's tables is “happiness”; the nearest are: ")


async def test_a_number_of_births_is_told_to_be_a_rate(context: Any) -> None:
    told = await refusal("fertility rate", "number of births in Japan", context)
    assert told.reason == (
        "the World Bank publishes no number of births, only a rate per 1,000 people; ask for the “birth rate”"
    )


async def test_gdp_at_purchasing_power_is_told_to_be_per_person(context: Any) -> None:
    told = await refusal("gdp ppp", "GDP PPP of India", context)
    assert "publishes “gdp ppp” only per person, not as a number: GDP per capita, PPP" in told.reason


async def test_a_refusal_does_not_name_the_refused_as_near(context: Any) -> None:
    offered = [documents()["NE.IMP.GNFS.ZS"]]
    asked = "imports of women in Kenya"
    told = await PLUGIN.choose(slot("imports"), offered, question=asked, context=context)
    assert isinstance(told, Unanswerable)
    assert "covers all that the question asks for; the nearest are: Imports of goods" in told.reason
    assert "tables is “imports”" not in told.reason


async def test_a_tenth_is_no_split_into_fifths(context: Any) -> None:
    told = await refusal(
        "income share",
        "income share of the poorest 10%",
        context,
        kind=SlotKind.CATEGORIES,
        dimension="income quintile",
    )
    assert told.reason.endswith("ask for “income share held by lowest 10%”")


async def test_kinds_of_a_quantity_that_are_no_parts_are_named(context: Any) -> None:
    told = await refusal(
        "inflation", "different kinds of inflation", context, kind=SlotKind.CATEGORIES, dimension="category"
    )
    assert "Inflation, consumer prices (annual %)" in told.reason
    assert "Inflation, GDP deflator (annual %)" in told.reason


@pytest.mark.parametrize(
    ("variable", "wanted", "meets"),
    [
        ("SP.DYN.IMRT.IN", "per 1,000", True),
        ("SP.DYN.IMRT.IN", "per 100,000", False),
        ("SH.STA.MMRT", "per 100,000", True),
        ("SP.DYN.TFRT.IN", "per 1,000", False),
        ("SL.UEM.TOTL.ZS", "per 1,000", False),
        ("SL.UEM.TOTL.ZS", "%", True),
        ("NY.GDP.MKTP.CD", "USD", True),
        ("SP.DYN.IMRT.IN", None, True),
    ],
)
def test_a_bound_is_held_against_figures_of_its_own_unit(variable: str, wanted: str | None, meets: bool) -> None:
    assert meets_unit(unit_of(documents()[variable]), wanted) is meets
