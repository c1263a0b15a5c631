"""What a reading has to work with once its plan was executed: figures by slot and meaning, in order.

Combine computes from ``Material`` and present writes from it, so both see the same figures in the same order
and cite them by the same receipt ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from shared.query.annotated import (
    CONVERTED,
    GROUP_TOTAL,
    AnnotatedQuery,
    Combined,
    EntityResolved,
    Executed,
    Planned,
    Selected,
)
from shared.query.conversion import in_dollars
from shared.query.evidence import Computation, Measure, Observation, SourceResponse, receipt_id
from shared.query.identifiers import SlotId
from shared.query.quantity import Entity, Period
from shared.query.readings import Reading
from shared.query.slots import FILTER, Slot, SlotKind

TOTAL = -1
"""The index of what is said of all, among executed observations: a breakdown's whole, or that there are none."""
RATE = -2
"""The index of the exchange rate that belongs to an amount in local currency."""
_SAID_OF = {TOTAL: "total", RATE: "rate"}


def base_meaning(meaning: str) -> str:
    """The published quantity of a meaning; ``GDP@GEO`` is ``GDP`` of one of several places of a name."""
    return meaning.partition("@")[0]


@dataclass(frozen=True, slots=True)
class Cell:
    """One executed observation and where it stands."""

    slot: SlotId
    meaning: str
    index: int
    observation: Observation
    measure: Measure
    response: SourceResponse
    added_up: Computation | None = None
    """The sum that the observation is, where it was not published but made of a group's members."""
    converted: Computation | None = None
    """The conversion that the observation is, where it was published in local currency."""

    @property
    def made(self) -> Computation | None:
        """What the observation was computed by, where it is not as it was published."""
        return self.added_up or self.converted

    @property
    def receipt(self) -> str:
        """What a claim or a computation cites: the id of the observation's receipt, or of what computed it."""
        if self.made is not None:
            return self.made.id
        return receipt_id(self.slot, self.meaning, _SAID_OF.get(self.index, self.index))

    @property
    def value(self) -> Decimal:
        """The number; a cell without one has no place in arithmetic."""
        if self.observation.value is None:
            raise ValueError(f"{self.receipt} holds no number")
        return self.observation.value

    @property
    def numeric(self) -> bool:
        """Whether the cell holds a number."""
        return self.observation.value is not None

    @property
    def entity(self) -> Entity:
        """Whom the cell is about."""
        return self.observation.entity

    @property
    def period(self) -> Period:
        """Which span the cell is about."""
        return self.observation.period


