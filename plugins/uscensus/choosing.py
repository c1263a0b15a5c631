"""Which documents a slot's words denote, and of which survey the question wants the figures."""

from __future__ import annotations

import re
from collections.abc import Sequence

from plugins.choice.tasks import SELECT_DOCUMENTS, ChoiceRequest
from plugins.uscensus.measures import ONE_YEAR
from shared.query.annotated import Meaning, Selected
from shared.query.discovery import TableDocument
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.slots import Slot
from shared.runtime.context import RunContext
from shared.runtime.errors import ModelError

_ONE_YEAR = re.compile(
    r"\b(?:acs[- ]?1|(?:1|one|single)[- ]year (?:acs|estimates?|survey|file|data)|acs (?:1|one)[- ]year)\b", re.I
)
_COUNTED = re.compile(r"\b(?:decennial|(?:20[012]0|last) census|counted|headcount|head count|enumerat\w+)\b", re.I)
_COUNT_YEARS = frozenset({2020})
COUNT = "pl"


async def choose(
    slot: Slot, offered: dict[str, TableDocument], *, question: str, context: RunContext
) -> Selected | Unanswerable:
    """Choose among the offered documents; each distinct quantity that the words denote is a meaning.

    The decennial count answers where it is asked for by name or by its year; else the newer survey does.
    """
    chosen = context.options.assumptions.get("measure")
    one_year = _ONE_YEAR.search(question) is not None
    if chosen and [document.variable for document in offered.values()] == [chosen]:
        (bound,) = offered.values()
        return Selected(
            meanings=(_meaning(bound, bound.title, 0, one_year=one_year),), why=f"the caller chose {chosen}"
        )
    counted = _COUNTED.search(question) is not None or slot.period.explicit_year in _COUNT_YEARS
    kept = {i: one for i, one in offered.items() if counted or one.terms.get("program") != COUNT}
    request = ChoiceRequest.of(slot, question, tuple(kept.values()))
    try:
        reply = await context.judge(SELECT_DOCUMENTS, request)
    except ModelError as error:
        return Unanswerable(status=FailureStatus.INTERNAL, reason=f"no document could be chosen: {error}")
    if not reply.groups:
        return _none_fits(request, [*map(kept.__getitem__, reply.other_form), *kept.values()])
    meanings: dict[str, Meaning] = {}
    for group in reply.groups:
        document = kept[group.documents[0]]
        label = group.label if len(reply.groups) > 1 else document.title
        meanings.setdefault(document.variable, _meaning(document, label, len(meanings), one_year=one_year))
    if chosen in meanings:
        return Selected(meanings=(meanings[chosen],), why=f"the caller chose {chosen}")
    found = tuple(meanings.values())
    if _COUNTED.search(question) and any(_is_count(one) for one in found):
        found = tuple(one for one in found if _is_count(one))
    return Selected(meanings=found, why=reply.why)


def _is_count(meaning: Meaning) -> bool:
    return meaning.documents[0].terms.get("program") == COUNT


def _meaning(document: TableDocument, label: str, rank: int, *, one_year: bool) -> Meaning:
    identifier = f"{ONE_YEAR}:{document.variable}" if one_year else document.variable
    return Meaning(id=identifier, label=label, variable=document.variable, rank=rank, documents=(document,))


def is_one_year(meaning: Meaning) -> bool:
    """Whether the question asked for the one-year file."""
    return meaning.id.startswith(f"{ONE_YEAR}:")


def _none_fits(request: ChoiceRequest, documents: Sequence[TableDocument]) -> Unanswerable:
    nearest = "; ".join(dict.fromkeys(document.title for document in documents[:3]))
    asked = "a share of " if request.share else "a figure per person of " if request.per_capita else ""
    reason = f"none of the Census Bureau's tables is {asked}“{request.measure}”"
    return Unanswerable(
        status=FailureStatus.NOT_FOUND, reason=f"{reason}; the nearest are: {nearest}" if nearest else reason
    )
