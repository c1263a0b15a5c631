"""Hostile models: no number appears that no publisher returned. ``make hostile`` asks more of them."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from functions.local.settings import Settings
from functions.local.wiring import open_application
from plugins.mounted import recorded_figures
from shared.adapters.snapshot_transport import SnapshotTransport
from shared.query.annotated import Annotation, AskOptions, Combined
from shared.query.answer import Answer
from shared.query.evidence import Disclosure, DisclosureKind
from shared.runtime.spill import unspill
from tests.hostile.evidence import Witness, Witnessed, violations
from tests.hostile.model import BREACHES, LIES
from tests.hostile.runs import run

RUNS = 60


async def test_with_hostile_models_no_number_appears_that_no_publisher_returned(tmp_path: Path) -> None:
    report = await run(range(RUNS), tmp_path)
    assert report.faults == {}, report.text()
    assert report.runs == RUNS
    assert set(report.did) >= {*LIES, *BREACHES, "honest"}


Told = tuple[Answer, list[Annotation], Witnessed]


@pytest.fixture
async def told(tmp_path: Path) -> Told:
    """An honest answer with what is known of its run."""
    witness = Witness(SnapshotTransport(recorded_figures()))
    settings = Settings(home=tmp_path, store=tmp_path / "runs.sqlite3", archive=tmp_path / "archive")
    async with open_application(settings, transport=witness) as app:
        question = "How much bigger is the population of Nigeria than that of Kenya?"
        answer = await app.ask(question, AskOptions())
        annotations = await unspill(app.archive, await app.store.annotations(answer.run_id))
    return answer, list(annotations), witness.returned()


def test_an_honest_answer_has_no_such_number(told: Told) -> None:
    answer, annotations, returned = told
    assert len(answer.claims) >= 3
    assert violations(answer, annotations, returned) == []


def _claim(answer: Answer) -> Answer:
    false = answer.claims[0].model_copy(update={"value": Decimal(237_527_783)})
    return answer.model_copy(update={"claims": (false, *answer.claims[1:])})


def _receipt(answer: Answer) -> Answer:
    false = answer.receipts[0].model_copy(update={"value": Decimal(237_527_783)})
    return answer.model_copy(update={"receipts": (false, *answer.receipts[1:])})


def _note(answer: Answer) -> Answer:
    false = Disclosure(kind=DisclosureKind.READING, text="it was 4,123.5 million before")
    return answer.model_copy(update={"disclosures": (*answer.disclosures, false)})


def _chart(answer: Answer) -> Answer:
    chart = answer.charts[0]
    values = [{**row, "value": row["value"] + 7} for row in chart.spec["data"]["values"]]
    spec = {**chart.spec, "data": {"values": values}}
    return answer.model_copy(update={"charts": (chart.model_copy(update={"spec": spec}),)})


@pytest.mark.parametrize(
    "spoil",
    [
        lambda answer: answer.model_copy(update={"text": answer.text.replace("million", "million and 7,654,321")}),
        _claim,
        _receipt,
        _note,
        _chart,
    ],
    ids=["text", "claim", "receipt", "disclosure", "chart"],
)
def test_a_number_of_nobodys_is_found_wherever_it_stands(told: Told, spoil: Callable[[Answer], Answer]) -> None:
    answer, annotations, returned = told
    assert violations(spoil(answer), annotations, returned)


def test_a_figure_that_no_publisher_sent_is_found_though_the_program_believes_it(told: Told) -> None:
    answer, annotations, _ = told
    assert violations(answer, annotations, Witnessed([]))


def test_a_computation_that_is_not_what_its_inputs_give_is_found(told: Told) -> None:
    answer, annotations, returned = told
    spoilt = []
    for one in annotations:
        if isinstance(one.payload, Combined):
            made = one.payload.computations
            wrong = tuple(each.model_copy(update={"value": each.value + 1}) for each in made)
            payload = one.payload.model_copy(update={"computations": wrong})
            spoilt.append(one.model_copy(update={"payload": payload}))
        else:
            spoilt.append(one)
    assert any("is not what its inputs give" in fault for fault in violations(answer, spoilt, returned))
