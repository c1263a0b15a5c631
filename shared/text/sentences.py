"""Sentences of a question: which of them asks."""

from __future__ import annotations

import re

_BOUNDARY = re.compile(r"(?<=[.?!])\s+")


def asking_sentence(text: str) -> str:
    """The last sentence that ends with a question mark, else the last sentence."""
    sentences = [part for part in _BOUNDARY.split(text.strip()) if part]
    asked = [part for part in sentences if part.rstrip().endswith("?")]
    return (asked or sentences or [text])[-1]
