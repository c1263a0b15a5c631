"""What a reading has to work with once its plan was executed: figures by slot and meaning, in order.

Combine computes from ``Material`` and present writes from it, so both see the same figures in the same order
and cite them by the same receipt ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

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
from shared.query.evidence import Computation
from shared.query.identifiers import SlotId
from shared.query.quantity import Entity
from shared.query.readings import Reading
from shared.query.served import RATE, TOTAL, Cell, Served, base_meaning
from shared.query.slots import FILTER, Slot, SlotKind

__all__ = ["RATE", "TOTAL", "Cell", "Material", "Served", "base_meaning", "to_add_up"]


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


def _made(query: AnnotatedQuery, slot: Slot, result: str) -> dict[str, tuple[Computation, ...]]:
    """What combine has computed of a slot's figures before anything else, by meaning."""
    return {
        payload.meaning: payload.computations
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
                else Served.in_dollars(slot, executed[meaning], converted[meaning][0])
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
