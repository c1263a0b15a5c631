"""What a wording is held against: the claims, what else may be said, and where each of their names stands in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from functions.present.worded_binding import Mention
from functions.present.worded_figures import Token, figures, tokens
from functions.present.worded_letters import plainly
from functions.present.worded_words import UNIT_WORDS
from functions.present.wording import running
from shared.text.places import find_mentions

OTHER = "\N{NULL}other"
"""The key of a name that the question has and no claim."""
_JOINED = " and "
_RELATING = (
    "change in ", "percent change in ", "difference in ", "percent difference in ", "margin in ", "verdict on ",
    "number of ", "ratio of ", "share of ", "ratio: ",
)  # fmt: skip
_RELATING_INSIDE = (", ratio to ", ", share of ")
_SAFE_MARKS = frozenset("²³°µ·/")


@dataclass(frozen=True, slots=True)
class Told:
    """A claim. ``one`` says that ``entity`` is one entity."""

    id: str
    text: str
    value: Decimal | str | bool | None = None
    unit: str | None = None
    entity: str | None = None
    one: bool = False
    period: str | None = None
    measure: str | None = None

    @property
    def computed(self) -> bool:
        """Whether it is of a relation between figures, and no figure of a place by itself."""
        measure = self.measure or ""
        return measure.startswith(_RELATING) or any(part in measure for part in _RELATING_INSIDE)

    @property
    def key(self) -> str | None:
        """The entity, as mentions name it."""
        return self.entity.casefold() if self.entity and self.one else None

    @property
    def number(self) -> Decimal | None:
        """The figure that it claims, if it claims one."""
        return self.value if isinstance(self.value, Decimal) else None

    @property
    def years(self) -> frozenset[str]:
        """The years of its period, both ends of a span."""
        return frozenset(re.findall(r"(?<!\d)\d{4}(?!\d)", self.period or ""))

    @property
    def spans(self) -> bool:
        """Whether it is of a span between two periods."""
        return " to " in (self.period or "")


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound that the question sets."""

    comparator: str
    value: Decimal
    upper: Decimal | None
    unit: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that a wording may say; ``plain`` is the program's own wording."""

    type: str
    claims: tuple[Told, ...]
    plain: str = ""
    publishers: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    bounds: tuple[Bound, ...] = ()
    order: str | None = None


def lexicon(evidence: Evidence, cited: frozenset[str]) -> Lexicon:
    """The evidence, made ready to read one wording that rests on the ``cited`` claims."""
    return Lexicon(evidence, tuple(claim for claim in evidence.claims if claim.id in cited))


