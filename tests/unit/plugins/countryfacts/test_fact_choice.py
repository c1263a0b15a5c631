"""Words that name no fact held here: one is chosen among those that the search returned, or none."""

from __future__ import annotations

from typing import Any

import pytest

from plugins.countryfacts.plugin import CountryFacts
from plugins.countryfacts.tasks import BUILTIN_RULES
from shared.models.builtin import BuiltinJudge
from shared.query.annotated import Selected
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.identifiers import SlotId
from shared.query.slots import Slot, SlotKind
from shared.runtime.errors import ModelUnavailable
from shared.text.places import by_name
from tests.support.stages import context, document, mention
from tests.unit.functions.discover.test_publishers import Model

FAULT = (
    "a fact is chosen that was not offered; allowed are capital, currency, official_name, calling_code, "
    "internet_domain, none"
)
FRANCE = by_name("France")
assert FRANCE is not None


def asking(relation: str, kind: SlotKind = SlotKind.FACT) -> Slot:
    return Slot(id=SlotId("slot:1"), kind=kind, role="status", entity=mention(FRANCE), relation=relation)


async def chosen(slot: Slot, *judges: Any, offered: tuple[str, ...] = ("capital", "currency")) -> Any:
    run = context()
    run.judges = (*judges, BuiltinJudge(BUILTIN_RULES))
    documents = [document(variable, "countryfacts") for variable in offered]
    return await CountryFacts().choose(slot, documents, question="?", context=run), run


async def test_the_fact_that_is_meant_by_other_words_is_chosen_among_those_found() -> None:
    model = Model({"fact": "capital"})
    found, _ = await chosen(asking("seat of government"), model)
    assert isinstance(found, Selected)
    assert found.meanings[0].id == "capital"
    offered = {fact.id for fact in model.asked[0].facts}
    assert offered == {"capital", "official_name", "currency", "calling_code", "internet_domain"}


async def test_words_that_name_a_fact_need_no_judgment() -> None:
    model = Model()
    found, _ = await chosen(asking("currency"), model)
    assert found.meanings[0].id == "currency"
    assert model.asked == []


async def test_none_of_them_is_a_refusal_that_tells_what_is_held() -> None:
    found, _ = await chosen(asking("national anthem"), Model({"fact": "none"}))
    assert found.status is FailureStatus.NOT_FOUND
    assert "not among the facts held here" in found.reason


async def test_a_fact_not_offered_is_told_once_and_then_a_visible_failure() -> None:
    model = Model({"fact": "anthem"}, {"fact": "anthem"})
    found, _ = await chosen(asking("national song"), model)
    assert isinstance(found, Unanswerable)
    assert model.hints == [None, FAULT]
    assert "broke the contract of choose_fact.v1 twice" in found.reason


async def test_one_broken_reply_is_made_good_by_the_second() -> None:
    found, _ = await chosen(asking("main city of government"), Model({"fact": "x"}, {"fact": "capital"}))
    assert found.meanings[0].id == "capital"


async def test_without_a_provider_words_that_name_no_fact_mean_none() -> None:
    found, run = await chosen(asking("seat of government"), Model(ModelUnavailable("no line")))
    assert found.status is FailureStatus.NOT_FOUND
    assert "no language model could be asked for choosing among published facts" in run.told[0]


@pytest.mark.parametrize("offered", [("landlocked",), ("borders",), ("membership",)])
async def test_a_fact_that_is_yes_or_no_is_never_taken_for_other_words(offered: tuple[str, ...]) -> None:
    model = Model()
    found, _ = await chosen(asking("way to the sea"), model, offered=offered)
    assert isinstance(found, Unanswerable)
    assert model.asked == []
