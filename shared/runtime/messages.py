"""The messages between functions: what each says, and what it looks like on the wire.

Each is a CloudEvent in binary form: JSON as the data, ``ce-*`` as attributes, ``traceparent`` beside them. What is
read has been checked against its form; anything else is *foreign* and says why.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import from_json, to_json

from shared.query.identifiers import RunId, StageName
from shared.runtime.errors import NeuralKGError
from shared.runtime.records import StepRef
from shared.runtime.settings import PIPELINE

STEP, QUESTION, ENDED = "neuralkg.step.v1", "neuralkg.question.v1", "neuralkg.ended.v1"
ANSWER, FOREIGN = "neuralkg.answer.v1", "neuralkg.foreign.v1"

REJECTED = "rejected"
"""The status that is announced for a question that was not taken, and so has no answer."""
MAX_DATA = 64 * 1024
"""Bytes; a question and its options are the largest message there is."""
KEPT_PAYLOAD = 8 * 1024
"""Bytes of a foreign message that its dead letter shows."""
MAX_ATTRIBUTE = 1024
"""Bytes that Pub/Sub allows for the value of an attribute."""

_VERSION = re.compile(r"[1-9][0-9]{0,5}")
_RUN_ID = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"
_PLAIN_ID = re.compile(r"[A-Za-z0-9._-]{1,100}")
_TRACEPARENT = re.compile(r"[\x21-\x7e]{1,512}")


class Reason(StrEnum):
    """Why a message is foreign."""

    TOO_LARGE = "too_large"
    NOT_JSON = "not_json"
    NOT_AN_ENVELOPE = "not_an_envelope"
    NOT_BASE64 = "not_base64"
    UNKNOWN_TYPE = "unknown_type"
    FUTURE_VERSION = "future_version"
    MALFORMED = "malformed"
    UNKNOWN_STAGE = "unknown_stage"
    OTHER_STAGE = "other_stage"
    NO_ID = "no_id"
    UNREADABLE = "unreadable"
    """What is stored of its run cannot be read."""


class ForeignMessage(NeuralKGError):  # noqa: N818 - the name says what is wrong
    """A message that nothing can be done with, however often it comes."""

    def __init__(self, reason: Reason, detail: str) -> None:
        self.reason, self.detail = reason, tidy(detail)
        super().__init__(f"{reason}: {self.detail}")


@dataclass(frozen=True, slots=True)
class Wire:
    """A message as the bus carries it; ``message_id`` is the bus's own, empty where it has none."""

    data: bytes
    attributes: Mapping[str, str] = field(default_factory=dict)
    message_id: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A question asked by message. ``body`` is what ``POST /ask`` takes, not yet checked.

    The same message delivered again has the same ``run_id``.
    """

    run_id: RunId
    body: Mapping[str, Any]
    traceparent: str | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """A run has ended."""

    run_id: RunId
    traceparent: str | None = None


@dataclass(frozen=True, slots=True)
class Announced:
    """What came of a question: the answer's status and address; or ``rejected`` and the error that HTTP would tell.

    ``question`` is told with an error, since a rejected question has no run to look it up in.
    """

    run_id: RunId
    status: str
    answer: str | None = None
    error: Mapping[str, object] | None = None
    question: str | None = None


@dataclass(frozen=True, slots=True)
class ForeignLetter:
    """A foreign message for the dead letters; of ``payload`` its beginning is kept."""

    function: str
    reason: Reason
    detail: str
    payload: bytes = b""
    message_id: str = ""


Message = StepRef | Ended | Announced | ForeignLetter


class _Step(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    run_id: str = Field(pattern=_RUN_ID)
    reading: int = Field(ge=-1, le=1000)
    stage: str = Field(min_length=1, max_length=64)


class _Ended(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    run_id: str = Field(pattern=_RUN_ID)


M = TypeVar("M", bound=BaseModel)


def encode(message: Message, *, source: str) -> Wire:
    """The message on the wire. A step's id is always the same, so that a duplicate can be told."""
    match message:
        case StepRef():
            body: bytes = to_json({"run_id": message.run_id, "reading": message.reading, "stage": message.stage})
            return _event(STEP, f"{message.run_id}/{message.id}", source, body, traceparent=message.traceparent)
        case Ended():
            body = to_json({"run_id": message.run_id})
            return _event(ENDED, str(message.run_id), source, body, traceparent=message.traceparent)
        case Announced():
            told = {"run_id": message.run_id, "status": message.status, "answer": message.answer}
            problem = {"question": message.question, "error": message.error}
            body = to_json(told | (problem if message.error is not None else {}))
            return _event(ANSWER, str(message.run_id), source, body)
        case ForeignLetter():
            wire = _event(
                FOREIGN, message.message_id or secrets.token_hex(8), source, message.payload[:KEPT_PAYLOAD]
            )
            told_of = {
                "neuralkg-reason": str(message.reason),
                "neuralkg-detail": tidy(message.detail),
                "neuralkg-function": message.function,
                "neuralkg-message-id": tidy(message.message_id),
            }
            known = {key: value for key, value in told_of.items() if value}
            return Wire(wire.data, {**wire.attributes, "content-type": "application/octet-stream", **known})


