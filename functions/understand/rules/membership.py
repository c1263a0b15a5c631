"""The members that a place has, and the kinds of places."""

from __future__ import annotations

from functions.understand.scan import Scan, is_group, is_world
from functions.understand.sets import united_states
from shared.query.quantity import PlaceKind
from shared.query.readings import (
    EntityMention,
    PopulationMention,
)

COUNTRIES = PopulationMention(member=PlaceKind.COUNTRY, text="countries")


def members_of(mention: EntityMention) -> PopulationMention:
    """The members that a place has: a group its countries, the US its states, a state its counties."""
    if is_world(mention):
        return COUNTRIES
    if is_group(mention):
        return PopulationMention(member=PlaceKind.COUNTRY, text=f"countries in {mention.label}", container=mention)
    if mention.entity is not None and mention.entity.keys.get("iso3") == "USA":
        return PopulationMention(
            member=PlaceKind.US_STATE, text="states in the United States", container=united_states()
        )
    if kind_of(mention) is PlaceKind.US_STATE:
        return PopulationMention(member=PlaceKind.US_COUNTY, text=f"counties in {mention.label}", container=mention)
    return PopulationMention(member=PlaceKind.PLACE, text=f"places in {mention.label}", container=mention)


def kind_of(mention: EntityMention) -> PlaceKind | None:
    """The kind of a resolved name."""
    return mention.entity.kind if mention.entity else None


def within_named(scan: Scan, of: PopulationMention) -> PopulationMention:
    """The population narrowed to the one group that the question names beside it."""
    others = [scan.name(mark) for mark in scan.marks("E")]
    if len(others) == 1 and of.container is None and is_group(others[0]) and not is_world(others[0]):
        return of.model_copy(update={"container": others[0], "text": f"{of.text} in {others[0].label}"})
    return of
