"""The published schema of the answer."""

import json
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import jsonschema

from shared.query.answer import EXIT_CODES, Answer, AnswerStatus, Usage, schema
from shared.query.identifiers import RunId
from tests.support import answers

PUBLISHED = Path(__file__).parents[4] / "docs" / "answer.schema.json"


def test_the_published_schema_is_generated_from_the_model() -> None:
    assert PUBLISHED.read_text(encoding="utf-8") == schema()


def test_an_answer_as_json_keeps_to_the_published_schema() -> None:
    answer = Answer(
        run_id=RunId("r1"),
        question="?",
        asked_at=datetime(2026, 1, 1, tzinfo=UTC),
        status=AnswerStatus.UNANSWERED,
        reading=None,
        text="nothing",
        usage=Usage(seconds=0.1, model_calls=0, tokens=0, usd=Decimal(0)),
    )
    jsonschema.validate(json.loads(answer.to_json()), json.loads(PUBLISHED.read_text(encoding="utf-8")))


def test_every_status_has_an_exit_code() -> None:
    assert set(EXIT_CODES) == set(AnswerStatus)


def test_an_answer_whose_figures_share_a_receipt_keeps_to_the_published_schema() -> None:
    answer = answers.population(150)
    body = answer.to_json()
    jsonschema.validate(json.loads(body), json.loads(PUBLISHED.read_text(encoding="utf-8")))
    assert Answer.model_validate_json(body) == answer


def test_what_is_cited_is_found_in_the_answer() -> None:
    answer = answers.population(150)
    (shared,) = answer.shared_receipts
    assert answer.cited(shared.id) == shared
    assert answer.cited("k:count") == answer.computations[0]
    assert answer.cited(shared.row_id(7)) == shared.receipt(7)
    assert answer.cited(f"{shared.id}:150") is None
    assert answer.cited("r:other") is None
    assert [receipt.id for receipt in answer.figures()] == shared.row_ids()
