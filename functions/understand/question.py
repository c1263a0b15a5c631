"""The question as text: what is accepted, and the plain form that the readers see."""

from __future__ import annotations

import html
import re
import unicodedata

from shared.runtime.errors import UsageError

MAX_LENGTH = 2000
_EXAMPLE = 'ask something like "What is the population of Kenya?"'
_TAG = re.compile(r"</?[a-zA-Z!][^<>]*>")
_LOOKALIKES = str.maketrans(
    dict.fromkeys("\u2018\u2019\u02bc`\u00b4", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
    | {"\u2026": ".", "\uff1f": "?", "\uff0c": ",", "\u2082": "2", "\u00a0": " "}
    | dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\ufe0f")
)
"""Typographic quotes, dashes and spaces, and the plain ones; what joins or hides characters is left out."""


def validate_question(text: str) -> str:
    """The question, trimmed. Raises ``UsageError`` when it is empty, too long or holds control characters."""
    trimmed = text.strip()
    if not trimmed:
        raise UsageError(f"the question is empty; {_EXAMPLE}")
    if len(trimmed) > MAX_LENGTH:
        raise UsageError(
            f"the question has {len(trimmed):,} characters and at most {MAX_LENGTH:,} are read; "
            f"ask one thing at a time"
        )
    for character in trimmed:
        if unicodedata.category(character) in {"Cc", "Cs", "Co"} and character not in "\t\n\r":
            raise UsageError(
                f"the question holds the control character U+{ord(character):04X}; write it as "
                f"plain text, and {_EXAMPLE}"
            )
    return trimmed


def plain(text: str) -> str:
    """One line of ordinary characters: no markup, no typographic quotes, no pictographs, single spaces."""
    unmarked = _TAG.sub(" ", html.unescape(text))
    composed = unicodedata.normalize("NFC", unmarked).translate(_LOOKALIKES)
    kept = (" " if unicodedata.category(c) in {"So", "Sk", "Cf", "Cc", "Cs", "Co", "Cn"} else c for c in composed)
    return re.sub(r"\s+", " ", "".join(kept)).strip()
