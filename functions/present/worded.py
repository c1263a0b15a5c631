"""Has the direct answer worded by a language model, where one can be asked; the built-in wording stands otherwise.

Claims, evidence, disclosures and status are made by code before and stay as they are: only the sentences change,
and only to ones that ``worded_check`` finds to say nothing but the claims.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator

from functions.present.alternatives import mentions
from functions.present.draft import Draft, View
from functions.present.word_task import (
    MOST_CLAIMS,
    WORD_ANSWER,
    AskedBound,
    WordAnswerReply,
    WordAnswerRequest,
    WordingClaim,
)
from shared.models.tasks import metered
from shared.query.annotated import Worded
from shared.query.evidence import Claim, Disclosure
from shared.query.readings import Threshold
from shared.runtime.context import RunContext
from shared.runtime.errors import BudgetExhausted, ModelError

LEAST_SECONDS = 2.0
"""With less time left no model is asked: presenting comes before wording."""
MOST_SECONDS = 8.0
SHARE_OF_TIME = 1 / 2
MOST_NAMES = 40
_NOT_ASKED = "no language model is configured"
_REFUSED = "the wording of the language model does not keep to the claims; the built-in wording stands"


async def worded(
    plain: str, view: View, draft: Draft, disclosures: Iterable[Disclosure], context: RunContext
) -> Worded:
    """The answer's sentences and how they came about. Raises ``Cancelled`` and ``DeadlineExceeded`` alone."""
    judge = next((one for one in context.judges if metered(one) and one.can(WORD_ANSWER)), None)
    if judge is None:
        return Worded(text=plain, why=_NOT_ASKED)
    if not draft.claims or not plain:
        return Worded(text=plain, why="nothing is claimed")
    seconds = min(MOST_SECONDS, context.deadline.remaining * SHARE_OF_TIME)
    if seconds < LEAST_SECONDS:
        return Worded(text=plain, why="no time is left to have the answer worded")
    request = asked(plain, view, draft, disclosures)
    told = len(context.told)
    try:
        async with asyncio.timeout(seconds):
            reply: WordAnswerReply = await context.judge(WORD_ANSWER, request)
    except TimeoutError:
        context.check()
        return Worded(text=plain, by=judge.name, why=f"it gave no wording in {seconds:.2g} s")
    except (ModelError, BudgetExhausted) as error:
        context.say(_REFUSED if not isinstance(error, BudgetExhausted) else f"the answer is not worded: {error}")
        return Worded(text=plain, by=judge.name, why=str(error))
    if len(context.told) > told:
        return Worded(text=plain, why=context.told[-1])
    return Worded(text=reply.text.strip(), by=judge.name, taken=True, rests_on=reply.claims)


def asked(plain: str, view: View, draft: Draft, disclosures: Iterable[Disclosure] = ()) -> WordAnswerRequest:
    """What a model is given: the claims that the built-in wording names first, then the others in their order."""
    claims = _first(draft.claims, plain)
    reading = view.material.reading
    direction = getattr(reading, "direction", None)
    claimed = {claim.entity.casefold() for claim in draft.claims if claim.entity}
    others = {
        name
        for mention in mentions(view.material.slots)
        for name in (mention.text, mention.entity.name if mention.entity else "")
        if name and (mention.entity is None or mention.entity.name.casefold() not in claimed)
    }
    return WordAnswerRequest(
        question=view.material.question,
        type=reading.type,
        plain=plain,
        claims=tuple(map(WordingClaim.of, claims)),
        disclosures=tuple(one.text for one in disclosures)[:MOST_NAMES],
        publishers=tuple(dict.fromkeys(one.executed.response.publisher for one in view.material.everything())),
        names=tuple(sorted(draft.names))[:MOST_NAMES],
        others=tuple(sorted(others)),
        bounds=tuple(_bounds(reading)),
        order=direction.value if direction is not None and reading.type == "ranking" else None,
    )


def _first(claims: list[Claim], plain: str) -> list[Claim]:
    if len(claims) <= MOST_CLAIMS:
        return claims
    named = [claim for claim in claims if claim.entity and claim.entity in plain]
    rest = [claim for claim in claims if claim not in named]
    return [*named, *rest][:MOST_CLAIMS]


def _bounds(reading: object) -> Iterator[AskedBound]:
    thresholds = [getattr(reading, "threshold", None)]
    thresholds += [getattr(one, "threshold", None) for one in getattr(reading, "conditions", ())]
    for one in thresholds:
        if isinstance(one, Threshold):
            yield AskedBound(
                comparator=one.comparator.value, value=one.value, upper=one.upper, unit=one.unit, text=one.text
            )
