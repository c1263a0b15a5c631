"""Reads a question out of an HTTP request, and refuses everything that is not one."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from functions.ask.intake import BadInput, checked_assumptions, checked_options, checked_question

if TYPE_CHECKING:
    from starlette.requests import Request

    from plugins.base import Registry
    from shared.query.annotated import AskOptions

MAX_BODY = 64 * 1024
"""Bytes."""
KEYS = ("question", "sources", "on_ambiguity", "deadline_seconds", "assumptions")


QUERY = ("question", "sources", "on_ambiguity", "deadline_seconds", "assume")
_SHORT = ("q", "source", "deadline")
"""Other names of the same, in a query."""


class TooLarge(BadInput):
    """The body is over the limit."""


class WrongType(BadInput):
    """The body is not declared as JSON."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """A question and its options as they came, typed but not yet checked."""

    question: str
    sources: tuple[str, ...] = ()
    on_ambiguity: str = "answer"
    deadline_seconds: str | float | None = None
    assumptions: dict[str, str] = field(default_factory=dict)

    def checked(self, registry: Registry, *, deadline_seconds: float) -> tuple[str, AskOptions]:
        """The question and options, checked; raises ``BadInput`` or ``UnknownSource``."""
        question = checked_question(self.question)
        options = checked_options(
            sources=self.sources,
            on_ambiguity=self.on_ambiguity,
            deadline=deadline_seconds if self.deadline_seconds is None else self.deadline_seconds,
            assumptions=self.assumptions,
            registry=registry,
        )
        return question, options


async def incoming(request: Request) -> Incoming:
    """The question in a request's query or, for a POST, in its JSON body."""
    if request.method == "POST":
        return from_object(_parsed(await body(request)))
    return from_checked_query(request)


def from_checked_query(request: Request) -> Incoming:
    """The question in the query of a program; raises ``BadInput`` for a parameter that means nothing here."""
    unknown = sorted(set(request.query_params) - {*QUERY, *_SHORT})
    if unknown:
        raise BadInput(
            "key_unknown",
            f"The query has parameters that mean nothing here: {', '.join(repr(key[:80]) for key in unknown)}.",
            allowed=[*QUERY, *_SHORT],
            do="Leave them out.",
        )
    return from_query(request)


def from_query(request: Request) -> Incoming:
    """The question in the query: ``question`` or ``q``, ``source`` (repeated or with commas), and the options.

    What else stands in the query of a page is let be: whoever passes a link on may have added to it.
    """
    query = request.query_params
    sources = [
        name.strip() for key in ("source", "sources") for value in query.getlist(key) for name in value.split(",")
    ]
    return Incoming(
        question=query.get("question", query.get("q", "")),
        sources=tuple(name for name in sources if name),
        on_ambiguity=query.get("on_ambiguity", "answer"),
        deadline_seconds=query.get("deadline_seconds", query.get("deadline")),
        assumptions=checked_assumptions(query.getlist("assume")),
    )


def from_object(given: dict[str, Any]) -> Incoming:
    """The question in a JSON object; its options may stand beside it or in an ``options`` object."""
    options = given.pop("options", {})
    if not isinstance(options, dict):
        raise _mistyped("options", "an object")
    merged = options | given
    unknown = sorted(set(merged) - set(KEYS))
    if unknown:
        raise BadInput(
            "key_unknown",
            f"The body has keys that mean nothing here: {', '.join(map(repr, unknown))}.",
            allowed=[*KEYS, "options"],
            do="Leave them out.",
        )
    return Incoming(
        question=_question(merged.get("question")),
        sources=_sources(merged.get("sources")),
        on_ambiguity=_typed("on_ambiguity", merged.get("on_ambiguity", "answer"), str, "a string"),
        deadline_seconds=_deadline(merged.get("deadline_seconds")),
        assumptions=_assumptions(merged.get("assumptions")),
    )


async def body(request: Request) -> bytes:
    """The body of a request that says it is JSON; raises ``WrongType`` or ``TooLarge``."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json" and not (kind.startswith("application/") and kind.endswith("+json")):
        raise WrongType(
            "content_type_unsupported",
            f"The body is declared as {kind or 'nothing'}.",
            allowed=["application/json"],
            do="Send JSON, with the header Content-Type: application/json.",
        )
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > MAX_BODY:
        raise _too_large()
    found = bytearray()
    async for chunk in request.stream():
        found += chunk
        if len(found) > MAX_BODY:
            raise _too_large()
    return bytes(found)


def _parsed(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise BadInput(
            "body_not_json",
            "The body is not a JSON object.",
            allowed={"question": "text"},
            do='Send an object such as {"question": "What is the population of Kenya?"}.',
        )
    return found


def _too_large() -> TooLarge:
    return TooLarge(
        "body_too_large",
        f"The body has more than {MAX_BODY // 1024} KB.",
        allowed=f"at most {MAX_BODY:,} bytes",
        do="Send the question and its options only.",
    )


def _question(value: object) -> str:
    return "" if value is None else _typed("question", value, str, "a string")


def _sources(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise _mistyped("sources", "a list of strings")
    return tuple(names)


def _deadline(value: object) -> float | str | None:
    if value is None or (isinstance(value, int | float | str) and not isinstance(value, bool)):
        return value
    raise _mistyped("deadline_seconds", "a number")


def _assumptions(value: object) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise _mistyped("assumptions", "an object of strings")
    return value


def _typed(key: str, value: object, kind: type[str], words: str) -> str:
    if not isinstance(value, kind):
        raise _mistyped(key, words)
    return value


def _mistyped(key: str, words: str) -> BadInput:
    return BadInput("value_mistyped", f"The value of {key!r} is not {words}.", allowed=words, do=f"Send {words}.")
