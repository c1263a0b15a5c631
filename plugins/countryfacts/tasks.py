"""The judgment ``choose_fact``: which of the facts held here answers words that name none of them."""

from __future__ import annotations

from shared.models.builtin import BuiltinRule
from shared.models.tasks import Task
from shared.query.quantity import Frozen
from shared.runtime.context import RunContext

NONE = "none"

_INSTRUCTIONS = f"""\
Choose the fact that the asker means by "asked". The question is there for its context; facts are those that a \
publisher holds of each country.
The reply: {{"fact": fact id | "{NONE}", "why": "..."}}
- A fact is meant when stating it answers the question in full ("seat of government" is the capital).
- {NONE}: no fact on offer states what is asked for, or states only something like it. When in doubt, {NONE}: the \
question is then refused, and that is right.
why: one short sentence."""


class FactOffered(Frozen):
    """A fact that is held, and the words that it goes by."""

    id: str
    label: str
    words: tuple[str, ...] = ()


class FactRequest(Frozen):
    """What is asked of an entity, in the asker's words, and the facts on offer."""

    question: str
    asked: str
    facts: tuple[FactOffered, ...]


class FactReply(Frozen):
    """The id of the fact that is meant, or ``none``."""

    fact: str
    why: str = ""


def _allowed(request: FactRequest) -> list[str]:
    return [*(fact.id for fact in request.facts), NONE]


def _only_offered(request: FactRequest, reply: FactReply) -> str | None:
    allowed = _allowed(request)
    return (
        None
        if reply.fact in allowed
        else f"a fact is chosen that was not offered; allowed are {', '.join(allowed)}"
    )


CHOOSE_FACT = Task(
    name="choose_fact",
    version=1,
    request=FactRequest,
    reply=FactReply,
    validate=_only_offered,
    purpose="choosing among published facts",
    instructions=_INSTRUCTIONS,
    offered=lambda request: {"fact": _allowed(request)},
    fallback=True,
    max_tokens=512,
)


async def choose_fact(request: FactRequest, context: RunContext) -> FactReply:
    """The built-in rule: words that name no fact mean none. Those that do are taken without a judgment."""
    del request, context
    return FactReply(fact=NONE, why="no fact goes by these words")


BUILTIN_RULES: dict[str, BuiltinRule] = {CHOOSE_FACT.name: choose_fact}
