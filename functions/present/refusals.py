"""Endings without figures: refused, unreadable, ambiguous, or simply not found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from shared.query.answer import AnswerStatus, Refusal
from shared.query.evidence import Failure, FailureStatus

NEEDS = "; it would take "

_VERDICTS: dict[FailureStatus, Literal["infeasible", "not_covered", "blocked", "unreadable"]] = {
    FailureStatus.UNREADABLE: "unreadable",
    FailureStatus.INFEASIBLE: "infeasible",
    FailureStatus.BLOCKED: "blocked",
    FailureStatus.NOT_COVERED: "not_covered",
}


def refusal(failures: Sequence[Failure]) -> tuple[AnswerStatus, Refusal] | None:
    """The refusal that the failures amount to, if every one of them is a boundary and not a mishap.

    A blocked source is told apart from an impossible question: the data may exist, only access is missing.
    """
    statuses = {failure.status for failure in failures}
    if not statuses or not statuses <= set(_VERDICTS):
        return None
    for status, verdict in _VERDICTS.items():
        failure = next((failure for failure in failures if failure.status is status), None)
        if failure is not None:
            reason, _, needs = failure.reason.partition(NEEDS)
            ended = AnswerStatus.UNANSWERED if verdict == "unreadable" else AnswerStatus.REFUSED
            return ended, Refusal(verdict=verdict, reason=reason, needs=needs or None)
    return None


def explanation(failures: Sequence[Failure]) -> str:
    """Why there is no answer, in the failures' own words: the first of each kind, the rest stand in the list."""
    first: dict[FailureStatus, str] = {}
    for failure in failures:
        first.setdefault(failure.status, failure.reason.partition(NEEDS)[0].rstrip("."))
    reasons = list(dict.fromkeys(first.values()))
    if not reasons:
        return "No answer was found, and no stage has said why."
    told = "; ".join(reasons[:3])
    return f"This could not be answered: {told}" + ("" if told.endswith(("?", "!")) else ".")
