"""Slightly misspelt country and state names, conservatively: a word of the language is never a country."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from rapidfuzz import process
from rapidfuzz.distance import OSA

from shared.query.quantity import Entity, PlaceKind
from shared.text.places import tables
from shared.text.places.names import Case, Sense, index
from shared.text.places.tables import fold, split

if TYPE_CHECKING:
    from shared.text.places.mentions import Hit

_WORD = re.compile(r"(?<![\w'])[a-z][a-z'-]*[a-z](?![\w])")
_SHORTEST = 5
_SHORTEST_ALIAS = 8
MOST_WORDS = 200  # a longer text is no question; its slips are not worth the time
# So near to other words that no slip is worth the risk.
_NEVER = {"niger", "china", "chile", "chad", "iran", "iraq", "togo", "mongolia", "maine", "korea"}


def _allowed(length: int) -> int:
    """How many slips (a letter added, lost, changed, or two swapped) a name of this length may have."""
    return 1 if length < 8 else 2


@lru_cache(maxsize=1)
def _names() -> dict[int, dict[str, Entity]]:
    """Names that may be misspelt, by their number of words."""
    found: dict[int, dict[str, Entity]] = {}
    known = tables.countries()
    for row in tables.rows("countries.tsv"):
        for name in [
            row["name"],
            *(
                alias
                for alias in split(row["aliases"])
                if len(alias) >= _SHORTEST_ALIAS and not alias.startswith("the ")
            ),
        ]:
            folded = fold(name)
            if (
                len(folded) >= _SHORTEST
                and folded not in _NEVER
                and re.fullmatch(r"[a-z' -]+", folded)
                and len(folded.split()) <= 3
            ):
                found.setdefault(len(folded.split()), {})[folded] = known[row["iso3"]]
    for state in tables.states().values():
        words = found.setdefault(len(state.name.split()), {})
        if fold(state.name) not in _NEVER:
            words.setdefault(fold(state.name), state)
    return found


@lru_cache(maxsize=1)
def lookalikes() -> frozenset[str]:
    """Words and names that are never taken for a misspelt place."""
    return frozenset(tables.lines("lookalikes.txt"))


def misspelt(folded: str, hits: list[Hit]) -> list[Hit]:
    """Hits for misspelt names in the parts of the text that no exact hit covers."""
    from shared.text.places.mentions import Hit  # noqa: PLC0415 - the two modules know each other

    words = [match.span() for match in _WORD.finditer(folded)]
    if len(words) > MOST_WORDS:
        return []
    covered = [(hit.start, hit.end) for hit in hits]
    found: list[Hit] = []
    for count in (3, 2, 1):
        for first in range(len(words) - count + 1):
            start, end = words[first][0], words[first + count - 1][1]
            if any(start < taken_end and end > taken_start for taken_start, taken_end in covered):
                continue
            written = folded[start:end]
            if not _gaps_are_spaces(folded, words[first : first + count]):
                continue
            near = nearest(written.removesuffix("'s"))
            if near:
                stop = end - 2 if written.endswith("'s") else end
                found.append(Hit(start, stop, tuple(Sense(entity, "name", Case.ANY) for entity in near)))
                covered.append((start, end))
    return found


def _gaps_are_spaces(folded: str, spans: list[tuple[int, int]]) -> bool:
    return all(folded[left[1] : right[0]] == " " for left, right in pairwise(spans))


@lru_cache(maxsize=4096)
def nearest(written: str) -> tuple[Entity, ...]:
    """The entities whose name ``written`` (folded) misspells, all of them when several are as near."""
    words = written.split()
    if len(written) < _SHORTEST or written in lookalikes() or written in index().senses:
        return ()
    if len(words) > 1 and all(len(word) < 4 for word in words):
        return ()
    names = _names().get(len(words), {})
    limit = _allowed(len(written))
    close = process.extract(written, list(names), scorer=OSA.distance, score_cutoff=limit, limit=8)
    scored = [
        (score, names[name])
        for name, score, _ in close
        if name[0] == written[0]
        and score <= _allowed(len(name))
        and (len(name) > _SHORTEST or _swapped_or_doubled(written, name))
        and _each_word_close(written, name)
    ]
    if not scored:
        return ()
    best = min(score for score, _ in scored)
    return tuple(dict.fromkeys(entity for score, entity in scored if score == best))


def _swapped_or_doubled(written: str, name: str) -> bool:
    """The slips that a five-letter name may have: two letters swapped or one doubled (Eygpt, Kennya)."""
    return sorted(written) == sorted(name) or re.sub(r"(.)\1", r"\1", written) == name


def _each_word_close(written: str, name: str) -> bool:
    """Two slips may not turn a whole short word into another: "south korea" is not "north korea"."""
    pairs = zip(written.split(), name.split(), strict=True)
    return all(
        left == right
        or (OSA.distance(left, right) <= _allowed(len(right)) and left[0] == right[0] and left not in lookalikes())
        for left, right in pairs
    )


def suggest(name: str, *, limit: int = 5) -> list[Entity]:
    """Entities whose name is like ``name``, nearest first, for "did you mean"; empty when none is near."""
    folded = fold(name.strip())
    senses = {
        known: found[0].entity
        for known, found in index().senses.items()
        if found and found[0].form == "name" and len(known) > 3 and found[0].entity.kind is not PlaceKind.COMPANY
    }
    cutoff = max(1, len(folded) // 3)
    close = process.extract(folded, list(senses), scorer=OSA.distance, score_cutoff=cutoff, limit=limit * 3)
    return list(dict.fromkeys(senses[known] for known, _, _ in close))[:limit]
