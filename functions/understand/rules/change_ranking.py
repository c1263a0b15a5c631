"""The members of a set by how much a quantity of each changed, as told by a superlative or asked of all of them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from functions.understand import idioms
from functions.understand.measures import is_known, measure, trimmed
from functions.understand.rules import signals
from functions.understand.rules.order_words import NUMBERS
from functions.understand.rules.ranked_by import in_the_us
from functions.understand.rules.ranking import ranked_population
from functions.understand.rules.residue import without_marks
from functions.understand.scan import Scan
from functions.understand.sets import Population
from shared.query.quantity import PlaceKind
from shared.query.readings import (
    ChangeRankingReading,
    Direction,
    MeasureMention,
    Movement,
    PeriodAsked,
    PeriodKindAsked,
    Reading,
)

UNNAMED_SPANS = (10, 5, 1)
"""Where no span is named: so many years up to the newest figures, the first of them that has figures."""
_SPANS = frozenset(
    {PeriodKindAsked.RANGE, PeriodKindAsked.SINCE, PeriodKindAsked.LAST_YEARS, PeriodKindAsked.YEARS_AGO}
)

_RISE = r"increases?|rises?|gains?|growth|jumps?|surges?|expansions?"
_FALL = r"decreases?|declines?|drops?|reductions?|falls?|loss(?:es)?"
_EITHER = r"changes?|shifts?|swings?"
_BETTER = r"improvements?|progress"
_NOUN = rf"(?P<noun>{_RISE}|{_FALL}|{_EITHER}|{_BETTER})(?! rates?\b)"
_HIGH = r"most|greatest|biggest|largest|highest|sharpest|steepest|fastest|strongest|quickest|top"
_LOW = r"smallest|lowest|least|slowest|weakest|fewest"
_END = rf"(?P<end>{_HIGH}|{_LOW})"
_MUCH = r"(?:significant|dramatic|rapid|severe|notable|marked|overall|total|net|absolute|annual)"
_BY_PERCENT = r"(?P<percent>percent(?:age)?|%|relative|proportional)"
_VERB = (
    r"(?P<verb>grow(?:n|ing)?|grew|increas(?:e|ed|ing)|rise[n]?|rising|rose|gain(?:ed|ing)?|expand(?:ed|ing)?|"
    r"fall(?:en|ing)?|fell|declin(?:e|ed|ing)|drop(?:ped|ping)?|decreas(?:e|ed|ing)|shr(?:ank|unk|ink|inking)|"
    r"lost|los(?:e|ing)|chang(?:e|ed|ing)|improv(?:e|ed|ing))"
)
_AUX = r"(?:(?:has|have|had|did|do|does|is|are|was|were)\s)?(?:been\s)?"
_NOUN_IN = re.compile(
    rf"\b(?:{_END}|by|rank(?:ed)? by)\s(?:{_MUCH}\s)*(?:{_BY_PERCENT}\s)?{_NOUN}\s(?:in|of)\s(?:the\s|their\s)?"
    r"(?P<what>[^,?]+)"
)
_NOUN_AFTER = re.compile(rf"\b{_END}\s(?:{_MUCH}\s)*(?:{_BY_PERCENT}\s)?(?P<what>[a-z][a-z0-9 %-]*?)\s{_NOUN}\b")
_FASTEST = re.compile(
    r"\b(?P<end>fastest|slowest|quickest|most rapidly)[ -](?P<verb>grow|shrink|declin|fall|ris|increas|expand)ing\b"
    r"(?P<what>[^,?]*)"
)
_THE_MOST = re.compile(
    rf"(?P<what>\S.*?)\s{_AUX}{_VERB}\s(?:by\s)?(?:the\s)?{_END}(?=\s*(?:Y\d|[?.!,]|$|since|in [EGY]|among|of G|"
    r"in (?:percent|relative)))"
)
_GAINED = re.compile(
    r"\b(?P<verb>gained|gain|lost|lose|added|add|shed)\s(?:the\s)?(?P<end>most|fewest|least)\s(?P<what>[^,?]+)"
)
_HOW = re.compile(
    r"^how (?:much |fast |quickly )?(?:has|have|had|did|do|does|is|are|was|were)\s(?:the\s)?"
    r"(?P<what>.+?)\s(?:been\s)?(?P<verb>chang(?:e|ed|ing)|evolv(?:e|ed|ing)|develop(?:ed|ing)?|grow(?:n|ing)?|"
    r"increas(?:e|ed|ing)|ris(?:e|en|ing)|fall(?:en|ing)?|declin(?:e|ed|ing)|decreas(?:e|ed|ing)|dropp?(?:ed|ing)?|"
    r"improv(?:e|ed|ing)|mov(?:e|ed|ing))\b"
)
_OF_EACH = re.compile(
    rf"^(?:(?:what (?:is|was|are|were)|show(?: me)?|list|give(?: me)?|compare)\s)?(?:the\s)?(?:{_BY_PERCENT}\s)?"
    rf"{_NOUN}"
    r"\s(?:in|of)\s(?:the\s)?(?P<what>[^,?]+?)\s(?:for|across|by|in|of|among)\s(?:all |each |every |the )*G\d"
)
_IN_PERCENT = re.compile(
    r"\b(?:in|by|as a) (?:percent(?:age)?|relative|proportional)(?: terms)?\b|\bpercentage[- ]wise\b"
)
_TAIL = re.compile(
    r"\b(?:over|since|from|between|during|within|in)\s(?=Y\d)|\bY\d+\b.*$|\b(?:by|in terms of)\s*$|"
    r"\b(?:they|it) (?:has|have|had)\b.*$"
)
_BY = re.compile(r"\b(?:by|in terms of|measured by)\s(?P<by>[^,?]+)$")
_PLACES = re.compile(
    r"^(?:populations?|people|residents|inhabitants|countr(?:y|ies)|nations?|states?|cit(?:y|ies)|counties|places?|"
    r"towns?|regions?|areas?)?$"
)
_COUNT = re.compile(
    r"\b(?:top|first|bottom)\s(?P<n>\d{1,3}|"
    + "|".join(NUMBERS)
    + r")\b|\b(?P<m>\d{1,3}|"
    + "|".join(NUMBERS)
    + r")\s(?=G\d)"
)
_FALLING = re.compile(rf"^(?:{_FALL}|fall|fell|declin|drop|decreas|shr|los|shed)")
_CHANGING = re.compile(rf"^(?:{_EITHER}|chang|evolv|develop|mov)")
_IMPROVING = re.compile(rf"^(?:{_BETTER}|improv)")


@dataclass(frozen=True, slots=True)
class Told:
    """What a question says of a change: the quantity's words, which way, which end, and how it is measured."""

    what: str
    word: str
    end: str | None
    relative: bool
    published_rate: bool = False
    """Whether the form ("fastest growing", "population growth") speaks of a growth rate as well."""


