"""What an exception that left a stage means for its run: one table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from shared.query.answer import AnswerStatus
from shared.query.evidence import Failure, FailureStatus
from shared.runtime import errors

LONGEST_REASON = 4_000
"""Characters of a failure's reason; an error may carry a whole response."""


@dataclass(frozen=True, slots=True)
class Fault:
    """``final`` forbids other readings; ``stop`` ends the run at once with that status, without presenting."""

    failure: Failure
    final: bool = False
    stop: AnswerStatus | None = None


@dataclass(frozen=True, slots=True)
class _Row:
    error: type[errors.NeuralKGError]
    status: FailureStatus
    final: bool = False
    stop: AnswerStatus | None = None


# The first row that matches counts, so a class stands above its base. Of several errors that were raised together
# the one whose row stands first is told.
_ROWS = (
    _Row(errors.PhaseViolation, FailureStatus.INTERNAL, final=True, stop=AnswerStatus.FAILED),
    _Row(errors.Cancelled, FailureStatus.INTERNAL, final=True, stop=AnswerStatus.CANCELLED),
    _Row(errors.TooLarge, FailureStatus.INTERNAL, final=True, stop=AnswerStatus.FAILED),
    _Row(errors.DeadlineExceeded, FailureStatus.DEADLINE, final=True),
    _Row(errors.BudgetExhausted, FailureStatus.BUDGET, final=True),
    _Row(errors.UnknownSource, FailureStatus.NOT_COVERED, final=True),
    _Row(errors.CannotRead, FailureStatus.UNREADABLE),
    _Row(errors.ModelUnavailable, FailureStatus.UNREACHABLE),
    _Row(errors.ReplyInvalid, FailureStatus.MALFORMED),
    _Row(errors.PublisherUnreachable, FailureStatus.UNREACHABLE),
    _Row(errors.FinderUnreachable, FailureStatus.UNREACHABLE),
    _Row(errors.PublisherRefused, FailureStatus.BLOCKED),
    _Row(errors.RequestRejected, FailureStatus.NO_DATA),
    _Row(errors.ResponseMalformed, FailureStatus.MALFORMED),
    _Row(errors.HostNotAllowed, FailureStatus.BLOCKED),
    _Row(errors.NeuralKGError, FailureStatus.INTERNAL),
)


def fault_of(error: BaseException, stage: str) -> Fault:
    """The fault that an exception is.

    A designed error is told in its own words. Of any other only its type is told, since its message may hold
    what no reader should see.
    """
    unexpected: BaseException | None = None
    rank, found = len(_ROWS), error
    for leaf in _leaves(error):
        if not isinstance(leaf, errors.NeuralKGError):
            unexpected = unexpected or leaf
            continue
        row = next(n for n, row in enumerate(_ROWS) if isinstance(leaf, row.error))
        if row < rank:
            rank, found = row, leaf
    if unexpected is not None:
        return internal(
            stage, f"{stage} failed unexpectedly ({type(unexpected).__name__}); this is a fault of the program"
        )
    row_found = _ROWS[rank]
    reason = str(found)
    if isinstance(found, errors.CannotRead) and found.nearest:
        reason += "; the nearest that can be read: " + "; ".join(f"“{form}”" for form in found.nearest)
    failure = Failure(stage=stage, source=None, slot=None, status=row_found.status, reason=_cut(reason))
    return Fault(failure, final=row_found.final, stop=row_found.stop)


def internal(stage: str, reason: str) -> Fault:
    """A fault of the program itself: the run ends as failed."""
    failure = Failure(stage=stage, source=None, slot=None, status=FailureStatus.INTERNAL, reason=_cut(reason))
    return Fault(failure, final=True, stop=AnswerStatus.FAILED)


def _cut(reason: str) -> str:
    return reason if len(reason) <= LONGEST_REASON else reason[: LONGEST_REASON - 1] + "…"


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error