def read_step(wire: Wire, *, only: StageName | None = None) -> StepRef:
    """The step that a message names, of stage ``only`` if that is given; raises ``ForeignMessage``."""
    _expect(wire, STEP)
    step = _read(_Step, wire.data)
    if step.stage not in PIPELINE:
        raise ForeignMessage(Reason.UNKNOWN_STAGE, f"there is no stage {step.stage!r}")
    if only is not None and step.stage != only:
        raise ForeignMessage(Reason.OTHER_STAGE, f"the message is for {step.stage}, and this is {only}")
    return StepRef(
        run_id=RunId(step.run_id),
        reading=step.reading,
        stage=StageName(step.stage),
        traceparent=_traceparent(wire),
    )


def read_ended(wire: Wire) -> Ended:
    """The run that has ended; raises ``ForeignMessage``."""
    _expect(wire, ENDED)
    return Ended(RunId(_read(_Ended, wire.data).run_id), _traceparent(wire))


def read_question(wire: Wire) -> Question:
    """A question as it was asked; raises ``ForeignMessage`` when it is no JSON object.

    It need not be a CloudEvent. One that is may choose its run's id: ``c-`` and its own id, if that is of letters,
    digits, ``.``, ``_`` and ``-``. Any other has ``q-`` and the id that the bus gave the message.
    """
    if "ce-type" in wire.attributes:
        _expect(wire, QUESTION)
    _sized(wire.data)
    try:
        body = from_json(wire.data, allow_inf_nan=False)
    except ValueError as error:
        raise ForeignMessage(Reason.NOT_JSON, f"the question is not JSON: {error}") from None
    if not isinstance(body, dict):
        raise ForeignMessage(Reason.MALFORMED, "the question is not an object")
    chosen = wire.attributes.get("ce-id", "") if "ce-type" in wire.attributes else ""
    for prefix, identity in (("c", chosen), ("q", wire.message_id)):
        if _PLAIN_ID.fullmatch(identity):
            return Question(RunId(f"{prefix}-{identity}"), body, _traceparent(wire))
    raise ForeignMessage(Reason.NO_ID, "the message has no id that a run could be named by")


def read_letter(wire: Wire) -> StepRef | Question | Ended:
    """A dead letter that something can still be done about; raises ``ForeignMessage`` for every other."""
    reader = _LETTERS.get(wire.attributes.get("ce-type", ""))
    if reader is None and wire.attributes.get(_DEAD_SOURCE, "").endswith("-questions"):
        reader = read_question
    if reader is None:
        kind, told = wire.attributes.get("ce-type", ""), wire.attributes.get("neuralkg-detail", "")
        raise ForeignMessage(_reason_kept(wire) or Reason.UNKNOWN_TYPE, told or f"a letter of the type {kind!r}")
    return reader(wire)


def tidy(text: str) -> str:
    """``text`` fit for a log line and an attribute: printable ASCII, cut to a length."""
    return "".join(c if " " <= c <= "~" else "?" for c in text[:MAX_ATTRIBUTE])


_DEAD_SOURCE = "CloudPubSubDeadLetterSourceSubscription"
"""The attribute by which Pub/Sub says which subscription gave a message up."""
_LETTERS: Mapping[str, Callable[[Wire], StepRef | Question | Ended]] = {
    STEP: read_step,
    QUESTION: read_question,
    ENDED: read_ended,
}


def _event(kind: str, identity: str, source: str, data: bytes, *, traceparent: str | None = None) -> Wire:
    attributes = {
        "ce-specversion": "1.0",
        "ce-type": kind,
        "ce-source": source,
        "ce-id": identity,
        "content-type": "application/json",
    }
    return Wire(data, attributes | ({"traceparent": traceparent} if traceparent else {}))


def _expect(wire: Wire, kind: str) -> None:
    """Raise ``ForeignMessage`` unless the message says that it is of this kind and version."""
    given, form = wire.attributes.get("ce-type", ""), wire.attributes.get("ce-specversion", "1.0")
    if form.partition(".")[0] != "1":
        raise ForeignMessage(Reason.FUTURE_VERSION, f"CloudEvents {form!r} is not known here; 1.0 is")
    if given == kind:
        return
    family, _, version = given.rpartition(".v")
    if family == kind.rpartition(".v")[0] and _VERSION.fullmatch(version):
        raise ForeignMessage(Reason.FUTURE_VERSION, f"{given} is a later form than this version reads, {kind}")
    raise ForeignMessage(Reason.UNKNOWN_TYPE, f"the type is {given!r}; {kind} is taken here")


def _read(model: type[M], data: bytes) -> M:
    """The data in its form; raises ``ForeignMessage``."""
    _sized(data)
    try:
        return model.model_validate_json(data)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False, include_context=False)
        reason = Reason.NOT_JSON if faults[0]["type"] == "json_invalid" else Reason.MALFORMED
        told = (f"{'.'.join(map(str, fault['loc'])) or 'the data'}: {fault['msg']}" for fault in faults[:5])
        raise ForeignMessage(reason, "; ".join(told)) from None


def _sized(data: bytes) -> None:
    if len(data) > MAX_DATA:
        raise ForeignMessage(Reason.TOO_LARGE, f"at most {MAX_DATA:,} bytes are read; these are {len(data):,}")


def _traceparent(wire: Wire) -> str | None:
    """What joins the spans; one that is not plain text is left out, since no work depends on it."""
    given = wire.attributes.get("traceparent", "")
    return given if _TRACEPARENT.fullmatch(given) else None


def _reason_kept(wire: Wire) -> Reason | None:
    given = wire.attributes.get("neuralkg-reason")
    return Reason(given) if given in set(Reason) else None
