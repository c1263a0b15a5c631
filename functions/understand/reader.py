"""The deterministic reader: one English question in, one to four typed readings out, or why not."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from functions.understand import spelling
from functions.understand.assumptions import assumed
from functions.understand.framing import asking
from functions.understand.measures import is_known
from functions.understand.question import plain
from functions.understand.rules import (
    aggregate,
    breakdown,
    change_ranking,
    comparison,
    correlation,
    difference,
    filtered_list,
    grants,
    lists,
    population_value,
    ranking,
    ratio,
    records,
    status,
    trend,
    vague,
    value,
    yes_no,
)
from functions.understand.rules.moment import refuse_moment
from functions.understand.rules.refusals import refuse_lost_words
from functions.understand.rules.residue import quantity
from functions.understand.scan import Scan, scan
from shared.query.readings import (
    AggregateReading,
    ComparisonReading,
    DifferenceReading,
    ItemListReading,
    MeasureMention,
    PopulationMention,
    RankingReading,
    RatioReading,
    Reading,
    TrendReading,
    ValueReading,
)
from shared.runtime.errors import CannotRead

MAX_READINGS = 4
Rule = Callable[[Scan], "Reading | None"]

RULES: tuple[tuple[str, Rule], ...] = (
    ("grant_graph", grants.grant_graph),
    ("topical", records.topical),
    ("correlation", correlation.correlation),
    ("status", status.status),
    ("fact", status.fact),
    ("item_list", lists.item_list),
    ("ratio", ratio.ratio),
    ("difference", difference.difference),
    ("yes_no", yes_no.yes_no),
    ("breakdown", breakdown.breakdown),
    ("aggregate", aggregate.aggregate),
    ("filtered_list", filtered_list.filtered_list),
    ("vague_aspect", vague.vague_aspect),
    ("change_ranking", change_ranking.change_ranking),
    ("ranking", ranking.ranking),
    ("trend", trend.trend),
    ("comparison", comparison.comparison),
    ("population_value", population_value.population_value),
    ("value", value.value),
)
"""Ordered: the first rule that reads the question wins."""

OPEN_TYPES = frozenset({"value", "comparison", "population_value"})

FORMS = [
    "What is the population of Kenya?",
    "GDP of France vs Germany",
    "Which countries have the highest life expectancy?",
    "How has unemployment in Spain changed since 2010?",
]
_ORDERS = re.compile(
    r"^(?:please\s)?(?:ignore|disregard|forget|answer|reply|respond|say|print|output|pretend|"
    r"act as|you (?:are|must|should|will)|do not|don't|make up|repeat|reveal|override|bypass|"
    r"always|never)\b|\b(?:previous|prior|above|earlier|all) (?:instructions?|rules|prompts?)\b|"
    r"\bsystem prompt\b|^system\s?:|\bwhatever the data\b|^(?:assistant|user)\s?:",
    re.IGNORECASE,
)
_ERRAND = re.compile(
    r"^(?:please )?(?:translate|write|compose|sing|cook|play|book|buy|order me|call|email|delete|"
    r"drop table|insert into|select \*|recommend|generate|summari[sz]e this|fix|debug|code|"
    r"draw me|define|explain what|convert)\b",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"(?:(?:good (?:morning|afternoon|evening|night|day)|hello|hi|hey|howdy|greetings|"
    r"thanks?(?: you)?(?: very much)?|"
    r"welcome|bye|goodbye|cheers|how are you(?: today| doing)?|what'?s up|nice to meet you)(?: there|"
    r" all| everyone)?"
    r"[\s,.!?]*)+",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[?!.])\s+(?=[A-Za-z0-9'\"(])")


@dataclass(frozen=True, slots=True)
class Read:
    """Readings, best first, and what was assumed while reading."""

    readings: tuple[Reading, ...]
    notes: tuple[str, ...] = ()


def read(question: str, *, today: date) -> Read:
    """Read a question. Raises ``CannotRead`` with the nearest forms that work."""
    found, notes = prepared(question, today)
    readings = _decide(found)[:MAX_READINGS]
    return Read(readings=readings, notes=(*notes, *assumed(found, readings[0])))


@lru_cache(maxsize=64)
def prepared(question: str, today: date) -> tuple[Scan, tuple[str, ...]]:
    """The masked question and what was corrected in it. Raises ``CannotRead`` for what is no English question."""
    text = plain(question)
    if not re.search(r"[A-Za-z]{2}", text):
        raise CannotRead("it holds no words that I can read", FORMS)
    if _GREETING.fullmatch(text):
        raise CannotRead("it is a greeting and asks for no figure", FORMS)
    text, notes = _without_orders(text)
    text, placed = asking(text)
    notes += placed
    if _ERRAND.match(text):
        raise CannotRead("it asks for something else than a figure or a fact", FORMS)
    if _foreign(text):
        raise CannotRead("it does not look like English, the only language I read", FORMS)
    corrected, fixes = spelling.corrected(spelling.with_apostrophes(text))
    notes += tuple(f"read “{wrong}” as “{right}”" for wrong, right in fixes)
    found = scan(_one_sentence(corrected), today=today)
    refuse_moment(found)
    refuse_lost_words(found)
    return found, notes


def read_as(kind: str, found: Scan) -> Reading | None:
    """The reading of one type, when the question has what that type needs. Raises ``CannotRead``.

    The open types ask for no form of their own, so they fit only what no form of another type claims.
    """
    for name, rule in RULES:
        if name == kind:
            return rule(found)
        if (kind in OPEN_TYPES or (kind, name) == ("ranking", "change_ranking")) and rule(found) is not None:
            return None
    return None


def _decide(found: Scan) -> tuple[Reading, ...]:
    for name, rule in RULES:
        reading = rule(found)
        if reading is None:
            continue
        return (reading, *_alternatives(name, reading, found))
    unknown = value.unknown_place(found)
    if unknown is not None:
        return (unknown,)
    raise CannotRead(*why_not(found))


_AS_SHARE = {
    "population ages 65 and above": "population ages 65 and above (% of total population)",
    "population ages 0-14": "population ages 0-14 (% of total population)",
    "internet users": "individuals using the internet (% of population)",
    "access to electricity": "access to electricity (% of population)",
}
"""Counts of people that are more often published as shares: the share is the second reading."""
_AMOUNT = re.compile(r"\b(?:most|fewest|more|fewer)\b")
"""Who has most of them is another question than where their share is highest."""


def _alternatives(name: str, chosen: Reading, found: Scan) -> tuple[Reading, ...]:
    """Other readings of the subject: a second sense of "largest", the list behind a count, a change's course."""
    if name == "change_ranking":
        return tuple(change_ranking.change_rankings(found)[1:])
    if name == "ranking" and len(rankings := ranking.rankings(found)) > 1:
        return tuple(rankings[1:])
    if isinstance(chosen, RankingReading | ValueReading | ComparisonReading):
        share = _AS_SHARE.get(chosen.measure.text)
        if share is not None and not chosen.measure.share and not _AMOUNT.search(found.masked):
            return (chosen.model_copy(update={"measure": MeasureMention(text=share, share=True)}),)
    if isinstance(chosen, ValueReading) and chosen.measure.share and (part := _part_of_people(chosen)):
        return (part,)
    if isinstance(chosen, AggregateReading) and chosen.population.fact_filter == "borders":
        neighbours = PopulationMention(member=chosen.population.member, text="countries")
        return (ItemListReading(relation="borders", population=neighbours, entity=chosen.population.container),)
    if isinstance(chosen, DifferenceReading) and len(chosen.entities) == 1:
        return (TrendReading(entities=chosen.entities, measure=chosen.measure, period=chosen.period),)
    return ()


