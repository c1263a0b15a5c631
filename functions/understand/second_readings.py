"""Other readings of a question that was read, which a clarification may choose or a second answer give."""

from __future__ import annotations

import re

from functions.understand.rules import change_ranking, ranking
from functions.understand.scan import Scan
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

_AS_SHARE = {
    "population ages 65 and above": "population ages 65 and above (% of total population)",
    "population ages 0-14": "population ages 0-14 (% of total population)",
    "internet users": "individuals using the internet (% of population)",
    "access to electricity": "access to electricity (% of population)",
}
"""Counts of people that are more often published as shares: the share is the second reading."""
_AMOUNT = re.compile(r"\b(?:most|fewest|more|fewer)\b")
"""Who has most of them is another question than where their share is highest."""


def alternatives(name: str, chosen: Reading, found: Scan) -> tuple[Reading, ...]:
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
