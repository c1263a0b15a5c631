"""The resolve_attributes stage: make each chosen document and resolved entity into something to request.

What is bound is what its source chose; a measure in other words than the asker's is held against its definition
once more, and one that is another quantity is left. A group that a source has no figure for is asked for by its
members, and only for quantities that add up: of a rate, no figure of the group can be had this way, and the reader
is told what can.
"""

from __future__ import annotations

from dataclasses import dataclass

from functions.resolve_attributes.semantics import Found, Semantics
from plugins.base import Registry, SourcePlugin
from shared.query.annotated import AnnotatedQuery, Annotation, Bound, EntityResolved, Selected
from shared.query.evidence import DisclosureKind, FailureStatus, Unanswerable
from shared.query.slots import Slot, SlotKind
from shared.query.writing import Writer
from shared.runtime.context import RunContext
from shared.text.articles import spoken_publisher


async def resolve_attributes(query: AnnotatedQuery, context: RunContext, *, registry: Registry) -> list[Annotation]:
    """Write one binding for each meaning and entity of each slot and source."""
    writer = Writer(query, "resolve_attributes")
    tried = [
        _Tried(slot, plugin, selected, which, entity, await plugin.bind(slot, selected, entity, context=context))
        for slot in query.slots()
        for annotation, selected in query.of(Selected, slot=slot.id)
        if (plugin := registry.get(annotation.source or "")) is not None
        for which, (_, entity) in enumerate(query.of(EntityResolved, slot=slot.id, source=plugin.name))
    ]
    found = [Found(one.slot, one.selected, one.bound) for one in tried if not isinstance(one.bound, Unanswerable)]
    semantics = await Semantics.judged(found, question=query.question, context=context)
    written: list[Annotation] = []
    for one in tried:
        written += _written(writer, one, semantics, after=written, context=context)
    return written


@dataclass(frozen=True, slots=True)
class _Tried:
    """What a source has bound of a slot for the entity of this number."""

    slot: Slot
    plugin: SourcePlugin
    selected: Selected
    which: int
    entity: EntityResolved
    bound: list[Bound] | Unanswerable


def _written(
    writer: Writer, one: _Tried, semantics: Semantics, *, after: list[Annotation], context: RunContext
) -> list[Annotation]:
    slot, plugin, entity, bound = one.slot, one.plugin, one.entity, one.bound
    written: list[Annotation] = []
    rejected: list[str] = []
    if not isinstance(bound, Unanswerable):
        bound, rejected = semantics.sifted(slot, bound)
    for n, text in enumerate(rejected):
        context.say(text)
        number = 2500 + 10 * one.which + n
        written.append(writer.note(DisclosureKind.MEANING, text, slot=slot.id, source=plugin.name, n=number))
    left_out: list[str] = []
    if not isinstance(bound, Unanswerable) and entity.sum_of_members:
        bound, left_out = _adding_up(slot, bound, entity, plugin)
    if isinstance(bound, Unanswerable):
        return [*written, writer.fail(bound, slot=slot.id, source=plugin.name, n=1000 + one.which)]
    if left_out and entity.entity is not None:
        text = f"no sum of the members of {entity.entity.name} gives its {'; '.join(left_out)}"
        number = 2000 + one.which
        written.append(writer.note(DisclosureKind.MEANING, text, slot=slot.id, source=plugin.name, n=number))
    several = len(writer.query.of(EntityResolved, slot=slot.id, source=plugin.name)) > 1
    here = [a for a in after if (a.slot, a.source) == (slot.id, plugin.name) and isinstance(a.payload, Bound)]
    for n, binding in enumerate(bound, start=len(here)):
        labelled = _labelled(binding, entity) if several else binding
        written.append(writer.write(labelled, slot=slot.id, source=plugin.name, n=n))
    return written


def _adding_up(
    slot: Slot, bound: list[Bound], resolved: EntityResolved, plugin: SourcePlugin
) -> tuple[list[Bound] | Unanswerable, list[str]]:
    """The bindings that members' figures may be added up for, or what can be had instead; and the names of others.

    What nothing is declared about is left to the judgment in combine.
    """
    group = resolved.entity.name if resolved.entity else "the group"
    what = slot.measure.text if slot.measure else slot.describes
    who = spoken_publisher(plugin.publisher.name)
    each = f"“{what} of the countries in {group}” gives it for each of the {len(resolved.members)} members"
    course = slot.kind is SlotKind.SERIES and resolved.sums_series
    if slot.kind is not SlotKind.VALUE and not course:
        form = {SlotKind.SERIES: "series", SlotKind.CATEGORIES: "parts"}.get(slot.kind, slot.kind.value)
        return _without(
            f"{who} publishes no {form} of {what} for {group} as a group",
            needs=f"a question about one year, for which its members may be added up; {each}",
        ), []
    kept = [one for one in bound if one.measure.additive is not False]
    left_out = [one.measure.name for one in bound if one.measure.additive is False]
    if not kept:
        return _without(
            f"{who} publishes no figure of {what} for {group} as a group, and it cannot be added "
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
