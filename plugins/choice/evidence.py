"""How well a document's words are the measure's words, and what forbids that they be taken for one quantity.

A document says what it is in its title, its constraints and its unit; its phrases are ways to ask for it.
Every word of a measure must be said by the document somewhere, words that turn a quantity into another must
agree, and what is left is a likeness from 0 to 1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from plugins.choice.synonyms import FORMS, SOFT, TURNING, UNITS
from plugins.choice.tasks import Candidate
from plugins.choice.wording import denominator, words

SEXES = frozenset({"female", "male"})
LIMITS: dict[str, frozenset[str]] = {
    "sex=female": frozenset({"female", "maternal"}),
    "sex=male": frozenset({"male"}),
    "age=15-24": frozenset({"youth"}),
    "age=15-19": frozenset({"teen"}),
    "age=0-14": frozenset({"under15", "child", "young"}),
    "age=7-14": frozenset({"child", "female", "male"}),
    "age=0-17": frozenset({"child", "under18"}),
    "age=65+": frozenset({"old65"}),
    "area=rural": frozenset({"rural"}),
    "area=urban": frozenset({"urban", "slum", "largestcity", "agglomeration"}),
}
"""What figures are limited to, and the words of which a measure must have one to mean them."""

_OUT, _IN = (
    frozenset({"sent", "given", "donated", "paid", "payment", "outflow", "outbound"}),
    frozenset({"received", "receipt", "inflow"}),
)
OPPOSITES = ((_OUT - {"payment"}, _IN), (_IN, _OUT))
"""Directions of money: words of the one are no words for a document of the other."""

_FORM_WEIGHT = 0.35
_SOFT_LOSS = 0.06
"""What a word costs that no document needs to say."""
_IMPLIED, _ELSEWHERE = 0.9, 0.75
"""What a word counts that the document's title or one of its other phrases says, and not the phrase compared."""
_PERIOD = re.compile(r"\((?:modeled|includes?)[^)]*\)|\b\d{4}(?:-\d{4})?\b")
_LIST = re.compile(r"\b[\w-]+(?: [\w-]+)?(?:(?:, (?:and |or )?| and | or )[\w-]+){2,}")
_PAIR = re.compile(r"\b(?:(?:including|includes) ([a-z]+)|([a-z]+) and ([a-z]+))\b")
"""Two things of which a document is about both, or one that is a part of what it is about."""
_ONE_THING = frozenset(
    {"research", "development", "scientific", "technical", "information", "communication", "reading", "mathematic"}
) | {"older", "use"}
"""Words of pairs that name one thing together, which people call by either, or two that a series is split into."""
_COMMA = re.compile(r", (?:and |or )?| and | or ")
_WHOLE = re.compile(r"\((?:%|percent|share) of ([^)]+)\)")
_WORKERS = frozenset({"employment", "share"})
"""Words that make people, or a part, of wages; a percentage of the workers is no amount of pay."""
_LEADING_SHARE = re.compile(r"^(?:proportion|share|percentage) of ", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Profile:
    """A document as sets of words: ``core`` is what it is, ``all`` what it says in any of its phrases."""

    phrases: tuple[frozenset[str], ...]
    core: frozenset[str]
    all: frozenset[str]
    lists: tuple[tuple[frozenset[str], ...], ...]
    joined: frozenset[str]
    """Words that the document says only as one of two things, or as a part that is included."""
    denominator: frozenset[str]
    limits: tuple[frozenset[str], ...]
    of_people: bool
    quantity: frozenset[str]


@dataclass(frozen=True, slots=True)
class Wanted:
    """The measure as a set of words, ``per`` being the number of its whole (``per 1,000`` births)."""

    words: frozenset[str]
    per: int | None
    whole: frozenset[str] = frozenset()
    """Of what a share is asked for (``% of labour force``)."""

    @classmethod
    def of(cls, measure: str, question: str = "") -> Wanted:
        """Read a measure; what it is per may stand in the question alone."""
        own = denominator(measure)
        asked = own or (denominator(question) if question else None)
        named = _WHOLE.search(measure)
        whole = words(named[1]) - FORMS if named else frozenset[str]()
        return cls(words(own[1] if own else measure), asked[0] if asked else None, whole)


@lru_cache(maxsize=1024)
def profile(candidate: Candidate) -> Profile:
    """The words of a document."""
    title = _PERIOD.sub(" ", candidate.title)
    quantity = candidate.quantity
    sayings = (*candidate.phrases, title, quantity, _LEADING_SHARE.sub("", quantity))
    if of_people(candidate):
        # "Population, female (% of total population)" has the words of "female population", which are people.
        sayings = candidate.phrases
    phrases = dict.fromkeys(found for text in sayings if (found := words(_without_denominator(text)) - UNITS))
    core = words(title) | words(quantity) | words(candidate.per)
    if candidate.unit_kind == "percent":
        core |= {"share"}
    units = words(candidate.per) | words(candidate.unit) | words(title)
    limits = tuple(LIMITS[one] for one in candidate.constraints.split(",") if one in LIMITS)
    return Profile(
        phrases=tuple(phrases),
        core=core,
        all=core.union(*phrases),
        lists=tuple(
            tuple(words(item) for item in _COMMA.split(found[0]))
            for text in sayings
            for found in _LIST.finditer(text.lower())
        ),
        joined=_joined((candidate.title, quantity), candidate.phrases),
        denominator=units,
        limits=limits,
        of_people=of_people(candidate),
        quantity=words(quantity) - UNITS,
    )


def _joined(titles: tuple[str, ...], phrases: tuple[str, ...]) -> frozenset[str]:
    """Of the words that the titles say in pairs, those that no phrase says by themselves."""
    joined, alone = frozenset[str](), frozenset[str]()
    for text in (*titles, *phrases):
        pairs = [words(item) for found in _PAIR.finditer(text.lower()) for item in found.groups() if item]
        together = frozenset[str]().union(*pairs)
        alone |= words(text) - together
        if text in titles:
            joined |= together
    return joined - alone - _ONE_THING


def of_people(candidate: Candidate) -> bool:
    """Whether the figures are shares of people, of whom the number could be asked for as well."""
    return candidate.unit_kind == "percent" and "population" in words(candidate.quantity)


def _without_denominator(text: str) -> str:
    found = denominator(text)
    return found[1] if found else text


def same_whole(candidate: Candidate, per: int | None) -> bool:
    """Whether "per 1,000" can be meant by a document: a rate per as many, or one of no stated number."""
    if per is None:
        return True
    if per == 100 and candidate.unit_kind == "percent":
        return True
    stated = denominator(f"per {candidate.per}") or denominator(candidate.unit)
    return stated is not None and stated[0] == per


def likeness(wanted: Wanted, candidate: Candidate) -> float:
    """From 0, another quantity, to 1, the same words."""
    document = profile(candidate)
    if wanted.words & UNITS - document.denominator:
        return 0.0
    asked = wanted.words - UNITS
    if wanted.per:
        asked -= document.denominator - document.core
    if "home" not in asked and any(asked & one and document.core & other for one, other in OPPOSITES):
        return 0.0
    if wanted.whole and candidate.unit_kind == "percent" and not wanted.whole & words(candidate.per):
        return 0.0
    if candidate.unit_kind == "percent" and "wage" in asked and not asked & _WORKERS:
        return 0.0
    unsaid = asked - document.all
    if unsaid - SOFT - document.denominator:
        return 0.0
    if _is_part_of_a_list(asked, document) or _is_one_of_two(asked, document):
        return 0.0
    told = asked - unsaid
    if not told - FORMS or any(not limit & asked for limit in document.limits):
        return 0.0
    best = max((_against(told, phrase, document) for phrase in document.phrases), default=0.0)
    return max(0.0, best - _SOFT_LOSS * len(unsaid))


def _is_part_of_a_list(asked: frozenset[str], document: Profile) -> bool:
    """Whether one thing is asked for that documents name only beside others: oil, of "oil, gas and coal"."""
    everything = [frozenset().union(*items) for items in document.lists]
    plainly = document.core.union(
        *(phrase for phrase in document.phrases if not any(listed <= phrase for listed in everything))
    )
    touched = [[item & asked for item in items if item & asked] for items in document.lists]
    named = frozenset().union(*(word for items in touched for word in items))
    return bool(named - plainly) and max(len(items) for items in touched) == 1


def _is_one_of_two(asked: frozenset[str], document: Profile) -> bool:
    """Whether one thing is asked for that the document says only together with another: gold, of all reserves."""
    named = asked & document.joined
    return len(named) == 1 and "including" not in asked


def _against(asked: frozenset[str], phrase: frozenset[str], document: Profile) -> float:
    elsewhere = asked - phrase
    if (elsewhere & TURNING) - document.core - document.denominator:
        return 0.0
    extra = (phrase - asked) & TURNING
    if extra - {"share"} or (extra and document.of_people):
        return 0.0
    if elsewhere & TURNING & document.quantity:
        # What only the title says is held against the title, all of it.
        phrase, elsewhere = phrase | document.quantity, elsewhere - document.quantity
        if (phrase - asked) & TURNING - {"share"}:
            return 0.0
    common = _weight(asked & phrase)
    if not common:
        return 0.0
    implied = elsewhere & (document.denominator | document.core)
    recall = (common + _IMPLIED * _weight(implied) + _ELSEWHERE * _weight(elsewhere - implied)) / _weight(asked)
    precision = common / _weight(phrase)
    return 2 * recall * precision / (recall + precision)


def _weight(some: frozenset[str]) -> float:
    return sum(_FORM_WEIGHT if word in FORMS else 1.0 for word in some)
