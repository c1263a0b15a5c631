"""What is said where no table is the quantity: the form in which it is published, or what is near."""

from __future__ import annotations

import re

from plugins.choice.forms import all_events_asked
from plugins.choice.otherwise import only_otherwise
from plugins.choice.tasks import Candidate, ChoiceRequest
from plugins.choice.wording import words
from shared.query.discovery import TableDocument
from shared.query.evidence import FailureStatus, Unanswerable

_LOWEST = frozenset({"poorest", "bottom", "lowest"})
_TENTH = re.compile(
    r"\b(poorest|bottom|lowest|richest|wealthiest|top|highest) "
    r"(?:10\b ?(?:%|percent|per cent)|ten percent|tenth|decile)",
    re.IGNORECASE,
)
"""One part of a split, which a split into fifths does not show."""


def tenth_of_fifths(measure: str, question: str) -> Unanswerable | None:
    """The refusal of a split into fifths where the income of one tenth is asked for."""
    tenth = _TENTH.search(question)
    if tenth is None or "income" not in words(measure):
        return None
    side = "lowest" if tenth[1].lower() in _LOWEST else "highest"
    reason = (
        "the split is by fifths of the population and a tenth was asked for; the World Bank publishes that "
        f"by itself: ask for “income share held by {side} 10%”"
    )
    return Unanswerable(status=FailureStatus.NOT_FOUND, reason=reason)


def none_fits(
    request: ChoiceRequest, documents: list[TableDocument], other_form: list[TableDocument]
) -> Unanswerable:
    """Why there is no table, and what is near: the same quantity in another form, or the nearest titles."""
    measure = request.measure
    if events := all_events_asked(request):
        reason = (
            f"the World Bank publishes no number of {events}, only a rate per 1,000 people; "
            f"ask for the “{events.removesuffix('s')} rate”"
        )
        return Unanswerable(status=FailureStatus.NOT_FOUND, reason=reason)
    if other_form:
        return Unanswerable(
            status=FailureStatus.NOT_FOUND,
            reason=only_otherwise("the World Bank", request, Candidate.of(other_form[0])),
        )
    nearest = "; ".join(document.title for document in documents[:3])
    reason = f"none of the World Bank's tables is “{measure}”"
    if any(words(measure) and words(measure) <= words(document.title) for document in documents[:3]):
        reason = f"none of the World Bank's tables of “{measure}” covers all that the question asks for"
    return Unanswerable(
        status=FailureStatus.NOT_FOUND, reason=f"{reason}; the nearest are: {nearest}" if nearest else reason
    )
