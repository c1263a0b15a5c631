"""Words that introduce a publisher, the misspelt put right, and publishers that stand before the quantity.

The reader and the search for named sources both depend on these words, and on nothing else of the spelling.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rapidfuzz.distance import OSA

_SLIPS = 2
_LIKE_ACCORDING = re.compile(r"\b(?P<wrong>a[a-z]{6,11})(?=(?P<to>\s+too?)\b)", re.IGNORECASE)
_TOO = re.compile(r"\b(?P<cue>according\s+)too\b", re.IGNORECASE)
_LIKE_SAID = re.compile(r"\b(?P<wrong>[pr][a-z]{6,10})(?=\s+by\b)", re.IGNORECASE)
_LIKE_SOURCE = re.compile(r"\b(?P<wrong>so[a-z]{2,5})(?=\s?:)", re.IGNORECASE)
_FORMS = (
    (_LIKE_ACCORDING, ("according",), _SLIPS),
    (_LIKE_SAID, ("published", "reported"), _SLIPS),
    (_LIKE_SOURCE, ("source",), 1),
)
"""Where a word that introduces a publisher stands, the words that it may be, and how many slips are forgiven."""
_WORDS = frozenset({"accordion", "recorded", "repeated", "rejected", "punished", "polished", "resorted", "sources"})
"""Words that lie as near and are rightly spelt."""

SPEAKS_FIRST = re.compile(
    r"^(?P<asks>(?i:(?:what (?:is|was|are|were)\s|show(?: me)?\s)?(?:the\s)?))"
    r"(?:(?i:world bank|data ?commons|(?:(?:us|u\.s\.) )?census(?: bureau)?|american community survey|eurostat|"
    r"our world in data|wikipedia|wikidata|small area income and poverty estimates)|SAIPE|ACS|IMF|WHO|ILO|FAO|"
    r"UNESCO|UNICEF|UNDP|CDC|BLS|BEA|FRED)(?:'s)?\s(?P<what>[A-Za-z][\w %-]*?)\s"
    r"(?=(?:of|in|for)\s(?:the\s)?(?!\d))",
)
"""A publisher before the quantity that is asked of it; discovery takes it for the source."""


@lru_cache(maxsize=256)
def with_source_words(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """``text`` with the words before a publisher put right, and each pair of wrong and right word."""
    fixes: list[tuple[str, str]] = []
    for form, known, slips in _FORMS:
        for match in reversed(list(form.finditer(text))):
            word = match["wrong"]
            right = min(known, key=lambda one: OSA.distance(word.lower(), one))
            if word.lower() in {*known, *_WORDS} or OSA.distance(word.lower(), right) > slips:
                continue
            right = right.capitalize() if word[0].isupper() else right
            text = f"{text[: match.start()]}{right}{text[match.end() :]}"
            fixes.append((word, right))
    mended = _TOO.sub(r"\g<cue>to", text)
    if mended != text:
        fixes.append(("according too", "according to"))
    return mended, tuple(fixes)
