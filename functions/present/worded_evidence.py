"""What a wording is held against: the claims, what else may be said, and where each of their names stands in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from functions.present.worded_binding import Mention
from functions.present.worded_claims import BASED, Evidence, Told
from functions.present.worded_figures import Token, figures, tokens
from functions.present.worded_letters import plainly
from functions.present.worded_words import OPERATIONS, PLAIN, RELATIONS, UNIT_WORDS
from functions.present.wording import running
from shared.text.places import find_mentions

OTHER = "\N{NULL}other"
"""The key of a name that the question has and no claim."""
_JOINED = " and "
_BASE_WORDS = frozenset({"pearson", "spearman", "rank", "correlation", "share", "ratio", "mean", "median", "sum"})
_SAFE_MARKS = frozenset("²³°µ·/")


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
    def units(self) -> frozenset[str]:
        """The words of the cited claims' units."""
        return frozenset(word for claim in self.cited for word in (claim.unit or "").casefold().split())

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
    def measure_words(self) -> frozenset[str]:
        """The words that only the names of quantities have, so that one of them alone is no name."""
        evidence = self.evidence
        quantities = (claim.measure or "" for claim in evidence.claims if not claim.counts)
        names = {word for measure in quantities for word in _spelt(_unbased(measure))}
        elsewhere = {word for claim in evidence.claims for word in _spelt(f"{claim.entity} {claim.unit}")}
        elsewhere |= {word for text in (*evidence.publishers, *evidence.names) for word in _spelt(text)}
        for claim in evidence.claims:
            elsewhere |= UNIT_WORDS.get(claim.unit or "", frozenset())
            elsewhere |= next(
                (said for lead, said in OPERATIONS.items() if (claim.measure or "").startswith(lead)), frozenset()
            )
        return frozenset(word for word in names - elsewhere - PLAIN - RELATIONS - _BASE_WORDS if word.isalpha())

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
        found |= self._measures()
        for claim in self.evidence.claims:
            for written in filter(None, (claim.tail, claim.unit)):
                if written == claim.tail or any(mark.isdigit() or mark == "/" for mark in written):
                    found.setdefault(plainly(written).casefold(), ("unit", plainly(written).casefold()))
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
        texts = [
            plainly(text).casefold() for text in (self.evidence.plain, *(c.text for c in self.evidence.claims))
        ]
        joined = [claim.entity for claim in self.evidence.claims if claim.entity and not claim.one]
        for name in (*self.evidence.names, *joined):
            phrase = plainly(name).casefold()
            if phrase in bounds or all(part in self.entities for part in phrase.split(_JOINED)):
                continue
            if any(mark.isdigit() for mark in phrase) and not any(phrase in text for text in texts):
                continue
            if not _all_figure(phrase):
                yield phrase

    def _measures(self) -> dict[str, tuple[str, str]]:
        """How sentences say each quantity. A shorter form that several have tells none of them apart."""
        found: dict[str, tuple[str, str]] = {}
        levels: dict[int, dict[str, set[str]]] = {}
        for claim in self.evidence.claims:
            key = claim.part
            if not claim.measure or key is None:
                continue
            whole, _, part = plainly(claim.measure).rpartition(": ")
            whole, part = (whole, part) if whole else (part, "")
            base = next((whole[len(lead) :] for lead in BASED if whole.startswith(lead)), whole)
            for level, name in enumerate(_forms(part or whole)):
                levels.setdefault(level, {}).setdefault(name, set()).add(key)
            for name in _forms(base) if part or base != whole else ():
                levels.setdefault(len(_forms("")), {}).setdefault(name, set()).add("")
        for _, names in sorted(levels.items()):
            for name, keys in names.items():
                if name and not _all_figure(name):
                    only = next(iter(keys)) if len(keys) == 1 else ""
                    found.setdefault(name, ("measure" if only else "name", only))
        for name in self.evidence.names:
            phrase = plainly(name).casefold()
            of = {
                claim.part
                for claim in self.evidence.claims
                if claim.measure and not claim.relates and _within(phrase, claim.measure)
            }
            if len(of) == 1 and phrase not in found:
                found[phrase] = ("measure", of.pop() or "")
        return found

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
            money = re.match(r"\s?(?:\$|dollars?\b)", text[place.end :]) is not None  # of "US dollars" no place
            if known is not None:
                _add(spans, (place.start, place.end, "entity", known))
            elif not money and self.words.issuperset(_spelt(text[place.start : place.end])):
                # A word of a claimed name that names another place by itself: Texas, of a county in Texas.
                _add(spans, (place.start, place.end, "entity", OTHER))
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


def _spelt(text: str) -> Iterable[str]:
    return (token.word for token in tokens(plainly(text)))


def _unbased(measure: str) -> str:
    """A quantity's name without what was done to it."""
    return next((measure[len(lead) :] for lead in BASED if measure.startswith(lead)), measure)


def _within(phrase: str, name: str) -> bool:
    """Whether the words stand in a name."""
    return re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", plainly(name).casefold()) is not None


def _forms(name: str) -> tuple[str, ...]:
    """A quantity's name in full, as it runs in a sentence, without what stands in brackets, and its beginning."""
    if not name:
        return "", "", "", ""
    bare = re.sub(r" ?\([^()]*\)", "", name)
    return tuple(form.casefold() for form in (name, running(name), running(bare), bare.split(",")[0]))


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