_PEOPLE = re.compile(
    r"^(?P<what>[^%]*\b(?:population|people|residents|inhabitants))$"
    r"|^(?P<who>[^%(]+) \(% of (?:total )?population\)$"
)


def _part_of_people(chosen: ValueReading) -> RatioReading | None:
    """A share of a place's people, where it is not published as such: their number over that of all."""
    people = _PEOPLE.match(chosen.measure.text)
    if people is None:
        return None
    return RatioReading(
        numerator_entity=chosen.entity,
        numerator=MeasureMention(text=people["what"] or f"{people['who']} people"),
        denominator_entity=chosen.entity,
        denominator=MeasureMention(text="population"),
        period=chosen.period,
        as_percent=True,
    )


def why_not(found: Scan) -> tuple[str, list[str]]:
    """The reason a question could not be read and the nearest forms that work."""
    marks, groups = found.marks("E"), found.marks("G")
    wanted = quantity(found.masked)
    if marks and wanted is None:
        name = found.name(marks[0]).label
        if len(marks) > 1:
            other = found.name(marks[1]).label
            return f"it names {name} and {other} and no quantity to compare", [
                f"population of {name} vs {other}",
                f"GDP of {name} vs {other}",
            ]
        return f"it names {name} and no quantity", [f"population of {name}", f"Tell me about {name}"]
    if groups and wanted is None:
        text = found.population(groups[0]).mention.text
        return f"it speaks of {text} and names no quantity", [
            f"population of {text}",
            f"Which {text} have the highest life expectancy?",
        ]
    if wanted is not None and not marks and not groups and is_known(wanted.text):
        return f"it names no place that I know, so I cannot tell whose {wanted.text} is meant", [
            f"{wanted.text} of Kenya",
            f"Which countries have the highest {wanted.text}?",
        ]
    return "its form is none that I know", list(FORMS)


