"""Endings without figures: refused, unreadable, ambiguous, or simply not found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from functions.present.wording import listed
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
    """Why there is no answer, in the failures' own words: the most telling first, several sources' alike as one.

    What is published instead tells most; then what kept a source from answering; then that it has no figure of
    the place or year; then whom it has figures of; last that it does not carry the quantity. The rest stand in the
    list.
    """
    by_telling = sorted(failures, key=_telling)
    reasons = _merged([failure.reason.partition(NEEDS)[0].rstrip(".") for failure in by_telling])
    if not reasons:
        return "No answer was found, and no stage has said why."
    told = "; ".join(reasons[:MOST_REASONS])
    return f"This could not be answered: {told}" + ("" if told.endswith(("?", "!")) else ".")


MOST_REASONS = 3
_INSTEAD = re.compile(
    r"\bonly as\b|\bit has (?:one|some|figures) (?:for|of)\b|\bask for (?:it|the)\b|\bcovers only\b"
)
"""Words that tell what is published instead of what was asked for."""
_NO_FIGURE = frozenset({FailureStatus.NO_DATA, FailureStatus.NOT_COMPARABLE, FailureStatus.UNKNOWN_ENTITY})


def _telling(failure: Failure) -> int:
    """How telling a reason is; the most telling has the least."""
    if failure.status is FailureStatus.NOT_FOUND:
        return 0 if _INSTEAD.search(failure.reason) else 4
    if failure.status is FailureStatus.NOT_COVERED:
        return 0 if _INSTEAD.search(failure.reason) else 3
    if failure.status in _NO_FIGURE:
        return 0 if _INSTEAD.search(failure.reason) else 2
    return 1


_ALIKE = (
    (re.compile(r"^(?P<who>.+?) (?:publishes|has) (?P<what>figures for .+)$"), "{who} have {what}"),
    (
        re.compile(
            r"^none of (?P<who>.+?)'s? (?:SDG series|variables|tables|series|lists)(?: at hand)? is "
            r"(?P<what>“[^”]+”)(?P<near>; the nearest are: .+)?$"
        ),
        "none of the tables at hand of {who} is {what}{near}",
    ),
)
"""Reasons that several sources give alike, and how they are told of all of them at once."""


def _merged(reasons: Sequence[str]) -> list[str]:
    """The reasons, each once; those of several sources that say the same stand as one, where the first stands."""
    alike: dict[tuple[int, str], list[re.Match[str]]] = {}
    keys: dict[tuple[int, str] | str, str] = {}
    for reason in reasons:
        kind, match = next(
            ((n, found) for n, (form, _) in enumerate(_ALIKE) if (found := form.match(reason))), (-1, None)
        )
        if match is None:
            keys.setdefault(reason, reason)
            continue
        key = kind, match["what"]
        keys.setdefault(key, reason)
        alike.setdefault(key, []).append(match)
    return [_together(key, alike[key], first) if isinstance(key, tuple) else first for key, first in keys.items()]


def _together(key: tuple[int, str], matches: Sequence[re.Match[str]], first: str) -> str:
    names = list(dict.fromkeys(match["who"] for match in matches))
    if len(names) == 1:
        return first
    near = next((match["near"] for match in matches if match.groupdict().get("near")), "")
    return _ALIKE[key[0]][1].format(who=listed(names), what=key[1], near=near)
