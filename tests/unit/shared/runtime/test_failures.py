import re

import pytest

from shared.query.answer import AnswerStatus
from shared.query.discovery import FinderUsage
from shared.query.evidence import FailureStatus
from shared.runtime import errors
from shared.runtime.failures import fault_of


def all_errors(root=errors.NeuralKGError):
    yield root
    for kind in root.__subclasses__():
        if kind.__module__ == errors.__name__:
            yield from all_errors(kind)


def instance(kind):
    if issubclass(kind, errors.SearchFailed):
        return kind("why", FinderUsage())
    return {
        errors.UnknownSource: lambda: errors.UnknownSource("nih", ["worldbank"]),
        errors.CannotRead: lambda: errors.CannotRead("why", []),
    }.get(kind, lambda: kind("why"))()


@pytest.mark.parametrize("kind", list(all_errors()), ids=lambda kind: kind.__name__)
def test_every_designed_error_has_its_failure_in_its_own_words(kind):
    fault = fault_of(instance(kind), "select")
    assert fault.failure.stage == "select"
    assert fault.failure.reason == str(instance(kind))


@pytest.mark.parametrize(
    ("error", "status", "final", "stop"),
    [
        (errors.DeadlineExceeded("x"), FailureStatus.DEADLINE, True, None),
        (errors.BudgetExhausted("x"), FailureStatus.BUDGET, True, None),
        (errors.UnknownSource("nih", []), FailureStatus.NOT_COVERED, True, None),
        (errors.PhaseViolation("x"), FailureStatus.INTERNAL, True, AnswerStatus.FAILED),
        (errors.Cancelled("x"), FailureStatus.INTERNAL, True, AnswerStatus.CANCELLED),
        (errors.CannotRead("x", []), FailureStatus.UNREADABLE, False, None),
        (errors.PublisherRefused("x"), FailureStatus.BLOCKED, False, None),
        (errors.ReplyInvalid("x"), FailureStatus.MALFORMED, False, None),
    ],
)
def test_what_an_error_means_for_its_run(error, status, final, stop):
    fault = fault_of(error, "select")
    assert (fault.failure.status, fault.final, fault.stop) == (status, final, stop)


def test_the_tree_at_the_head_of_the_errors_names_each_of_them():
    named = set(re.findall(r"\w+", errors.__doc__))
    assert {kind.__name__ for kind in all_errors()} - named == set()


def test_of_an_unexpected_error_only_the_type_is_told():
    fault = fault_of(ValueError("token=abc"), "plan")
    assert fault.stop is AnswerStatus.FAILED
    assert "ValueError" in fault.failure.reason
    assert "abc" not in fault.failure.reason


def test_an_unexpected_error_among_designed_ones_is_the_one_that_counts():
    nested = ExceptionGroup("a", [ExceptionGroup("b", [errors.ArchiveError("x"), KeyError("k")])])
    assert "KeyError" in fault_of(nested, "execute").failure.reason


def test_a_question_that_cannot_be_read_is_told_with_the_nearest_that_can():
    fault = fault_of(errors.CannotRead("no quantity is named", ["GDP of India", "GDP of Chad"]), "understand")
    told = "no quantity is named; the nearest that can be read: “GDP of India”; “GDP of Chad”"
    assert fault.failure.reason == told
