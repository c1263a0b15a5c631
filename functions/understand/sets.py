"""A set of members as a noun and a container name it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from functions.understand.nouns import KIND, PLURAL, plural
from shared.query.quantity import PlaceKind
from shared.query.readings import EntityMention, PopulationMention
from shared.text.places import by_code


@lru_cache(maxsize=1)
def united_states() -> EntityMention:
    """The country whose states and counties are meant when none is named."""
    return EntityMention(text="the United States", status="resolved", entity=by_code("USA"))


@dataclass(frozen=True, slots=True)
class Population:
    """A population and how it was spoken of.

    ``one`` tells a singular noun ("which country"), ``each`` a distributive one ("every country", "by country").
    ``named`` tells a set that goes by a name of its own ("the Nordic countries").
    ``assumed`` tells that the container was not said ("states" read as the US states); ``noun`` is the word used,
    in the plural.
    """

    mention: PopulationMention
    one: bool = False
    each: bool = False
    assumed: bool = False
    named: bool = False
    noun: str = "countries"


def population_of(
    noun: str, container: EntityMention | None, *, fact: str | None, quant: str, singular: bool
) -> Population | None:
    """The set that a noun of the table and a container make, or ``None`` when they make none."""
    kind = KIND[noun]
    base = noun if noun in PLURAL else plural(noun)
    assumed = False
    if kind is PlaceKind.US_STATE and container is not None and not is_us(container):
        kind = PlaceKind.COUNTRY if is_container(container) else PlaceKind.PLACE
    if kind is PlaceKind.US_COUNTY and container is not None and not _in_us(container):
        kind = PlaceKind.PLACE
    if container is None and kind in {PlaceKind.US_STATE, PlaceKind.US_COUNTY}:
        container, assumed = united_states(), True
    if noun.startswith("member") and (container is None or not is_container(container)):
        return None
    if (
        container is not None
        and container.entity is not None
        and container.entity.name.lower() in {"world", "the world"}
    ):
        container = None
    if (
        kind is PlaceKind.COUNTRY
        and container is not None
        and not is_container(container)
        and container.status == "resolved"
    ):
        if base not in {"nations", "countries"}:
            return None  # "vietnam's economy" is one economy
        return None
    words = "countries" if base in {"economies", "nations", "member states", "members"} else base
    label = " ".join(filter(None, (fact, words)))
    if container is not None:
        label += f" in {container.label}"
    return Population(
        mention=PopulationMention(member=kind, text=label, container=container, fact_filter=_fact(fact)),
        one=singular,
        each=bool(re.search(r"all|every|each|individual", quant)),
        assumed=assumed,
        noun=base,
    )


def _fact(fact: str | None) -> str | None:
    return re.sub(r"^land-?locked$", "landlocked", fact.replace("-income", " income")) if fact else None


def is_container(mention: EntityMention) -> bool:
    """Whether the name is a group of countries, which has members."""
    return mention.entity is not None and mention.entity.kind is PlaceKind.COUNTRY_GROUP


def is_us(mention: EntityMention) -> bool:
    """Whether the name is the United States."""
    return mention.entity is not None and mention.entity.keys.get("iso3") == "USA"


def _in_us(mention: EntityMention) -> bool:
    return is_us(mention) or (mention.entity is not None and mention.entity.kind is PlaceKind.US_STATE)