def _without_orders(text: str) -> tuple[str, tuple[str, ...]]:
    """The sentences that ask, without those that tell the reader what to answer."""
    sentences = _SENTENCE.split(text)
    kept = [sentence for sentence in sentences if not _ORDERS.search(sentence)]
    if not kept:
        raise CannotRead("it tells me what to answer and asks for no figure", FORMS)
    if len(kept) == len(sentences):
        return text, ()
    return " ".join(kept), ("only the question was read; the rest of the text asks for no figure",)


def _one_sentence(text: str) -> str:
    """Several sentences as one, so that "What is X of A? How does that compare to B?" names both."""
    return re.sub(r"[?!]+\s+", ", ", text)


_FUNCTION_WORDS = re.compile(
    r"\b(?:el|la|los|las|una|uno|cuál|cual|cuánt\w+|qué|es|della|delle|dei|il|gli|quanto|quale|"
    r"qual|der|die|das|und|ist|wie|viele|welche[rs]?|hat|le|les|des|une|est|quelle?|combien|du|"
    r"dans|não|são|quantos|het|een|hoeveel|wat|och|är|hur|många|jest|jaka|ile|berapa|nüfusu|kaç)\b",
    re.IGNORECASE,
)


_ASKS_ELSEWHERE = re.compile(
    r"combien|quels?|quelles?|cu[aá]l(?:es)?|cu[aá]nt[oa]s?|quant[ioae]s?|quale|wieviele?|wie|hoeveel|berapa|jaka|ile|kaç|hur|mikä"
)


def _foreign(text: str) -> bool:
    letters = [character for character in text if character.isalpha()]
    if not letters:
        return True
    if sum(character > "ɏ" for character in letters) > len(letters) * 0.2:
        return True
    words = re.findall(r"[^\W\d_]+", text.lower())
    if any(_ASKS_ELSEWHERE.fullmatch(word) for word in words) and not any(word in _ENGLISH() for word in words):
        return True
    hits = sum(1 for word in words if _FUNCTION_WORDS.fullmatch(word))
    english = sum(1 for word in words if word in _ENGLISH())
    return hits >= 2 and hits > english


@lru_cache(maxsize=1)
def _ENGLISH() -> frozenset[str]:  # noqa: N802
    return frozenset(
        [
            "the",
            "of",
            "in",
            "is",
            "are",
            "what",
            "which",
            "how",
            "many",
            "much",
            "does",
            "do",
            "did",
            "has",
            "have",
            "and",
            "or",
            "to",
            "for",
            "a",
            "an",
            "by",
            "with",
            "than",
            "who",
            "where",
            "was",
            "were",
            "more",
        ]
    )
