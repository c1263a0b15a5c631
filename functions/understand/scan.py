"""A question with its names, times and bounds found and masked, which is what the rules read.

In the masked text everything is lower case except the marks: ``E0`` a name, ``G0`` a population, ``Y0`` a span
of time, ``T0`` a bound. A rule matches on the marks and takes the found things by their number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from functions.understand import phrases
from functions.understand.names import Named, find_names, without_speakers
from functions.understand.populations import mask_populations
from functions.understand.rewording import plainly, reworded
from functions.understand.sets import Population
from shared.query.quantity import PlaceKind
from shared.query.readings import Comparator, EntityMention, PeriodAsked, PeriodKindAsked, Threshold
from shared.text.numbers import ThresholdMatch, find_numbers, find_thresholds
from shared.text.periods import PeriodMatch, asked_period, find_periods

EARLIEST = 1790
"""The first year of the longest published series."""
LISTED = 3
"""From so many single years on, a question lists years."""
MARK = re.compile(r"[EGYT]\d+")
# Bounds that are part of what is measured: ages, poverty lines, classes of a distribution.
_AGE_LEAD = re.compile(
    r"\b(?:age[ds]?|people|persons?|population|those|children|kids|adults|infants|women|men|girls|"
    r"boys|youth|share|mothers|students|mortality|mortality rate|deaths|death rate"
    r"|residents|citizens|child|males?|females?|seniors|elderly)\s*(?:\([^)]*)?(?:who are |that are |who "
    r"were |is |are |was |were )?"
    r"(?:aged? |ages |of age )?(?:the age of )?$",
    re.IGNORECASE,
)
_AGE_TAIL = re.compile(
    r"^\s*(?:years? old|years? of age|years? and|-?year-?olds?|of age|mortality|child|population)\b", re.IGNORECASE
)
_SMALL_WORD = re.compile(r"\b(?:one|five|ten|fifteen|eighteen|sixty)\b", re.IGNORECASE)
_LARGE = re.compile(r"[$€£,.%]|[mb]illion|percent|thousand|hundred|\d ?[kmb]\b", re.IGNORECASE)
_AGE_ITSELF = re.compile(
    r"\b(?:median|average|mean) age(?: of [a-z ]+)?\s*(?:that |which )?(?:is |was |are |were )?$", re.IGNORECASE
)
"""An age that is a figure and can be bounded, and no class of people."""
_AGED_ALREADY = re.compile(
    r"\b(?:infant|maternal|neonatal|newborn|child|under[- ]?(?:five|5)s?) (?:mortality|deaths?)"
    r"(?: rates?| ratios?)?\s*$",
    re.IGNORECASE,
)
"""Deaths whose age is said, so that a bound is of their number."""
OLDEST = 120
"""In years; a larger number is no age."""
_BOUNDED = re.compile(r"(?:[<>=]+\s?\d+\s*(?:and\s)?)+$", re.IGNORECASE)
"""A bound before another of the same figure."""
_LINE_TAIL = re.compile(
    r"^\s*(?:a|per|/)\s*day\b|^\s*(?:poverty )?line\b|^\w*\s(?:grade|rooms?|bedrooms?)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Scan:
    """The masked question and what its marks stand for."""

    text: str
    masked: str
    names: tuple[Named, ...]
    populations: tuple[Population, ...]
    times: tuple[PeriodMatch, ...]
    bounds: tuple[Threshold, ...]
    period: PeriodAsked
    chart: bool = False

    def name(self, mark: str) -> EntityMention:
        """The name behind a mark such as ``E1``."""
        return self.names[int(mark[1:])].mention

    def population(self, mark: str) -> Population:
        """The population behind a mark such as ``G0``."""
        return self.populations[int(mark[1:])]

    def marks(self, kind: str) -> list[str]:
        """The marks of one kind that stand in the masked text, in order, each once."""
        return list(dict.fromkeys(re.findall(rf"\b{kind}\d+\b", self.masked)))

    @property
    def dated(self) -> bool:
        """Whether the question names any span of time."""
        return bool(self.times)

    @property
    def spans(self) -> bool:
        """Whether the span asked for covers several years."""
        return self.period.kind in {
            PeriodKindAsked.RANGE,
            PeriodKindAsked.SINCE,
            PeriodKindAsked.LAST_YEARS,
            PeriodKindAsked.ALL,
        }

    def with_masked(self, masked: str) -> Scan:
        """The same question with its masked text replaced."""
        return replace(self, masked=masked)


def scan(text: str, *, today: date) -> Scan:
    """Find and mask everything that has a name, a date or a bound in ``text``."""
    written = without_speakers(reworded(phrases.expanded(text)))
    times = find_periods(written, today=today)
    bounds = [found for found in find_thresholds(written) if not _measured(written, found.start, found.end)]
    bounds += _reached(written, bounds) + _signed(written)
    bounds = [
        b
        for b in sorted(bounds, key=lambda b: b.start)
        if not any(t.start <= b.start < t.end or b.start <= t.start < b.end for t in times)
    ]
    taken = [(t.start, t.end) for t in times] + [(b.start, b.end) for b in bounds]
    names = [
        name
        for name in find_names(written)
        if not any(start < name.end and name.start < end for start, end in taken)
    ]
    marks = _marks(names)
    spans = sorted(
        [(t.start, t.end, f"Y{i}") for i, t in enumerate(times)]
        + [(b.start, b.end, f"T{i}") for i, b in enumerate(bounds)]
        + [(n.start, n.end, f"people in {m}" if n.people else m) for n, m in zip(names, marks, strict=True)]
    )
    pieces: list[str] = []
    at = 0
    for start, end, mark in spans:
        pieces += [written[at:start].lower(), f" {mark} " if _needs_room(written, start, end) else mark]
        at = end
    pieces.append(written[at:].lower())
    masked = _spaced("".join(pieces))
    masked = re.sub(r"^(Y\d+)[,:]?\s(.+?)\s*([?.!]*)$", r"\2 \1\3", masked)
    masked, chart = phrases.without_chart(phrases.unframed(masked))
    masked = plainly(phrases.unframed(masked))
    masked, populations = mask_populations(masked, tuple(names))
    return Scan(
        text=written,
        masked=masked,
        names=tuple(names),
        populations=populations,
        times=tuple(times),
        bounds=tuple(bound.threshold for bound in bounds),
        period=_bounded(_listed_years(times) or asked_period(written, today=today) or PeriodAsked(), written),
        chart=chart,
    )


_MOVES = re.compile(
    r"\b(?:chang|grow|grew|ris|rose|fall|fell|increas|decreas|declin|drop|trend|over|evol)\w*", re.IGNORECASE
)


def _bounded(period: PeriodAsked, text: str) -> PeriodAsked:
    """A span before a year ("before 1960") ends in the year before it and begins where no series has begun.

    The last year is a span of one figure, which is the newest, unless something moved in it.
    """
    if period.kind is PeriodKindAsked.LAST_YEARS and period.count == 1 and not _MOVES.search(text):
        return PeriodAsked(text=period.text)
    if period.kind is PeriodKindAsked.RANGE and period.start is None:
        return period.model_copy(update={"start": EARLIEST})
    return period


def lists_years(found: Scan) -> bool:
    """Whether the question lists three or more years."""
    return _listed_years(list(found.times)) is not None


def _listed_years(times: list[PeriodMatch]) -> PeriodAsked | None:
    """The span from the first to the last of three or more years that are listed."""
    years = [t.period.start for t in times if t.period.kind is PeriodKindAsked.YEAR and t.period.start is not None]
    if len(years) < LISTED or len(years) != len(times):
        return None
    text = ", ".join(str(year) for year in years)
    return PeriodAsked(kind=PeriodKindAsked.RANGE, start=min(years), end=max(years), text=text)


def _marks(names: list[Named]) -> list[str]:
    """One mark for each name; the same entity named again keeps its first mark."""
    marks: list[str] = []
    for index, name in enumerate(names):
        entity = name.mention.entity
        same = next((i for i in range(index) if entity is not None and names[i].mention.entity == entity), index)
        marks.append(f"E{same}")
    return marks


def _needs_room(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return before.isalnum() or after.isalnum()


def _spaced(masked: str) -> str:
    return re.sub(r"\s+([,?.;:])", r"\1", re.sub(r"\s+", " ", masked)).strip()


_REACHED = re.compile(
    r"\b(?:reach(?:es|ed|ing)?|hit|hits|cross(?:es|ed)?|pass(?:es|ed)?|attain(?:s|ed)?|get to|"
    r"got to|make it to|amount to|total(?:led)?|top(?:s|ped)?|touch(?:ed)?)"
    r"\s(?:the\s)?$",
    re.IGNORECASE,
)


_SIGNED = re.compile(
    r"\b(?P<sign>negative|positive)\s(?=(?:[a-z]+\s){0,3}?(?:growth|inflation|balance|migration|"
    r"interest|savings|surplus))",
    re.IGNORECASE,
)


def _signed(text: str) -> list[ThresholdMatch]:
    """As in "Negative growth" is a bound of zero."""
    found: list[ThresholdMatch] = []
    for match in _SIGNED.finditer(text):
        less = match["sign"].lower() == "negative"
        bound = Threshold(
            comparator=Comparator.LESS if less else Comparator.GREATER, value=Decimal(0), text=match["sign"]
        )
        found.append(ThresholdMatch(match.start("sign"), match.end("sign"), bound))
    return found


def _reached(text: str, known: list[ThresholdMatch]) -> list[ThresholdMatch]:
    """As in "Did X reach 3 trillion": a figure that is reached is a bound from below."""
    found: list[ThresholdMatch] = []
    for number in find_numbers(text):
        lead = _REACHED.search(text[: number.start])
        if lead is None or (lead.group().lower().startswith("top") and (number.bare or number.unit is None)):
            continue
        if any(b.start < number.end and number.start < b.end for b in known):
            continue
        bound = Threshold(
            comparator=Comparator.AT_LEAST,
            value=number.value,
            unit=number.unit,
            text=text[lead.start() : number.end].strip(),
        )
        found.append(ThresholdMatch(lead.start(), number.end, bound))
    return found


def _measured(text: str, start: int, end: int) -> bool:
    """Whether a bound belongs to the quantity ("people 65 and older") and not to a condition."""
    bound = text[start:end]
    if _LINE_TAIL.match(text[end:]) or re.search(r"\d\s(?:or|and)\s(?:older|younger)$", bound, re.IGNORECASE):
        return True
    number = re.search(r"\d+", bound)
    short = len(number.group()) <= 3 if number else bool(_SMALL_WORD.search(bound))
    if not short or _LARGE.search(bound) or _AGE_ITSELF.search(_BOUNDED.sub("", text[:start])):
        return False
    if (number and int(number.group()) > OLDEST) or _AGED_ALREADY.search(text[:start]):
        return False
    return bool(_AGE_TAIL.match(text[end:]) or (_AGE_LEAD.search(text[:start]) and not _counted(text, end)))


def _counted(text: str, end: int) -> bool:
    return bool(re.match(r"\s*(?:people|million|thousand|percent|%)", text[end:], re.IGNORECASE))


def is_group(mention: EntityMention) -> bool:
    """Whether the name stands for several countries (a union, a continent, the world)."""
    return mention.entity is not None and mention.entity.kind is PlaceKind.COUNTRY_GROUP


def is_world(mention: EntityMention) -> bool:
    """Whether the name is the whole world."""
    return mention.entity is not None and mention.entity.name.lower() in {"world", "the world"}


def as_asked(scan: Scan, words: str) -> EntityMention:
    """A name that nobody knows, in the asker's own letters."""
    at = scan.text.lower().find(words)
    return EntityMention(text=scan.text[at : at + len(words)] if at >= 0 else words, status="unknown")
