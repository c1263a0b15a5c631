"""The judgment ``word_answer``: the answer in one or two sentences, of nothing but what is claimed."""

from __future__ import annotations

from functions.present.worded_check import fault
from functions.present.worded_claims import Bound, Evidence, Told
from shared.models.tasks import Task
from shared.query.evidence import Claim
from shared.query.quantity import Exact, Frozen, Printed

MOST_CLAIMS = 40

_INSTRUCTIONS = """\
Write the direct answer to the question in one or two sentences of plain English, of nothing but what the claims \
say. The program's own wording is given as "plain"; say the same more naturally, or repeat it.
The reply: {"text": "...", "claims": [ids of the claims that the text rests on]}
- Every figure must be that of a claim you list, with its unit, rounded or in full, and said of the same place and \
the same year as there. Work out no figure of your own: no sums, differences, shares or counts that no claim has.
- Name only places, years and publishers that stand in the claims or in "publishers", spelt as there.
- Use the claims' own words for the quantity. Give no reasons, no background and no opinion.
- Answer a yes-or-no question with Yes or No first, as the claims have it.
- Text only: no lists, no markup, no addresses, no line breaks."""


class WordingClaim(Frozen):
    """A claim as it may be worded. ``value`` is exact; ``unit`` its code. ``one`` says that it is of one entity."""

    id: str
    text: str
    value: Printed | None = None
    unit: str | None = None
    entity: str | None = None
    one: bool = False
    period: str | None = None
    measure: str | None = None

    @classmethod
    def of(cls, claim: Claim) -> WordingClaim:
        """A claim of the answer without its citations."""
        return cls(
            id=claim.id,
            text=claim.text,
            value=claim.value,
            unit=claim.unit,
            entity=claim.entity,
            one=claim.entity_code is not None,
            period=claim.period,
            measure=claim.measure,
        )


class AskedBound(Frozen):
    """A bound that the question sets: figures are held against it, and it is no figure of a publisher."""

    comparator: str
    value: Exact
    upper: Exact | None = None
    unit: str | None = None
    text: str


class WordAnswerRequest(Frozen):
    """What an answer may be worded of.

    ``names`` are what else the answer may say (groups, categories), ``others`` names of the question that no claim
    is about. ``order`` is the end of an order that was asked for, where the claims are in that order.
    """

    question: str
    type: str
    plain: str
    claims: tuple[WordingClaim, ...]
    disclosures: tuple[str, ...] = ()
    publishers: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    bounds: tuple[AskedBound, ...] = ()
    order: str | None = None


class WordAnswerReply(Frozen):
    """The answer in words, and the ids of the claims that it rests on."""

    text: str
    claims: tuple[str, ...]


def evidence(request: WordAnswerRequest) -> Evidence:
    """What a wording is held against."""
    return Evidence(
        type=request.type,
        claims=tuple(
            Told(
                id=one.id,
                text=one.text,
                value=one.value,
                unit=one.unit,
                entity=one.entity,
                one=one.one,
                period=one.period,
                measure=one.measure,
            )
            for one in request.claims
        ),
        plain=request.plain,
        publishers=request.publishers,
        names=request.names,
        others=request.others,
        bounds=tuple(Bound(one.comparator, one.value, one.upper, one.unit, one.text) for one in request.bounds),
        order=request.order,
    )


def _fault(request: WordAnswerRequest, reply: WordAnswerReply) -> str | None:
    """Why the wording may not stand, or ``None``. The program's own wording may always stand."""
    offered = {claim.id for claim in request.claims}
    strange = sorted(set(reply.claims) - offered)
    if strange:
        return f"{len(strange)} of the claims listed were not offered"
    if not reply.claims:
        return "no claim is listed that the text rests on"
    if reply.text == request.plain:
        return None
    return fault(reply.text, evidence(request), cited=frozenset(reply.claims))


WORD_ANSWER: Task[WordAnswerRequest, WordAnswerReply] = Task(
    name="word_answer",
    version=1,
    request=WordAnswerRequest,
    reply=WordAnswerReply,
    validate=_fault,
    effort="minimal",
    purpose="wording the answer",
    instructions=_INSTRUCTIONS,
    offered=lambda request: {"claims": [claim.id for claim in request.claims]},
    fallback=True,
    max_tokens=512,
)
