"""The discover stage finds the published tables that describe the quantity of each slot.

One search a slot, in the slot's own wording, with the whole question as background and the bare measure beside
it, so that a table found by the bare measure stays eligible. Slots that share a measure share the search.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from functions.discover.named_sources import named_sources
from plugins.base import Registry
from shared.query.annotated import AnnotatedQuery, Annotation, Discovered
from shared.query.discovery import FinderReply, FinderRequest, TableDocument
from shared.query.evidence import DisclosureKind, FailureStatus, Unanswerable
from shared.query.slots import Slot, SlotKind
from shared.query.writing import Writer
from shared.runtime.context import RunContext

FACT_WORDING: dict[str, str] = {
    "borders": "countries that share a land border",
    "members": "member countries of a group or region",
}
"""How a relation is described to the finder; a relation without an entry is described by itself."""

PAGE_SIZE = 25


async def discover(query: AnnotatedQuery, context: RunContext, *, registry: Registry) -> list[Annotation]:
    """Search for each slot's tables and write them by source.

    A source that is named, by option or in the question, and that cannot be honoured refuses every slot:
    nothing is searched elsewhere.
    """
    writer = Writer(query, "discover")
    named = named_sources(
        query.question,
        ((plugin.name, (plugin.name, plugin.publisher.name, *plugin.publisher.aliases)) for plugin in registry),
    )
    if named.missing:
        names = " and ".join(named.missing)
        reason = f"the question asks for figures from {names}, which is not mounted here"
        refusal = Unanswerable(status=FailureStatus.NOT_COVERED, reason=reason)
        return [writer.fail(refusal, slot=slot.id, n=1900, final=True) for slot in query.slots()]
    limit = query.options.sources or named.mounted
    written: list[Annotation] = []
    if named.mounted and not query.options.sources:
        names = ", ".join(named.mounted)
        written.append(
            writer.note(DisclosureKind.SOURCE, f"the question names its source, so only {names} was searched")
        )
    bound = query.options.assumptions.get("measure")
    replies: dict[FinderRequest, FinderReply] = {}
    for slot in query.slots():
        request = finder_request(slot, query.question, limit)
        paid = request not in replies
        if paid:
            replies[request] = await search(request, slot, query, context)
        written.extend(_by_source(writer, slot, replies[request], registry, bound=bound, paid=paid))
    return written


def finder_request(slot: Slot, question: str, limit: tuple[str, ...]) -> FinderRequest:
    """The search for one slot."""
    if slot.measure is not None and slot.kind is not SlotKind.FACT:
        texts: tuple[str, ...] = (slot.measure.text,)
    else:
        relation = slot.relation or "members"
        texts = (FACT_WORDING.get(relation, relation),)
    if slot.dimension:
        texts = (*texts, f"{texts[0]} by {slot.dimension}")
    return FinderRequest(texts=texts, background=question, sources=limit, page_size=PAGE_SIZE)


async def search(request: FinderRequest, slot: Slot, query: AnnotatedQuery, context: RunContext) -> FinderReply:
    """Search by meaning, or look up the variable that a clarification bound.

    When the rerank discards every hit, the search is repeated without it and the plugins judge.
    """
    bound = query.options.assumptions.get("measure")
    measures = {one.measure.text for one in query.slots() if one.measure is not None}
    if bound and slot.measure is not None and len(measures) == 1:
        # With several measures the choice settles one of them, and each source keeps it where it fits.
        found = await context.finder.by_variable(bound)
        return FinderReply(
            results=tuple(d for d in found if not request.sources or d.source in request.sources),
            score_scale="embedding",
            eligibility="match" if found else "no_match",
            notes=(f"the caller chose {bound}",),
        )
    reply = await context.finder.search(request, deadline=context.deadline)
    if reply.eligibility == "no_match":
        again = await context.finder.search(request.model_copy(update={"rerank": False}), deadline=context.deadline)
        reply = again.model_copy(
            update={"notes": (*reply.notes, "no table passed the rerank; searched again without it")}
        )
    context.say(f"found {len(reply.results)} tables for “{request.texts[0]}”")
    return reply


def _by_source(
    writer: Writer, slot: Slot, reply: FinderReply, registry: Registry, *, bound: str | None, paid: bool
) -> Iterable[Annotation]:
    """Write one annotation a source; a source with no plugin is said, not dropped."""
    if not reply.results:
        wanted = slot.measure.text if slot.measure else slot.describes
        reason = f"no mounted source describes a table for “{wanted}”"
        if bound is not None and slot.measure is not None:
            reason = f"no published variable of the sources searched is called {bound}"
        yield writer.refuse(FailureStatus.NOT_FOUND, reason, slot=slot.id)
        return
    ordered = sorted(enumerate(reply.results), key=lambda item: (item[1].source, item[0]))
    for source, group in groupby(ordered, key=lambda item: item[1].source):
        documents: tuple[TableDocument, ...] = tuple(document for _, document in group)
        if registry.get(source) is None:
            yield writer.refuse(
                FailureStatus.NOT_COVERED,
                f"{len(documents)} tables of {source} were found, and no plugin for it is mounted",
                slot=slot.id,
                source=source,
            )
            continue
        found = Discovered(documents=documents, notes=reply.notes)
        if paid:
            found = found.model_copy(update={"usage": reply.usage})
            paid = False
        yield writer.write(found, slot=slot.id, source=source)