def change_ranking(scan: Scan) -> Reading | None:
    """The members of a set by how much a quantity of each changed."""
    found = change_rankings(scan)
    return found[0] if found else None


def change_rankings(scan: Scan) -> list[Reading]:
    """The reading, once for each span where none is named."""
    text = scan.masked
    marks = scan.marks("E")
    told = _told(text)
    if told is None or scan.bounds or len(marks) > 1 or (told.end is None and not scan.marks("G")):
        return []
    direction = (
        None if told.end is None else Direction.LOWEST if re.fullmatch(_LOW, told.end) else Direction.HIGHEST
    )
    order = signals.Order(direction or Direction.HIGHEST, None, None, told.what)
    population = ranked_population(scan, text, order, scan.marks("G"), marks)
    wanted = _quantity(told, population)
    if population is None or wanted is None or (told.published_rate and _has_rate(scan, wanted, population)):
        return []
    return [
        ChangeRankingReading(
            population=population.mention,
            measure=wanted,
            period=period,
            movement=_movement(told, wanted),
            direction=direction,
            relative=told.relative,
            count=_counted(text) or (1 if population.one and direction is not None else None),
        )
        for period in _periods(scan)
    ]


def _told(text: str) -> Told | None:
    percent = _IN_PERCENT.search(text) is not None
    text = _IN_PERCENT.sub(" ", text)
    if match := _FASTEST.search(text):
        by = _BY.search(match["what"])
        what = by["by"] if by else match["what"]
        end = match["end"].split()[0]
        return Told(what, match["verb"], end, relative=True, published_rate=True)
    if match := _NOUN_IN.search(text):
        return _from_noun(match, percent=percent)
    if match := _GAINED.search(text):
        return Told(match["what"], match["verb"], match["end"], percent)
    if match := _THE_MOST.search(text):
        fast = match["end"] in {"fastest", "slowest", "quickest"}
        return Told(match["what"], match["verb"], match["end"], percent or fast, fast)
    if (match := _NOUN_AFTER.search(text)) and is_known(_plain(match["what"])):
        return _from_noun(match, percent=percent)
    if match := _HOW.search(text):
        return Told(match["what"], match["verb"], None, percent)
    if match := _OF_EACH.search(text):
        return Told(match["what"], match["noun"], None, percent or match["percent"] is not None)
    return None


