"""The judgment "which of these documents describe the quantity, and as which meanings?"."""

from __future__ import annotations

import json
from collections.abc import Sequence

from shared.models.tasks import Offered, Task
from shared.query.discovery import TableDocument
from shared.query.quantity import Frozen
from shared.query.slots import Slot
from shared.text.remarks import fault_of
from shared.text.sentences import asking_sentence

MOST_GROUPS = 6
MOST_DOCUMENTS = 5
MOST_CANDIDATES = 25


class TermMeaning(Frozen):
    """Says that a document is one of the quantities that ``term`` denotes, of what rank among them."""

    term: str
    label: str
    rank: int


class Candidate(Frozen):
    """A document as a judge sees it.

    ``unit_kind`` is a ``UnitKind`` value, ``per`` a share's whole or a rate's denominator, ``quantity`` the
    title without its unit, and ``constraints`` what the figures are limited to (``sex=female``).
    """

    id: str
    title: str
    quantity: str
    description: str
    phrases: tuple[str, ...]
    meanings: tuple[TermMeaning, ...]
    unit: str
    unit_kind: str
    per: str
    statistic: str
    constraints: str
    score: float

    @classmethod
    def of(cls, document: TableDocument) -> Candidate:
        """Describe a document by its own terms."""
        terms = document.terms
        aliases = tuple(alias.strip() for alias in terms.get("aliases", "").split(",") if alias.strip())
        return cls(
            id=document.identifier,
            title=document.title,
            quantity=terms.get("measuredProperty", document.title),
            description=document.description,
            phrases=(*document.queries, *aliases),
            meanings=read_meanings(terms.get("meaningOf", "")),
            unit=terms.get("unitLabel") or terms.get("unit", ""),
            unit_kind=terms.get("unitKind", ""),
            per=terms.get("per", ""),
            statistic=terms.get("statType", ""),
            constraints=terms.get("constraints", ""),
            score=document.score,
        )


def read_meanings(text: str) -> tuple[TermMeaning, ...]:
    """The ``meaningOf`` term of a document: a JSON list of term, label and rank; unreadable text has none."""
    try:
        items = json.loads(text) if text else []
        return tuple(TermMeaning(term=i["term"], label=i["label"], rank=int(i["rank"])) for i in items)
    except (ValueError, TypeError, KeyError):
        return ()


class ChoiceRequest(Frozen):
    """What is asked for, in the asker's words, and the documents on offer."""

    question: str
    measure: str
    per_capita: bool
    share: bool
    candidates: tuple[Candidate, ...]

    @classmethod
    def of(cls, slot: Slot, question: str, documents: Sequence[TableDocument]) -> ChoiceRequest:
        """The request for one slot, with the first 25 documents on offer.

        Of a ratio's denominator the question says nothing but its own words.
        """
        measure = slot.measure
        return cls(
            question="" if slot.role == "denominator" else asking_sentence(question),
            measure=measure.text if measure else slot.describes,
            per_capita=bool(measure and measure.per_capita),
            share=bool(measure and measure.share),
            candidates=tuple(Candidate.of(document) for document in documents[:MOST_CANDIDATES]),
        )


class ChosenGroup(Frozen):
    """Documents of one distinct quantity, the best first, and what tells it from the other quantities."""

    documents: tuple[str, ...]
    label: str


class ChoiceReply(Frozen):
    """One group for each distinct quantity that the words denote, the likeliest first; none when nothing fits.

    ``other_form`` are documents of the quantity in a form that was not asked for (a share, not a number).
    """

    groups: tuple[ChosenGroup, ...]
    other_form: tuple[str, ...] = ()
    why: str = ""


_INSTRUCTIONS = f"""\
Choose the documents whose figures are the quantity that the asker means by "measure". The question is there for \
its context; candidates are descriptions of published tables.
The reply: {{"groups": [{{"documents": [ids], "label": "..."}}], "other_form": [ids], "why": "..."}}
- One group for each distinct quantity that the words may denote, the likeliest first: nominal and real are two \
quantities, and so are a total and its growth. At most {MOST_GROUPS} groups.
- In a group stand the documents of one quantity in one definition, the best first, at most {MOST_DOCUMENTS}. The \
label tells it from the other groups in a few words.
- A broader, narrower or merely related quantity is not the quantity. Choose nothing, an empty list of groups, \
rather than what does not fit.
- per_capita and share say which form was asked for. Documents of the same quantity in another form go in \
other_form and in no group.
- A document that is limited to a part (one sex, one age) fits only where that part was asked for.
why: one short sentence."""


def _only_offered(request: ChoiceRequest, reply: ChoiceReply) -> str | None:
    offered = {candidate.id for candidate in request.candidates}
    chosen = [document for group in reply.groups for document in group.documents]
    if strange := sorted({*chosen, *reply.other_form} - offered):
        return f"these documents were not offered: {', '.join(strange)}"
    if len(chosen) != len(set(chosen)):
        return "a document stands in two groups"
    if len(reply.groups) > MOST_GROUPS or any(not 1 <= len(g.documents) <= MOST_DOCUMENTS for g in reply.groups):
        return f"at most {MOST_GROUPS} groups of 1 to {MOST_DOCUMENTS} documents are wanted"
    return None


def _plain_labels(request: ChoiceRequest, reply: ChoiceReply) -> ChoiceReply:
    """The reply with a document's own title for each label that is not made of what was offered."""
    if len(reply.groups) > MOST_GROUPS:
        return reply  # far too many to look at one by one; the validator refuses it
    titles = {candidate.id: candidate.title for candidate in request.candidates}
    known = [request.question, request.measure]
    known += [text for one in request.candidates for text in (one.title, one.description, *one.phrases)]
    known += [meaning.label for one in request.candidates for meaning in one.meanings]
    groups = tuple(
        group
        if not group.documents or group.documents[0] not in titles or fault_of(group.label, known) is None
        else group.model_copy(update={"label": titles[group.documents[0]]})
        for group in reply.groups
    )
    return reply.model_copy(update={"groups": groups})


def _offered(request: ChoiceRequest) -> Offered:
    ids = [candidate.id for candidate in request.candidates]
    return {"groups.documents": ids, "other_form": ids}


SELECT_DOCUMENTS = Task(
    name="select_source_documents",
    version=1,
    request=ChoiceRequest,
    reply=ChoiceReply,
    validate=_only_offered,
    purpose="choosing among a source's tables",
    instructions=_INSTRUCTIONS,
    offered=_offered,
    settle=_plain_labels,
    fallback=True,
)
