"""The discover stage finds the published tables that describe the quantity of each slot.

One search a slot, in the slot's own wording, with the whole question as background and the bare measure beside
it, so that a table found by the bare measure stays eligible. Slots that share a measure share the search.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from itertools import groupby

from functions.discover.named_sources import called, may_name_a_publisher
from functions.discover.publishers import (
    RESOLVE_PUBLISHERS,
    PublisherOffered,
    PublishersReply,
    PublishersRequest,
)
from plugins.base import Registry
from shared.query.annotated import AnnotatedQuery, Annotation, Discovered
from shared.query.discovery import FinderReply, FinderRequest, TableDocument
from shared.query.evidence import DisclosureKind, FailureStatus, Unanswerable
from shared.query.slots import Slot, SlotKind
from shared.query.writing import Writer
from shared.runtime.context import RunContext
from shared.runtime.errors import ModelError
from shared.text.source_words import with_source_words

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
    named = await publishers_named(query.question, registry, context)
    limit = _limit(named, query.options.sources, registry) if isinstance(named, PublishersReply) else named
    if isinstance(limit, Unanswerable):
        context.say(limit.reason)
        return [writer.fail(limit, slot=slot.id, n=1900, final=True) for slot in query.slots()]
    written: list[Annotation] = []
    if limit and not query.options.sources:
        names = ", ".join(limit)
        written.append(
            writer.note(DisclosureKind.SOURCE, f"the question names its source, so only {names} was searched")
        )
    bound = query.options.assumptions.get("measure")
    replies: dict[FinderRequest, FinderReply] = {}
    for slot in query.slots():
        request = finder_request(slot, query.question, limit)
        paid = request not in replies
        if paid:
            replies[request] = _within(limit, await search(request, slot, query, context))
        written.extend(_by_source(writer, slot, replies[request], registry, bound=bound, paid=paid))
    return written


async def publishers_named(
    question: str, registry: Registry, context: RunContext
) -> PublishersReply | Unanswerable:
    """The publishers that the question names as its source, or why that could not be told.

    Nothing is asked of anybody where the question holds no word that could name one.
    """
    publishers = tuple(
        PublisherOffered(
            id=one.name, names=tuple(dict.fromkeys((one.name, one.publisher.name, *one.publisher.aliases)))
        )
        for one in registry
    )
    question, _ = with_source_words(question)
    request = PublishersRequest(question=question, publishers=publishers)
    if not may_name_a_publisher(question, request.directory):
        return PublishersReply(named=())
    try:
        return await context.judge(RESOLVE_PUBLISHERS, request)
    except ModelError as error:
        reason = f"which publisher the question names could not be told, so none was asked: {error}"
        return Unanswerable(status=FailureStatus.INTERNAL, reason=reason)


def _limit(reply: PublishersReply, options: tuple[str, ...], registry: Registry) -> tuple[str, ...] | Unanswerable:
    """The sources that may be asked, all of them when empty; or why none may be."""
    if missing := dict.fromkeys(called(one.words) for one in reply.named if not one.publishers):
        return Unanswerable(
            status=FailureStatus.NOT_COVERED,
            reason=f"the question asks for figures from {' and '.join(missing)}, which is not mounted here",
        )
    named = tuple(dict.fromkeys(source for one in reply.named for source in one.publishers))
    if not (named and options):
        return options or named
    both = tuple(source for source in options if source in named)
    names = " and ".join(registry[source].publisher.name for source in named)
    return both or Unanswerable(
        status=FailureStatus.NOT_COVERED,
        reason=f"the question asks for figures from {names}, and only {', '.join(options)} may be asked",
    )


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
    # What the finder spends on models is told apart from the run's own; it is given no more than is left of that.
    left = max(Decimal(0), context.budget.limits.usd - context.budget.at_most.usd)
    bounded = request.model_copy(update={"stand_in": True, "usd": left})
    reply = await context.finder.search(bounded, deadline=context.deadline)
    if reply.stood_in:
        context.disclose(
            f"no language model could be asked for ranking tables ({reply.stood_in}); the finder's own order stands"
        )
    if reply.eligibility == "no_match":
        again = await context.finder.search(bounded.model_copy(update={"rerank": False}), deadline=context.deadline)
        notes = (*reply.notes, "no table passed the rerank; searched again without it", *again.notes)
        reply = again.model_copy(update={"notes": notes, "usage": reply.usage.plus(again.usage)})
    context.say(f"found {len(reply.results)} tables for “{request.texts[0]}”")
    return reply


def _within(limit: tuple[str, ...], reply: FinderReply) -> FinderReply:
    """The reply without what is not of the sources asked for, whatever the finder returned."""
    kept = tuple(document for document in reply.results if not limit or document.source in limit)
    return reply if len(kept) == len(reply.results) else reply.model_copy(update={"results": kept})


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
