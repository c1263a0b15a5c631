"""Takes messages that are pushed by HTTP: reads one request, hands its message on, and says whether it comes again.

The body is Pub/Sub's own envelope, alone or as the data of a CloudEvent, or one of our messages as a CloudEvent. A
2xx reply ends a message and everything else brings it again, so what is *foreign* is acknowledged, counted and put
among the dead letters; it never fails.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import to_json
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from functions.hosting import tracecontext
from shared.runtime.errors import NeuralKGError, ObjectDamaged, ObjectMissing, StoreCorrupt, StoreNewer
from shared.runtime.messages import ForeignLetter, ForeignMessage, Reason, Wire, tidy
from shared.runtime.topology import LONGEST_ACK_SECONDS

if TYPE_CHECKING:
    from starlette.requests import Request

log = logging.getLogger(__name__)

M = TypeVar("M")
T = TypeVar("T", bound=BaseModel)

MAX_BODY = 256 * 1024
"""Bytes of a request that are read: the largest message in base64, and all the attributes it may have."""
MAX_DRAINED = 16 * 1024 * 1024
"""Bytes of a larger request that are still taken off the line, so that its sender hears the reply."""
RETRY_AFTER = "1"
SPARE_SECONDS = 5
"""What is left of a function's time-out for giving a step back and replying."""

_PUBLISHED = "google.cloud.pubsub.topic.v1.messagePublished"


@dataclass(frozen=True, slots=True)
class Received(Generic[M]):
    """A message that was pushed. ``attempt`` counts from 1; ``None`` where the subscription does not count."""

    message: M
    wire: Wire
    attempt: int | None = None
    subscription: str = ""


@dataclass(frozen=True, slots=True)
class Foreign:
    """A message that nothing can be done with, and why; ``payload`` is as much of it as could be made out."""

    reason: Reason
    detail: str
    payload: bytes = b""
    message_id: str = ""
    attempt: int | None = None


def read_push(body: bytes, headers: Mapping[str, str], *, reader: Callable[[Wire], M]) -> Received[M] | Foreign:
    """The message in a pushed request, read by ``reader`` (``ForeignMessage`` for what is not its own).

    ``headers`` have small names. Whatever the body holds, nothing is raised.
    """
    wire, attempt, subscription = Wire(body), None, ""
    try:
        wire, attempt, subscription = _unpacked(body, headers)
        return Received(reader(wire), wire, attempt, subscription)
    except ForeignMessage as error:
        return Foreign(error.reason, error.detail, wire.data, tidy(wire.message_id), attempt)


@dataclass(slots=True)
class PushReceiver(Generic[M]):
    """Answers the pushed requests of one function; call it with each.

    ``take`` works on a message; whatever it raises brings the message again, and so does taking longer than
    ``seconds``. ``dead_letters`` publishes what is foreign; without it, it is only counted. ``allowed`` tells
    whether a request comes from Pub/Sub, where the platform has not made sure of it. ``counts`` has how many were
    ``done``, come ``again``, were ``refused``, and were ``foreign``, the last also by reason.
    """

    function: str
    reader: Callable[[Wire], M]
    take: Callable[[Received[M]], Awaitable[None]]
    seconds: float
    dead_letters: Callable[[ForeignLetter], Awaitable[object]] | None = None
    allowed: Callable[[Request], Awaitable[bool]] | None = None
    counts: Counter[str] = field(default_factory=Counter)

    async def __call__(self, request: Request) -> Response:
        """204 for a message that is done with, 503 for one that must come again; 401 and 405 for no message."""
        if request.method != "POST":
            return Response("Messages are sent by POST.\n", 405, {"Allow": "POST"}, "text/plain")
        try:
            if self.allowed is not None and not await self.allowed(request):
                return self._refused()
        except NeuralKGError as error:
            return self._again(str(error))
        try:
            body = await _body(request)
        except ClientDisconnect:
            return self._again("the sender left before its message was read")
        received = read_push(body, request.headers, reader=self.reader)
        told = {"message_id": _id_of(received), "delivery_attempt": received.attempt}
        with tracecontext.at(tracecontext.current(), **{key: value for key, value in told.items() if value}):
            try:
                async with asyncio.timeout(self.seconds):
                    if isinstance(received, Foreign):
                        await self._put_aside(received)
                    else:
                        await self.take(received)
            except TimeoutError:
                return self._again(f"it was not done within {self.seconds:g} s")
            except (StoreCorrupt, ObjectMissing, ObjectDamaged) as error:
                return await self._unreadable(received, error)
            except NeuralKGError as error:
                return self._again(str(error))
            except Exception as error:
                log.exception("%s failed unexpectedly", self.function)
                return self._again(type(error).__name__)
        if not isinstance(received, Foreign):
            self.counts["done"] += 1
        return Response(status_code=204)

    async def _put_aside(self, foreign: Foreign) -> None:
        if self.dead_letters is not None:
            await self.dead_letters(
                ForeignLetter(
                    function=self.function,
                    reason=foreign.reason,
                    detail=foreign.detail,
                    payload=foreign.payload,
                    message_id=foreign.message_id,
                )
            )
        self.counts.update(("foreign", f"foreign.{foreign.reason}"))
        with tracecontext.at(tracecontext.current(), foreign=str(foreign.reason)):
            log.warning("%s put a foreign message aside: %s: %s", self.function, foreign.reason, foreign.detail)

    async def _unreadable(self, received: Received[M] | Foreign, error: NeuralKGError) -> Response:
        """Put a message aside whose run this version cannot read: it could not at the next delivery either."""
        wire = received.wire if isinstance(received, Received) else Wire(b"")
        reason = Reason.FUTURE_VERSION if isinstance(error, StoreNewer) else Reason.UNREADABLE
        foreign = Foreign(reason, tidy(str(error)), wire.data, tidy(wire.message_id))
        try:
            await self._put_aside(foreign)
        except NeuralKGError as trouble:
            return self._again(str(trouble))
        return Response(status_code=204)

    def _refused(self) -> Response:
        """The answer to whoever is not Pub/Sub; a subscription without its identity is told so, too."""
        self.counts["refused"] += 1
        log.warning("%s refused a message: it carries no valid token of the account that pushes", self.function)
        return Response(status_code=401, headers={"WWW-Authenticate": "Bearer"})

    def _again(self, reason: str) -> Response:
        self.counts["again"] += 1
        log.info("%s: the message comes again: %s", self.function, reason)
        return Response(status_code=503, headers={"Retry-After": RETRY_AFTER})


