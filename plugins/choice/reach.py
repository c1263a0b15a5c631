"""What lies beyond a source's reach, as far as the kinds of the places that a slot may mean tell it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shared.query.quantity import Entity
from shared.query.readings import EntityMention
from shared.query.slots import Slot


def may_mean(mention: EntityMention | None) -> tuple[Entity, ...]:
    """All things that a name may mean; none where it is unknown."""
    if mention is None:
        return ()
    return (mention.entity,) if mention.entity is not None else mention.candidates


def foreign_to(slot: Slot, foreign: Callable[[Entity], bool]) -> Entity | None:
    """The likeliest thing that the slot's own name means, where ``foreign`` holds for all that it may mean."""
    return _first(may_mean(slot.entity), foreign)


def foreign_list(slot: Slot, foreign: Callable[[Entity], bool]) -> bool:
    """Whether the slot lists members and none of them is one that the source may have."""
    listed = slot.population.listed if slot.population is not None else ()
    return bool(listed) and all(_first(may_mean(one), foreign) is not None for one in listed)


def _first(meant: Sequence[Entity], foreign: Callable[[Entity], bool]) -> Entity | None:
    return meant[0] if meant and all(map(foreign, meant)) else None
