"""The resolve_entities stage finds the entity or population that each source knows.

Each source that chose documents resolves the slot in its own way. A name that means several places is held
against what the source covers; where several are left, a question about one figure is answered for each and
labelled, and any other question goes on with the likeliest and says so. A named group that no source knows is asked
for by its members, as language models agree on them.
"""

from __future__ import annotations

from collections.abc import Sequence

from functions.resolve_entities.denoting import MOST_NAMED, Denotations, described, meaning, several
from functions.resolve_entities.listing import NoList
from functions.resolve_entities.unlisted import Lists, as_asked, of_members, unlisted_group
from plugins.base import Registry, SourcePlugin
from shared.query.annotated import AnnotatedQuery, Annotation, EntityResolved, Selected
from shared.query.evidence import DisclosureKind, FailureStatus, Unanswerable
from shared.query.quantity import Entity
from shared.query.readings import EntityMention
from shared.query.slots import Slot, SlotKind
from shared.query.writing import Writer
from shared.runtime.context import RunContext
from shared.text.articles import spoken, spoken_publisher
from shared.text.places import suggest

LABELLED_TYPES = frozenset({"value", "trend", "vague_aspect"})
"""Types whose single entity may be answered once for each place of that name."""


async def resolve_entities(query: AnnotatedQuery, context: RunContext, *, registry: Registry) -> list[Annotation]:
    """Write each slot's resolved entity or population, or why it cannot be resolved."""
    writer = Writer(query, "resolve_entities")
    written: list[Annotation] = []
    lists, denotations = Lists(query.question, context), Denotations(query.question, context)
    foreign = _foreign_choice(query)
    for original in query.slots():
        asked = [
            (plugin, selected)
            for annotation, selected in query.of(Selected, slot=original.id)
            if (plugin := registry.get(annotation.source or "")) is not None
        ]
        if not asked:
            continue
        slot = foreign or await denotations.of(_as_chosen(original, query))
        if isinstance(slot, Unanswerable):
            written += [writer.fail(slot, slot=original.id, source=plugin.name) for plugin, _ in asked]
            continue
        found: list[Annotation] = []
        for plugin, selected in asked:
            found += await _resolve(writer, slot, selected, plugin, context)
        if not any(isinstance(annotation.payload, EntityResolved) for annotation in found):
            found = await _by_members(writer, slot, asked, found, lists)
        written += found
        written += [
            writer.note(DisclosureKind.READING, text, slot=slot.id, n=2200 + n)
            for n, text in enumerate(denotations.told(original))
        ]
    return written


async def _by_members(
    writer: Writer,
    slot: Slot,
    sources: Sequence[tuple[SourcePlugin, Selected]],
    failed: list[Annotation],
    lists: Lists,
) -> list[Annotation]:
    """The slot by its group's members, which models list as no source knows them; each source confirms each member.

    ``failed`` is what stands when that cannot be had, with the reason.
    """
    group, context = unlisted_group(slot), lists.context
    if group is None:
        return failed
    listed = await lists.of(group)
    if isinstance(listed, NoList):
        if listed.silent:
            return failed
        return [*failed, writer.refuse(FailureStatus.NOT_COVERED, listed.reason, slot=slot.id, n=1100)]
    context.say(f"no source lists the members of {group.name}; models list {len(listed.members)}")
    asked = of_members(slot, listed)
    written: list[Annotation] = []
    for plugin, selected in sources:
        if SlotKind.POPULATION not in plugin.slot_kinds:
            continue
        result = await plugin.resolve(asked, selected, question=writer.query.question, context=context)
        if isinstance(result, EntityResolved):
            result = as_asked(slot, group, asked, result)
        written += _record(writer, slot, plugin, [result], context)
    if not any(isinstance(annotation.payload, EntityResolved) for annotation in written):
        return written or failed
    notes = [
        writer.note(DisclosureKind.MEMBERS, text, slot=slot.id, n=2100 + n) for n, text in enumerate(listed.told)
    ]
    return [*written, *notes]


