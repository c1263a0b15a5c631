"""Parts of a whole: which do not overlap, and whether they make it up on every date."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from plugins.datacommons.breakdowns import disagreement
from plugins.datacommons.dimensions import Part, ages_of, name_of, partition, parts_of, reading_order
from plugins.datacommons.split_planning import Parted, Split, plan_split
from shared.query.discovery import TableDocument
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.quantity import Entity, PlaceKind
from shared.query.readings import PeriodAsked, PeriodKindAsked
from tests.support.datacommons import saying
from tests.unit.plugins.datacommons.conftest import context_of

COUNTRY = Entity(name="Testland", kind=PlaceKind.COUNTRY, keys={"iso3": "TST", "dcid": "country/TST"})
FAMILY = {"populationType": "Person", "measuredProperty": "count", "statType": "measuredValue", "unit": "people",
          "unitKind": "count"}  # fmt: skip


def document(variable: str, constraints: str = "", **terms: str) -> TableDocument:
    return TableDocument(
        identifier=f"urn:{variable}",
        source="datacommons",
        variable=variable,
        title=variable,
        description="",
        terms={**FAMILY, "constraints": constraints, **terms},
    )


TOTAL = document("Count_Person")


def chain(*values: str) -> list[str]:
    """The values that are kept of some."""
    return partition({value: value for value in values})


@pytest.mark.parametrize(
    ("value", "ages"),
    [("5-9", (5, 9)), ("[5 9 Years]", (5, 9)), ("5To9Years", (5, 9)), ("85+", (85, 200)), ("0-4", (0, 4)),
     ("85OrMoreYears", (85, 200)), ("[85 - Years]", (85, 200)), ("Upto5Years", (0, 4)), ("[- 5 Years]", (0, 4)),
     ("female", None), ("25", None)],
)  # fmt: skip
def test_ages_are_read_in_every_spelling(value: str, ages: tuple[int, int] | None) -> None:
    assert ages_of(value) == ages


def test_the_finest_chain_of_ages_without_gap_or_overlap_is_taken() -> None:
    given = ("0-17", "0-4", "5-17", "18+", "18-64", "65+", "16+", "5-9")
    assert chain(*given) == ["0-4", "5-17", "18-64", "65+"]


def test_ages_with_a_gap_are_no_partition() -> None:
    assert chain("0-4", "10-64", "65+") == []


def test_people_of_several_races_are_not_counted_twice() -> None:
    assert chain("White", "Asian", "Hispanic or Latino", "American Indian or Alaska Native") == ["Asian", "White"]


def test_values_are_told_in_words_and_ages_from_the_youngest() -> None:
    values = ["female", "85+", "5-9", "0-4"]
    assert [name_of(value) for value in sorted(values, key=reading_order)] == [
        "under 5", "5 to 9", "85 and over", "Female",
    ]  # fmt: skip


def test_parts_are_limited_by_the_one_dimension_and_by_nothing_else() -> None:
    offered = [
        document("Count_Person_Female", "sex=female"),
        document("Count_Person_Male", "gender=Male"),
        document("Count_Person_Female_Poor", "sex=female,poverty=below"),
        document("Median_Age_Person_Female", "sex=female", measuredProperty="age"),
        TOTAL,
    ]
    assert [one.variable for one in parts_of(TOTAL, "sex", offered)] == ["Count_Person_Female", "Count_Person_Male"]


def test_parts_of_a_limited_total_keep_its_limit() -> None:
    poor = document("Count_Person_Poor", "poverty=below")
    offered = [document("F", "sex=female,poverty=below"), document("G", "sex=female")]
    assert [one.variable for one in parts_of(poor, "sex", offered)] == ["F"]


def answer(figures: dict[str, dict[str, dict[str, int]]]) -> dict[str, Any]:
    """``figures[variable][facet][date]`` as an answer for the one place."""
    return {
        "byVariable": {
            variable: {
                "byEntity": {
                    "country/TST": {
                        "orderedFacets": [
                            {"facetId": name, "observations": [{"date": d, "value": v} for d, v in dates.items()]}
                            for name, dates in facets.items()
                        ]
                    }
                }
            }
            for variable, facets in figures.items()
        },
        "facets": {name: {"importName": f"Import_{name}"} for facets in figures.values() for name in facets},
    }


MEN, WOMEN = Part(document("M", "sex=male"), "male"), Part(document("W", "sex=female"), "female")


async def planned(figures: dict[str, dict[str, dict[str, int]]], **period: Any) -> Split | Unanswerable:
    asked = PeriodAsked.model_validate(period)
    parted = Parted("sex", (TOTAL,), (MEN, WOMEN))
    return await plan_split(
        parted, COUNTRY, asked, asked="population", client=saying(answer(figures)), context=context_of()
    )


async def test_a_split_of_one_source_that_adds_up_is_taken() -> None:
    found = await planned(
        {"Count_Person": {"a": {"2020": 100}}, "M": {"a": {"2020": 49}}, "W": {"a": {"2020": 50}}}
    )
    assert isinstance(found, Split)
    assert (found.facet, [one.variable for one in found.parts]) == ("a", ["W", "M"])


async def test_parts_of_two_sources_are_not_mixed() -> None:
    found = await planned(
        {"Count_Person": {"a": {"2020": 100}}, "M": {"a": {"2020": 50}}, "W": {"b": {"2020": 50}}}
    )
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.NO_DATA


async def test_a_sum_that_fits_on_one_date_only_is_a_coincidence() -> None:
    found = await planned(
        {
            "Count_Person": {"a": {"2019": 100, "2020": 100}},
            "M": {"a": {"2019": 50, "2020": 50}},
            "W": {"a": {"2019": 90, "2020": 50}},
        }
    )
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.NOT_COMPARABLE
    assert "on 2019 they add up to 140 and the total is 100: some overlap" in found.reason


async def test_missing_parts_are_told() -> None:
    found = await planned(
        {"Count_Person": {"a": {"2020": 100}}, "M": {"a": {"2020": 30}}, "W": {"a": {"2020": 30}}}
    )
    assert isinstance(found, Unanswerable)
    assert "some are missing" in found.reason


async def test_another_source_is_taken_where_the_preferred_one_does_not_add_up() -> None:
    found = await planned(
        {
            "Count_Person": {"a": {"2020": 100}, "b": {"2020": 100}},
            "M": {"a": {"2020": 90}, "b": {"2020": 51}},
            "W": {"a": {"2020": 90}, "b": {"2020": 49}},
        }
    )
    assert isinstance(found, Split)
    assert found.facet == "b"


async def test_a_year_that_was_asked_for_is_the_year_of_all_parts() -> None:
    figures = {
        "Count_Person": {"a": {"2019": 100, "2020": 100}},
        "M": {"a": {"2020": 50}},
        "W": {"a": {"2020": 50}},
    }
    asked = {"kind": PeriodKindAsked.YEAR, "start": 2019}
    assert isinstance(await planned(figures, **asked), Unanswerable)
    assert isinstance(await planned(figures, kind=PeriodKindAsked.YEAR, start=2020), Split)


def test_two_hundredths_are_borne_and_no_more() -> None:
    figures = {"t": {"2020": Decimal(1000)}, "p": {"2020": Decimal(980)}}
    assert disagreement(figures, "t", ["p"]) is None
    figures["p"]["2020"] = Decimal(979)
    assert disagreement(figures, "t", ["p"]) is not None
