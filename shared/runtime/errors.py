"""Every error the product raises on purpose, in one tree.

NeuralKGError
├── UsageError              bad input: the message says what was wrong, what is allowed, what to do
│   └── UnknownSource       a source was named that is not mounted
├── RunError                a run cannot go on
│   ├── DeadlineExceeded    the run's time is up
│   ├── Cancelled           the client left or asked to stop
│   ├── BudgetExhausted     model calls, dollars or model seconds are spent
│   └── PhaseViolation      a model or a meaning resolution was asked for in ``execute``
├── StoreError              the run store
│   ├── StoreUnavailable    it cannot be reached, is locked, read only, or the disk is full
│   ├── StoreCorrupt        the file is not one of ours or is damaged
│   │   └── StoreNewer      a later version of this program has written it
│   ├── TooLarge            more than the store holds in one document or takes in one commit
│   ├── RunNotFound
│   ├── LeaseLost           another worker took the step over
│   └── StepBusy            another worker holds the step: the message must come again
├── BusError                a message cannot be handed over
│   └── BusClosed           the bus delivers no more
├── ArchiveError            an archive cannot be written or read
│   ├── ObjectMissing       it holds no object of this name
│   ├── ObjectDamaged       an object is not what was written under its name
│   └── ArchiveConflict     somebody else replaced the object first
├── PublisherError          a publisher's API
│   ├── PublisherUnreachable    no answer, time out, or a server error after retries
│   ├── PublisherRefused        credentials, quota or rate limit: operationally blocked
│   ├── RequestRejected         the API says the request is invalid (an unknown id)
│   └── ResponseMalformed       an answer that is not in the API's documented form
├── FinderError             the finder of tables
│   ├── CorpusInvalid       a leaf that does not parse
│   ├── IndexDamaged (IndexForeign), IndexStale
│   ├── FinderUnreachable   its service gives no answer, or refuses us
│   └── SearchFailed        with the usage so far: EmbeddingFailed, ScoringFailed, SearchTimedOut
├── HostNotAllowed          a request to a host that no mounted plugin declared
└── ModelError              a model or the built-in judge
├── ModelUnavailable    no provider, or it failed
├── ReplyInvalid        the reply broke its contract twice
│   └── ReplyBroken     one reply is none (too large, no JSON, cut off) and is asked for once more
└── CannotRead          the question is outside what the reader understands
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shared.query.discovery import FinderUsage


class NeuralKGError(Exception):
    """The root; ``str(error)`` is always fit to show to a person."""


class UsageError(NeuralKGError):
    """Bad input; ``allowed`` and ``do`` tell apart what its message says together, for whoever reads fields."""

    allowed: object = None
    do: str | None = None

    def __init__(self, message: str, *, allowed: object = None, do: str | None = None) -> None:
        self.allowed, self.do = allowed, do
        super().__init__(message)


class UnknownSource(UsageError):  # noqa: N818 - the name says what is wrong
    """A source that is not mounted was named."""

    def __init__(self, name: str, known: list[str]) -> None:
        self.name, self.known = name, known
        super().__init__(
            f"there is no source called {name!r}; the mounted sources are {', '.join(known)}",
            allowed=known,
            do="Name one of the mounted sources, or none to search them all.",
        )


class RunError(NeuralKGError):
    """A run cannot go on."""


class DeadlineExceeded(RunError):  # noqa: N818
    """The run's time is up."""


class Cancelled(RunError):  # noqa: N818
    """The client left or asked to stop."""


class BudgetExhausted(RunError):  # noqa: N818
    """Model calls, dollars or model seconds are spent."""


class PhaseViolation(RunError):  # noqa: N818
    """A model call or a meaning resolution was attempted in ``execute``."""


class StoreError(NeuralKGError):
    """The run store failed."""


class StoreUnavailable(StoreError):  # noqa: N818
    """The store cannot be reached, is locked, is read only, or its disk is full."""


