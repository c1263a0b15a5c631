"""The ports of the machine: small protocols whose adapters make one program run in two ways.

Each port has one conformance suite in ``tests/conformance`` that all its adapters pass.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from numpy import float32
    from numpy.typing import NDArray

    from shared.query.annotated import Annotation, ProgressEvent
    from shared.query.discovery import Family, FamilySplit, FinderReply, FinderRequest, TableDocument
    from shared.query.identifiers import RunId
    from shared.runtime.deadline import Deadline
    from shared.runtime.http import HttpRequest, HttpResponse
    from shared.runtime.records import BudgetTotals, Claimed, RunRecord, StepCommit, StepRecord, StepRef


class Transport(Protocol):
    """Carries requests to publishers' HTTP APIs."""

    async def send(self, request: HttpRequest, *, deadline: Deadline) -> HttpResponse:
        """Send one request.

        Raises ``HostNotAllowed``, ``PublisherUnreachable``, ``PublisherRefused`` or ``DeadlineExceeded``.
        An error the publisher reports in a body is returned as it came: its plugin reads it.
        """


class Embedder(Protocol):
    """Turns short texts into unit vectors."""

    @property
    def model(self) -> str:
        """Name and variant, as written in an index's manifest."""

    @property
    def dimension(self) -> int:
        """Length of each vector."""

    async def embed(self, texts: Sequence[str]) -> NDArray[float32]:
        """Embed ``texts``; shape ``(len(texts), dimension)``, rows L2-normalised."""


class Finder(Protocol):
    """Finds published tables by meaning, and exactly by variable."""

    async def search(self, request: FinderRequest, *, deadline: Deadline) -> FinderReply:
        """Search; raises ``FinderError`` kinds of ``NeuralKGError`` and never returns a failure as empty."""

    async def by_variable(self, variable: str) -> tuple[TableDocument, ...]:
        """Every source's document of one published variable, widest coverage first."""

    async def splits(self, family: Family) -> tuple[FamilySplit, ...]:
        """The dimensions that a quantity is split by, the fewest first; exact, without a model."""

    async def split_by(self, family: Family, dimensions: Sequence[str]) -> tuple[TableDocument, ...]:
        """The variables of a quantity that are limited in exactly these dimensions; none for the whole."""


Handler = Callable[["StepRef"], Awaitable[None]]


class Bus(Protocol):
    """Carries "run this stage of that run" at least once, in no promised order."""

    async def publish(self, step: StepRef) -> None:
        """Hand the message over; returning means that it is durable by the adapter's own measure."""

    async def subscribe(self, handler: Handler) -> None:
        """Register what is called for each message. A raise means "not done": the message comes again."""

    async def close(self) -> None:
        """Stop delivering and release what is held."""


