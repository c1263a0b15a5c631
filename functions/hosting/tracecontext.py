"""What is being worked on, for logs and traces: carried by the task that works on it and by nothing global."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

_FORM = re.compile(r"00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})")


class SpanId(NamedTuple):
    """Where in which trace: 32 and 16 hexadecimal digits."""

    trace: str
    span: str
    sampled: bool = True

    @property
    def traceparent(self) -> str:
        """As the standard's header has it."""
        return f"00-{self.trace}-{self.span}-{'01' if self.sampled else '00'}"


_FIELDS: ContextVar[Mapping[str, object]] = ContextVar("neuralkg_fields", default={})  # noqa: B039 - never written to
_SPAN: ContextVar[SpanId | None] = ContextVar("neuralkg_span", default=None)


def parsed(traceparent: str | None) -> SpanId | None:
    """The place in a trace that a header names; ``None`` for none and for what is not of its form."""
    match = _FORM.fullmatch((traceparent or "").strip())
    return SpanId(match[1], match[2], bool(int(match[3], 16) & 1)) if match else None


def fresh() -> SpanId:
    """The beginning of a trace of its own."""
    return SpanId(secrets.token_hex(16), secrets.token_hex(8))


def fields() -> Mapping[str, object]:
    """What log lines say beside their message: ``run_id``, ``stage``, ``attempt``."""
    return _FIELDS.get()


def current() -> SpanId | None:
    """Where this task is."""
    return _SPAN.get()


@contextmanager
def at(span: SpanId | None, **more: object) -> Iterator[None]:
    """Be at ``span`` with ``more`` fields for the block and the tasks that it starts."""
    spanned = _SPAN.set(span)
    fielded = _FIELDS.set({**_FIELDS.get(), **more})
    try:
        yield
    finally:
        _FIELDS.reset(fielded)
        _SPAN.reset(spanned)
