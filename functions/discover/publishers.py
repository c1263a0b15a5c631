"""The judgment ``resolve_publishers``: which of the mounted publishers the question names as its source."""

from __future__ import annotations

import re

from functions.discover.named_sources import surely_named
from shared.models.tasks import Offered, Task
from shared.query.quantity import Frozen

_INSTRUCTIONS = """\
Say which publishers the question names as where its figures are to come from ("from X", "X data", "going by X"), \
and which of the publishers on offer each of these is.
The reply: {"named": [{"words": "...", "publishers": [ids]}], "why": "..."}
- words: the words of the question that name the publisher, copied exactly, without "from", "data" and the like.
- publishers: the ids of those on offer that these words mean: by a name, an abbreviation, another language, a \
misspelling, or a product of theirs. Several only where the words mean several. Empty when none on offer is meant: \
never give another publisher that has such figures too.
- A publisher that the question is about, and takes no figures from, is not named as a source: the members of an \
organization, the debt owed to a bank, a count of people as an event. Neither is a place.
- A question that names no source has an empty list. Most are such.
why: one short sentence."""


class PublisherOffered(Frozen):
    """A mounted publisher, under the id of its source, and what people call it."""

    id: str
    names: tuple[str, ...]


class PublishersRequest(Frozen):
    """The question, and the publishers that can be asked."""

    question: str
    publishers: tuple[PublisherOffered, ...]

    @property
    def directory(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Each id with its names."""
        return tuple((one.id, one.names) for one in self.publishers)


class PublisherNamed(Frozen):
    """The words that name a publisher, and the ids that are meant; none when it is not on offer."""

    words: str
    publishers: tuple[str, ...] = ()


class PublishersReply(Frozen):
    """Every publisher that the question names as its source, in its order."""

    named: tuple[PublisherNamed, ...]
    why: str = ""


def _of_the_question(request: PublishersRequest, reply: PublishersReply) -> str | None:
    offered = {one.id for one in request.publishers}
    if {chosen for one in reply.named for chosen in one.publishers} - offered:
        return f"a publisher is chosen that was not offered; on offer are {', '.join(sorted(offered))}"
    question = _plain(request.question)
    for one in reply.named:
        words = re.escape(_plain(one.words))
        if not words or not re.search(rf"(?<!\w){words}(?!\w)", question):
            return "words must be copied from the question"
    given = [_plain(one.words) for one in reply.named]
    for words in surely_named(request.question, request.directory):
        if not any(_plain(words) in one or one in _plain(words) for one in given):
            return f"the question takes its figures from {words}, and the reply leaves that out"
    return None


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _offered(request: PublishersRequest) -> Offered:
    return {"named.publishers": [one.id for one in request.publishers]}


RESOLVE_PUBLISHERS = Task(
    name="resolve_publishers",
    version=1,
    request=PublishersRequest,
    reply=PublishersReply,
    validate=_of_the_question,
    effort="low",
    purpose="telling which publisher the question names",
    instructions=_INSTRUCTIONS,
    offered=_offered,
    fallback=True,
    max_tokens=512,
)