class RunStore(Protocol):
    """Holds runs, steps, annotations and progress events.

    Keys are idempotent: writing what is there already changes nothing. ``claim`` and ``commit`` are
    transactions; a lease expires by itself, and its ``token`` fences a worker that comes back late.
    """

    async def create(self, run: RunRecord) -> RunRecord:
        """Create the run with its first step open, or return the run already stored under this id."""

    async def get(self, run_id: RunId) -> RunRecord:
        """Read a run; raises ``RunNotFound``, also for a run that has expired."""

    async def claim(self, step: StepRef, *, owner: str, lease: timedelta) -> Claimed:
        """Try to take a step; the outcome says what came of it. Raises ``RunNotFound``.

        A run whose cancellation was asked for is still claimed: it is the worker that ends it.
        """

    async def renew(
        self, step: StepRef, *, token: str, lease: timedelta, spent: BudgetTotals | None = None
    ) -> RunRecord:
        """Hold a claimed step for ``lease`` from now; returns the run, so that a cancellation is seen.

        ``spent`` becomes what the run has used so far: it stays charged even if the step is never committed by this
        worker. Raises ``LeaseLost``.
        """

    async def commit(self, step: StepRef, *, token: str, result: StepCommit) -> None:
        """Write annotations, usage, events, cursor and the step's outcome together, and open the next step.

        Raises ``LeaseLost`` and writes nothing when ``token`` no longer holds the step. A lease that has run
        out but that nobody took over still commits.
        """

    async def release(self, step: StepRef, *, token: str, error: str) -> None:
        """Give a claimed step back after a passing failure, so that a redelivery may take it at once.

        Raises ``LeaseLost``.
        """

    async def note_published(self, step: StepRef, *, since: datetime) -> bool:
        """Note that an open step's message goes out again: from now on it counts as open since now.

        ``True`` for exactly one of all who found the step open since ``since``: that one publishes it. ``False``
        when it was taken up or noted meanwhile.
        """

    async def annotations(self, run_id: RunId, *, after: int = 0) -> list[Annotation]:
        """A run's annotations in the order they were committed, without the first ``after``."""

    async def steps(self, run_id: RunId) -> list[StepRecord]:
        """Every step of a run with its usage, in the order they were scheduled."""

    async def add_event(self, run_id: RunId, event: ProgressEvent) -> int:
        """Append a progress event; returns its number, counted from 1 without gaps."""

    async def events(self, run_id: RunId, *, after: int = 0) -> list[tuple[int, ProgressEvent]]:
        """The events numbered above ``after``, in order."""

    async def progress(self, run_id: RunId, *, after: int = 0) -> tuple[RunRecord, list[tuple[int, ProgressEvent]]]:
        """A run and its events above ``after``: all there will be when the run has ended. Raises ``RunNotFound``.

        It is asked again and again while a run is followed, so it is cheap where nothing is new.
        """

    async def request_cancel(self, run_id: RunId) -> RunRecord:
        """Flag the run; a run that has ended is returned unchanged."""

    async def stalled(self, *, waiting: timedelta, limit: int = 100) -> list[StepRecord]:
        """Steps of live runs that nobody works on, the longest unchanged first.

        These are steps whose lease has run out, and steps that have stood open for longer than ``waiting``:
        the message was lost, or never published. A live run has one step that is not done.
        """

    async def recent(self, *, limit: int = 50) -> list[RunRecord]:
        """The newest runs first."""

    async def purge(self) -> int:
        """Delete expired runs; returns how many. Zero where the database does this by itself."""

    async def close(self) -> None:
        """Release what is held."""


class ClaimsAhead(Protocol):
    """What a ``RunStore`` may offer besides: the follow-up of a step is taken with the commit that opens it.

    It spares a transaction a stage where one worker carries on by itself, as it does in one process. A store that
    does not offer it is claimed from step by step.
    """

    async def commit_and_claim(
        self, step: StepRef, *, token: str, result: StepCommit, run: RunRecord, owner: str, lease: timedelta
    ) -> Claimed | None:
        """Do what ``commit`` does, and take ``result.next`` in the same transaction, as ``claim`` would.

        ``run`` is the run as the worker knows it; it comes back with its new cursor and budget, and with its
        cancellation as stored. ``None`` when there is no follow-up or it was there before: it is then claimed as
        any other. Raises ``LeaseLost`` and writes nothing.
        """


class Archive(Protocol):
    """Keeps whole objects by name: traces, and payloads too large for a document."""

    async def put(self, name: str, data: bytes, *, content_type: str = "application/json") -> str:
        """Write the object whole or not at all, replacing one of this name; returns its address."""

    async def get(self, name: str) -> bytes:
        """Read an object; raises ``ArchiveError`` when there is none."""

    def list(self, prefix: str) -> AsyncIterator[str]:
        """The names that begin with ``prefix``, sorted."""


class VersionedArchive(Archive, Protocol):
    """An archive in which one object can be replaced by whoever knows what stands there, and by nobody else."""

    async def read(self, name: str) -> tuple[bytes, str]:
        """An object and its version, an opaque text; raises ``ObjectMissing`` when there is none."""

    async def swap(self, name: str, data: bytes, *, version: str | None) -> str:
        """Replace the object whose version this is, or write the first one for ``None``; returns the new version.

        Raises ``ArchiveConflict``, and writes nothing, when another version stands there.
        """

    async def delete(self, name: str) -> None:
        """Remove an object; one that is not there is no error."""

    async def close(self) -> None:
        """Release threads and connections."""
