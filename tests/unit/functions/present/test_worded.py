"""When a model is asked to word an answer; the built-in wording stands whenever it cannot or should not be."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from types import SimpleNamespace
from typing import Any, cast

import pytest

from functions.present.builtin_rules import word_answer
from functions.present.draft import Draft, View
from functions.present.word_task import MOST_CLAIMS, WORD_ANSWER, WordAnswerReply, WordAnswerRequest
from functions.present.worded import asked, worded
from shared.query.annotated import AskOptions
from shared.query.quantity import Entity, PlaceKind
from shared.query.readings import Direction, EntityMention, MeasureMention, ValueReading
from shared.runtime.budget import Budget, Limits
from shared.runtime.context import RunContext
from shared.runtime.deadline import Deadline
from shared.runtime.errors import Cancelled, ModelUnavailable
from shared.runtime.records import BudgetTotals

PLAIN = "India's GDP was 3.5 in 2024."
FAIR = "In 2024, India had a GDP of 3.5."
INDIA = Entity(name="India", kind=PlaceKind.COUNTRY, keys={"iso3": "IND"})


class Model:
    """A judge that is metered as a language model is, and says what a test tells it."""

    name = "m1"
    metered = True

    def __init__(self, *said: Any) -> None:
        self.said, self.requests = list(said), []  # type: ignore[var-annotated]

    def can(self, task: Any) -> bool:
        return bool(task.instructions)

    async def ask(self, task: Any, request: Any, context: RunContext, *, hint: str | None = None) -> Any:
        self.requests.append(request)
        context.budget.reserve(Decimal("0.01"))
        said = self.said.pop(0)
        if isinstance(said, Exception):
            raise said
        if isinstance(said, float):
            await asyncio.sleep(said)
        return WordAnswerReply(text=said, claims=("claim:1",))


def context(*judges: Any, seconds: float = 20.0, budget: Budget | None = None) -> RunContext:
    ports = cast("Any", None)
    return RunContext(
        options=AskOptions(),
        deadline=Deadline.after(seconds),
        transport=ports,
        finder=ports,
        embedder=ports,
        judges=judges,
        panel=(),
        say=lambda _: None,
        budget=budget or Budget(),
    )


def view(**reading: Any) -> View:
    mention = EntityMention(text="India", status="resolved", entity=INDIA)
    read = ValueReading(entity=mention, measure=MeasureMention(text="gdp"))
    made = SimpleNamespace(**{**dict(read), **reading}) if reading else read
    material = SimpleNamespace(reading=made, question="What is India's GDP?", slots=(), everything=lambda: ())
    return cast("View", SimpleNamespace(material=material, options=AskOptions()))


def draft(count: int = 1) -> Draft:
    made = Draft()
    for number in range(count):
        made._add(
            text=f"GDP, India, 2024: {number + 3}.5", value=Decimal(f"{number + 3}.5"), unit=None, entity=INDIA,
            period="2024", measure="GDP", evidence=("r:1",),
        )  # fmt: skip
    return made


async def test_a_wording_of_the_claims_is_taken() -> None:
    model = Model(FAIR)
    made = await worded(PLAIN, view(), draft(), (), context(model))
    assert (made.text, made.by, made.taken, made.rests_on) == (FAIR, "m1", True, ("claim:1",))


async def test_without_a_model_nobody_is_asked_and_nothing_is_counted() -> None:
    run = context()
    made = await worded(PLAIN, view(), draft(), (), run)
    assert (made.text, made.by, made.taken) == (PLAIN, None, False)
    assert run.meter.models == []


async def test_a_spent_budget_leaves_the_built_in_wording() -> None:
    budget = Budget(limits=Limits(model_calls=1), used=BudgetTotals(model_calls=1))
    made = await worded(PLAIN, view(), draft(), (), context(Model(FAIR), budget=budget))
    assert (made.text, made.taken) == (PLAIN, False)
    assert "model calls are used up" in made.why


async def test_a_model_that_hangs_leaves_the_built_in_wording_and_the_time_to_present() -> None:
    run = context(Model(30.0), seconds=4.2)
    made = await worded(PLAIN, view(), draft(), (), run)
    assert (made.text, made.taken) == (PLAIN, False)
    assert run.deadline.remaining > 1.5


async def test_with_little_time_left_no_model_is_asked() -> None:
    model = Model(FAIR)
    made = await worded(PLAIN, view(), draft(), (), context(model, seconds=3.0))
    assert (made.text, model.requests) == (PLAIN, [])


async def test_an_answer_that_claims_nothing_is_not_worded() -> None:
    model = Model(FAIR)
    assert (await worded(PLAIN, view(), Draft(), (), context(model))).text == PLAIN
    assert model.requests == []


async def test_two_replies_with_other_figures_leave_the_built_in_wording() -> None:
    model = Model("India had a GDP of 9.9.", "India had a GDP of 8.8.")
    made = await worded(PLAIN, view(), draft(), (), context(model))
    assert (made.text, made.taken, len(model.requests)) == (PLAIN, False, 2)


async def test_a_model_that_cannot_be_reached_and_no_rule_beside_it_leave_the_built_in_wording() -> None:
    made = await worded(PLAIN, view(), draft(), (), context(Model(ModelUnavailable("down"))))
    assert (made.text, made.taken) == (PLAIN, False)


async def test_a_run_that_was_cancelled_meanwhile_is_not_presented() -> None:
    run = context(Model(FAIR))
    run.cancelled.set()
    with pytest.raises(Cancelled):
        await worded(PLAIN, view(), draft(), (), run)


async def test_the_built_in_rule_repeats_the_programs_own_wording() -> None:
    request = asked(PLAIN, view(), draft())
    reply = await word_answer(request, context())
    assert reply.text == PLAIN
    assert WORD_ANSWER.validate(request, reply) is None


def test_of_many_claims_those_that_the_built_in_wording_names_are_given_first() -> None:
    made = draft(MOST_CLAIMS + 20)
    last = made.claims[-1].model_copy(update={"entity": "Chad"})
    made.claims[-1] = last
    request = asked("Chad's GDP is the lowest.", view(), made)
    assert len(request.claims) == MOST_CLAIMS
    assert request.claims[0].id == last.id


def test_an_order_is_told_only_of_a_ranking() -> None:
    assert asked(PLAIN, view(type="ranking", direction=Direction.LOWEST), draft()).order == "lowest"
    assert asked(PLAIN, view(type="comparison", direction=Direction.LOWEST), draft()).order is None


def test_a_reply_may_list_only_claims_that_were_offered() -> None:
    request = WordAnswerRequest.model_validate(asked(PLAIN, view(), draft()).model_dump())
    for claims in ((), ("claim:2",), ("claim:1", "claim:2")):
        assert WORD_ANSWER.validate(request, WordAnswerReply(text=PLAIN, claims=claims)) is not None