async def _resolve(
    writer: Writer, slot: Slot, selected: Selected, plugin: SourcePlugin, context: RunContext
) -> list[Annotation]:
    query = writer.query
    mention = slot.entity
    if mention is not None and mention.status == "unknown" and slot.kind is not SlotKind.MEMBERS:
        return [writer.fail(_unknown(mention), slot=slot.id, source=plugin.name)]
    if mention is None or mention.status != "ambiguous":
        result = await plugin.resolve(slot, selected, question=query.question, context=context)
        return _record(writer, slot, plugin, [result], context)
    most = MOST_NAMED if query.current_reading().type in LABELLED_TYPES else 1
    tried: list[EntityResolved | Unanswerable] = []
    kept: list[EntityResolved] = []
    for candidate in mention.candidates:
        meant = slot.model_copy(update={"entity": meaning(mention, candidate)})
        tried.append(await plugin.resolve(meant, selected, question=query.question, context=context))
        kept += [result for result in tried[-1:] if isinstance(result, EntityResolved)]
        if len(kept) == most:
            break
    if not kept:
        return _record(writer, slot, plugin, [_nowhere(mention, tried)], context)
    names = several(mention.candidates)
    read_as = " and ".join(described(result.entity) for result in kept if result.entity is not None)
    note = writer.note(
        DisclosureKind.READING,
        f"“{mention.text}” may mean {names}; {spoken_publisher(plugin.publisher.name)} was asked about {read_as}",
        slot=slot.id,
        source=plugin.name,
    )
    return [*_record(writer, slot, plugin, list(kept), context), note]


def _record(
    writer: Writer,
    slot: Slot,
    plugin: SourcePlugin,
    results: list[EntityResolved | Unanswerable],
    context: RunContext,
) -> list[Annotation]:
    written: list[Annotation] = []
    who = spoken_publisher(plugin.publisher.name)
    for n, result in enumerate(results):
        if isinstance(result, Unanswerable):
            written.append(writer.fail(result, slot=slot.id, source=plugin.name, n=1000 + n))
            continue
        written.append(writer.write(result, slot=slot.id, source=plugin.name, n=n))
        if result.sum_of_members and result.entity is not None:
            group, many = result.entity.name, len(result.members)
            context.say(f"{who} has no {group} of its own; its {many} members are asked for")
        elif result.entity is not None:
            context.say(f"{who} knows {spoken(result.entity.name)} as {result.entity.code}")
        elif result.members:
            context.say(f"{who} lists {len(result.members)} members for {slot.describes}")
    return written


def _nowhere(mention: EntityMention, tried: list[EntityResolved | Unanswerable]) -> Unanswerable:
    """Why a source has no place that the name may mean; the reason for the likeliest is told in full."""
    failed = next(one for one in tried if isinstance(one, Unanswerable))
    if len(mention.candidates) < 2:
        return failed
    names = several(mention.candidates)
    return failed.model_copy(
        update={"reason": f"{failed.reason}; “{mention.text}” may mean {names}, and none of them is covered"}
    )


def _as_chosen(slot: Slot, query: AnnotatedQuery) -> Slot:
    """The slot with the caller's own choice of an entity or a container, where a clarification bound one."""
    code = query.options.assumptions.get("entity")
    bound: dict[str, object] = {"entity": _bound_mention(slot.entity, code)}
    if slot.population is not None:
        container = _bound_mention(slot.population.container, code)
        bound["population"] = slot.population.model_copy(update={"container": container})
    return slot.model_copy(update=bound)


def _bound_mention(mention: EntityMention | None, code: str | None) -> EntityMention | None:
    """The mention with the caller's own choice in it, when a clarification bound one of its candidates."""
    if mention is None or code is None:
        return mention
    chosen = _candidate(mention, code)
    return meaning(mention, chosen) if chosen is not None else mention


def _candidate(mention: EntityMention, code: str) -> Entity | None:
    return next((one for one in mention.candidates if code in {one.code, *one.keys.values()}), None)


def _foreign_choice(query: AnnotatedQuery) -> Unanswerable | None:
    """Why the caller's choice of an entity settles nothing in this question, if it does not."""
    code = query.options.assumptions.get("entity")
    containers = [slot.population.container for slot in query.slots() if slot.population is not None]
    mentions = [one for one in (*(slot.entity for slot in query.slots()), *containers) if one is not None]
    if code is None or any(_candidate(mention, code) or _is(mention, code) for mention in mentions):
        return None
    open_names = [mention for mention in mentions if mention.status == "ambiguous"]
    allowed = ", ".join(f"{one.code} ({described(one)})" for mention in open_names for one in mention.candidates)
    settles = f"it may be settled as {allowed}" if allowed else "no name in the question is open"
    return Unanswerable(
        status=FailureStatus.UNKNOWN_ENTITY, reason=f"the assumed entity {code} is none that is meant; {settles}"
    )


def _is(mention: EntityMention, code: str) -> bool:
    return mention.entity is not None and code in {mention.entity.code, *mention.entity.keys.values()}


def _unknown(mention: EntityMention) -> Unanswerable:
    near = ", ".join(entity.name for entity in suggest(mention.text)[:3])
    reason = f"no place or organization called “{mention.text}” is known here"
    return Unanswerable(
        status=FailureStatus.UNKNOWN_ENTITY, reason=f"{reason}; did you mean {near}?" if near else reason
    )
