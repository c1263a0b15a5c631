"""Which fact is meant by words that name none: judged, among the facts in words that the search returned."""

from __future__ import annotations

from collections.abc import Sequence

from plugins.countryfacts.relations import RELATIONS, Relation, document_of
from plugins.countryfacts.tasks import CHOOSE_FACT, NONE, FactOffered, FactRequest
from shared.query.discovery import TableDocument
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.slots import Slot, SlotKind
from shared.runtime.context import RunContext
from shared.runtime.errors import ModelError

IN_WORDS = frozenset({"capital", "currency", "region", "official_name", "calling_code", "internet_domain"})
"""Facts that are words. One that is a yes or no is never taken for other words: these may ask for its opposite."""


async def fact_meant(
    slot: Slot, documents: Sequence[TableDocument], *, question: str, context: RunContext
) -> Relation | Unanswerable | None:
    """The fact that a judge takes the slot's words for; ``None`` when none is meant or nothing can be offered."""
    found = {document.variable for document in documents}
    offered = {
        one.variable: one for one in RELATIONS if one.variable in IN_WORDS and document_of(one, slot) in found
    }
    if slot.kind is not SlotKind.FACT or slot.object is not None or not slot.relation or not offered:
        return None
    request = FactRequest(
        question=question,
        asked=slot.relation,
        facts=tuple(FactOffered(id=one.variable, label=one.label, words=one.words) for one in offered.values()),
    )
    try:
        reply = await context.judge(CHOOSE_FACT, request)
    except ModelError as error:
        return Unanswerable(
            status=FailureStatus.INTERNAL, reason=f"no fact could be chosen for “{slot.relation}”: {error}"
        )
    return None if reply.fact == NONE else offered[reply.fact]
