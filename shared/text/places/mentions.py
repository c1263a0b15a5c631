"""Find the places and organisations that a text names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from shared.query.quantity import Entity, PlaceKind
from shared.query.readings import EntityMention
from shared.text.places import context, counties, spelling, tracts
from shared.text.places.letters import fits
from shared.text.places.names import Form, Sense, index
from shared.text.places.tables import fold


@dataclass(frozen=True, slots=True)
class PlaceMatch:
    """A name in a text: ``text[start:end]`` and what it was read as.

    ``form`` tells the name itself (``India``) from its adjective (``Indian``, ``Americans``), a code
    (``USA``, ``TX``) and a corrected misspelling (``Germny``). A possessive ``'s`` is outside the span.
    """

    start: int
    end: int
    text: str
    mention: EntityMention
    form: Form = "name"

    @property
    def entity(self) -> Entity | None:
        """The one entity meant, or ``None`` when several could be."""
        return self.mention.entity


@dataclass(frozen=True, slots=True)
class Hit:
    """A name found, with everything it may mean; none for a phrase that is no place."""

    start: int
    end: int
    senses: tuple[Sense, ...]


def find_mentions(text: str) -> list[PlaceMatch]:
    """All names of places, companies and organisations in ``text``, in order and without overlaps.

    The longest name wins; a name of several places is settled by the others in the text where they
    agree, and is ``ambiguous`` with all of them as candidates otherwise. Slightly misspelt country and state
    names are found too; their mention keeps the asker's spelling.
    """
    folded = fold(text)
    hits = _exact(text, folded)
    hits = tracts.add(folded, counties.add(folded, hits))
    hits += spelling.misspelt(folded, hits)
    settled = context.settle(folded, sorted(hits, key=lambda hit: hit.start))
    return [_match(text, hit) for hit in settled if hit.senses]


def _exact(text: str, folded: str) -> list[Hit]:
    names = index()
    found: list[Hit] = []
    for last, name in names.automaton.iter(folded.replace("-", " ")):
        end = last + 1
        start = end - len(name)
        if not _bounded(folded, start, end):
            continue
        senses = names.senses[name]
        fitting = tuple(sense for sense in senses if fits(sense, text, folded, start, end))
        if fitting or not senses:
            found.append(Hit(start, end, fitting))
    return longest(found + _paired(folded))


_DIRECTIONS = "north|south|east|west"
_PAIR = re.compile(rf"(?<![a-z])({_DIRECTIONS})(?=\s(?:and|or|vs\.?|versus|to|&)\s(?:{_DIRECTIONS})\s([a-z]+))")


def _paired(folded: str) -> list[Hit]:
    """The first of two names that share a word: "north and south korea", "east vs west africa"."""
    senses = index().senses
    return [
        Hit(pair.start(), pair.end(), senses[f"{pair[1]} {pair[2]}"])
        for pair in _PAIR.finditer(folded)
        if senses.get(f"{pair[1]} {pair[2]}")
    ]


def _bounded(folded: str, start: int, end: int) -> bool:
    before, after = folded[start - 1 : start], folded[end : end + 1]
    if before.isalnum() or after.isalnum() or before in {"@", "#", "$"}:
        return False
    # A dot that ends an abbreviation belongs to it: "U.S" is no name inside "U.S.".
    return not (
        before == "." and folded[start - 2 : start - 1].isalnum() and not folded[start - 2 : start].isspace()
    )


def longest(hits: list[Hit]) -> list[Hit]:
    """The longest of overlapping hits, in order of the text."""
    kept: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: (hit.start - hit.end, hit.start)):
        if all(hit.end <= other.start or hit.start >= other.end for other in kept):
            kept.append(hit)
    return sorted(kept, key=lambda hit: hit.start)


def _match(text: str, hit: Hit) -> PlaceMatch:
    words = text[hit.start : hit.end]
    form = hit.senses[0].form
    if len(hit.senses) == 1:
        mention = EntityMention(text=words, status="resolved", entity=hit.senses[0].entity)
    else:
        candidates = tuple(sense.entity for sense in hit.senses)
        mention = EntityMention(text=words, status="ambiguous", candidates=candidates)
    return PlaceMatch(hit.start, hit.end, words, mention, form)


_LEAD = (
    r"(?:\b(?:in|of|for|across|within|from|at|throughout|inside|on|among|by)\s+)?"
    r"(?:\bthe\s+(?:(?:state|country|city|county|nation)\s+of\s+(?:the\s+)?)?)?$"
)
_LEADING = re.compile(_LEAD, re.IGNORECASE)
_POSSESSIVE = re.compile("['\N{RIGHT SINGLE QUOTATION MARK}](?:s\\b|(?=\\s))", re.IGNORECASE)
_JOINED = re.compile(r"^\s*(?:,|and|or|&|vs\.?|versus|,\s*and|to|with)?\s*$", re.IGNORECASE)


def strip_places(text: str) -> str:
    """``text`` without the places it names and the words that tie them in: ``gdp of the UK`` gives ``gdp``.

    Companies and organisations stay, since they may be the subject of a table.
    """
    spans: list[tuple[int, int]] = []
    for match in find_mentions(text):
        kinds = {entity.kind for entity in (match.mention.candidates or (match.mention.entity,)) if entity}
        if kinds <= {PlaceKind.COMPANY, PlaceKind.ORGANIZATION}:
            continue
        lead = _LEADING.search(text, 0, match.start)
        start = lead.start() if lead else match.start
        end = match.end
        possessive = _POSSESSIVE.match(text, end)
        end = possessive.end() if possessive else end
        if spans and _JOINED.match(text[spans[-1][1] : start]):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    kept, position = [], 0
    for start, end in spans:
        kept.append(text[position:start])
        position = end
    kept.append(text[position:])
    plain = re.sub(r"\s+", " ", " ".join(kept))
    return re.sub(r"\s+([?.!,;:])", r"\1", plain).strip(" ,;")
