"""The judgment ``choose_denotation``: which of the things that bear a name the question means."""

from __future__ import annotations

from shared.models.builtin import BuiltinRule
from shared.models.tasks import Offered, Task
from shared.query.quantity import Frozen
from shared.runtime.context import RunContext

_INSTRUCTIONS = """\
Say which of the candidates the asker means by "name", from the whole question.
The reply: {"meant": [candidate ids], "why": "..."}
- meant: every candidate that the question leaves possible, the likeliest first. One id only where the question \
settles it: by what the name is held against or listed with, by what is asked of it (revenue is a company's, a \
governor a state's), by what it lies in or holds.
- That one candidate is better known is no reason to leave the others out: all are told then, and that is right.
- An empty list when the question means something that is not among the candidates.
why: one short sentence."""


class DenotationCandidate(Frozen):
    """One thing of the name, and what kind of thing it is."""

    id: str
    name: str
    kind: str


class DenotationRequest(Frozen):
    """A name in the asker's words, and what it may denote, likeliest first."""

    question: str
    name: str
    candidates: tuple[DenotationCandidate, ...]


class DenotationReply(Frozen):
    """What the name may mean in this question; none when it means something else."""

    meant: tuple[str, ...]
    why: str = ""


def _only_offered(request: DenotationRequest, reply: DenotationReply) -> str | None:
    offered = {candidate.id for candidate in request.candidates}
    if set(reply.meant) - offered:
        return f"a candidate is meant that was not offered; on offer are {', '.join(sorted(offered))}"
    return "a candidate is named twice" if len(set(reply.meant)) < len(reply.meant) else None


def _offered(request: DenotationRequest) -> Offered:
    return {"meant": [candidate.id for candidate in request.candidates]}


CHOOSE_DENOTATION = Task(
    name="choose_denotation",
    version=1,
    request=DenotationRequest,
    reply=DenotationReply,
    validate=_only_offered,
    effort="high",
    purpose="telling what a name of several things means",
    instructions=_INSTRUCTIONS,
    offered=_offered,
    fallback=True,
)


async def choose_denotation(request: DenotationRequest, context: RunContext) -> DenotationReply:
    """The built-in rule: every candidate stays, as what the reader could settle is settled already."""
    del context
    return DenotationReply(meant=tuple(candidate.id for candidate in request.candidates))


BUILTIN_RULES: dict[str, BuiltinRule] = {CHOOSE_DENOTATION.name: choose_denotation}
