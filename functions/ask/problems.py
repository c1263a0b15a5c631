"""How each error is told to whoever asked: one table for the HTTP status, the exit code and what to do."""

from __future__ import annotations

import errno
from dataclasses import dataclass

from functions.ask.intake import BadInput
from shared.runtime import errors
from shared.text.sentences import as_sentence


@dataclass(frozen=True, slots=True)
class Problem:
    """What was wrong, what is allowed, what to do; ``code`` is for programs and stays stable."""

    code: str
    message: str
    status: int
    exit_code: int
    allowed: object = None
    do: str | None = None

    def as_json(self) -> dict[str, object]:
        """The one error shape of every HTTP response."""
        return {"error": {"code": self.code, "message": self.message, "allowed": self.allowed, "do": self.do}}


@dataclass(frozen=True, slots=True)
class _Row:
    error: type[errors.NeuralKGError]
    code: str
    status: int
    exit_code: int
    do: str | None = None


# The first row that matches counts, so a class stands above its base.
_ROWS = (
    _Row(errors.RunNotFound, "run_not_found", 404, 2, "Check the run id; `neuralkg run list` has the newest."),
    _Row(
        errors.StoreCorrupt,
        "store_damaged",
        500,
        1,
        "Nothing in it was changed. Move the file away, or name another with NEURALKG_STORE.",
    ),
    _Row(
        errors.StoreUnavailable,
        "store_unavailable",
        503,
        1,
        "Check that the folder can be written and its disk has room, or name another with NEURALKG_HOME.",
    ),
    _Row(
        errors.ArchiveError,
        "archive_unavailable",
        503,
        1,
        "Check that the folder can be written and its disk has room, or name another with NEURALKG_ARCHIVE.",
    ),
    _Row(errors.BusError, "bus_unavailable", 503, 1, "Ask again in a moment."),
    _Row(errors.DeadlineExceeded, "deadline_exceeded", 504, 1, "Ask again with a longer deadline."),
    _Row(errors.Cancelled, "cancelled", 409, 1, "Ask again to start anew."),
    _Row(errors.BudgetExhausted, "budget_exhausted", 503, 1, "Ask something narrower."),
    _Row(errors.PublisherError, "publisher_failed", 502, 1, "Try again later, or ask of another source."),
    _Row(errors.ModelError, "model_failed", 503, 1, "`neuralkg doctor` shows what is missing."),
    _Row(errors.NeuralKGError, "failed", 500, 1, "`neuralkg doctor` shows what is missing."),
)

_FULL = {errno.ENOSPC, errno.EDQUOT}
_CLOSED = {errno.EROFS, errno.EACCES, errno.EPERM}


def problem_of(error: errors.NeuralKGError) -> Problem:
    """The problem that a designed error is."""
    if isinstance(error, BadInput):
        return Problem(error.code, error.message, 400, 2, error.allowed, error.do)
    if isinstance(error, errors.UnknownSource):
        return Problem(
            "source_unknown", f"There is no source called {error.name!r}.", 400, 2, error.allowed, error.do
        )
    if isinstance(error, errors.UsageError):
        return Problem("bad_input", as_sentence(str(error)), 400, 2, error.allowed, error.do)
    row = next(row for row in _ROWS if isinstance(error, row.error))
    return Problem(row.code, as_sentence(str(error)), row.status, row.exit_code, None, row.do)


def problem_of_os(error: OSError) -> Problem | None:
    """The problem that a full disk or a place without write permission is; ``None`` for any other error."""
    where = f" ({error.filename})" if error.filename else ""
    if error.errno in _FULL:
        return Problem(
            "disk_full",
            f"The disk is full{where}.",
            503,
            1,
            None,
            "Free some space and ask again; nothing was half-written.",
        )
    if error.errno in _CLOSED:
        return Problem(
            "not_writable",
            f"The place may not be written{where}: {error.strerror}.",
            503,
            1,
            None,
            "Give yourself write permission, or name another folder with NEURALKG_HOME.",
        )
    return None
