"""Populations of thousands: one receipt for all figures of a request, and each figure still told by its row."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from functions.combine import arithmetic
from functions.local.judging import judge
from functions.local.question_cases import QuestionCase
from functions.local.settings import Settings
from functions.local.wiring import Application, open_application
from functions.present.evidence import MOST_SINGLE
from plugins.uscensus.snapshot.responder import CensusResponder
from shared.query.annotated import AnnotatedQuery, Annotation, Presented, Spilled
from shared.query.answer import Answer, AnswerStatus
from shared.query.evidence import Claim, Computation, Operation, Receipt
from shared.query.shared_receipts import SharedReceipt
from shared.runtime.ending import final_answer
from shared.runtime.errors import ObjectDamaged
from shared.runtime.http import HttpRequest
from shared.runtime.spill import LIMIT

ALL_COUNTIES = "correlation between poverty rate and median household income across US counties"
MANY_CLAIMS = "Which US counties have a median household income above $90,000?"
MOST_BYTES = 750_000
"""Of an answer over all counties as JSON; it was 5 MB when each figure had a receipt of its own."""


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[Application]:
    async with open_application(Settings.from_environment({"NEURALKG_HOME": str(tmp_path)})) as opened:
        yield opened


def published(receipt: Receipt) -> set[str]:
    """What the publisher answers the receipt's request with for the receipt's county."""
    url = urlsplit(receipt.request.url)
    asked = HttpRequest(f"https://{url.netloc}{url.path}", tuple(parse_qsl(url.query)))
    header, *lines = json.loads(CensusResponder().respond(asked).body)
    rows = [dict(zip(header, line, strict=True)) for line in lines]
    (row,) = [one for one in rows if one["state"] + one["county"] == receipt.entity_code]
    return {row[receipt.variable]}


async def test_a_correlation_over_all_counties_carries_two_receipts_with_a_row_for_each_county(
    app: Application,
) -> None:
    answer = await app.ask(ALL_COUNTIES)
    assert answer.status is AnswerStatus.COMPLETE
    assert answer.receipts == ()
    x, y = answer.shared_receipts
    assert x.count == y.count > 3_000
    assert x.rows.entity_code is not None
    assert set(x.rows.entity_code) == set(y.rows.entity_code)
    assert len(answer.to_json(indent=None)) < MOST_BYTES
    # Each computation takes all rows of both, and comes out again from them.
    assert {made.inputs for made in answer.computations} == {(x.id, y.id)}
    of_y = dict(zip(y.rows.entity_code, y.rows.value, strict=True))
    pairs = [
        (Decimal(value), Decimal(of_y[code])) for code, value in zip(x.rows.entity_code, x.rows.value, strict=True)
    ]
    found = {made.operation: made.value for made in answer.computations}
    assert found[Operation.PEARSON] == arithmetic.pearson(*zip(*pairs, strict=True))
    assert found[Operation.COUNT] == len(pairs)


async def test_what_is_stored_of_a_run_over_all_counties_fits_into_documents(app: Application) -> None:
    answer = await app.ask(ALL_COUNTIES)
    run = await app.store.get(answer.run_id)
    assert run.answer is None
    assert run.answer_blob is not None
    kept = await app.store.annotations(answer.run_id)
    assert {one.payload.of for one in kept if isinstance(one.payload, Spilled)} == {
        "executed",
        "combined",
        "presented",
    }
    assert all(len(one.model_dump_json().encode()) <= LIMIT for one in kept)


async def test_a_claim_of_one_of_many_members_leads_to_the_exact_request_and_row(app: Application) -> None:
    answer = await app.ask(MANY_CLAIMS)
    (shared,) = answer.shared_receipts
    assert shared.count > MOST_SINGLE
    of_rows = [claim for claim in answer.claims if claim.entity_code is not None]
    assert len(of_rows) > MOST_SINGLE
    for claim in of_rows:
        row = cited(answer, claim)
        assert (row.value, row.entity_code, row.period, row.measure) == (
            claim.value,
            claim.entity_code,
            claim.period,
            claim.measure,
        )
    for claim in (of_rows[0], of_rows[-1]):
        row = cited(answer, claim)
        assert published(row) == {str(row.value)}


def cited(answer: Answer, claim: Claim) -> Receipt:
    (one,) = claim.evidence
    found = answer.cited(one)
    assert isinstance(found, Receipt)
    assert found.id == one
    return found


async def test_a_ranking_shows_few_members_and_gives_each_a_receipt(app: Application) -> None:
    answer = await app.ask("What are the 10 most populous counties in the US?")
    assert len(answer.receipts) == 10
    assert answer.shared_receipts == ()


async def test_everything_that_is_cited_is_carried(app: Application) -> None:
    for question in (ALL_COUNTIES, MANY_CLAIMS):
        answer = await app.ask(question)
        for one in (*answer.claims, *answer.computations):
            ids = one.inputs if isinstance(one, Computation) else one.evidence
            assert ids
            for each in ids:
                assert isinstance(answer.cited(each), Receipt | SharedReceipt | Computation), (question, each)


async def test_the_judge_of_question_cases_reads_rows_and_tells_one_that_a_claim_differs_from(
    app: Application,
) -> None:
    answer = json.loads((await app.ask(MANY_CLAIMS)).to_json())
    claim = next(one for one in answer["claims"] if one["entity_code"])
    expected = {
        "entity": claim["entity"],
        "period": claim["period"],
        "value": claim["value"],
        "unit": "USD",
        "variable": answer["shared_receipts"][0]["variable"],
    }
    case = QuestionCase.model_validate({"id": "t", "question": MANY_CLAIMS, "expect": {"claims": [expected]}})
    assert judge(answer, case).why == ()
    rows = answer["shared_receipts"][0]["rows"]
    rows["value"][rows["entity_code"].index(claim["entity_code"])] = "90001"
    (why,) = judge(answer, case).why
    assert why == f"{claim['id']} says {claim['value']}, and {claim['evidence'][0]} holds 90001"


def spoilt(answer: dict[str, Any]) -> dict[str, Any]:
    answer["shared_receipts"][1]["rows"]["value"][1234] += "1"
    return answer


async def test_a_row_that_was_spoilt_after_present_ends_the_run_as_failed(app: Application) -> None:
    answer = await app.ask(ALL_COUNTIES)
    run = await app.store.get(answer.run_id)
    query = AnnotatedQuery(
        run_id=run.run_id,
        question=run.question,
        asked_at=run.created_at,
        annotations=[
            Annotation(
                reading=0,
                stage="present",
                payload=Presented(answer=spoilt(json.loads(answer.to_json())), status="complete"),
            )
        ],
    )
    ended = final_answer(run, query, stop=None, usage=answer.usage)
    assert ended["status"] == "failed"
    assert "does not keep to its form" in ended["failures"][-1]["reason"]


async def test_a_row_that_was_spoilt_in_the_archive_is_told_to_whoever_reads_the_answer(app: Application) -> None:
    answer = await app.ask(ALL_COUNTIES)
    run = await app.store.get(answer.run_id)
    assert run.answer_blob is not None
    kept = json.loads(await app.archive.get(run.answer_blob))
    await app.archive.put(run.answer_blob, json.dumps(spoilt(kept)).encode())
    with pytest.raises(ObjectDamaged, match="is not as it was written"):
        await app.client.result(answer.run_id)
