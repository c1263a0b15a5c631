"""A measure in other words than the asker's is held against its definition: it may be rejected, never rescued."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from functions.discover.stage import discover
from functions.resolve_attributes.semantics_task import BUILTIN_RULES
from functions.resolve_attributes.stage import resolve_attributes
from functions.resolve_entities.stage import resolve_entities
from functions.select.stage import select
from functions.slots.stage import slots
from plugins.base import Registry
from shared.models.builtin import BuiltinJudge
from shared.query.annotated import AnnotatedQuery, Bound
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.readings import ComparisonReading, MeasureMention, Reading, ValueReading
from shared.runtime.errors import ModelUnavailable
from tests.support.stages import CHINA, INDIA, ScriptedFinder, ScriptedPlugin, context, document, mention, query
from tests.unit.functions.discover.test_publishers import Model

SIZE = MeasureMention(text="yearly yield of the nation")
GDP = ValueReading(entity=mention(INDIA), measure=MeasureMention(text="gdp"))
VALUE = ValueReading(entity=mention(INDIA), measure=SIZE)


async def bound(
    reading: Reading,
    *judges: Any,
    variables: tuple[str, ...] = ("GDP",),
    plugin: ScriptedPlugin | None = None,
    question: str | None = None,
) -> tuple[AnnotatedQuery, Any]:
    source = plugin or ScriptedPlugin(lambda _planned: Unanswerable(status=FailureStatus.NO_DATA, reason=""))
    registry = Registry([source])
    finder = ScriptedFinder([document(variable) for variable in variables])
    run = replace(context(finder), judges=(*judges, BuiltinJudge(BUILTIN_RULES)))
    asked = query(reading)
    if question is not None:
        asked = asked.model_copy(update={"question": question})
    asked.append(await slots(asked, run))
    for stage in (discover, select, resolve_entities, resolve_attributes):
        asked.append(await stage(asked, run, registry=registry))
    return asked, run


def measures(asked: AnnotatedQuery) -> list[str]:
    return [one.measure.variable for _, one in asked.of(Bound)]


def verdicts(*said: str) -> dict[str, Any]:
    return {"verdicts": {f"measure:{n}": verdict for n, verdict in enumerate(said, start=1)}}


async def test_a_measure_that_is_accepted_is_bound() -> None:
    model = Model(verdicts("yes"))
    asked, _ = await bound(VALUE, model)
    assert measures(asked) == ["GDP"]
    (judged,) = model.asked[0].measures
    assert (judged.asked, judged.name) == ("yearly yield of the nation", "GDP")


async def test_a_rejection_is_a_refusal_with_its_reason() -> None:
    asked, _ = await bound(VALUE, Model(verdicts("no")))
    assert measures(asked) == []
    (failure,) = asked.failures()
    assert failure.status is FailureStatus.NOT_FOUND
    assert failure.reason == (
        "“GDP”, chosen for “yearly yield of the nation”, was judged by its definition to be another quantity"
    )


async def test_a_rejected_meaning_is_left_out_beside_those_that_stand_and_the_answer_says_so() -> None:
    asked, _ = await bound(VALUE, Model(verdicts("yes", "no")), variables=("GDP", "LAND"))
    assert measures(asked) == ["GDP"]
    assert any(
        "“LAND”, chosen for “yearly yield of the nation”, was judged" in note.text for note in asked.disclosures()
    )


async def test_a_measure_in_the_askers_words_needs_no_judgment() -> None:
    model = Model()
    asked, _ = await bound(GDP, model, question="What is India's GDP?")
    assert measures(asked) == ["GDP"]
    assert model.asked == []


async def test_words_that_only_a_models_reading_has_are_not_the_askers() -> None:
    model = Model(verdicts("no"))
    asked, _ = await bound(GDP, model, question="How many people live in India?")
    assert measures(asked) == []
    assert model.asked[0].question == "How many people live in India?"
    assert model.asked[0].measures[0].asked == "gdp"


async def test_rules_that_read_are_not_doubted_for_their_words() -> None:
    asked, run = await bound(GDP, question="How rich is India?")
    assert measures(asked) == ["GDP"]
    assert run.meter.models == []


async def test_slots_of_one_measure_are_judged_once_and_together() -> None:
    model = Model(verdicts("yes"))
    reading = ComparisonReading(entities=(mention(INDIA), mention(CHINA)), measure=SIZE)
    asked, _ = await bound(reading, model)
    assert len(model.asked) == 1
    assert measures(asked) == ["GDP", "GDP"]


async def test_a_verdict_on_what_was_not_offered_is_told_once_and_then_a_visible_failure() -> None:
    strange = {"verdicts": {"measure:9": "yes"}}
    model = Model(strange, strange)
    asked, _ = await bound(VALUE, model)
    assert model.hints == [None, "a verdict is wanted for exactly the measures measure:1"]
    assert measures(asked) == []
    assert "could not be judged to be what is asked for: m broke the contract" in asked.failures()[0].reason


async def test_one_broken_reply_is_made_good_by_the_second() -> None:
    asked, _ = await bound(VALUE, Model(verdicts(), verdicts("yes")))
    assert measures(asked) == ["GDP"]


async def test_without_a_provider_what_the_rules_chose_stands_and_the_answer_says_so() -> None:
    asked, run = await bound(VALUE, Model(ModelUnavailable("no line")))
    assert measures(asked) == ["GDP"]
    assert (
        "no language model could be asked for telling whether a chosen measure is what was asked for" in run.told[0]
    )


async def test_a_judgment_rescues_nothing_that_its_source_has_refused() -> None:
    class Refusing(ScriptedPlugin):
        async def bind(self, slot: Any, selected: Any, resolved: Any, *, context: Any) -> Any:
            return Unanswerable(status=FailureStatus.NOT_COMPARABLE, reason="another unit")

    model = Model(verdicts("yes"))
    asked, _ = await bound(VALUE, model, plugin=Refusing(lambda _planned: None))  # type: ignore[arg-type, return-value]
    assert model.asked == []
    assert measures(asked) == []
    assert asked.failures()[0].reason == "another unit"