def seconds_for(timeout_seconds: int) -> float:
    """How long a message may take in a function of this time-out, so that the reply is still heard in time."""
    return max(1.0, min(timeout_seconds, LONGEST_ACK_SECONDS) - SPARE_SECONDS)


class _PubSubMessage(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    data: str | None = None
    attributes: dict[str, str] | None = None
    message_id: str = Field("", validation_alias=AliasChoices("messageId", "message_id"))


class _Envelope(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    message: _PubSubMessage
    subscription: str = ""
    attempt: int | None = Field(None, validation_alias=AliasChoices("deliveryAttempt", "delivery_attempt"), ge=0)


class _Structured(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    specversion: str
    type: str
    source: str
    id: str
    traceparent: str | None = None
    data: Any = None
    data_base64: str | None = None


def _unpacked(body: bytes, headers: Mapping[str, str]) -> tuple[Wire, int | None, str]:
    """The message in the body with its delivery attempt and subscription; raises ``ForeignMessage``."""
    if len(body) > MAX_BODY:
        raise ForeignMessage(Reason.TOO_LARGE, f"the request has more than {MAX_BODY:,} bytes")
    if headers.get("content-type", "").strip().lower().startswith("application/cloudevents+json"):
        event = _parsed(lambda: _Structured.model_validate_json(body))
        if event.type == _PUBLISHED:
            return _of_envelope(_parsed(lambda: _Envelope.model_validate(event.data)))
        attributes = {
            "ce-specversion": event.specversion,
            "ce-type": event.type,
            "ce-source": event.source,
            "ce-id": event.id,
        }
        if event.traceparent:
            attributes["traceparent"] = event.traceparent
        data = to_json(event.data) if event.data_base64 is None else _decoded(event.data_base64)
        return Wire(data, attributes), None, ""
    if headers.get("ce-type", _PUBLISHED) != _PUBLISHED:
        kept = {key: value for key, value in headers.items() if key.startswith("ce-") or key == "traceparent"}
        return Wire(body, kept), None, ""
    return _of_envelope(_parsed(lambda: _Envelope.model_validate_json(body)))


def _of_envelope(envelope: _Envelope) -> tuple[Wire, int | None, str]:
    message = envelope.message
    wire = Wire(_decoded(message.data or ""), message.attributes or {}, message.message_id)
    return wire, envelope.attempt, envelope.subscription


def _parsed(parse: Callable[[], T]) -> T:
    """What ``parse`` gives; raises ``ForeignMessage`` for what is not of the form."""
    try:
        return parse()
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
        if fault["type"] == "json_invalid":
            raise ForeignMessage(Reason.NOT_JSON, f"the request is not JSON: {fault['msg']}") from None
        where = ".".join(map(str, fault["loc"])) or "the request"
        raise ForeignMessage(Reason.NOT_AN_ENVELOPE, f"no pushed message: {where}: {fault['msg']}") from None


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ForeignMessage(Reason.NOT_BASE64, f"the data is not base64: {error}") from None


def _id_of(received: Received[Any] | Foreign) -> str:
    return received.message_id if isinstance(received, Foreign) else tidy(received.wire.message_id)


async def _body(request: Request) -> bytes:
    """The body, or its beginning, just over ``MAX_BODY``, when it is too large. Raises ``ClientDisconnect``."""
    kept, seen = bytearray(), 0
    async for chunk in request.stream():
        seen += len(chunk)
        kept += chunk[: MAX_BODY + 1 - len(kept)]
        if seen > MAX_DRAINED:
            break
    return bytes(kept)
