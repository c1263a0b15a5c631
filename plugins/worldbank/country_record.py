"""Facts and members from the World Bank's own record of a country: income level, region, lending type, capital.

A fact is read from ``/country/KEN``. The members of a group are what the list's own filters leave
(``/country?incomeLevel=LIC``), held against every row's record, without the groups that are listed beside
countries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from plugins.worldbank.answers import LICENCE, PUBLISHER
from plugins.worldbank.classes import FIELDS, GROUPS, Group, RecordField, field_named, group_worded
from plugins.worldbank.client import WorldBankClient
from plugins.worldbank.places import as_entity, resolve_entity
from plugins.worldbank.records import Countries, Country
from shared.query.annotated import Bound, EntityResolved, Executed, Meaning, PlannedRequest, Selected
from shared.query.discovery import TableDocument
from shared.query.evidence import (
    Disclosure,
    DisclosureKind,
    FailureStatus,
    Measure,
    Observation,
    SourceResponse,
    Unanswerable,
)
from shared.query.quantity import Entity, Period, PlaceKind, Unit, UnitKind
from shared.query.readings import EntityMention
from shared.query.slots import Slot, SlotKind
from shared.runtime.errors import ResponseMalformed
from shared.text.places import group_as_of, group_source, members

KINDS = frozenset({SlotKind.FACT, SlotKind.MEMBERS})
MEMBERSHIP = "membership"
VARIABLES = frozenset({MEMBERSHIP, *(field.variable for field in FIELDS)})
"""The tables of the record in the finder; none of them holds figures."""

MEMBER_WORDS = frozenset({"", "member", "members", "membership", "part", "belongs", "in"})
WORDS = Unit(kind=UnitKind.NONE, code="", label="")
COUNTRY_PAGE = "https://data.worldbank.org/country/"
GROUPS_PAGE = "https://datahelpdesk.worldbank.org/knowledgebase/articles/906519"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a slot asks of the record: a field, or whether (and which) countries are in all of the groups.

    ``within`` is a group that the record does not decide and whose members are known otherwise.
    """

    field: RecordField
    groups: tuple[Group, ...] = ()
    within: Entity | None = None
    meaning: str = MEMBERSHIP

    @property
    def name(self) -> str:
        """What receipts call it."""
        named = [f"{group.field.label}: {group.name}" for group in self.groups]
        return "; ".join(named) or self.field.label


def choose(slot: Slot, documents: Sequence[TableDocument]) -> Selected | Unanswerable:
    """The field that a slot asks for, if the search returned its table or the one of memberships."""
    asked = read(slot)
    if isinstance(asked, Unanswerable):
        return asked
    fields = {group.field.variable for group in asked.groups} | {MEMBERSHIP} if asked.groups else set()
    wanted = {asked.field.variable, *fields}
    found = tuple(document for document in documents if document.variable in wanted)
    if not found:
        return Unanswerable(status=FailureStatus.NOT_FOUND, reason=f"the search returned no table of {asked.name}")
    meaning = Meaning(id=asked.meaning, label=asked.name, variable=asked.field.variable, rank=0, documents=found)
    return Selected(meanings=(meaning,), why=f"the World Bank's record of a country has its {asked.field.label}")


def read(slot: Slot) -> Asked | Unanswerable:
    """What a slot asks of the record; everything that the record does not hold is refused."""
    words = (slot.relation or (slot.measure.text if slot.measure else "")).casefold().strip()
    if slot.kind is SlotKind.MEMBERS:
        return _read_members(slot, words)
    object_group = _group_of(slot.object)
    field = field_named(words)
    if object_group is not None and (words in MEMBER_WORDS or field is object_group.field):
        return Asked(object_group.field, (object_group,))
    if slot.object is not None:
        return _not_held(f"the membership of {slot.object.label}" if words in MEMBER_WORDS else words)
    if field is not None:
        return Asked(field, meaning=field.variable)
    group = group_worded(words)
    return Asked(group.field, (group,), meaning=group.field.variable) if group else _not_held(words)


