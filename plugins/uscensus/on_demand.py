"""Slots of categories and of members, whose code most questions do not need: it is read for a question of one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from plugins.uscensus.asking import Asking
from plugins.uscensus.breakdowns import answer_categories
from plugins.uscensus.civilians import DATASET, answer_civilians
from plugins.uscensus.client import CensusClient
from plugins.uscensus.members import answer_members, bind_members, choose_members
from plugins.uscensus.splitting import bind_split, choose_split
from shared.query.annotated import Bound, EntityResolved, Executed, Selected
from shared.query.discovery import TableDocument
from shared.query.evidence import Unanswerable
from shared.query.slots import Slot, SlotKind


def choose_on_demand(slot: Slot, documents: Sequence[TableDocument], question: str) -> Selected | Unanswerable:
    """The list or the split that a slot asks for."""
    if slot.kind is SlotKind.MEMBERS:
        return choose_members(slot, documents)
    return choose_split(slot, documents, question)


async def bind_on_demand(
    slot: Slot,
    selected: Selected,
    resolved: EntityResolved,
    *,
    own: tuple[str, str],
    client: CensusClient,
    today: date,
) -> list[Bound] | Unanswerable:
    """The list as it is, or the planned split; ``own`` are the plugin's name and version."""
    if slot.kind is SlotKind.MEMBERS:
        return [bind_members(slot, selected, source=own[0], version=own[1])]
    return await bind_split(slot, selected, resolved, own=own, client=client, today=today)


async def answer_on_demand(asking: Asking) -> Executed | Unanswerable:
    """The list, or the parts with their total from the source that was planned."""
    if asking.planned.slot.kind is SlotKind.MEMBERS:
        return await answer_members(asking)
    if asking.planned.bound.locator["dataset"] == DATASET:
        return await answer_civilians(asking)
    return await answer_categories(asking)
