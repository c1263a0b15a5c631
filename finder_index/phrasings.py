"""The wordings that a search is made with: the caller's first, then each without its places and years."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from finder_index.lexical import without_years
from finder_index.limits import MAX_PHRASINGS
from shared.runtime.errors import UsageError


@dataclass(frozen=True, slots=True)
class Phrasings:
    """``texts`` are embedded; ``judged`` are the columns that words are compared on (places removed).

    ``whole`` maps the column of a caller's text to that of the same text without its places, where they differ:
    a word that was taken for a place may be what is asked about ("people who speak Persian").
    """

    texts: tuple[str, ...]
    judged: tuple[int, ...]
    whole: tuple[tuple[int, int], ...] = ()


def make_phrasings(texts: Sequence[str], strip: Callable[[str], str] | None) -> Phrasings:
    """The caller's texts first, then each without its places and years; at most eight, each once.

    Tables describe measures, not places: a table is judged by the phrasings without them. Raises ``UsageError``
    for a text without a word in it.
    """
    plain = [" ".join(text.split()) for text in texts]
    if any(not text for text in plain):
        raise UsageError("a phrasing to search for is empty: each text must name a quantity")
    stripped = [without_years(" ".join(strip(text).split()) or text) if strip else text for text in plain]
    columns = dict.fromkeys((*plain, *stripped))
    kept = tuple(columns)[:MAX_PHRASINGS]
    judged = dict.fromkeys(kept.index(text) for text in stripped if text in kept)
    pairs = dict.fromkeys(
        (kept.index(text), kept.index(bare))
        for text, bare in zip(plain, stripped, strict=True)
        if text != bare and text in kept and bare in kept
    )
    return Phrasings(kept, tuple(judged), tuple(pairs))
