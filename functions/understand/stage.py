"""The stage ``understand``: the panel reads the question, and what it came to is written down."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from functions.understand.completeness import MAX_WORDS, left_out
from functions.understand.question import validate_question
from functions.understand.reader import FORMS
from functions.understand.task import UNDERSTAND, UnderstandReply, UnderstandRequest
from shared.models.panel import ask_panel
from shared.models.structure import MAX_READINGS, kept_readings, same_subject, stated, structure
from shared.query.annotated import AnnotatedQuery, Annotation, Failed, Noted, PanelVote, Payload, Understood
from shared.query.evidence import Disclosure, DisclosureKind, Failure, FailureStatus
from shared.query.readings import Reading
from shared.runtime.context import RunContext
from shared.runtime.errors import BudgetExhausted, CannotRead, ModelError, ReplyInvalid

STAGE = "understand"
_BEFORE_READING = -1
_KINDS = ((re.compile(r"^read “"), DisclosureKind.SPELLING),)


async def understand(query: AnnotatedQuery, context: RunContext) -> list[Annotation]:
    """Read the question into one to four readings, best first.

    Writes ``Understood`` and a ``Noted`` for each assumption, or a ``Failed`` that says why the question could
    not be read and which forms work. Raises ``UsageError`` for a question that is empty, too long or no text.
    """
    question = validate_question(query.question)
    if len(question.split()) > MAX_WORDS:
        context.say("could not read this question")
        return [_annotation(0, _unreadable(CannotRead(f"it has more than {MAX_WORDS} words", FORMS)))]
    request = UnderstandRequest(question=question, today=context.today())
    try:
        result = await ask_panel(context.panel, UNDERSTAND, request, context, shape=_shape, alike=_stated)
    except CannotRead as error:
        context.say("could not read this question")
        return [_annotation(0, _unreadable(error))]
    except (ModelError, BudgetExhausted) as error:
        context.say("no reader could be asked")
        return [_annotation(0, _failed(_status(error), f"no reader answered: {error}"))]
    readings = kept_readings([reply.readings for reply in result.replies])
    lost = left_out(question, readings[0])
    if lost is not None:
        context.say("could not read all of this question")
        return [_annotation(0, _unreadable(CannotRead(lost, [])))]
    readings = (readings[0], *(reading for reading in readings[1:] if left_out(question, reading) is None))
    votes = _with_reasons(result.votes, [reply.readings[0] for reply in result.replies], readings, question)
    assumed = tuple(dict.fromkeys(result.replies[0].notes))
    context.say(f"read as {readings[0].type.replace('_', ' ')}{_others(len(readings))}")
    understood = Understood(readings=readings, votes=votes, notes=(*assumed, *result.notes))
    payloads: list[Payload] = [understood]
    payloads += [Noted(disclosure=Disclosure(kind=_kind(note), text=note)) for note in assumed]
    payloads += [Noted(disclosure=Disclosure(kind=DisclosureKind.PANEL, text=note)) for note in result.notes]
    return [_annotation(n, payload) for n, payload in enumerate(payloads)]


def _with_reasons(
    votes: Iterable[PanelVote], first: Sequence[Reading], kept: Sequence[Reading], question: str
) -> tuple[PanelVote, ...]:
    """The votes with why a member's reading, ``first`` of each reply, is not among those ``kept``."""
    shapes = set(map(structure, kept))
    reasons: dict[str | None, str] = {}
    for reading in first:
        if (shape := structure(reading)) not in shapes:
            reasons.setdefault(shape, _why_dropped(reading, kept[0], question))
    return tuple(vote.model_copy(update={"dropped": reasons.get(vote.structure)}) for vote in votes)


def _why_dropped(reading: Reading, chosen: Reading, question: str) -> str:
    if not same_subject(chosen, reading):
        return "it is about another subject than the reading that was chosen"
    lost = left_out(question, reading)
    return lost or f"no more than {MAX_READINGS} readings are kept"


def _shape(reply: UnderstandReply) -> str:
    return structure(reply.readings[0])


def _stated(reply: UnderstandReply) -> str:
    return stated(reply.readings[0])


def _status(error: Exception) -> FailureStatus:
    kinds = ((BudgetExhausted, FailureStatus.BUDGET), (ReplyInvalid, FailureStatus.MALFORMED))
    return next((status for kind, status in kinds if isinstance(error, kind)), FailureStatus.UNREACHABLE)


def _kind(note: str) -> DisclosureKind:
    return next((kind for pattern, kind in _KINDS if pattern.match(note)), DisclosureKind.READING)


def _others(count: int) -> str:
    if count == 1:
        return ""
    return f", with {count - 1} other {'reading' if count == 2 else 'readings'} kept"


def _unreadable(error: CannotRead) -> Failed:
    forms = "; ".join(f"“{form}”" for form in error.nearest)
    works = f" Forms that work: {forms}." if forms else ""
    return _failed(FailureStatus.UNREADABLE, f"could not read this: {error}.{works}")


def _failed(status: FailureStatus, reason: str) -> Failed:
    return Failed(failure=Failure(stage=STAGE, source=None, slot=None, status=status, reason=reason))


def _annotation(n: int, payload: Payload) -> Annotation:
    return Annotation(reading=_BEFORE_READING, stage=STAGE, n=n, payload=payload)
