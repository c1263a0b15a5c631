"""The first or last members of a population by a measure."""

from __future__ import annotations

import re

from functions.understand.measures import is_known
from functions.understand.nouns import FACTS
from functions.understand.rules import signals
from functions.understand.rules.grants import asks_givers
from functions.understand.rules.membership import COUNTRIES, members_of, within_named
from functions.understand.rules.order_words import NUMBERS
from functions.understand.rules.ranked_by import AGENT, RANK_FORM, ranked_measures
from functions.understand.rules.residue import quantity
from functions.understand.scan import Scan, is_group, is_world
from functions.understand.sets import Population
from shared.query.readings import (
    Direction,
    EntityMention,
    MeasureMention,
    RankingReading,
    Reading,
)
from shared.runtime.errors import CannotRead

_COUNT_BEFORE = re.compile(
    r"(?<!\btop )(?<!\bfirst )(?<!\blast )(?<!\bbottom )"
    + r"\b(?P<n>\d{1,3}|"
    + "|".join(sorted(NUMBERS, key=len, reverse=True))
    + r")\s(?=G\d)"
)
_UNKNOWN_SET = re.compile(
    r"^(?:which|what|in which|the|of the)\s(?P<set>(?!other\b|single\b|one\b|same\b)[a-z-]{4,})\s"
    r"(?:country|nation|state|countries|nations|states|G\d+)\b"
)


def ranking(scan: Scan) -> Reading | None:
    """The first or last members of a population by a measure."""
    found = rankings(scan)
    return found[0] if found else None


def rankings(scan: Scan) -> list[Reading]:
    """The ranking and, where its word may order by two quantities, the other one."""
    text = scan.masked
    groups, marks = scan.marks("G"), scan.marks("E")
    if scan.bounds or asks_givers(scan):
        return []
    if len(marks) == 2 and not groups:
        marks = _marks_of_best_in_group(scan, text, marks)
    if len(marks) > 1:
        return []
    if re.match(r"^where (?:do|does|did) (?:the )?(?:most|majority of)(?: of the)? people live", text) and (
        not marks or is_group(scan.name(marks[0])) or scan.name(marks[0]).entity
    ):
        of = members_of(scan.name(marks[0])) if marks else COUNTRIES
        return [RankingReading(population=of, measure=MeasureMention(text="population"), period=scan.period)]
    counted = _COUNT_BEFORE.search(text)
    if counted:
        text = text[: counted.start()] + text[counted.end() :]
    order = signals.order_of(text)
    plain_by = re.match(r"^(?:list of |list )?(?:all |the )?(?P<set>[GE]\d+) (?:by|in order of) (?P<by>.+)$", text)
    if plain_by and plain_by["set"].startswith("E") and not is_group(scan.name(plain_by["set"])):
        plain_by = None
    high_low = re.match(
        r"^(?:which |what |list )?G\d+ (?:with|having|that have|have) (?P<end>high|low|large|"
        r"small|big)\s(?P<by>.+)$",
        text,
    )
    if order is None and high_low:
        order = signals.Order(
            Direction.HIGHEST if high_low["end"] in {"high", "large", "big"} else Direction.LOWEST,
            None,
            None,
            f"{high_low['by']}",
        )
    if (
        order is None
        and plain_by
        and not re.search(r"\bby (?:age|sex|gender|region|continent|sector|year)\b", text)
    ):
        order = signals.Order(Direction.HIGHEST, None, None, plain_by["by"])
    if order is None:
        return []
    population = ranked_population(scan, text, order, groups, marks)
    if population is None:
        return []
    _refuse_unknown_set(text)
    measures = ranked_measures(scan, order, population)
    if not measures:
        return []
    singular = population.one or bool(
        re.match(r"^(?:who|where|in which G\d+|what is the (?:richest|poorest|largest|biggest))\b", text)
        and not groups
    )
    if re.match(r"^who\b.*\bthe most\b", text) and not groups:
        singular = False  # "Who receives the most" asks for those at the top, and names no one country.
    count = order.count or (signals.count_of(counted["n"]) if counted else None) or (1 if singular else None)
    readings: list[Reading] = []
    for wanted in measures:
        direction = order.direction
        if order.judged:
            best = not re.search(r"\bworst\b", text)
            direction = signals.judged_direction(wanted.text, best=best)
        if "youngest" in text and wanted.text.startswith("population ages 0-14"):
            direction = Direction.HIGHEST  # the more children, the younger
        if re.search(r"\bair quality\b", text) and not order.judged:
            direction = Direction.LOWEST if direction is Direction.HIGHEST else Direction.HIGHEST
        readings.append(
            RankingReading(
                population=population.mention, measure=wanted, period=scan.period, direction=direction, count=count
            )
        )
    return readings


def _refuse_unknown_set(text: str) -> None:
    """Refuse "which andean country": the whole world ranked would be another question's answer."""
    match = _UNKNOWN_SET.match(text)
    word = match["set"] if match else ""
    if not match or signals.order_of(word) or re.fullmatch(FACTS, word) or word.endswith(("ing", "ed")):
        return
    raise CannotRead(
        f"I know no group of countries called “{word}”",
        ["Which African country has the highest population?", "Which countries have the highest population?"],
    )


_AUXILIARY = re.compile(r"^(?:is|are|was|were|does|do|did|has|have|had)\b")


def _marks_of_best_in_group(scan: Scan, text: str, marks: list[str]) -> list[str]:
    """As in "Does E0 have the highest X in E1?": the group is ranked, and the one asked about is seen in it."""
    groups = [mark for mark in marks if is_group(scan.name(mark))]
    if _AUXILIARY.match(text) and len(groups) == 1 and " or " not in text and " than " not in text:
        return groups
    return marks


def ranked_population(
    scan: Scan, text: str, order: signals.Order, groups: list[str], marks: list[str]
) -> Population | None:
    """The set that is ordered: the one named, the members of a place, or the world's countries."""
    container = scan.name(marks[0]) if marks else None
    if groups:
        population = scan.population(groups[0])
        if (
            container is not None
            and not is_world(container)
            and population.mention.container is None
            and is_group(container)
        ):
            return Population(
                mention=within_named(scan, population.mention), one=population.one, noun=population.noun
            )
        own = population.mention.container
        if container is not None and own is not None and _same(container, own):
            return population
        if container is not None and not is_world(container) and not _AUXILIARY.match(text):
            _refuse_partner(population, container)
        return population
    if container is not None:
        if not (
            is_group(container)
            or re.search(r"\bwhere\b|\bE\d+$|\bin (?:the )?E\d|\bof (?:the )?E\d|\bacross (?:the )?E\d", text)
        ):
            return None
        return Population(mention=members_of(container), noun="members")
    named = quantity(order.rest, RANK_FORM, r"\b(?:on|in the) (?:earth|world|globe|planet)\b")
    if (
        re.match(r"^(?:who|where|in which|which|what nation)\b", text)
        or AGENT.search(order.rest)
        or (named and is_known(named.text))
        or order.lexeme
    ):
        return Population(mention=COUNTRIES, one=bool(re.match(r"^(?:who|where|which)\b", text)))
    return None


def _same(one: EntityMention, other: EntityMention) -> bool:
    return one.entity is not None and other.entity is not None and one.entity.code == other.entity.code


def _refuse_partner(population: Population, other: EntityMention) -> None:
    raise CannotRead(
        f"it speaks of {population.mention.text} and of {other.label}, and I cannot tell what the "
        f"second has to do with the first",
        [f"Which {population.mention.text} have the highest population?", f"population of {other.label}"],
    )
