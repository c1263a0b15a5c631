"""Which documents a slot's words denote."""

from __future__ import annotations

import re
from collections.abc import Sequence

from plugins.choice.forms import asks_amount, asks_people
from plugins.choice.tasks import SELECT_DOCUMENTS, ChoiceRequest
from shared.query.annotated import Meaning, Selected
from shared.query.discovery import TableDocument
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.slots import Slot, SlotKind
from shared.runtime.context import RunContext
from shared.runtime.errors import ModelError

_RATE = re.compile(r"\brates?\b", re.IGNORECASE)


async def choose(
    slot: Slot, offered: dict[str, TableDocument], *, question: str, context: RunContext
) -> Selected | Unanswerable:
    """Choose among the offered documents; each distinct quantity that the words denote is a meaning.

    For a split it is the total that is chosen; what it is split into is planned when the place is known.
    """
    chosen = context.options.assumptions.get("measure")
    if chosen and [document.variable for document in offered.values()] == [chosen]:
        (bound,) = offered.values()
        return Selected(meanings=(_meaning(bound, bound.title, 0),), why=f"the caller chose {chosen}")
    if _asks_rate(slot, question):
        offered = {key: one for key, one in offered.items() if one.terms.get("unitKind") != "count"}
    # A split's words are those of its total: the question speaks of the parts.
    request = ChoiceRequest.of(slot, "" if slot.kind is SlotKind.CATEGORIES else question, tuple(offered.values()))
    try:
        reply = await context.judge(SELECT_DOCUMENTS, request)
    except ModelError as error:
        return Unanswerable(status=FailureStatus.INTERNAL, reason=f"no document could be chosen: {error}")
    if not reply.groups:
        return _none_fits(request, [*map(offered.__getitem__, reply.other_form), *offered.values()])
    meanings: dict[str, Meaning] = {}
    for group in reply.groups:
        document = offered[group.documents[0]]
        label = group.label if len(reply.groups) > 1 else document.title
        others = tuple(offered[identifier] for identifier in group.documents[1:])
        meanings.setdefault(document.variable, _meaning(document, label, len(meanings), others))
    if chosen in meanings:
        return Selected(meanings=(meanings[chosen],), why=f"the caller chose {chosen}")
    kept = tuple(meanings.values())
    return Selected(meanings=kept[:1] if slot.kind is SlotKind.CATEGORIES else kept, why=reply.why)


def _asks_rate(slot: Slot, question: str) -> bool:
    """Whether a rate is asked for, which a number does not answer; parts of a whole are numbers all the same."""
    if slot.kind is SlotKind.CATEGORIES or slot.measure is None:
        return False
    if asks_amount(question) or asks_people(question):
        return False
    return _RATE.search(slot.measure.text) is not None


def _meaning(document: TableDocument, label: str, rank: int, others: tuple[TableDocument, ...] = ()) -> Meaning:
    return Meaning(
        id=document.variable, label=label, variable=document.variable, rank=rank, documents=(document, *others)
    )


def _none_fits(request: ChoiceRequest, documents: Sequence[TableDocument]) -> Unanswerable:
    nearest = "; ".join(dict.fromkeys(document.title for document in documents[:3]))
    asked = "a share of " if request.share else "a figure per person of " if request.per_capita else ""
    reason = f"none of Data Commons' variables at hand is {asked}“{request.measure}”"
    return Unanswerable(
        status=FailureStatus.NOT_FOUND, reason=f"{reason}; the nearest are: {nearest}" if nearest else reason
    )
