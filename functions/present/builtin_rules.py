"""The built-in judge's rule for present: its own wording, which the claims were written with."""

from __future__ import annotations

from functions.present.word_task import WORD_ANSWER, WordAnswerReply, WordAnswerRequest
from shared.models.builtin import BuiltinRule
from shared.runtime.context import RunContext


async def word_answer(request: WordAnswerRequest, context: RunContext) -> WordAnswerReply:
    """The program's own wording, resting on all claims."""
    del context
    return WordAnswerReply(text=request.plain, claims=tuple(claim.id for claim in request.claims))


BUILTIN_RULES: dict[str, BuiltinRule] = {WORD_ANSWER.name: word_answer}
