"""The relations this source serves: how a question names them and which document describes each."""

from __future__ import annotations

from shared.query.quantity import Frozen, PlaceKind
from shared.query.readings import EntityMention
from shared.query.slots import Slot, SlotKind
from shared.text.places import group_source


class Relation(Frozen):
    """One relation. ``variable`` is its document in the finder; ``label`` names it on receipts."""

    variable: str
    label: str
    words: tuple[str, ...]


RELATIONS: tuple[Relation, ...] = (
    Relation(
        variable="borders",
        label="land borders",
        words=("borders", "border", "neighbours", "neighbors", "neighbour", "neighbor", "bordering", "adjacent"),
    ),
    Relation(
        variable="membership",
        label="membership",
        words=("members", "member", "membership", "part", "belongs", "in"),
    ),
    Relation(variable="capital", label="capital", words=("capital", "capital city")),
    Relation(variable="currency", label="currency", words=("currency", "official currency", "money")),
    Relation(variable="landlocked", label="landlocked", words=("landlocked", "land-locked", "coastline", "coast")),
    Relation(
        variable="region",
        label="region",
        words=("region", "continent", "subregion", "part of the world"),
    ),
    Relation(variable="un_member", label="membership of the United Nations", words=("un member", "un membership")),
    Relation(variable="official_name", label="official name", words=("official name", "full name")),
    Relation(variable="calling_code", label="calling code", words=("calling code", "dialing code", "phone code")),
    Relation(variable="internet_domain", label="internet domain", words=("internet domain", "top-level domain")),
)

STATE_DOCUMENTS = {"borders": "us_state_borders", "capital": "us_state_capital"}
"""Relations of US states are other documents than those of countries."""

WORLD_BANK_LIST = "World Bank country list"
"""The source of the carried groups that are fields of the World Bank's record of a country."""

DOCUMENT_OF = {
    "un_member": "membership",
    "official_name": "capital",
    "calling_code": "currency",
    "internet_domain": "currency",
}
"""Relations that are read from the same published record as another one."""


MEMBERSHIP_WORDS = frozenset({"member", "members", "membership", "part", "belongs", "in"})


def is_united_nations(mention: EntityMention | None) -> bool:
    """Whether the United Nations are meant, whose membership is a field of each country's record."""
    return mention is not None and mention.entity is not None and mention.entity.name == "United Nations"


def relation_of(slot: Slot) -> Relation | None:
    """The relation that a slot asks for, or ``None`` when this source has none of that name."""
    words = (slot.relation or (slot.measure.text if slot.measure else "")).casefold().strip()
    if not words and slot.kind is SlotKind.MEMBERS:
        words = "members"
    if is_united_nations(slot.object) and words in MEMBERSHIP_WORDS:
        words = "un member"
    return next((relation for relation in RELATIONS if words in relation.words), None)


def kept_by_publisher(slot: Slot) -> str | None:
    """The group of a slot that is a publisher's own classification, told by that publisher and not here.

    The World Bank's income groups and regions are fields of its record of a country, and so are sets narrowed by
    an income ("low income countries in Africa").
    """
    population = slot.population
    for mention in (slot.object, population.container if population else None):
        entity = mention.entity if mention is not None else None
        if entity is not None and group_source(entity) == WORLD_BANK_LIST and entity.keys.get("wb") != "WLD":
            return entity.name
    narrowed = (population.fact_filter if population else None) or ""
    return narrowed if "income" in narrowed or narrowed == "developing" else None


def is_state(mention: EntityMention | None) -> bool:
    """Whether a mention is a US state."""
    return mention is not None and mention.entity is not None and mention.entity.kind is PlaceKind.US_STATE


def about_states(slot: Slot) -> bool:
    """Whether a slot asks about US states, as its subject or as its members."""
    member = slot.population is not None and slot.population.member is PlaceKind.US_STATE
    return member or is_state(slot.entity)


def document_of(relation: Relation, slot: Slot) -> str:
    """The variable of the document that describes this relation for this slot."""
    if about_states(slot) and relation.variable in STATE_DOCUMENTS:
        return STATE_DOCUMENTS[relation.variable]
    return DOCUMENT_OF.get(relation.variable, relation.variable)
