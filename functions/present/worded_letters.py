"""What a worded answer is written with: plain letters and punctuation, and nothing that acts on a screen."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 1200
"""Characters of a worded answer."""

_SAME = str.maketrans(
    {
        "\N{RIGHT SINGLE QUOTATION MARK}": "'",
        "\N{LEFT SINGLE QUOTATION MARK}": "'",
        "\N{LEFT DOUBLE QUOTATION MARK}": '"',
        "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
        "\N{EN DASH}": "-",
        "\N{EM DASH}": "-",
        "\N{MINUS SIGN}": "-",
        "\N{NO-BREAK SPACE}": " ",
        "\N{NARROW NO-BREAK SPACE}": " ",
    }
)
_PUNCTUATION = frozenset(" .,;:'\"()-%$€£¥₹/&+!?")
_ADDRESS = re.compile(
    r"https?:|www\.|://|\b[a-z0-9-]+\.(?:com|org|net|io|gov|edu|int|info|biz|dev|app|ai|co|uk|in|example)\b",
    re.IGNORECASE,
)


def plainly(text: str) -> str:
    """The text with plain marks for typographic ones and single spaces, as claims are compared too."""
    return re.sub(r"\s+", " ", text.translate(_SAME)).strip()


def strange(text: str, known: str = "") -> str | None:
    """Why the text may not be shown as it is, or ``None``. ``known`` holds what claims are written with.

    Raises nothing for any text, however long or broken.
    """
    if len(text) > LONGEST:
        return f"the answer is longer than {LONGEST} characters"
    if not text.strip():
        return "the answer is empty"
    if any(unicodedata.category(mark)[0] == "C" for mark in text.strip()):
        return "the answer holds control characters, line breaks or invisible marks"
    if unicodedata.normalize("NFC", text) != text:
        return "the answer holds marks that are not composed"
    allowed = _PUNCTUATION | set(known)
    for mark in plainly(text):
        latin = mark.isascii() and mark.isalnum()
        if latin or mark in allowed:
            continue
        return "the answer holds markup or characters of no claim"
    if _ADDRESS.search(text):
        return "the answer holds an address"
    return None
