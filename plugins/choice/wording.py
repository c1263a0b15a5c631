"""The wording of quantities, brought to one form so that words can be compared as sets."""

from __future__ import annotations

import re
from functools import lru_cache

from plugins.choice.synonyms import LIGHT, PHRASES, STEMS, WORDS

_SIGNS = str.maketrans(
    {
        "\N{RIGHT SINGLE QUOTATION MARK}": "'",
        "\N{SUBSCRIPT TWO}": "2",
        "\N{SUPERSCRIPT TWO}": "2",
        "\N{SUPERSCRIPT THREE}": "3",
    }
)
_COMPILED = tuple((re.compile(pattern), to) for pattern, to in PHRASES)
_DENOMINATOR = re.compile(
    r"\b(?:per|for every|for each|in every|out of every|out of|in)\s+"
    r"(?P<number>1?00k|10k|1k|mn|\d[\d,. ]*\d|\d|hundred|thousand|million"
    r"|one (?:hundred thousand|hundred|thousand|million)"
    r"|a (?:hundred thousand|hundred|thousand|million)|hundred thousand)"
    r"(?P<scale> (?:thousand|million|hundred thousand))?\b"
    r"(?:\s+(?:live births|births|people|persons|inhabitants|residents|adults|population|women|men|females|males"
    r"|children|pop|live[- ]born|newborns|babies|citizens))?",
    re.IGNORECASE,
)
_SCALES = {
    "1k": 1_000,
    "10k": 10_000,
    "100k": 100_000,
    "mn": 1_000_000,
    "hundred": 100,
    "thousand": 1_000,
    "hundred thousand": 100_000,
    "million": 1_000_000,
}


def denominator(text: str) -> tuple[int, str] | None:
    """The number of the whole in ``per 100,000 people`` and the text without it; ``None`` where none is named.

    ``in`` counts only before a round number from 100 on, so that years and ages stay what they are.
    """
    for match in _DENOMINATOR.finditer(text):
        worded = match["number"].lower().removeprefix("one ").removeprefix("a ")
        digits = "" if worded in _SCALES else re.sub(r"[^\d]", "", worded)
        number = int(digits) if digits else _SCALES[worded]
        if digits and match["scale"]:
            number *= _SCALES[match["scale"].strip().lower()]
        if number in {100, 1_000, 10_000, 100_000, 1_000_000}:
            return number, " ".join((text[: match.start()] + " " + text[match.end() :]).split())
    return None


def _stem(word: str) -> str:
    if word in WORDS:
        return WORDS[word]
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    word = WORDS.get(word, word)
    return next((to for start, to in STEMS if word.startswith(start)), word)


@lru_cache(maxsize=8192)
def plain(text: str) -> str:
    """Lower case, one spelling, single spaces: the form in which phrases are equal."""
    lowered = text.translate(_SIGNS).lower().replace("'s", " ")
    lowered = " ".join(re.sub(r"[^a-z0-9.$%+&']", " ", lowered).split())
    for pattern, to in _COMPILED:
        lowered = pattern.sub(f" {to} ", lowered)
    return " ".join(re.findall(r"[a-z0-9.$]+", lowered))


@lru_cache(maxsize=8192)
def key(text: str) -> str:
    """The form in which two phrases are the same: content words stemmed, in order."""
    return " ".join(_stem(word) for word in plain(text).split() if word not in LIGHT)


@lru_cache(maxsize=8192)
def words(text: str) -> frozenset[str]:
    """The content words of a phrase."""
    return frozenset(key(text).split())


def same(one: str, other: str) -> bool:
    """Whether two phrases say the same: equal content words in order, or, of light words only, equal words."""
    return key(one) == key(other) if key(one) else plain(one) == plain(other) != ""
