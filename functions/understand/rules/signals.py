"""Words that tell what is done with a quantity: ordered, compared, followed over time, bounded."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from functions.understand import idioms
from functions.understand.measures import measure, trimmed
from functions.understand.rules.order_words import HIGH, LEXEMES, LEXICAL, LOW, NUMBERS
from shared.query.readings import Direction, MeasureMention

_COUNT = r"(?P<{name}>\d{{1,4}}|" + "|".join(sorted(NUMBERS, key=len, reverse=True)) + ")"
_WORDS = "|".join(sorted(HIGH | LOW | set(LEXICAL) | {"best", "worst"}, key=len, reverse=True))
_ORDER = re.compile(
    rf"(?:\bthe\s)?(?:{_COUNT.format(name='before')}\s)?(?:\b(?:countries|"
    rf"country) with the\s)?\b(?P<word>{_WORDS})\b(?!\s(?:recent|year|decade|century|month|"
    rf"names?)\b|\s\d+ ?(?:pct|%|percent))(?:[ -]{_COUNT.format(name='after')}\b(?!\s?(?:percent|%|million|"
    rf"billion|year)))?"
    rf"(?P<growing>[ -](?:growing|shrinking|declining|expanding|aging|ageing|increasing|rising))?"
)
_RANK = re.compile(
    r"\b(?:(?:tops?|leads?|heads?) (?:the )?(?:world|list|table|ranking|E\d+)|rank(?:ed|ing|"
    r"ings)?|sort(?:ed)?|order(?:ed)?|leaderboard|league table)\b(?: of| list of| list)?"
)
_TO = re.compile(
    r"\b(?:from )?(?:the )?(?P<a>highest|largest|biggest|greatest|most|best|top|high|lowest|smallest|least|fewest|"
    r"worst|bottom|low)(?: \w+)? (?:to|first)(?: (?:the )?(?P<b>highest|largest|biggest|greatest|most|best|"
    r"top|high|lowest|smallest|least|fewest|worst|bottom|low))?\b"
)
_BY = re.compile(
    r"(?:\b(?:by|in terms of|based on|according to|measured by|when it comes to|as measured by|"
    r"for|in)\s)(?P<by>[^,?]+)$"
)
_CHANGE_OF = re.compile(
    r"^(?:(?:annual|percentage|percent|relative|absolute|net)\s)?(?:increases?|decreases?|growth|"
    r"declines?|drops?|reductions?|rises?|falls?|improvements?|gains?|loss(?:es)?|changes?|"
    r"surges?|jumps?|progress|expansion)\s(?:in|of)\s(?P<what>.+)$"
)
_CHANGE_AFTER = re.compile(
    r"^(?P<what>.+?)\s(?:increases?|decreases?|declines?|drops?|reductions?|falls?|gains?|loss(?:es)?)$"
)
_GROWS = re.compile(
    r"\b(?:whose\s)?(?P<what>populations?|econom(?:y|ies)|gdps?)\s(?:is|are|was|were|has|"
    r"have)?\s?(?:been\s)?(?:grow(?:ing|n|s)?|grew|expand(?:ing|ed)?)\b"
)
_WEAK = frozenset(
    {"first", "last", "main", "major", "record", "leading", "top", "max", "min", "maximum", "minimum"}
)
"""Words that order only where a set of members stands beside them."""
GROWTH = {"population": "population growth", "gdp": "gdp growth", "economy": "gdp growth"}


@dataclass(frozen=True, slots=True)
class Order:
    """A superlative: which end, how many, the quantity its own word tells, and the text without it."""

    direction: Direction
    count: int | None
    lexeme: str | None
    rest: str
    judged: bool = False
    """True for best and worst, whose end depends on the quantity."""
    growing: bool = False


def _number(text: str | None) -> int | None:
    if text is None:
        return None
    return int(text) if text.isdigit() else NUMBERS[text]


def count_of(word: str) -> int:
    """The number that ``word`` (digits or letters) stands for."""
    return int(word) if word.isdigit() else NUMBERS[word]


def order_of(masked: str) -> Order | None:
    """The first superlative or ranking word of a masked question, or ``None``."""
    to = _TO.search(masked)
    if to and (to["b"] or to.group().endswith("first")):
        high = to["a"] in {"highest", "largest", "biggest", "greatest", "most", "best", "top", "high"}
        rest = _RANK.sub(" ", masked[: to.start()] + " " + masked[to.end() :])
        return Order(Direction.HIGHEST if high else Direction.LOWEST, None, None, rest)
    for match in _ORDER.finditer(masked):
        found = _order(masked, match)
        if found is not None:
            return found
    rank = _RANK.search(masked)
    if rank:
        rest = masked[: rank.start()] + " " + masked[rank.end() :]
        low = re.search(r"\bascending\b", rest)
        return Order(
            Direction.LOWEST if low else Direction.HIGHEST,
            None,
            None,
            re.sub(r"\b(?:de|a)scending\b(?: order)?", " ", rest),
        )
    return None


def _order(masked: str, match: re.Match[str]) -> Order | None:
    word = match["word"]
    before, after = masked[: match.start()], masked[match.end() :]
    if word in _WEAK and _not_an_order(word, match, after):
        return None
    if word in {"most", "least"} and re.search(r"\b(?:at|at the)\s$", masked[: match.start("word")]):
        return None
    if (
        word == "most"
        and re.match(r"\s(?:of|common(?:ly)?|recently?|popular|people (?:live|work))\b", after)
        and not re.search(r"\bG\d", masked)
    ):
        return None
    count = _number(match["before"]) or _number(match["after"])
    growing = bool(match["growing"])
    if match["before"] is None and match["after"] is None:
        late = re.search(r"\b(?:top|bottom|first)[ -]" + _COUNT.format(name="n") + r"\b", masked)
        count = _number(late["n"]) if late else None
        if late and late.start() > match.end():
            after = masked[match.end() : late.start()] + " " + masked[late.end() :]
        elif late and late.start() < match.start():
            before = masked[: late.start()] + " " + masked[late.end() : match.start()]
    if word in {"top", "bottom", "first"} and (inner := _inner_order(f"{before} {after}")) is not None:
        return replace(inner, count=count or inner.count)
    high = word not in LOW
    if growing and re.search(r"shrink|declin", match["growing"]):
        high = not high
    lexeme = LEXICAL.get(word)
    rest = f"{before} {after}"
    if word in {"most", "least"}:
        adjective = re.match(r"\s(?P<adj>(?:(?:densely|sparsely|thinly|heavily|highly)[ -])?[a-z-]+)\b", after)
        if adjective and adjective["adj"] in LEXEMES:
            lexeme = adjective["adj"]
            rest = f"{before} {after[adjective.end() :]}"
    if lexeme is not None and not LEXEMES[lexeme][1]:
        high = not high
    return Order(
        Direction.HIGHEST if high else Direction.LOWEST,
        count,
        lexeme,
        re.sub(r"\s+", " ", rest).strip(),
        judged=word in {"best", "worst"},
        growing=growing,
    )


def _inner_order(rest: str) -> Order | None:
    """As in "top 5 countries with the lowest X": the words that tell the end are the later ones."""
    rest = re.sub(r"\s+", " ", rest).strip()
    if any(match["word"] not in _WEAK for match in _ORDER.finditer(rest)):
        return order_of(rest)
    return None


def _not_an_order(word: str, match: re.Match[str], after: str) -> bool:
    if word == "top":
        return False
    counted = match["after"] is not None
    if word in {"first", "last"}:
        return not counted
    if word in {"main", "major", "record"}:
        return True
    if word == "leading":
        return bool(re.match(r"\s(?:to|up)\b", after))
    return not re.search(r"\bG\d", after + match.string[: match.start()])


def lexeme_measure(lexeme: str) -> MeasureMention:
    """The quantity that an adjective orders by."""
    text = LEXEMES[lexeme][0]
    return MeasureMention(text=text, per_capita=text.endswith("per capita"), share="(%" in text)


def plain_of(superlative: str) -> str | None:
    """The adjective behind a superlative that orders by itself ("safest" gives ``safe``), or ``None``."""
    return LEXICAL.get(superlative)


def is_adjective(word: str) -> bool:
    """Whether a plain adjective ("rich", "densely populated") names a quantity."""
    return word in LEXEMES


def adjective_rises(word: str) -> bool:
    """Whether more of the adjective means a higher figure."""
    return LEXEMES[word][1]


def changed_quantity(text: str) -> str | None:
    """For "increase in X": the X whose change is meant, or ``None``."""
    for pattern in (_CHANGE_OF, _CHANGE_AFTER):
        match = pattern.match(text)
        if match:
            return trimmed(match["what"])
    return None


def growth_of(text: str) -> str | None:
    """The published growth rate of a quantity ("population" gives ``population growth``), or ``None``."""
    named = measure(text)
    return GROWTH.get(named.text) if named else None


def grows(masked: str) -> str | None:
    """For "whose populations are growing": the growth rate meant, or ``None``."""
    match = _GROWS.search(masked)
    if not match:
        return None
    return "population growth" if match["what"].startswith("population") else "gdp growth"


def judged_direction(measure_text: str, *, best: bool) -> Direction:
    """Best is low for a burden and high for anything else; worst is the other end."""
    burden = bool(idioms.BURDENS.search(measure_text))
    return Direction.HIGHEST if best is not burden else Direction.LOWEST