@dataclass(frozen=True)
class Served:
    """A slot as one meaning of it was served. Its cells are made once, for whoever asks first."""

    slot: Slot
    executed: Executed
    members: Executed | None = None
    """Where ``executed`` holds the total of a group: the figures of its members, as they were returned."""
    added_up: Computation | None = None
    amount: Executed | None = None
    """Where ``executed`` holds a converted amount: what was published, in local currency, with its rate."""
    converted: Computation | None = None
    only: tuple[Entity, ...] | None = None
    """Whom a filter leaves of the members; observations of others stay where they are and are not told."""

    @classmethod
    def total(cls, slot: Slot, members: Executed, added_up: Computation) -> Served:
        """A slot filled by the sum of its group's members; raises ``ValueError`` for what is no such sum."""
        reported = [cell for cell in members.observations if cell.value is not None]
        if members.sum_of is None or isinstance(added_up.value, bool) or not reported:
            raise ValueError(f"{added_up.id} is no total of a group's members")
        cell = Observation(entity=members.sum_of, period=reported[0].period, value=added_up.value)
        executed = members.model_copy(update={"observations": (cell,), "incomplete": ()})
        return cls(slot, executed, members, added_up)

    @classmethod
    def in_dollars(cls, slot: Slot, amount: Executed, converted: Computation) -> Served:
        """A slot filled by its amount as it was converted; raises ``ValueError`` for what is no conversion."""
        reported = [cell for cell in amount.observations if cell.value is not None]
        if isinstance(converted.value, bool) or len(reported) != 1:
            raise ValueError(f"{converted.id} is no conversion of one amount")
        cell = reported[0].model_copy(update={"value": converted.value})
        executed = amount.model_copy(update={"observations": (cell,), "measure": in_dollars(amount.measure)})
        return cls(slot, executed, amount=amount, converted=converted)

    @property
    def meaning(self) -> str:
        """The meaning's id."""
        return self.executed.meaning

    @property
    def key(self) -> tuple[str, str]:
        """Source and published variable: what figures are paired by, never their wording."""
        return self.executed.measure.source, self.executed.measure.variable

    def cell(self, index: int) -> Cell:
        """The observation at ``index``; ``TOTAL`` is a breakdown's whole, or the statement that there is nobody."""
        made = self._cells.get(index)
        if made is None:
            made = self._cells[index] = self._cell(index)
        return made

    @cached_property
    def _cells(self) -> dict[int, Cell]:
        return {}

    def _cell(self, index: int) -> Cell:
        whole = self.executed.total or self.executed.empty
        observation = whole if index == TOTAL else self.executed.observations[index]
        if observation is None:
            raise LookupError(f"{self.slot.id} has no total")
        own = index != TOTAL and index < len(self.executed.parts)
        response, pages = self.executed.response, self.executed.part_pages
        if index != TOTAL and index < len(pages):
            response = response.model_copy(update={"page_url": pages[index]})
        return Cell(
            slot=self.slot.id,
            meaning=self.meaning,
            index=index,
            observation=observation,
            measure=self.executed.parts[index] if own else self.executed.measure,
            response=response,
            added_up=self.added_up,
            converted=self.converted,
        )

    def rate(self) -> Cell | None:
        """The official exchange rate of an amount in local currency, where it was asked for and had."""
        rate = (self.amount or self.executed).rate
        if rate is None:
            return None
        cell = rate.observations[0]
        return Cell(self.slot.id, self.meaning, RATE, cell, rate.measure, rate.response)

    def of_all(self) -> Cell | None:
        """What the source says of all parts or members: their whole, or that there are none."""
        return self.cell(TOTAL) if self.executed.total is not None or self.executed.empty is not None else None

    def published(self) -> list[Cell]:
        """The observations that a publisher made, each with a receipt.

        Of a total those of the members, of a converted amount the amount and its rate.
        """
        if self.members is not None:
            return Served(self.slot, self.members).reported()
        if self.amount is not None:
            rate = self.rate()
            return [*Served(self.slot, self.amount).reported(), *([rate] if rate is not None else [])]
        return self.reported()

    def lacking(self) -> list[str]:
        """The members that a total lacks, by name."""
        return Served(self.slot, self.members).unreported() if self.members is not None else []

    def reported(self) -> list[Cell]:
        """The observations that hold something, in the order executed."""
        return list(self._reported)

    @cached_property
    def _reported(self) -> tuple[Cell, ...]:
        return tuple(
            self.cell(index)
            for index, observation in enumerate(self.executed.observations)
            if observation.missing is None and self._counts(observation)
        )

    @cached_property
    def _left(self) -> frozenset[str]:
        return frozenset(entity.code for entity in self.only or ())

    def unreported(self) -> list[str]:
        """Whatever was asked for and not reported: members or periods, by name, in the order executed."""
        absent = [
            observation.entity.name
            for observation in self.executed.observations
            if observation.missing is not None and self._counts(observation)
        ]
        left = None if self.only is None else {entity.name for entity in self.only}
        named = [name for name in self.executed.incomplete if left is None or name in left]
        return list(dict.fromkeys([*absent, *named]))

    def _counts(self, observation: Observation) -> bool:
        return self.only is None or observation.entity.code in self._left


def _executed(query: AnnotatedQuery, slot: Slot) -> dict[str, Executed]:
    """What was returned for each meaning of a slot; of several answers the first."""
    found: dict[str, Executed] = {}
    for _, payload in query.of(Executed, slot=slot.id):
        found.setdefault(payload.meaning, payload)
    return found


def _counted(plans: Sequence[Planned], executed: Mapping[str, Executed]) -> dict[str, Planned]:
    """The plans that an answer is held against: of the tiers that answered for a place, else of the first."""
    answering: dict[str | None, set[int]] = {}
    for plan in plans:
        if plan.meaning in executed:
            answering.setdefault(plan.place, set()).add(plan.tier)
    return {plan.meaning: plan for plan in plans if plan.tier in answering.get(plan.place, {0})}


def _unserved(plan: Planned, label: str) -> str:
    """The measure that was planned, and of which of several places of a name."""
    name = plan.requests[0].bound.measure.name if plan.requests else label
    return f"{name} of {plan.place}" if plan.place else name


def _made(query: AnnotatedQuery, slot: Slot, result: str) -> dict[str, Computation]:
    """What combine has computed of a slot's figures before anything else, by meaning."""
    return {
        payload.meaning: payload.computations[0]
        for _, payload in query.of(Combined, slot=slot.id)
        if payload.result == result and payload.computations
    }


