"""The first or last members of a population by a measure."""

from __future__ import annotations

import re

from functions.understand.measures import is_known, trimmed
from functions.understand.nouns import FACTS
from functions.understand.populations import Population
from functions.understand.rules import signals
from functions.understand.rules.membership import COUNTRIES, members_of, within_named
from functions.understand.rules.residue import quantity, without_marks
from functions.understand.scan import Scan, is_group, is_world
from shared.query.quantity import PlaceKind
from shared.query.readings import (
    Direction,
    EntityMention,
    MeasureMention,
    RankingReading,
    Reading,
)
from shared.runtime.errors import CannotRead

_AGENT = re.compile(
    r"\b(?P<what>(?:[a-z0-9-]+\s){0,3}?[a-z0-9-]+)?\s?\b(?P<agent>emitters?|spenders?|producers?|"
    r"exporters?|importers?|consumers?|polluters?|growers?|recipients?|users|borrowers?|debtors?|"
    r"donors?|investors?|performers?)\b"
)
_AGENT_NOUNS = {
    "emitter": "emissions",
    "spender": "expenditure",
    "producer": "production",
    "exporter": "exports",
    "importer": "imports",
    "consumer": "consumption",
    "polluter": "emissions",
    "grower": "production",
    "recipient": "received",
    "user": "use",
    "borrower": "debt",
    "debtor": "debt",
}
_RANK_FORM = (
    r"\b(?:which|what|who|where|has|have|had|is|are|was|were|the|with|list|show|of|name|"
    r"that|whose|by|in terms of|based on|according to|measured by|countries|number of|"
    r"level of|levels of|amount of|rank(?:ed|ing)?|places?|table|find|their|people's|"
    r"does|do|did|there|overall|some|experienced?|seen?|ones?|rates? of)\b"
)
_COUNT_BEFORE = re.compile(
    r"(?<!\btop )(?<!\bfirst )(?<!\blast )(?<!\bbottom )"
    + r"\b(?P<n>\d{1,3}|"
    + "|".join(sorted(signals.NUMBERS, key=len, reverse=True))
    + r")\s(?=G\d)"
)
_CHANGE_NOUN = re.compile(
    r"^(?:reduction|increase|decrease|growth|decline|drop|rise|fall|improvement|change|gain|loss|progress)s?$"
)
_BY_SHARE = re.compile(
    r"\b(?:by|as|in) (?:a |the )?(?:share|percentage|percent|proportion|%) of (?:the |their |its |"
    r"total )?(?P<base>land|population|gdp|territory|area)(?: area)?\b"
)
_BY_NAMED = re.compile(
    r",\s(?:by|as measured by|measured by|judged by|in terms of|based on)\s(?P<by>[^,?]+?)"
    r"(?:,?\s(?:in\s)?Y\d+)?[\s,?.]*$"
)
_UNKNOWN_SET = re.compile(
    r"^(?:which|what|in which|the|of the)\s(?P<set>(?!other\b|single\b|one\b|same\b)[a-z-]{4,})\s"
    r"(?:country|nation|state|countries|nations|states|G\d+)\b"
)
_BARE_SIZE = re.compile(r"\b(?:largest|biggest|smallest|tiniest|greatest|big|small|large)\b")


def ranking(scan: Scan) -> Reading | None:
    """The first or last members of a population by a measure."""
    found = rankings(scan)
    return found[0] if found else None


def rankings(scan: Scan) -> list[Reading]:
    """The ranking and, where its word may order by two quantities, the other one."""
    text = scan.masked
    groups, marks = scan.marks("G"), scan.marks("E")
    if scan.bounds:
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
    population = _ranked_population(scan, text, order, groups, marks)
    if population is None:
        return []
    _refuse_unknown_set(text)
    measures = _ranked_measures(scan, order, population)
    if not measures:
        return []
    singular = population.one or bool(
        re.match(r"^(?:who|where|in which G\d+|what is the (?:richest|poorest|largest|biggest))\b", text)
        and not groups
    )
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


