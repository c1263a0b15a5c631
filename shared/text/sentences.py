"""Sentences: which of a question's asks, and a reason told as one."""

from __future__ import annotations

import re

_BOUNDARY = re.compile(r"(?<=[.?!])\s+")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(,])(?:st|ste|mt|ft|pt|dr|mr|mrs|ms|jr|sr|vs|approx|incl|e\.g|i\.e|[a-z](?:\.[a-z])+)\.$",
    re.IGNORECASE,
)
"""What a full stop ends without ending a sentence: ``St. Louis``, ``the U.S. population``."""


def asking_sentence(text: str) -> str:
    """The last sentence that ends with a question mark, else the last sentence."""
    sentences = _sentences(text.strip())
    asked = [part for part in sentences if part.rstrip().endswith("?")]
    return (asked or sentences or [text])[-1]


def _sentences(text: str) -> list[str]:
    found, begin = [], 0
    for boundary in _BOUNDARY.finditer(text):
        if _ABBREVIATION.search(text, begin, boundary.start()) is None:
            found.append(text[begin : boundary.start()])
            begin = boundary.end()
    return [part for part in (*found, text[begin:]) if part]


def as_sentence(text: str) -> str:
    """A reason as a sentence of its own: with a capital and a full stop."""
    text = text.strip() or "Something failed"
    text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?" else f"{text}."