def _read_members(slot: Slot, words: str) -> Asked | Unanswerable:
    population = slot.population
    if words not in MEMBER_WORDS or slot.entity is not None or population is None:
        return _not_held(words or "that list")
    if population.member is not PlaceKind.COUNTRY:
        return _not_held(f"the list of {population.text}")
    container, narrowing = population.container, population.fact_filter
    if container is not None and container.entity is None:
        return Unanswerable(
            status=FailureStatus.UNKNOWN_ENTITY, reason=f"no group of countries called “{container.text}” is known"
        )
    groups = [group for group in (_group_of(container), group_worded(narrowing or "")) if group is not None]
    twice = len(groups) > len({group.field for group in groups})
    if not groups or twice or (narrowing and group_worded(narrowing) is None):
        return _not_held(f"the list of {population.text}")
    if whole := next((group for group in groups if group.filter is None), None):
        return _not_held(f"one list of {whole.name}")
    outside = container.entity if container is not None and _group_of(container) is None else None
    if outside is not None and outside.keys.get("wb") == "WLD":
        outside = None
    if outside is not None and members(outside) is None:
        return _not_held(f"the list of {population.text}")
    meaning = MEMBERSHIP if container is not None and outside is None else groups[-1].field.variable
    return Asked(groups[-1].field, tuple(groups), outside, meaning)


def _group_of(mention: EntityMention | None) -> Group | None:
    if mention is None or mention.entity is None or mention.entity.kind is not PlaceKind.COUNTRY_GROUP:
        return None
    return GROUPS.get(mention.entity.keys.get("wb", ""))


def _not_held(what: str) -> Unanswerable:
    held = ", ".join(field.label for field in FIELDS)
    return Unanswerable(
        status=FailureStatus.NOT_COVERED,
        reason=f"the World Bank's records of countries do not tell {what}; they have: {held}",
    )


async def resolve(slot: Slot, client: WorldBankClient) -> EntityResolved | Unanswerable:
    """The country as the World Bank knows it, or the filters that leave the members of the groups."""
    asked = read(slot)
    if isinstance(asked, Unanswerable):
        return asked
    if slot.kind is SlotKind.MEMBERS:
        filters = [group.filter for group in asked.groups if group.filter is not None]
        within = asked.within
        return EntityResolved(
            expression=urlencode(filters),
            members=members(within) or () if within else (),
            member_of=within.name if within else None,
            as_of=group_as_of(within) if within else None,
        )
    if slot.entity is None:
        return Unanswerable(status=FailureStatus.UNKNOWN_ENTITY, reason="no place was named")
    resolved = await resolve_entity(slot.entity, client)
    if isinstance(resolved, EntityResolved) and resolved.entity and resolved.entity.kind is not PlaceKind.COUNTRY:
        return Unanswerable(
            status=FailureStatus.NOT_COVERED,
            reason=f"{asked.field.label} is a fact of one country, and {resolved.entity.name} is a group of them",
        )
    return resolved


def bind(slot: Slot, selected: Selected, *, source: str, version: str) -> Bound | Unanswerable:
    """The one thing that the slot asks for, as a measure in words."""
    asked = read(slot)
    if isinstance(asked, Unanswerable):
        return asked
    measure = Measure(
        source=source,
        variable=asked.field.variable,
        name=asked.field.label if slot.kind is SlotKind.FACT else asked.name,
        unit=WORDS,
        grain="country",
        additive=False,
    )
    return Bound(meaning=selected.meanings[0].id, measure=measure, plugin=source, plugin_version=version)