def _ranked_population(
    scan: Scan, text: str, order: signals.Order, groups: list[str], marks: list[str]
) -> Population | None:
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
    named = quantity(order.rest, _RANK_FORM, r"\b(?:on|in the) (?:earth|world|globe|planet)\b")
    if (
        re.match(r"^(?:who|where|in which|which|what nation)\b", text)
        or _AGENT.search(order.rest)
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


_AGE_WORD = re.compile(r"\b(?P<word>oldest|youngest|longest|shortest)\b")


def _ranked_by_age(scan: Scan, rest: str) -> MeasureMention | None:
    """As in "Oldest population" and "where people live the longest": the word itself tells the quantity."""
    word = _AGE_WORD.search(scan.masked)
    left = trimmed(without_marks(re.sub(_RANK_FORM, " ", rest)))
    if word is None:
        return None
    if word["word"] in {"longest", "shortest"}:
        lives = re.fullmatch(r"(?:people|women|men|they|citizens|inhabitants)? ?(?:live|lives|living|lived)", left)
        return MeasureMention(text="life expectancy") if lives else None
    if not re.fullmatch(r"(?:populations?|people|citizens|inhabitants)?", left):
        return None
    if word["word"] == "oldest":
        return MeasureMention(text="population ages 65 and above (% of total population)", share=True)
    return MeasureMention(text="median age")


def _ranked_measures(scan: Scan, order: signals.Order, population: Population) -> list[MeasureMention]:
    rest = order.rest
    grown = signals.grows(rest) or (
        (
            "population growth"
            if re.search(r"\bpopulations?\b", rest) or population.noun not in {"countries", "economies", "members"}
            else "gdp growth"
        )
        if order.growing
        else None
    )
    if grown and (order.growing or re.search(r"\bgrow|\bexpand", rest)):
        return [MeasureMention(text=grown)]
    agent = _AGENT.search(rest)
    if agent:
        rest = (
            rest[: agent.start("agent")]
            + _AGENT_NOUNS.get(agent["agent"].removesuffix("s"), agent["agent"])
            + rest[agent.end("agent") :]
        )
    named_by = _BY_NAMED.search(rest)
    if named_by and is_known(trimmed(without_marks(named_by["by"]))) and not _BY_SHARE.search(rest):
        by = quantity(named_by["by"], _RANK_FORM)
        if by is not None:
            return [by]
    aged = _ranked_by_age(scan, rest)
    if aged is not None:
        return [aged]
    share = _BY_SHARE.search(rest)
    base = rest[: share.start()] + " " + rest[share.end() :] if share else rest
    wanted = quantity(base, _RANK_FORM, r"\bgrow(?:n|s|th)? the\b")
    if (
        order.lexeme
        and wanted is not None
        and not is_known(wanted.text)
        and trimmed(without_marks(re.sub(_RANK_FORM, " ", base))) in {"place", "places", "people", "world"}
    ):
        wanted = None
    changed = signals.changed_quantity(wanted.text) if wanted else None
    if wanted is not None and _CHANGE_NOUN.match(wanted.text):
        raise CannotRead(
            "it orders by a change and does not say of what",
            ["Which countries have the highest population growth?"],
        )
    if changed:
        growth = signals.growth_of(changed)
        if growth:
            return [MeasureMention(text=growth)]
        raise CannotRead(
            f"it orders by the change of {changed}, and I can order by published figures only",
            [f"Which countries have the highest {changed}?", f"How has {changed} changed in Kenya since 2000?"],
        )
    if wanted is None and order.lexeme:
        wanted = signals.lexeme_measure(order.lexeme)
    elif wanted is not None and signals.is_adjective(wanted.text):
        wanted = signals.lexeme_measure(wanted.text)
    if wanted is not None:
        if share and "(%" not in wanted.text and not wanted.share:
            wanted = MeasureMention(text=f"{wanted.text} (% of {share['base']})", share=True)
        if (
            wanted.text.startswith("forest area")
            and "(%" not in wanted.text
            and not re.search(r"\barea|\bmost forests?\b", scan.masked)
        ):
            wanted = MeasureMention(text="forest area (% of land area)", share=True)
        return [wanted]
    return _sized(scan, population)


def _sized(scan: Scan, population: Population) -> list[MeasureMention]:
    """What "largest" orders by when no quantity is named: the usual sense first."""
    if not _BARE_SIZE.search(scan.masked) and not re.search(r"\btop\b|\brank", scan.masked):
        return []
    area, people = MeasureMention(text="surface area"), MeasureMention(text="population")
    if population.noun == "economies":
        return [MeasureMention(text="gdp")]
    if not _BARE_SIZE.search(scan.masked):
        return []
    if population.mention.member in {PlaceKind.CITY, PlaceKind.US_COUNTY, PlaceKind.PLACE}:
        return [people]
    if population.mention.member in {PlaceKind.COMPANY}:
        return [MeasureMention(text="revenue"), MeasureMention(text="market capitalization")]
    if population.mention.member is PlaceKind.ORGANIZATION:
        return [MeasureMention(text="revenue"), MeasureMention(text="total assets")]
    return [area, people]
