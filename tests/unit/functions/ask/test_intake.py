from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.ask import intake
from functions.ask.intake import BadInput
from functions.ask.problems import problem_of, problem_of_os
from shared.runtime import errors


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\x00\x01"])
def test_an_empty_question_is_refused(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        intake.checked_question(text)
    assert refused.value.code == "question_empty"


def test_a_question_over_the_limit_is_refused_with_both_numbers() -> None:
    assert len(intake.checked_question("a" * 2000)) == 2000
    with pytest.raises(BadInput, match=r"10,000 characters; at most 2,000"):
        intake.checked_question("a" * 10_000)


def test_a_question_that_is_not_text_is_refused() -> None:
    with pytest.raises(BadInput, match="not valid text"):
        intake.checked_question("caf\udce9")


@given(st.text(min_size=1, max_size=200))
def test_a_checked_question_stays_the_same_when_checked_again(text: str) -> None:
    try:
        once = intake.checked_question(text)
    except BadInput:
        return
    assert intake.checked_question(once) == once
    assert not any(ord(character) < 32 for character in once)


@pytest.mark.parametrize("value", ["-4", "0", "nan", "inf", "901", "soon", -1, 0.0, 10**400])
def test_a_deadline_outside_the_range_is_refused(value: str | float) -> None:
    with pytest.raises(BadInput) as refused:
        intake.checked_deadline(value)
    assert refused.value.allowed == "more than 0 and at most 900 seconds"


def test_a_deadline_within_the_range_is_taken() -> None:
    assert [intake.checked_deadline(v) for v in ("0.5", "900", 30)] == [0.5, 900.0, 30.0]


@pytest.mark.parametrize("value", ["", "ANSWER", "both"])
def test_an_unknown_way_with_ambiguity_is_refused(value: str) -> None:
    with pytest.raises(BadInput) as refused:
        intake.checked_ambiguity(value)
    assert refused.value.allowed == ["answer", "all", "ask"]


def test_assumptions_are_pairs() -> None:
    assert intake.checked_assumptions(["measure=NY.GDP.PCAP.CD", "entity = IND"]) == {
        "measure": "NY.GDP.PCAP.CD",
        "entity": "IND",
    }
    with pytest.raises(BadInput):
        intake.checked_assumptions(["measure"])
    with pytest.raises(BadInput, match="'foo'") as refused:
        intake.checked_assumptions(["foo=bar"])
    assert refused.value.allowed == ["measure", "entity"]


def _leaves(kind: type[errors.NeuralKGError]) -> list[type[errors.NeuralKGError]]:
    below = kind.__subclasses__()
    return [kind, *(leaf for one in below for leaf in _leaves(one))]


def test_every_designed_error_is_a_problem_with_a_code_and_something_to_do() -> None:
    for kind in _leaves(errors.NeuralKGError):
        if kind.__module__ != errors.__name__:
            continue
        error = kind.__new__(kind)
        Exception.__init__(error, "something happened")
        if isinstance(error, errors.UnknownSource):
            error.name, error.known = "x", ["worldbank"]
        problem = problem_of(error)
        assert problem.code
        assert problem.status >= 400
        assert problem.exit_code in {1, 2}
        assert problem.message[0].isupper()
        assert problem.do or isinstance(error, errors.UsageError)


def test_an_unknown_source_is_told_with_the_known_ones() -> None:
    problem = problem_of(errors.UnknownSource("imf", ["countryfacts", "worldbank"]))
    assert (problem.code, problem.status, problem.exit_code) == ("source_unknown", 400, 2)
    assert problem.allowed == ["countryfacts", "worldbank"]


def test_a_full_disk_and_a_closed_folder_are_told_apart() -> None:
    full = problem_of_os(OSError(28, "No space left on device", "/kept"))
    closed = problem_of_os(PermissionError(13, "Permission denied", "/kept"))
    assert full is not None
    assert full.code == "disk_full"
    assert closed is not None
    assert closed.code == "not_writable"
    assert problem_of_os(OSError(5, "Input/output error")) is None
