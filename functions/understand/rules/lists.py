"""Neighbours, and the members of a group or a place."""

from __future__ import annotations

import re

from functions.understand.measures import trimmed
from functions.understand.nouns import FACTS
from functions.understand.rules.residue import without_marks
from functions.understand.rules.signals import order_of
from functions.understand.rules.status import BORDER
from functions.understand.scan import Scan, is_group
from functions.understand.sets import Population, united_states
from shared.query.quantity import PlaceKind
from shared.query.readings import (
    EntityMention,
    ItemListReading,
    PopulationMention,
    Reading,
)
from shared.text.places import by_name

_BORDERS_LIST = re.compile(
    rf"\b{BORDER}\b|\bneighbou?r(?:s|ing countr(?:y|ies)|ing states?|ing nations?)?\b|\bborder(?:s|"
    rf"ing countries)?\b|\bsurround(?:s|ed|ing)?\b|\bland borders?\b"
)
_BORDER_FORM = re.compile(
    r"\b(?:border(?:s|ed|ing)?|neighbou?r(?:s|ing|ed)?|adjoin\w*|abut\w*|touch(?:es|ing)?|"
    r"surround\w*|adjacent|next|door|contiguous|share[sd]?|sharing|common|land|shared|"
    r"international|direct(?:ly)?|frontiers?|boundar(?:y|ies)|immediate|contact"
    r"|list|name|names|all|give|show|tell|full|complete|there|countries|country|states|nations|long|be)\b"
)
_LISTING = re.compile(
    r"\b(?:list(?: of)?|name|enumerate|names of|members?|member states?|member countries|"
    r"membership|belongs?|part|makes? up|form|forms|comprises?|comprise|constitutes?|include[sd]?|"
    r"contains?|consists?|all|full|complete|countries|country|states|nations|composed|currently|"
    r"officially|located|situated|today|exist|found|there|classified|classed|counted|considered|"
    r"rated|as|joined|use|uses|belonging|lie|lies"
    r"|give|show|tell|display|be|being|group|grouping|bloc|union|alliance|every|each|different|"
    r"various|other|inside|some|continent|on)\b"
)


_FRAMEWORK = re.compile(
    r"\b(?P<what>targets|indicators|(?:data )?series)\b(?: (?:are|there|that|belong|measure|listed))*"
    r" (?:of|for|under|in|to|measure|measuring) (?:the )?(?:SDGs?\b |sustainable development )?"
    r"(?P<kind>goal|target|indicator|sdg)(?: number)? (?P<code>\d{1,2}(?:\.[\da-z]{1,2}){0,2})\b(?!\S)",
    re.IGNORECASE,
)
"""What stands below a numbered goal, target or indicator of a framework."""

_GOALS = re.compile(
    r"^(?:what are|which are|list|name|show(?: me)?|give(?: me)?|tell me)?(?: all)?(?: (?:of )?the)? ?"
    r"(?:17 |seventeen )?(?:(?:un|united nations) )?(?:sustainable development goals|sdg goals|sdgs"
    r"|goals of the (?:sdgs|2030 agenda))$",
    re.IGNORECASE,
)
"""The goals themselves."""

_ARE_THERE = re.compile(r"^(?:is|are) there (?:any |some )?(?=G\d)")


def item_list(scan: Scan) -> Reading | None:
    """Neighbours, the members of a group or a place, or what stands below a numbered goal."""
    if below := _FRAMEWORK.search(scan.text.rstrip(" ?.!")):
        kind = below["kind"].lower().replace("sdg", "goal")
        relation = f"{below['what'].lower().removeprefix('data ')} of {kind}"
        text = f"{relation} {below['code'].lower()}"
        return ItemListReading(relation=relation, population=PopulationMention(member=PlaceKind.PLACE, text=text))
    if _GOALS.match(scan.text.strip(" ?.!")):
        goals = PopulationMention(member=PlaceKind.PLACE, text="sustainable development goals")
        return ItemListReading(relation="goals", population=goals)
    text = scan.masked
    if _ARE_THERE.match(text) and not scan.bounds:
        text = _ARE_THERE.sub("", text)
        if not re.match(r"^(?:G\d+)", text):
            return None
    if scan.bounds or re.match(r"^(?:is|are|does|do|did|was|were|has|have|how (?:many|much|long|far))\b", text):
        return None
    marks, groups = scan.marks("E"), scan.marks("G")
    if _BORDERS_LIST.search(text) and marks:
        rest = trimmed(_BORDER_FORM.sub(" ", without_marks(text)))
        if not rest and len(marks) == 1:
            return ItemListReading(
                relation="borders", population=_neighbours(scan, marks[0], groups), entity=scan.name(marks[0])
            )
    if order_of(text) or (scan.chart and not groups):
        return None
    euro = re.search(r"\b(?:use|uses|using|adopted|have|share)\sthe\seuro\b", text)
    if euro and len(groups) == 1 and not marks:
        area = by_name("Euro area")
        mention = EntityMention(text="the euro", status="resolved", entity=area) if area else None
        population = PopulationMention(
            member=PlaceKind.COUNTRY, text="countries that use the euro", container=mention
        )
        return ItemListReading(relation="members", population=population)
    rest = trimmed(_LISTING.sub(" ", without_marks(text)))
    if rest and len(groups) == 1 and not marks and re.fullmatch(FACTS, rest):
        population = scan.population(groups[0]).mention
        label = f"{rest} {population.text}"
        return ItemListReading(
            relation="members", population=population.model_copy(update={"fact_filter": rest, "text": label})
        )
    if rest:
        return None
    if len(groups) == 1:
        return _members(scan, scan.population(groups[0]), marks)
    if len(marks) == 1 and is_group(scan.name(marks[0])) and _asks_members(text):
        return ItemListReading(
            relation="members",
            population=PopulationMention(
                member=PlaceKind.COUNTRY,
                text=f"members of {scan.name(marks[0]).label}",
                container=scan.name(marks[0]),
            ),
        )
    return None


def _asks_members(text: str) -> bool:
    return bool(
        re.search(
            r"\bmembers?(?:hip)?\b|\bwho\b|\bbelong|\bmakes? up\b|\bcompris|\bpart of\b|\blist\b|"
            r"\bconsists?\b|\binclude",
            text,
        )
    )


def _members(scan: Scan, found: Population, marks: list[str]) -> Reading | None:
    population = found.mention
    if found.one:
        return None
    if marks and population.container is None:
        container = scan.name(marks[0])
        if len(marks) == 1 and (is_group(container) or population.member is not PlaceKind.COUNTRY):
            population = population.model_copy(
                update={"container": container, "text": f"{population.text} in {container.label}"}
            )
    elif marks:
        return None
    asked = re.search(r"\b(?:which|what|list|all|every|each|name|show|give|members?|who)\b", scan.text.lower())
    if population.container is None and population.fact_filter is None and not asked:
        return None
    return ItemListReading(relation="members", population=population)


def _neighbours(scan: Scan, mark: str, groups: list[str]) -> PopulationMention:
    if groups:
        return scan.population(groups[0]).mention
    entity = scan.name(mark).entity
    if entity is not None and entity.kind is PlaceKind.US_STATE:
        return PopulationMention(
            member=PlaceKind.US_STATE, text="states in the United States", container=united_states()
        )
    if entity is not None and entity.kind is PlaceKind.US_COUNTY:
        return PopulationMention(
            member=PlaceKind.US_COUNTY, text="counties in the United States", container=united_states()
        )
    return PopulationMention(member=PlaceKind.COUNTRY, text="countries")
