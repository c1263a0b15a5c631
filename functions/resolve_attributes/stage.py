"""The resolve_attributes stage: make each chosen document and resolved entity into something to request."""

from __future__ import annotations

from plugins.base import Registry
from shared.query.annotated import AnnotatedQuery, Annotation, Bound, EntityResolved, Selected
from shared.query.evidence import Unanswerable
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
                if isinstance(bound, Unanswerable):
                    written.append(writer.fail(bound, slot=slot.id, source=plugin.name, n=1000 + which))
                    continue
                for binding in bound:
                    labelled = _labelled(binding, entity) if len(resolved) > 1 else binding
                    written.append(writer.write(labelled, slot=slot.id, source=plugin.name, n=n))
                    n += 1
    return written


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