def _from_noun(match: re.Match[str], *, percent: bool) -> Told:
    end = match["end"] or "most"
    relative = percent or match["percent"] is not None or end in {"fastest", "slowest", "quickest"}
    return Told(match["what"], match["noun"], end, relative, match["noun"] == "growth")


def _plain(what: str) -> str:
    return trimmed(without_marks(_TAIL.sub(" ", re.sub(r"^(?:which|what|where|whose)\b", " ", what))))


def _quantity(told: Told, population: Population | None) -> MeasureMention | None:
    words = re.sub(r"\s(?:levels?|figures?)$", "", _plain(told.what))
    if population is None:
        return None
    if told.published_rate and _PLACES.match(words):
        return measure("gdp" if population.noun == "economies" else "population")
    if re.fullmatch(r"people|residents|inhabitants", words):
        return measure("population")
    if words in {"wealth", "prosperity", "income"} and in_the_us(population):
        return measure("median household income")
    if told.published_rate and not is_known(words):
        return None
    return measure(words) if words else None


def _has_rate(scan: Scan, wanted: MeasureMention, population: Population) -> bool:
    """Whether a yearly rate of the growth is published and no span is asked for: then it is a plain ranking."""
    countries = population.mention.member is PlaceKind.COUNTRY
    return countries and scan.period.kind not in _SPANS and signals.growth_of(wanted.text) is not None


def _movement(told: Told, wanted: MeasureMention) -> Movement:
    if told.end is None or _CHANGING.match(told.word):
        return Movement.EITHER
    if _IMPROVING.match(told.word):
        return Movement.FALL if idioms.BURDENS.search(wanted.text) else Movement.RISE
    return Movement.FALL if _FALLING.match(told.word) else Movement.RISE


def _counted(text: str) -> int | None:
    match = _COUNT.search(text)
    return signals.count_of(match["n"] or match["m"]) if match else None


def _periods(scan: Scan) -> list[PeriodAsked]:
    period = scan.period
    if period.kind in _SPANS:
        return [period]
    if period.kind is PeriodKindAsked.YEAR and period.start is not None:
        during = {"kind": PeriodKindAsked.RANGE, "start": period.start - 1, "end": period.start}
        return [period.model_copy(update=during)]
    return [PeriodAsked(kind=PeriodKindAsked.LAST_YEARS, count=count) for count in UNNAMED_SPANS]
