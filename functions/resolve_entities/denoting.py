"""Names that may mean several things: what the question leaves of them, judged once for each name."""

from __future__ import annotations

from collections.abc import Sequence

from functions.resolve_entities.denotation_task import (
    CHOOSE_DENOTATION,
    DenotationCandidate,
    DenotationReply,
    DenotationRequest,
)
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.quantity import Entity
from shared.query.readings import EntityMention
from shared.query.slots import Slot
from shared.runtime.context import RunContext
from shared.runtime.errors import ModelError

MOST_NAMED = 8
"""How many things of one name are told by name, and are asked about."""


def described(entity: Entity | None) -> str:
    """A thing's name and kind, for a reader."""
    return "an unknown place" if entity is None else f"{entity.name} ({entity.kind.words})"


def several(things: Sequence[Entity]) -> str:
    """The first of several things in words, and how many more there are."""
    named = ", ".join(described(one) for one in things[:MOST_NAMED])
    left = len(things) - MOST_NAMED
    return f"{named} and {left} more" if left > 0 else named


def meaning(mention: EntityMention, entity: Entity) -> EntityMention:
    """The mention as one thing that it means."""
    return EntityMention(text=mention.text, status="resolved", entity=entity)


class Denotations:
    """What the ambiguous names of one question mean."""

    def __init__(self, question: str, context: RunContext) -> None:
        self._question, self._context = question, context
        self._judged: dict[EntityMention, EntityMention | Unanswerable] = {}

    async def of(self, slot: Slot) -> Slot | Unanswerable:
        """The slot with its names as the question means them, as far as it tells; or why they cannot be told."""
        update: dict[str, object] = {}
        if slot.entity is not None:
            found = await self.meant(slot.entity)
            if isinstance(found, Unanswerable):
                return found
            update["entity"] = found
        if slot.population is not None and slot.population.container is not None:
            found = await self.meant(slot.population.container)
            if isinstance(found, Unanswerable):
                return found
            update["population"] = slot.population.model_copy(update={"container": found})
        return slot.model_copy(update=update)

    async def meant(self, mention: EntityMention) -> EntityMention | Unanswerable:
        """The mention with the candidates that the question leaves."""
        if mention.status != "ambiguous":
            return mention
        if mention not in self._judged:
            self._judged[mention] = await self._ask(mention)
        return self._judged[mention]

    def told(self, slot: Slot) -> list[str]:
        """What the answer says of the names of a slot that a judgment has narrowed."""
        names = (slot.entity, slot.population.container if slot.population else None)
        return [
            f"“{name.text}” may mean {_all(name)}; the question is taken to mean {_all(left)}"
            for name in names
            if name is not None
            and isinstance(left := self._judged.get(name), EntityMention)
            and len(_candidates(left)) < len(name.candidates)
        ]

    async def _ask(self, mention: EntityMention) -> EntityMention | Unanswerable:
        offered = {one.code: one for one in mention.candidates}
        request = DenotationRequest(
            question=self._question,
            name=mention.text,
            candidates=tuple(
                DenotationCandidate(id=code, name=one.name, kind=one.kind.words) for code, one in offered.items()
            ),
        )
        try:
            reply: DenotationReply = await self._context.judge(CHOOSE_DENOTATION, request)
        except ModelError as error:
            return Unanswerable(
                status=FailureStatus.AMBIGUOUS,
                reason=f"which of {_all(mention)} “{mention.text}” means could not be told: {error}",
            )
        if not reply.meant:
            return Unanswerable(
                status=FailureStatus.UNKNOWN_ENTITY,
                reason=f"none of those called “{mention.text}” is the one that is meant: {_all(mention)}",
            )
        left = tuple(offered[code] for code in reply.meant)
        return meaning(mention, left[0]) if len(left) == 1 else mention.model_copy(update={"candidates": left})


def _candidates(mention: EntityMention) -> tuple[Entity, ...]:
    return (mention.entity,) if mention.entity is not None else mention.candidates


def _all(mention: EntityMention) -> str:
    return several(_candidates(mention))