async def answer(planned: PlannedRequest, client: WorldBankClient) -> Executed | Unanswerable:
    """Read the record, or the filtered list; a country that is not in the group is an answer too."""
    asked = read(planned.slot)
    if isinstance(asked, Unanswerable):
        return asked
    if planned.slot.kind is SlotKind.MEMBERS:
        return await _members(planned, asked, client)
    entity = planned.resolved.entity
    if entity is None:
        raise LookupError(f"{planned.slot.id} was planned without an entity")
    found = await client.record(entity.keys["wb"])
    (country,) = found.rows
    text = asked.field.text(country)
    notes: list[Disclosure] = []
    if not asked.groups:
        missing = None if text else "not recorded"
        cell = Observation(entity=entity, period=Period.undated(), text=text or None, missing=missing)
    else:
        (group,) = asked.groups
        notes += _read_as(planned.slot.relation if planned.slot.object is None else None, asked)
        flag = asked.field.code(country) in group.codes
        cell = Observation(entity=entity, period=Period.undated(), flag=flag, note=group.name)
        if text and text != group.name:
            notes.append(_caveat(f"the World Bank's {asked.field.label} of {entity.name} is {text}"))
    page = f"{COUNTRY_PAGE}{country.iso2}" if asked.field.variable == "capital" else GROUPS_PAGE
    return _executed(planned, found, [cell], notes, page)


async def _members(planned: PlannedRequest, asked: Asked, client: WorldBankClient) -> Executed | Unanswerable:
    resolved, population = planned.resolved, planned.slot.population
    found = await client.countries_where(parse_qsl(resolved.expression or ""))
    countries = [row for row in found.rows if not row.is_group]
    if strangers := [row.name for row in countries if not _belongs(row, asked.groups)]:
        raise ResponseMalformed(
            f"{asked.name} was asked for and the World Bank listed {', '.join(strangers[:3])}, of another group"
        )
    notes: list[Disclosure] = []
    if resolved.member_of is not None:
        codes = {member.code for member in resolved.members}
        countries = [row for row in countries if row.code in codes]
        listed = group_source(asked.within) if asked.within else None
        notes.append(
            Disclosure(
                kind=DisclosureKind.MEMBERS,
                text=f"which of them belong to {resolved.member_of} is taken from its own list"
                + (f" ({listed}, {resolved.as_of or 'undated'})" if listed else ""),
            )
        )
    notes += _read_as(population.fact_filter if population else None, asked)
    if not countries:
        named = population.text if population else asked.name
        return Unanswerable(status=FailureStatus.NO_DATA, reason=f"the World Bank lists no {named}")
    cells = [Observation(entity=as_entity(row), period=Period.undated(), flag=True) for row in countries]
    cells.sort(key=lambda cell: cell.entity.name)
    return _executed(planned, found, cells, notes, GROUPS_PAGE)


def _belongs(country: Country, groups: Sequence[Group]) -> bool:
    return all(group.field.code(country) in group.codes for group in groups)


def _read_as(words: str | None, asked: Asked) -> list[Disclosure]:
    """Says which group words such as "developing" were taken for, where the group is not called that."""
    if not words or words.casefold() in asked.name.casefold().replace(" & ", " and "):
        return []
    return [Disclosure(kind=DisclosureKind.READING, text=f"“{words}” is read as the World Bank's {asked.name}")]


def _caveat(text: str) -> Disclosure:
    return Disclosure(kind=DisclosureKind.CAVEAT, text=text)


def _executed(
    planned: PlannedRequest,
    found: Countries,
    cells: Sequence[Observation],
    disclosures: Sequence[Disclosure],
    page: str,
) -> Executed:
    bound = planned.bound
    return Executed(
        meaning=bound.meaning,
        measure=bound.measure,
        response=SourceResponse(
            source=bound.plugin,
            publisher=PUBLISHER,
            requests=found.requests,
            retrieved_at=found.retrieved_at,
            as_of=found.snapshot_as_of,
            snapshot=found.snapshot_as_of is not None,
            licence=LICENCE,
            page_url=page,
        ),
        observations=tuple(cells),
        disclosures=tuple(disclosures),
    )
