"""The select stage chooses the documents that describe the quantity, and tells its meanings apart.

Each source that can serve the slot's kind and may have something of its place chooses among its own documents.
Slots that share a measure are chosen once, so that their figures come from one field.
"""

from __future__ import annotations

import asyncio

from plugins.base import Registry, SourcePlugin
from shared.query.annotated import AnnotatedQuery, Annotation, Discovered, Selected
from shared.query.evidence import DisclosureKind, FailureStatus, Unanswerable
from shared.query.slots import Slot, SlotKind
from shared.query.writing import Writer
from shared.runtime.context import RunContext
from shared.text.articles import spoken_publisher

_LACKS = {
    SlotKind.VALUE: "publishes no figures, only facts",
    SlotKind.SERIES: "publishes no figures over time, only facts",
    SlotKind.POPULATION: "publishes no figures, only facts",
    SlotKind.CATEGORIES: "publishes no figures by category",
    SlotKind.MEMBERS: "publishes no lists of members",
    SlotKind.FACT: "publishes figures and no facts of this kind",
}
"""What a source without slots of a kind does not have, for a reader."""


async def select(query: AnnotatedQuery, context: RunContext, *, registry: Registry) -> list[Annotation]:
    """Write the chosen meanings of each slot and source, or why there are none.

    The choices are made side by side; what is written has the order of slots and sources all the same.
    """
    writer = Writer(query, "select")
    written: list[Annotation] = []
    beyond: dict[tuple[str, str], Unanswerable] = {}
    choosing: dict[tuple[str, str], asyncio.Task[Selected | Unanswerable]] = {}
    async with asyncio.TaskGroup() as group:
        for slot in query.slots():
            for source, discovered in _serving(query, slot, registry):
                if (refused := registry[source].beyond(slot)) is not None:
                    beyond[source, slot.id] = refused
                    continue
                key = (source, slot.shared_key or slot.id)
                if key not in choosing:
                    choice = _choose(slot, discovered, registry[source], query, context)
                    choosing[key] = group.create_task(choice)
    for slot in query.slots():
        found, serving = query.of(Discovered, slot=slot.id), _serving(query, slot, registry)
        if found and not serving:
            sources = ", ".join(sorted({a.source for a, _ in found if a.source}))
            written.append(
                writer.refuse(
                    FailureStatus.NOT_COVERED,
                    f"the tables found are of {sources}, which {_LACKS.get(slot.kind, 'has nothing of this kind')}",
                    slot=slot.id,
                )
            )
        for source, _ in serving:
            refused = beyond.get((source, slot.id))
            result = refused or choosing[source, slot.shared_key or slot.id].result()
            written.extend(_record(writer, slot, source, result))
    return written


def _serving(query: AnnotatedQuery, slot: Slot, registry: Registry) -> list[tuple[str, Discovered]]:
    """The sources with tables for the slot that can serve its kind."""
    return [
        (annotation.source, discovered)
        for annotation, discovered in query.of(Discovered, slot=slot.id)
        if annotation.source is not None
        and (plugin := registry.get(annotation.source)) is not None
        and slot.kind in plugin.slot_kinds
    ]


async def _choose(
    slot: Slot, discovered: Discovered, plugin: SourcePlugin, query: AnnotatedQuery, context: RunContext
) -> Selected | Unanswerable:
    selected = await plugin.choose(slot, discovered.documents, question=query.question, context=context)
    if isinstance(selected, Unanswerable):
        return selected
    offered = {document.identifier for document in discovered.documents}
    returned = {document.identifier for meaning in selected.meanings for document in meaning.documents}
    if not returned <= offered:
        strange = ", ".join(sorted(returned - offered))
        return Unanswerable(
            status=FailureStatus.INTERNAL, reason=f"{plugin.name} chose documents that were not offered: {strange}"
        )
    wanted = slot.measure.text if slot.measure else slot.describes
    titles = "; ".join(meaning.label for meaning in selected.meanings)
    context.say(f"“{wanted}” is published by {spoken_publisher(plugin.publisher.name)} as: {titles}")
    return selected


def _record(writer: Writer, slot: Slot, source: str, result: Selected | Unanswerable) -> list[Annotation]:
    if isinstance(result, Unanswerable):
        return [writer.fail(result, slot=slot.id, source=source)]
    written = [writer.write(result, slot=slot.id, source=source)]
    if len(result.meanings) > 1 and slot.measure is not None:
        labels = "; ".join(meaning.label for meaning in result.meanings)
        written.append(
            writer.note(
                DisclosureKind.MEANING,
                f"“{slot.measure.text}” is published as {len(result.meanings)} distinct quantities: {labels}",
                slot=slot.id,
                source=source,
            )
        )
    return written
