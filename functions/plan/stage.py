"""The plan stage: which requests are tried for each slot, in which order. Code only; no network, no model.

Slots about the same attribute keep only meanings that every one of them can serve, so that their figures are
like for like. Several sources of one meaning fall back in the order in which they were bound; a source that passes
on what others publish waits until they have nothing.
"""

from __future__ import annotations

from collections import defaultdict

from functions.plan.tiers import tiers
from shared.query.annotated import (
    AnnotatedQuery,
    Annotation,
    Bound,
    EntityResolved,
    Planned,
    PlannedRequest,
)
from shared.query.conversion import CONVERTED_TYPES
from shared.query.evidence import FailureStatus
from shared.query.identifiers import SlotId
from shared.query.slots import Slot
from shared.query.writing import Writer
from shared.runtime.context import RunContext

Candidates = dict[str, list[PlannedRequest]]
"""Requests by meaning, in the order they were bound."""


async def plan(query: AnnotatedQuery, context: RunContext) -> list[Annotation]:
    """Write the ordered requests of each slot and meaning, with the decisions behind the order."""
    writer = Writer(query, "plan")
    slots = query.slots()
    candidates = {slot.id: _candidates(query, slot) for slot in slots}
    decisions = _keep_common(slots, candidates)
    tier = tiers(query.current_reading().type, slots, candidates)
    written: list[Annotation] = []
    for slot in slots:
        by_meaning = candidates[slot.id]
        if not by_meaning and query.of(Bound, slot=slot.id):
            written.append(
                writer.refuse(
                    FailureStatus.NOT_COMPARABLE,
                    f"no one published measure serves every part that “{slot.describes}” is held against",
                    slot=slot.id,
                )
            )
        for n, (meaning, requests) in enumerate(by_meaning.items()):
            later = tier.get((slot.id, meaning), 0)
            rates = _rates(requests) if query.current_reading().type in CONVERTED_TYPES else []
            planned = Planned(
                meaning=meaning,
                requests=tuple(requests),
                decisions=(*decisions.get(slot.id, ()), *rates),
                tier=later,
            )
            written.append(writer.write(planned, slot=slot.id, source=requests[0].bound.plugin, n=n))
            measure = requests[0].bound.measure
            when = ", if nothing better answers" if later else ""
            context.say(f"will ask {requests[0].bound.plugin} for {measure.name} [{measure.variable}]{when}")
    return written


def _candidates(query: AnnotatedQuery, slot: Slot) -> Candidates:
    found: Candidates = defaultdict(list)
    for annotation, bound in query.of(Bound, slot=slot.id):
        for _, resolved in query.of(EntityResolved, slot=slot.id, source=annotation.source):
            wanted = bound.locator.get("entity")
            if wanted is not None and (resolved.entity is None or resolved.entity.code != wanted):
                continue
            requests = found[bound.meaning]
            requests.append(PlannedRequest(order=len(requests), bound=bound, resolved=resolved, slot=slot))
    return dict(found)


def _rates(requests: list[PlannedRequest]) -> list[str]:
    """What is asked for besides, of amounts that may have to be brought to one currency."""
    names = {one.bound.rate.measure.variable for one in requests if one.bound.rate is not None}
    return [f"its year's official exchange rate [{name}] is asked for, to convert it by" for name in sorted(names)]


def _keep_common(slots: tuple[Slot, ...], candidates: dict[SlotId, Candidates]) -> dict[SlotId, list[str]]:
    """Drop meanings that not every slot of a shared measure can serve; tells what was dropped and why."""
    decisions: dict[SlotId, list[str]] = defaultdict(list)
    groups: dict[str, list[Slot]] = defaultdict(list)
    for slot in slots:
        if slot.shared_key is not None and candidates[slot.id]:
            groups[slot.shared_key].append(slot)
    for group in groups.values():
        common = set.intersection(*(set(candidates[slot.id]) for slot in group))
        for slot in group:
            for meaning in [m for m in candidates[slot.id] if m not in common and "@" not in m]:
                del candidates[slot.id][meaning]
                decisions[slot.id].append(f"{meaning} was left out: not every compared part can be served by it")
    return decisions
