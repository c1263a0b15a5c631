"""The judgment ``accept_semantics``: whether a chosen measure is what the asker's words mean. It only rejects."""

from __future__ import annotations

from typing import Literal

from shared.models.builtin import BuiltinRule
from shared.models.tasks import Task
from shared.query.quantity import Frozen
from shared.runtime.context import RunContext

_INSTRUCTIONS = """\
Say for each measure whether its published definition answers what is asked for. The measures were chosen for \
these words and have passed every check of form; no figure is shown, and none matters.
The reply: {"verdicts": {id: "yes" | "no"}, "why": "..."}
- yes: a careful reader of the definition would give this measure to somebody who asks for "asked" in this \
question, in its name or in other words for it.
- no: the definition is of another quantity: a part where the whole is asked for or the whole where a part is, \
another event, another group of people, a plan or a share of what is asked for.
- A usual definition of a loose word is a yes ("size of the economy" is the gross domestic product).
A verdict for every id. why: one short sentence."""


class MeasureChosen(Frozen):
    """A chosen measure, by its own publisher's words, and the words that it was chosen for."""

    id: str
    asked: str
    name: str
    definition: str
    unit: str


class SemanticsRequest(Frozen):
    """The question and the measures whose words are not the asker's own."""

    question: str
    measures: tuple[MeasureChosen, ...]


class SemanticsReply(Frozen):
    """A verdict for every measure."""

    verdicts: dict[str, Literal["yes", "no"]]
    why: str = ""


def _every_measure_judged(request: SemanticsRequest, reply: SemanticsReply) -> str | None:
    offered = {measure.id for measure in request.measures}
    if reply.verdicts.keys() == offered:
        return None
    return f"a verdict is wanted for exactly the measures {', '.join(sorted(offered))}"


ACCEPT_SEMANTICS = Task(
    name="accept_semantics",
    version=1,
    request=SemanticsRequest,
    reply=SemanticsReply,
    validate=_every_measure_judged,
    purpose="telling whether a chosen measure is what was asked for",
    instructions=_INSTRUCTIONS,
    offered=lambda request: {"verdicts": [measure.id for measure in request.measures]},
    fallback=True,
)


async def accept_semantics(request: SemanticsRequest, context: RunContext) -> SemanticsReply:
    """The built-in rule: what the rules have chosen by its words stands."""
    del context
    return SemanticsReply(verdicts={measure.id: "yes" for measure in request.measures})


BUILTIN_RULES: dict[str, BuiltinRule] = {ACCEPT_SEMANTICS.name: accept_semantics}
