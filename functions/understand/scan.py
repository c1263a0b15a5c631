"""A question with its names, times and bounds found and masked, which is what the rules read.

In the masked text everything is lower case except the marks: ``E0`` a name, ``G0`` a population, ``Y0`` a span
of time, ``T0`` a bound. A rule matches on the marks and takes the found things by their number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date

from functions.understand import phrases
from functions.understand.names import Named, find_names
from functions.understand.populations import Population, mask_populations
from shared.query.quantity import PlaceKind
from shared.query.readings import EntityMention, PeriodAsked, PeriodKindAsked, Threshold
from shared.text.numbers import find_thresholds
from shared.text.periods import PeriodMatch, asked_period, find_periods

MARK = re.compile(r"[EGYT]\d+")
_MONEY = (
    r"dollars?|yen|euros?|pounds?(?: sterling)?|rupees?|pesos?|francs?|kron[aeo]r?|krones?|reais|real|won|yuan|renminbi|rubles?"
    r"|roubles?|liras?|rands?|dinars?|dirhams?|ri[yj]als?|shekels?|bahts?|rupiahs?|ringgits?|shillings?|nairas?|cedis?|zlotys?"
    r"|forints?|korunas?|currency|hryvnias?|birrs?|takas?|kwachas?|afghanis?|lempiras?|quetzals?|soles?"
)
_MONEY_AFTER = re.compile(rf"\s(?:{_MONEY})\b", re.IGNORECASE)
_PRICED_IN = re.compile(r"\b(?:in|per|to the|to|against the|against|constant|current|of|international|a)\s$", re.IGNORECASE)
# Bounds that are part of what is measured: ages, poverty lines, classes of a distribution.
_AGE_LEAD = re.compile(
    r"\b(?:age[ds]?|people|persons?|population|those|children|kids|adults|infants|women|men|girls|boys|youth|mothers|students"
    r"|residents|citizens|child|males?|females?|seniors|elderly)\s*(?:\([^)]*)?(?:who are |that are |is |are )?"
    r"(?:aged? |ages |of age )?(?:the age of )?$",
    re.IGNORECASE,
)
_AGE_TAIL = re.compile(r"^\s*(?:years? old|years? of age|years? and|-?year-?olds?|of age|mortality|child|population)\b", re.IGNORECASE)
_LINE_TAIL = re.compile(r"^\s*(?:a|per|/)\s*day\b|^\s*(?:poverty )?line\b|^\w*\s(?:grade|rooms?|bedrooms?)\b", re.IGNORECASE)
_WITHIN = re.compile(r"\bmore than (?:one|1|half|a) (?!percent|billion|million|trillion|thousand)\w+\b", re.IGNORECASE)


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
    written = phrases.expanded(text)
    times = find_periods(written, today=today)
    bounds = [found for found in find_thresholds(written) if not _measured(written, found.start, found.end)]
    bounds = [b for b in bounds if not any(t.start <= b.start < t.end or b.start <= t.start < b.end for t in times)]
    taken = [(t.start, t.end) for t in times] + [(b.start, b.end) for b in bounds]
    names = [
        name
        for name in find_names(written)
        if not any(start < name.end and name.start < end for start, end in taken)
        and not (_MONEY_AFTER.match(written, name.end) and _PRICED_IN.search(written, 0, name.start))
    ]
    spans = sorted(
        [(t.start, t.end, f"Y{i}") for i, t in enumerate(times)]
        + [(b.start, b.end, f"T{i}") for i, b in enumerate(bounds)]
        + [(n.start, n.end, f"E{i}") for i, n in enumerate(names)]
    )
    pieces: list[str] = []
    at = 0
    for start, end, mark in spans:
        pieces += [written[at:start].lower(), f" {mark} " if _needs_room(written, start, end) else mark]
        at = end
    pieces.append(written[at:].lower())
    masked = _spaced("".join(pieces))
    masked, chart = phrases.without_chart(phrases.unframed(masked))
    masked = phrases.unframed(masked)
    masked, populations = mask_populations(masked, tuple(names))
    return Scan(
        text=written,
        masked=masked,
        names=tuple(names),
        populations=populations,
        times=tuple(times),
        bounds=tuple(bound.threshold for bound in bounds),
        period=asked_period(written, today=today) or PeriodAsked(),
        chart=chart,
    )


def _needs_room(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return before.isalnum() or after.isalnum()


def _spaced(masked: str) -> str:
    return re.sub(r"\s+([,?.;:])", r"\1", re.sub(r"\s+", " ", masked)).strip()


def _measured(text: str, start: int, end: int) -> bool:
    """Whether a bound belongs to the quantity ("people 65 and older") and not to a condition."""
    bound = text[start:end]
    if _LINE_TAIL.match(text, end) or _LINE_TAIL.search(text[end:]) and _LINE_TAIL.match(text[end:]):
        return True
    if _WITHIN.fullmatch(text, start, end):
        return False
    number = re.search(r"\d+", bound)
    small = number is not None and "%" not in bound and len(number.group()) <= 3 and not re.search(r"[$€£,.]|[mb]illion|percent", bound)
    if not small:
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
