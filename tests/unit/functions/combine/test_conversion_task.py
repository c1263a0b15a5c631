"""Which side is converted is named by the judgment, and only a side that was offered can be."""

import pytest

from functions.combine.builtin_rules import comparable_figures
from functions.combine.tasks import (
    COMPARABLE_FIGURES,
    ComparableReply,
    ComparableRequest,
    FigureDescribed,
    FigurePair,
)
from shared.models.prompt import system_text
from shared.models.schema import reply_schema
from shared.models.tasks import validated

PESO, DOLLAR = "LCU LCU current", "USD USD current"


def figure(entity="Philippines", *, unit=PESO, measure="GDP (current LCU)", variable="CN", **more):
    fields = {
        "source": "worldbank",
        "definition": "",
        "period": "2022",
        "period_kind": "year",
        "vintage": "2026-07-01",
        "basis": "",
        **more,
    }
    return FigureDescribed(entity=entity, unit=unit, measure=measure, variable=variable, **fields)


DOLLARS = {"entity": "United States", "unit": DOLLAR, "measure": "GDP (current US$)", "variable": "CD"}


def request(left=None, right=None, *, convertible=("left",)):
    pair = FigurePair(
        id="pair:1", left=left or figure(), right=right or figure(**DOLLARS), convertible=tuple(convertible)
    )
    return ComparableRequest(question="?", pairs=(pair,))


def reply(verdict="comparable", **convert):
    return ComparableReply(
        verdicts={"pair:1": verdict}, convert={key.replace("_", ":"): side for key, side in convert.items()}
    )


@pytest.mark.parametrize(
    ("convertible", "said", "reason"),
    [
        (("left",), {"pair_1": "left"}, None),
        (("left",), {"pair_1": "neither"}, None),
        (("left",), {}, None),
        (("left", "right"), {"pair_1": "both"}, None),
        (("left",), {"pair_1": "right"}, "of pair:1 only left can be converted, not right"),
        (("left",), {"pair_1": "both"}, "of pair:1 only left can be converted, not right"),
        ((), {"pair_1": "left"}, "no side of pair:1 can be converted"),
        ((), {"pair_1": "neither"}, "no side of pair:1 can be converted"),
        (("left",), {"pair_2": "left"}, "no side of pair:2 can be converted"),
    ],
)
def test_only_an_offered_side_may_be_named(convertible, said, reason):
    assert validated(COMPARABLE_FIGURES, request(convertible=convertible), reply(**said)) == reason


def test_a_reply_of_another_form_is_no_reply():
    with pytest.raises(ValueError, match="convert"):
        ComparableReply.model_validate({"verdicts": {"pair:1": "comparable"}, "convert": {"pair:1": "upwards"}})


def test_a_model_is_held_to_the_pairs_that_have_such_sides():
    schema = reply_schema(COMPARABLE_FIGURES, request())
    assert schema["properties"]["convert"]["required"] == ["pair:1"]
    none = reply_schema(COMPARABLE_FIGURES, request(convertible=()))
    assert none["properties"]["convert"]["properties"] == {}
    assert "official rate of the figure's year" in system_text(COMPARABLE_FIGURES)


@pytest.mark.parametrize(
    ("left", "right", "convertible", "wanted"),
    [
        (figure(), figure(**DOLLARS), ("left",), ("comparable", "left")),
        (figure(**DOLLARS), figure(), ("right",), ("comparable", "right")),
        (figure(), figure("Ecuador"), ("left", "right"), ("comparable", "both")),
        # Another quantity of another country, another calendar, another vintage, other prices.
        (
            figure(measure="Tax revenue (current LCU)", variable="TAX"),
            figure(**DOLLARS),
            ("left",),
            ("not_comparable", "left"),
        ),
        (figure(period_kind="fiscal_year"), figure(**DOLLARS), ("left",), ("not_comparable", "left")),
        (figure(vintage="2021-09-15"), figure(**DOLLARS), ("left",), ("not_comparable", "left")),
        (figure(source="elsewhere"), figure(**DOLLARS), ("left",), ("not_comparable", "left")),
        (
            figure(),
            figure(**{**DOLLARS, "unit": "USD USD constant"}),
            ("left",),
            ("not_comparable", "neither"),
        ),
        # One country's two amounts may be of two quantities.
        (
            figure(measure="Tax revenue (current LCU)", variable="TAX"),
            figure(**{**DOLLARS, "entity": "Philippines"}),
            ("left",),
            ("comparable", "left"),
        ),
    ],
)
async def test_the_built_in_rule_names_what_brings_one_quantity_to_one_currency(left, right, convertible, wanted):
    made = await comparable_figures(request(left, right, convertible=convertible), None)
    assert (made.verdicts["pair:1"], made.convert["pair:1"]) == wanted


async def test_pairs_without_such_sides_are_judged_as_ever():
    made = await comparable_figures(request(figure(), figure(), convertible=()), None)
    assert made == ComparableReply(verdicts={"pair:1": "comparable"}, why=made.why)