class StoreCorrupt(StoreError):  # noqa: N818
    """The store's file is not one of ours or is damaged."""


class StoreNewer(StoreCorrupt):
    """A later version of this program has written it; this one leaves it alone."""


class TooLarge(StoreError):  # noqa: N818
    """More than the store holds in one document or takes in one commit; nothing was written."""


class RunNotFound(StoreError):  # noqa: N818
    """No run has this id."""


class LeaseLost(StoreError):  # noqa: N818
    """Another worker took this step over; nothing of ours was committed."""


class StepBusy(StoreError):  # noqa: N818
    """Another worker holds this step's lease; the message must come again later."""


class BusError(NeuralKGError):
    """A message cannot be handed over to the bus: it may not have gone out."""


class BusClosed(BusError):  # noqa: N818
    """A message was published on a bus that delivers no more."""


class ArchiveError(NeuralKGError):
    """An archive cannot be written or read."""


class ObjectMissing(ArchiveError):  # noqa: N818
    """The archive holds no object of this name."""


class ObjectDamaged(ArchiveError):  # noqa: N818
    """An object is not what was written under its name, or this version cannot read it."""


class ArchiveConflict(ArchiveError):  # noqa: N818
    """Somebody else replaced the object first; nothing of ours was written."""


class PublisherError(NeuralKGError):
    """A publisher's API did not give what was asked."""


class PublisherUnreachable(PublisherError):  # noqa: N818
    """No answer, a time-out, or a server error after retries."""


class PublisherRefused(PublisherError):  # noqa: N818
    """Credentials, quota or rate limit: the data may exist, access is blocked."""


class RequestRejected(PublisherError):  # noqa: N818
    """The API says that the request is invalid, as for an unknown indicator or place."""


class ResponseMalformed(PublisherError):  # noqa: N818
    """The answer is not in the API's documented form."""


class HostNotAllowed(NeuralKGError):  # noqa: N818
    """A request to a host that no mounted plugin declared."""


class FinderError(NeuralKGError):
    """The finder of tables failed."""


class CorpusInvalid(FinderError):  # noqa: N818
    """A leaf or access document does not parse; the message begins with ``file:line``."""


class IndexDamaged(FinderError):  # noqa: N818
    """An index file is missing, cut short or swapped, or the index belongs to another model."""


class IndexForeign(IndexDamaged):
    """The index was embedded with another model, or has vectors of another dimension."""


class IndexStale(FinderError):  # noqa: N818
    """The index was built from other leaves than those at hand."""


class FinderUnreachable(FinderError):  # noqa: N818 - the name says what is wrong
    """The finder's service gave no answer, answered something else than its form, or does not let us in."""


class ModelError(NeuralKGError):
    """A model or the built-in judge failed."""


class ModelUnavailable(ModelError):  # noqa: N818
    """No provider is configured for the task, or it failed."""


class ReplyInvalid(ModelError):  # noqa: N818
    """A reply broke its contract twice."""


class ReplyBroken(ReplyInvalid):
    """One reply is none: too large, no text, no JSON, cut off, or a call of a foreign tool."""


class CannotRead(ModelError):  # noqa: N818
    """The question is outside what the reader understands; ``nearest`` are forms that work."""

    def __init__(self, reason: str, nearest: list[str]) -> None:
        self.nearest = nearest
        super().__init__(reason)


class SearchFailed(FinderError):  # noqa: N818
    """A search for tables that began and could not be ended; ``usage`` is what it had used by then."""

    def __init__(self, reason: str, usage: FinderUsage) -> None:
        self.usage = usage
        super().__init__(reason)


class EmbeddingFailed(SearchFailed, ModelUnavailable):
    """The embedding provider is down, refuses, or answered with something else than vectors."""


class ScoringFailed(SearchFailed, ModelUnavailable):
    """The reranker failed where nothing can stand in for it: the first source, or a widening window."""


class SearchTimedOut(SearchFailed, DeadlineExceeded):
    """The time was up before the search was through."""