def _left_by(query: AnnotatedQuery, filters: Sequence[Slot]) -> tuple[Entity, ...] | None:
    """Whom every filter lists; ``None`` without filters, or when one of them was not served."""
    left: dict[str, Entity] | None = None
    for slot in filters:
        lists = list(_executed(query, slot).values())
        if not lists:
            return None
        found = {cell.entity.code: cell.entity for cell in lists[0].observations if cell.flag is not False}
        left = found if left is None else {code: entity for code, entity in left.items() if code in found}
    return None if left is None else tuple(left.values())


def to_add_up(query: AnnotatedQuery) -> list[Served]:
    """The members' figures of every group that has to be added up: no figures of a slot until they are."""
    return [
        Served(slot, executed)
        for slot in query.slots()
        for executed in _executed(query, slot).values()
        if executed.sum_of is not None
    ]


@dataclass(frozen=True, slots=True)
class Material:
    """The executed figures of the current reading."""

    question: str
    reading: Reading
    slots: tuple[Slot, ...]
    served: dict[SlotId, tuple[Served, ...]]
    """For each slot, its meanings that were executed, the first-ranked first.

    A group's members are here only as the total that combine has made of them, and a population's only as far as
    the filters beside it list them.
    """
    unserved: dict[SlotId, tuple[str, ...]]
    """For each slot, the meanings (by name) that were planned and that no source returned anything for."""
    ranked: dict[SlotId, tuple[str, ...]]
    """For each slot, the ids of the meanings that were planned, the first-ranked first."""
    resolved: dict[SlotId, EntityResolved]

    @classmethod
    def of(cls, query: AnnotatedQuery) -> Material:
        """Collect what the stages up to execute have left for the current reading."""
        slots = query.slots()
        filters = [slot for slot in slots if slot.role == FILTER]
        left = _left_by(query, filters)
        served: dict[SlotId, tuple[Served, ...]] = {}
        unserved: dict[SlotId, tuple[str, ...]] = {}
        ranked: dict[SlotId, tuple[str, ...]] = {}
        resolved: dict[SlotId, EntityResolved] = {}
        for slot in slots:
            chosen = {
                meaning.id: meaning.label
                for _, selected in query.of(Selected, slot=slot.id)
                for meaning in sorted(selected.meanings, key=lambda meaning: meaning.rank)
            }
            executed = _executed(query, slot)
            totals = _made(query, slot, GROUP_TOTAL)
            converted = _made(query, slot, CONVERTED)
            places = {meaning: place for place, meaning in enumerate(chosen)}

            def rank(meaning: str, places: dict[str, int] = places) -> int:
                return places.get(base_meaning(meaning), len(places))

            order = sorted(executed, key=rank)
            only = left if slot.kind is SlotKind.POPULATION else None
            served[slot.id] = tuple(
                Served.total(slot, executed[meaning], totals[meaning])
                if meaning in totals
                else Served.in_dollars(slot, executed[meaning], converted[meaning])
                if meaning in converted
                else Served(slot, executed[meaning], only=only)
                for meaning in order
                if meaning in totals or executed[meaning].sum_of is None
            )
            if slot.kind is SlotKind.POPULATION and filters and left is None:
                served[slot.id] = ()
            planned = _counted([payload for _, payload in query.of(Planned, slot=slot.id)], executed)
            ranked[slot.id] = tuple(sorted(planned, key=rank))
            unserved[slot.id] = tuple(
                _unserved(plan, chosen.get(base_meaning(meaning), meaning))
                for meaning, plan in planned.items()
                if meaning not in executed
            )
            found = [payload for _, payload in query.of(EntityResolved, slot=slot.id)]
            if found:
                resolved[slot.id] = found[0]
        return cls(query.question, query.current_reading(), slots, served, unserved, ranked, resolved)

    def role(self, *roles: str) -> list[Slot]:
        """The slots with one of these roles, in order."""
        return [slot for slot in self.slots if slot.role in roles]

    def at(self, slot: SlotId, meaning: str) -> Served:
        """One slot and meaning; raises ``LookupError`` when it was not executed."""
        for served in self.served.get(slot, ()):
            if served.meaning == meaning:
                return served
        raise LookupError(f"nothing was executed for {slot} as {meaning}")

    def everything(self) -> Iterable[Served]:
        """All that was executed, slot by slot."""
        for slot in self.slots:
            yield from self.served.get(slot.id, ())

    def paired(self, slots: Sequence[Slot]) -> list[dict[SlotId, Served]]:
        """The slots' figures grouped by source and published variable, in the order of the first slot's meanings.

        A group holds a slot only if the slot was served by exactly that variable.
        """
        groups: dict[tuple[str, ...], dict[SlotId, Served]] = {}
        for slot in slots:
            for served in self.served.get(slot.id, ()):
                place = served.meaning.removeprefix(base_meaning(served.meaning))
                groups.setdefault((*served.key, place), {})[slot.id] = served
        return list(groups.values())
