"""What a question and its options must look like before any work begins; the same at every entrance.

Each check raises ``BadInput``, which keeps apart what was wrong, what is allowed and what to do, so that the
command line can say it in words and HTTP can carry it as fields.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, get_args

from shared.query.annotated import AskOptions
from shared.runtime.errors import UnknownSource, UsageError

if TYPE_CHECKING:
    from plugins.base import Registry

MAX_QUESTION = 2_000
"""Characters, after white space at both ends is dropped."""
MAX_DEADLINE = 900.0
"""Seconds."""

ASSUMPTIONS = ("measure", "entity")
"""What a caller may settle: the published variable that a quantity means, and a place by its code."""
MAX_ASSUMPTION = 400
"""Characters."""

OnAmbiguity = Literal["answer", "all", "ask"]
ON_AMBIGUITY: tuple[str, ...] = get_args(OnAmbiguity)


class BadInput(UsageError):  # noqa: N818 - the name says what is wrong
    """Input that cannot be worked on."""

    def __init__(self, code: str, message: str, *, allowed: object = None, do: str) -> None:
        self.code, self.message = code, message
        super().__init__(f"{message} {do}", allowed=allowed, do=do)


def checked_question(text: str) -> str:
    """The question with its white space tidied; raises ``BadInput`` when it is empty, too long or not text."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise BadInput(
            "question_not_text",
            "The question is not valid text.",
            allowed="text encoded as UTF-8",
            do="Send it encoded as UTF-8.",
        ) from None
    question = " ".join("".join(" " if unicodedata.category(c) == "Cc" else c for c in text).split())
    if not question:
        raise BadInput(
            "question_empty",
            "The question is empty.",
            allowed=f"1 to {MAX_QUESTION:,} characters",
            do='Ask something like "What is the population of Kenya?".',
        )
    if len(question) > MAX_QUESTION:
        raise BadInput(
            "question_too_long",
            f"The question has {len(question):,} characters; at most {MAX_QUESTION:,} are read.",
            allowed=f"1 to {MAX_QUESTION:,} characters",
            do="Shorten it to the one thing you want to know.",
        )
    return question


def checked_sources(names: Iterable[str], registry: Registry) -> tuple[str, ...]:
    """The mounted sources that ``names`` mean, by name or alias; raises ``UnknownSource`` with the valid ones."""
    found: dict[str, None] = {}
    for name in names:
        plugin = registry.named(name)
        if plugin is None:
            raise UnknownSource(name, registry.names())
        found[plugin.name] = None
    return tuple(found)


def checked_ambiguity(value: str) -> OnAmbiguity:
    """``answer``, ``all`` or ``ask``; raises ``BadInput`` for anything else."""
    for known in get_args(OnAmbiguity):
        if value == known:
            return known  # type: ignore[no-any-return]
    raise BadInput(
        "on_ambiguity_unknown",
        f"{value!r} is not a way to treat an ambiguous question.",
        allowed=list(ON_AMBIGUITY),
        do="Choose answer (the likeliest meaning first), all (every meaning) or ask (be asked back).",
    )


def checked_deadline(value: str | float) -> float:
    """Seconds, more than 0 and at most 900; raises ``BadInput``."""
    try:
        seconds = float(value)
    except (ValueError, OverflowError):
        seconds = math.nan
    if not 0 < seconds <= MAX_DEADLINE:
        raise BadInput(
            "deadline_out_of_range",
            f"{str(value)[:40].encode(errors='replace').decode()} is not a deadline.",
            allowed=f"more than 0 and at most {MAX_DEADLINE:g} seconds",
            do="Give the number of seconds that you are willing to wait, such as 30.",
        )
    return seconds


def checked_assumptions(pairs: Iterable[str]) -> dict[str, str]:
    """``key=value`` pairs as a mapping; raises ``BadInput`` for a pair that is not one."""
    found: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise BadInput(
                "assumption_malformed",
                f"{pair!r} is not an assumption.",
                allowed="key=value, as an answer's alternatives list them",
                do="Copy it from an option of the clarification, such as measure=NY.GDP.PCAP.CD.",
            )
        found[key.strip()] = value.strip()
    return checked_keys(found)


def checked_keys(assumptions: dict[str, str]) -> dict[str, str]:
    """The assumptions if all of them settle something; raises ``BadInput`` naming the keys that do.

    Raises it too for a value that no published variable or place could have.
    """
    unknown = sorted(set(assumptions) - set(ASSUMPTIONS))
    if unknown:
        raise BadInput(
            "assumption_unknown",
            f"Nothing can be settled under the name {' or '.join(map(repr, unknown))}.",
            allowed=list(ASSUMPTIONS),
            do="Give measure=VARIABLE or entity=CODE, such as measure=NY.GDP.PCAP.CD or entity=IND.",
        )
    for key, value in assumptions.items():
        if len(value) > MAX_ASSUMPTION or not value.isprintable():
            raise BadInput(
                "assumption_malformed",
                f"The value of {key!r} is no variable or code: {value[:40]!r}.",
                allowed=f"at most {MAX_ASSUMPTION} printable characters",
                do="Copy it from an option of the clarification, such as measure=NY.GDP.PCAP.CD.",
            )
    return assumptions


def checked_options(
    *,
    sources: Iterable[str] = (),
    on_ambiguity: str = "answer",
    deadline: str | float,
    assumptions: dict[str, str] | None = None,
    registry: Registry,
) -> AskOptions:
    """The options, each checked in the order of the arguments."""
    return AskOptions(
        sources=checked_sources(sources, registry),
        on_ambiguity=checked_ambiguity(on_ambiguity),
        deadline_seconds=checked_deadline(deadline),
        assumptions=checked_keys(assumptions or {}),
    )
