"""Which sources are asked first: those that publish a quantity, then those that pass on what others publish.

Slots whose figures are held against each other are asked of one tier: a share is not made of the World's figure
here and its copy there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shared.query.annotated import PlannedRequest
from shared.query.identifiers import SlotId
from shared.query.slots import Slot, SlotKind

TOGETHER = frozenset({"ratio", "correlation", "filtered_list", "aggregate", "difference"})
"""Types whose slots of different measures belong together."""
FIGURES = frozenset({SlotKind.VALUE, SlotKind.SERIES, SlotKind.POPULATION, SlotKind.CATEGORIES})

Candidates = Mapping[str, Sequence[PlannedRequest]]


def tiers(
    reading_type: str, slots: Sequence[Slot], candidates: Mapping[SlotId, Candidates]
) -> dict[tuple[SlotId, str], int]:
    """The tier of each slot's meanings; what is not in it is of tier 0."""
    found: dict[tuple[SlotId, str], int] = {}
    for every in _groups(reading_type, slots):
        group = [slot for slot in every if candidates.get(slot.id)]
        for later in (True, False):
            if group and all(_serves(candidates.get(slot.id, {}), republished=not later) for slot in group):
                break
        else:
            continue
        for slot in group:
            offered = candidates.get(slot.id, {})
            for meaning, requests in offered.items():
                if requests[0].bound.republished is later and _serves(
                    offered, republished=not later, place=requests[0].place
                ):
                    found[slot.id, meaning] = 1
    return found


def _serves(candidates: Candidates, *, republished: bool, place: str | None = None) -> bool:
    """Whether a slot has a meaning of one of the two kinds of source, for one place if it is named."""
    return any(
        requests[0].bound.republished is republished and place in {None, requests[0].place}
        for requests in candidates.values()
    )


def _groups(reading_type: str, slots: Sequence[Slot]) -> list[list[Slot]]:
    groups: dict[str, list[Slot]] = {}
    for slot in slots:
        if slot.kind in FIGURES:
            own = "together" if reading_type in TOGETHER else slot.shared_key or slot.id
            groups.setdefault(own, []).append(slot)
    return list(groups.values())
