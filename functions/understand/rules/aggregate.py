"""One figure over a population."""

from __future__ import annotations

import re

from functions.understand.measures import trimmed
from functions.understand.nouns import FACTS
from functions.understand.rules import signals
from functions.understand.rules.filtered_list import conditions
from functions.understand.rules.membership import members_of, within_named
from functions.understand.rules.references import conditions_against
from functions.understand.rules.residue import quantity, without_marks
from functions.understand.scan import Scan, is_group, is_world
from shared.query.quantity import PlaceKind
from shared.query.readings import (
    AggregateOperation,
    AggregateReading,
    EntityMention,
    PopulationMention,
    Reading,
)

_OPERATIONS: tuple[tuple[str, AggregateOperation], ...] = (
    (
        r"\b(?:total|combined|aggregate|sum(?:med)?(?: total)?|together|altogether|collective|"
        r"cumulative|add(?:ed)? up|joint)\b",
        AggregateOperation.SUM,
    ),
    (r"\b(?:averages?|mean|avg|arithmetic mean|averaged)\b", AggregateOperation.MEAN),
    (r"\bmedian\b", AggregateOperation.MEDIAN),
)
_COUNTED = re.compile(
    r"^(?:(?:so|and|in|of)\s)?(?:(?:tell|give|show)(?: me)?\s)?(?:(?:how many|number of|"
    r"the number of|total number of|the total number of|count(?: of| the|"
    r" how many)?(?: number of)?|what (?:is|was) the (?:total )?number of|"
    r"how much)\s)(?:of\s)?(?:the\s|all\s|different\s|these\s)*(?P<set>G\d+)\b"
)
_OPERATION_NOUN = (
    r"\b(?:of|for|what|is|was|the|sum|total|combined|aggregate|collective|"
    r"cumulative|together|altogether|average|mean|median|avg|averaged|simple|"
    r"unweighted|arithmetic|typical|overall|add up|added up|summed|joint)\b"
)


_ITS_OWN = {
    AggregateOperation.MEDIAN: re.compile(
        r"\bmedian (?:age|household|income|wage|salary|wealth|rent|home|house|earnings)\b"
    ),
    AggregateOperation.MEAN: re.compile(
        r"\bmean (?:household|family|travel time|commute|commuting)\b|"
        r"\baverage (?:age|household|income|wage|salary|temperature|person|woman|number of|years|"
        r"annual|price|hours|size|height|family)\b"
    ),
    AggregateOperation.SUM: re.compile(
        r"\btotal (?:fertility|population growth|debt service|natural resource|factor)\b"
    ),
}
"""Quantities that bear the word of an operation in their own name."""
_HOW_MANY_MEMBERS = re.compile(
    r"^(?:how many|number of|the number of)\s(?:member(?:s| states| countries| nations)?|"
    r"countries|states|nations)\b"
    r"(?:\s(?:does|do|has|have|are|is|in|of|make up|belong to|there|the|part|"
    r"did))*\s(?P<in>E\d+)(?:'s)?(?:\s(?:have|has|include|contain|consist of|count|comprise))?$"
)


def aggregate(scan: Scan) -> Reading | None:
    """One figure over a population: how many members, their total, their mean or median."""
    text = scan.masked
    counted = _COUNTED.match(text)
    if counted:
        return _count(scan, text, counted["set"])
    members = _HOW_MANY_MEMBERS.match(text)
    if members and is_group(scan.name(members["in"])):
        return AggregateReading(
            operation=AggregateOperation.COUNT, population=members_of(scan.name(members["in"])), period=scan.period
        )
    if scan.bounds or (signals.order_of(text) and not _OPENS_WITH_OPERATION.match(text)):
        return None
    operation = next((operation for pattern, operation in _OPERATIONS if re.search(pattern, text)), None)
    if operation is None or _ITS_OWN[operation].search(text):
        return None
    of = _aggregated(scan, text, operation)
    wanted = quantity(text, _OPERATION_NOUN) if of else None
    if of is None or wanted is None:
        return None
    return AggregateReading(operation=operation, population=of, measure=wanted, period=scan.period)


_OPENS_WITH_OPERATION = re.compile(r"^(?:what|the|average|mean|median|total|combined)\b")


def _aggregated(scan: Scan, text: str, operation: AggregateOperation) -> PopulationMention | None:
    """The set that is summed or averaged: a population, the members of a group, or the names listed."""
    groups, marks = scan.marks("G"), scan.marks("E")
    if len(groups) == 1:
        population = scan.population(groups[0])
        if re.search(r"\bby G\d|\beach\b|\bevery\b", f"{text} {scan.text.lower()}"):
            return None
        return population.mention
    names = tuple(scan.name(mark) for mark in marks)
    if groups:
        return None
    if len(marks) == 1 and is_group(names[0]) and not is_world(names[0]):
        return members_of(names[0])
    if len(marks) < 2 or re.search(r"\bvs\b|\bcompar|\bdifferen", text):
        return None
    if operation is AggregateOperation.SUM or re.search(
        r"\b(?:average|mean|median)\b.*\b(?:of|across|for|in|over)\b", text
    ):
        return PopulationMention(member=_kind_of(names), text=" and ".join(n.label for n in names), listed=names)
    return None


def _kind_of(listed: tuple[EntityMention, ...]) -> PlaceKind:
    first = listed[0].entity
    return first.kind if first else PlaceKind.COUNTRY


def _count(scan: Scan, text: str, mark: str) -> Reading | None:
    population = scan.population(mark)
    of = population.mention
    others = scan.marks("E")
    if scan.bounds:
        return AggregateReading(
            operation=AggregateOperation.COUNT,
            population=within_named(scan, of),
            conditions=conditions(scan, _COUNTED.sub(" ", text)),
            period=scan.period,
        )
    against = conditions_against(scan, text)
    if against:
        return AggregateReading(
            operation=AggregateOperation.COUNT, population=of, conditions=against, period=scan.period
        )
    rest = trimmed(
        re.sub(
            r"\b(?:are|is|there|exist|total|altogether|have|has|does|belong|part|members?|located|"
            r"there are|do|make up|states|countries|counties|cities|currently|in|on|world|"
            r"recogni[sz]ed|independent|officially)\b",
            " ",
            without_marks(_COUNTED.sub(" ", text)),
        )
    )
    border = re.search(r"\bborder\w*|\bneighbou?r\w*|\bnext to|\badjacent|\bsurround\w*|\badjoin\w*", text)
    if border and len(others) == 1:
        return AggregateReading(
            operation=AggregateOperation.COUNT,
            population=PopulationMention(
                member=of.member,
                text=f"{of.text} that border {scan.name(others[0]).label}",
                container=scan.name(others[0]),
                fact_filter="borders",
            ),
        )
    if rest and re.fullmatch(FACTS, rest):
        of = of.model_copy(update={"fact_filter": rest, "text": f"{rest} {of.text}"})
    elif rest:
        return None
    if len(others) == 1 and of.container is None:
        of = (
            of.model_copy(
                update={"container": scan.name(others[0]), "text": f"{of.text} in {scan.name(others[0]).label}"}
            )
            if not is_world(scan.name(others[0]))
            else of
        )
    return AggregateReading(operation=AggregateOperation.COUNT, population=of, period=scan.period)
