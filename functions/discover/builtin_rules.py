"""The built-in judge's rule for discover: a publisher is named by a known name behind a word that takes from it."""

from __future__ import annotations

from functions.discover.named_sources import named_sources
from functions.discover.publishers import RESOLVE_PUBLISHERS, PublisherNamed, PublishersReply, PublishersRequest
from shared.models.builtin import BuiltinRule
from shared.runtime.context import RunContext


async def resolve_publishers(request: PublishersRequest, context: RunContext) -> PublishersReply:
    """The names that are known here; another publisher than the one named is never offered instead."""
    del context
    named = tuple(
        PublisherNamed(words=one.words, publishers=(one.source,) if one.source else ())
        for one in named_sources(request.question, request.directory)
    )
    return PublishersReply(named=named)


BUILTIN_RULES: dict[str, BuiltinRule] = {RESOLVE_PUBLISHERS.name: resolve_publishers}