@dataclass(frozen=True)
class Lexicon:
    """The names and words of the evidence; ``cited`` are the claims that the wording may rest on."""

    evidence: Evidence
    cited: tuple[Told, ...]

    @cached_property
    def entities(self) -> tuple[str, ...]:
        """The entities of all claims, in their order."""
        return tuple(dict.fromkeys(claim.key for claim in self.evidence.claims if claim.key))

    @cached_property
    def years(self) -> frozenset[str]:
        """The years of the cited claims."""
        return frozenset(year for claim in self.cited for year in claim.years)

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of the evidence, in lower case, plurals also without their s."""
        found = {token.word for text in self._texts() for token in tokens(plainly(text))}
        for claim in self.evidence.claims:
            found |= UNIT_WORDS.get(claim.unit or "", frozenset())
        return frozenset(found | {word.removesuffix("'s") for word in found})

    @cached_property
    def marks(self) -> str:
        """Letters of the evidence beyond ASCII; digits of other scripts and markup are none."""
        seen = {mark for text in self._texts() for mark in text}
        return "".join(sorted(mark for mark in seen if unicodedata.category(mark)[0] == "L" or mark in _SAFE_MARKS))

    def _texts(self) -> Iterable[str]:
        yield from (self.evidence.plain, *self.evidence.publishers, *self.evidence.names)
        for claim in self.evidence.claims:
            yield from filter(None, (claim.text, claim.measure, claim.entity, claim.unit))

    @cached_property
    def _phrases(self) -> tuple[tuple[str, str, str], ...]:
        """Known names with their kind and key, the longest first."""
        found: dict[str, tuple[str, str]] = {}
        for publisher in self.evidence.publishers:
            found[plainly(publisher).casefold()] = ("name", "")
        for name in self._maskable():
            found[name] = ("name", "")
        for phrase, key in self._measure_phrases():
            found[phrase] = ("measure", key) if found.get(phrase, ("measure", key))[1] == key else ("name", "")
        for claim in self.evidence.claims:
            if isinstance(claim.value, str) and claim.value.strip():
                found[plainly(claim.value).casefold()] = ("fact", plainly(claim.value).casefold())
        for other in self.evidence.others:
            found[plainly(other).casefold()] = ("entity", OTHER)
        for claim in self.evidence.claims:
            if claim.period and not claim.period.isdigit() and not claim.spans:
                found[plainly(claim.period).casefold()] = ("year", claim.period)
            if claim.key:
                found[plainly(claim.key)] = ("entity", claim.key)
        return tuple(
            (phrase, kind, key)
            for phrase, (kind, key) in sorted(found.items(), key=lambda item: -len(item[0]))
            if phrase
        )

    def _maskable(self) -> Iterable[str]:
        """Names that may hold digits: those that stand in a claim, and no bound by itself."""
        bounds = {plainly(bound.text).casefold() for bound in self.evidence.bounds}
        texts = [plainly(claim.text).casefold() for claim in self.evidence.claims]
        joined = [claim.entity for claim in self.evidence.claims if claim.entity and not claim.one]
        for name in (*self.evidence.names, *joined):
            phrase = plainly(name).casefold()
            if phrase in bounds or all(part in self.entities for part in phrase.split(_JOINED)):
                continue
            if any(mark.isdigit() for mark in phrase) and not any(phrase in text for text in texts):
                continue
            if not _all_figure(phrase):
                yield phrase

    def _measure_phrases(self) -> Iterable[tuple[str, str]]:
        for claim in self.evidence.claims:
            if not claim.measure:
                continue
            measure = plainly(claim.measure)
            whole, _, part = measure.partition(": ")
            for name in filter(None, (measure, whole, part)):
                bare = re.sub(r" ?\([^()]*\)", "", name)
                for phrase in {name, bare, running(name), running(bare), bare.split(",")[0]}:
                    if phrase and not _all_figure(phrase.casefold()):
                        yield phrase.casefold(), measure

    def read(self, text: str) -> tuple[list[Token], list[tuple[str, Mention]]]:
        """The text's tokens with each known name as one, and the names that figures may belong to."""
        folded = text.casefold()
        spans: list[tuple[int, int, str, str]] = []
        if len(folded) == len(text):
            for phrase, kind, key in self._phrases:
                for match in re.finditer(rf"(?<!\w){re.escape(phrase)}(?!\w)", folded):
                    _add(spans, (match.start(), match.end(), kind, key))
        for place in find_mentions(text):
            known = self._known_place(place.entity)
            if known is not None:
                _add(spans, (place.start, place.end, "entity", known))
        spans.sort()
        words: list[Token] = []
        mentions: list[tuple[str, Mention]] = []
        position = 0
        for start, end, kind, key in spans:
            words += _shifted(text[position:start], position)
            if kind != "name":
                mentions.append((kind, Mention(key, len(words), len(words))))
            words.append(Token(text[start:end], text[start:end].lower(), start, end, masked=True))
            position = end + _possessive(text, end)
        words += _shifted(text[position:], position)
        return words, mentions

    def _known_place(self, entity: object) -> str | None:
        name = getattr(entity, "name", None)
        return name.casefold() if name and name.casefold() in self.entities else None


def _possessive(text: str, end: int) -> int:
    """How long the ending is that makes a name a possessive: ``'s``, or a mere apostrophe after an s."""
    if text.startswith("'s", end) and not text[end + 2 : end + 3].isalnum():
        return 2
    return int(text.startswith("'", end) and text[end - 1].lower() == "s")


def _shifted(text: str, by: int) -> list[Token]:
    return [Token(one.text, one.word, one.start + by, one.end + by) for one in tokens(text)]


def _add(spans: list[tuple[int, int, str, str]], span: tuple[int, int, str, str]) -> None:
    if all(span[1] <= start or span[0] >= end for start, end, *_ in spans):
        spans.append(span)


def _all_figure(phrase: str) -> bool:
    """Whether a phrase is a figure and nothing else, which no name may hide."""
    try:
        words = tokens(phrase)
        found = figures(words)
    except ValueError:
        return False
    inside = sum(figure.last - figure.first + 1 for figure in found)
    return bool(found) and inside >= len([word for word in words if word.text[0].isalnum()])
