"""The resolve_attributes stage: make each chosen document and resolved entity into something to request.

A group that a source has no figure for is asked for by its members, and only for quantities that add up: of a
rate, no figure of the group can be had this way, and the reader is told what can.
"""

from __future__ import annotations

from plugins.base import Registry, SourcePlugin
from shared.query.annotated import AnnotatedQuery, Annotation, Bound, EntityResolved, Selected
from shared.query.evidence import DisclosureKind, FailureStatus, Unanswerable
from shared.query.slots import Slot, SlotKind
from shared.query.writing import Writer
from shared.runtime.context import RunContext


async def resolve_attributes(query: AnnotatedQuery, context: RunContext, *, registry: Registry) -> list[Annotation]:
    """Write one binding for each meaning and entity of each slot and source."""
    writer = Writer(query, "resolve_attributes")
    written: list[Annotation] = []
    for slot in query.slots():
        for annotation, selected in query.of(Selected, slot=slot.id):
            plugin = registry.get(annotation.source or "")
            if plugin is None:
                continue
            resolved = [p for _, p in query.of(EntityResolved, slot=slot.id, source=plugin.name)]
            n = 0
            for which, entity in enumerate(resolved):
                bound = await plugin.bind(slot, selected, entity, context=context)
                left_out: list[str] = []
                if not isinstance(bound, Unanswerable) and entity.sum_of_members:
                    bound, left_out = _adding_up(slot, bound, entity, plugin)
                if isinstance(bound, Unanswerable):
                    written.append(writer.fail(bound, slot=slot.id, source=plugin.name, n=1000 + which))
                    continue
                if left_out and entity.entity is not None:
                    text = f"no sum of the members of {entity.entity.name} gives its {'; '.join(left_out)}"
                    written.append(
                        writer.note(DisclosureKind.MEANING, text, slot=slot.id, source=plugin.name, n=2000 + which)
                    )
                for binding in bound:
                    labelled = _labelled(binding, entity) if len(resolved) > 1 else binding
                    written.append(writer.write(labelled, slot=slot.id, source=plugin.name, n=n))
                    n += 1
    return written


def _adding_up(
    slot: Slot, bound: list[Bound], resolved: EntityResolved, plugin: SourcePlugin
) -> tuple[list[Bound] | Unanswerable, list[str]]:
    """The bindings that members' figures may be added up for, or what can be had instead; and the names of others.

    What nothing is declared about is left to the judgment in combine.
    """
    group = resolved.entity.name if resolved.entity else "the group"
    what = slot.measure.text if slot.measure else slot.describes
    each = f"“{what} of the countries in {group}” gives it for each of the {len(resolved.members)} members"
    if slot.kind is not SlotKind.VALUE:
        form = {SlotKind.SERIES: "series", SlotKind.CATEGORIES: "parts"}.get(slot.kind, slot.kind.value)
        return _without(
            f"{plugin.publisher.name} publishes no {form} of {what} for {group} as a group",
            needs=f"a question about one year, for which its members may be added up; {each}",
        ), []
    kept = [one for one in bound if one.measure.additive is not False]
    left_out = [one.measure.name for one in bound if one.measure.additive is False]
    if not kept:
        return _without(
            f"{plugin.publisher.name} publishes no figure of {what} for {group} as a group, and it cannot be added "
            f"up: {left_out[0]} of a group is not the sum of its members'",
            needs=f"a figure that is published for the group itself; {each}",
        ), []
    return kept, left_out


def _without(reason: str, *, needs: str) -> Unanswerable:
    return Unanswerable(status=FailureStatus.NOT_COVERED, reason=reason, needs=needs)


def _labelled(bound: Bound, resolved: EntityResolved) -> Bound:
    """Tell the same measure of several places of one name apart: each is a meaning of its own."""
    if resolved.entity is None:
        return bound
    return bound.model_copy(
        update={
            "meaning": f"{bound.meaning}@{resolved.entity.code}",
            "locator": {**bound.locator, "entity": resolved.entity.code},
        }
    )
