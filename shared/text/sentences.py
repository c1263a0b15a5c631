"""Sentences: which of a question's asks, and a reason told as one."""

from __future__ import annotations

import re

_BOUNDARY = re.compile(r"(?<=[.?!])\s+")


def asking_sentence(text: str) -> str:
    """The last sentence that ends with a question mark, else the last sentence."""
    sentences = [part for part in _BOUNDARY.split(text.strip()) if part]
    asked = [part for part in sentences if part.rstrip().endswith("?")]
    return (asked or sentences or [text])[-1]


def as_sentence(text: str) -> str:
    """A reason as a sentence of its own: with a capital and a full stop."""
    text = text.strip() or "Something failed"
    text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?" else f"{text}."
