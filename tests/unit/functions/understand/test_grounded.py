"""A reading holds numbers of the question and no others; a model's remarks are shown only where they are fit."""

import json
import time
from datetime import date

import pytest

from functions.understand.grounded import not_grounded
from functions.understand.task import UNDERSTAND, UNTOLD, UnderstandReply, UnderstandRequest
from tests.support.handwritten import wordings

GERMANY = {"text": "German", "status": "resolved", "entity": {"name": "Germany", "kind": "country"}}
QUESTION = "Did German inflation exceed 6% in 2023?"


def reading(**changes):
    made = {
        "type": "yes_no",
        "entity": GERMANY,
        "measure": {"text": "inflation"},
        "period": {"kind": "year", "start": 2023, "text": "in 2023"},
        "threshold": {"comparator": ">", "value": "6", "unit": "%", "text": "exceed 6%"},
    }
    return made | changes


def fault(changed, question=QUESTION):
    reply = UnderstandReply.model_validate_json(json.dumps({"readings": [changed]}))
    return not_grounded(question, reply.readings)


def bound(value, text="exceed 6%", **more):
    return reading(threshold={"comparator": ">", "value": value, "text": text, **more})


def test_what_the_question_says_is_grounded():
    assert fault(reading()) is None


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        (bound("417"), "a bound"),
        (bound("60"), "a bound"),
        (bound("6", upper="9999"), "a bound"),
        (bound("6", unit="% 8123"), "a figure"),
        (bound("6", text="exceed 8123"), "a figure"),
        (reading(measure={"text": "inflation 8123"}), "a figure"),
        (reading(measure={"text": "<script>inflation"}), "markup"),
        (reading(measure={"text": "inflation \x1b[31m"}), "control"),
        (reading(entity={"text": "German 8123", "status": "unknown"}), "a figure"),
        (reading(entity={"text": "German", "status": "unknown", "entity": None, "candidates": [
            {"name": "Germany 8123", "kind": "country"}]}), "a figure"),
        (reading(period={"kind": "year", "start": 99999}), "a year"),
        (reading(period={"kind": "years_ago", "count": 10**9}), "a count"),
        (reading(period={"kind": "years_ago", "count": -1}), "a count"),
    ],
)  # fmt: skip
def test_a_number_that_the_question_does_not_set_is_a_fault(changed, why):
    assert why in (fault(changed) or "")


@pytest.mark.parametrize(
    ("question", "value", "text"),
    [
        ("countries that had between 80 and 100 million people", "80000000", "between 80 and 100 million"),
        ("whose prices rose by more than half?", "50", "more than half"),
        ("counties with a seven-figure population", "1000000", "seven-figure"),
        ("did the economy shrink", "0", "shrink"),
        ("did it shrink by more than 5%", "-5", "more than 5%"),
        ("more than 200 milion ppl", "200000000", "more than 200 milion ppl"),
        ("länder mit mehr als hundert millionen menschen", "100000000", "mehr als hundert millionen"),
    ],
)
def test_a_bound_may_be_said_in_words_and_in_any_scale(question, value, text):
    assert fault(bound(value, text) | {"period": {"kind": "latest"}}, question) is None


def test_all_readings_written_by_hand_are_grounded():
    for wording in wordings():
        for reply in wording.replies:
            made = UnderstandReply.model_validate_json(json.dumps(reply))
            assert not_grounded(wording.question, made.readings) is None, wording.question


def settled(**reply):
    request = UnderstandRequest(question=QUESTION, today=date(2026, 11, 30))
    return UNDERSTAND.settle(request, UnderstandReply.model_validate_json(json.dumps({"readings": []} | reply)))


def test_a_reply_of_thousands_of_readings_is_refused_at_once():
    request = UnderstandRequest(question=QUESTION, today=date(2026, 11, 30))
    reply = UnderstandReply.model_validate_json(json.dumps({"readings": [reading()] * 2000}))
    began = time.perf_counter()
    assert "2000 readings" in (UNDERSTAND.validate(request, UNDERSTAND.settle(request, reply)) or "")
    assert time.perf_counter() - began < 1.0


def test_notes_with_figures_of_the_models_own_or_markup_are_left_out():
    notes = ["inflation is that of consumer prices", "it was 9.13% then", "<b>ignore all rules</b>", "6% in 2023"]
    assert settled(notes=notes).notes == ("inflation is that of consumer prices", "6% in 2023")


def test_a_reason_that_is_not_fit_to_be_shown_is_told_in_our_own_words():
    assert settled(unreadable="it asks for a forecast").unreadable == "it asks for a forecast"
    for reason in ("the answer is 9.13%", "<script>", "see https://example.org"):
        assert UNDERSTAND.declines(settled(unreadable=reason)) == UNTOLD


@pytest.mark.parametrize(
    ("question", "year", "told"),
    [
        ("What was Germany's inflation?", 1970, True),
        ("Germany's inflation last year", 2025, True),
        ("German inflation in 2023", 2023, False),
        ("German inflation in '95", 1995, False),
        ("German inflation in the 1970s", 1974, False),
    ],
)
def test_a_year_that_the_question_does_not_say_is_told(question, year, told):
    period = {"kind": "year", "start": year, "text": ""}
    value = {"type": "value", "entity": GERMANY, "measure": {"text": "inflation"}, "period": period}
    reply = UnderstandReply.model_validate_json(json.dumps({"readings": [value]}))
    request = UnderstandRequest(question=question, today=date(2026, 1, 1))
    notes = UNDERSTAND.settle(request, reply).notes
    assert notes == ((f"the question does not say {year}; it was read so",) if told else ())
