"""How each failure is told over HTTP: one table from error to status and codes, in the registry standard's shape.

``errorCode`` is the standard's classification, ``error`` names the very condition and stays stable, ``usage`` is
what the failed search had spent. Nothing is answered as an empty result that is not one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse, Response

from finder_index.filters import UnknownCatalog
from shared.runtime import errors
from shared.text.sentences import as_sentence

if TYPE_CHECKING:
    from shared.query.discovery import FinderUsage


class BadRequest(errors.UsageError):
    """A request that is not one; ``error`` names the condition."""

    status = 400

    def __init__(self, error: str, message: str, *, allowed: object = None, do: str | None = None) -> None:
        self.error, self.message = error, message
        super().__init__(message, allowed=allowed, do=do)


class TooLarge(BadRequest):
    """The body is over the limit."""

    status = 413


class WrongType(BadRequest):
    """The body is not declared as JSON."""

    status = 415


class NotFound(BadRequest):
    """There is nothing of that name."""

    status = 404


class QuotaSpent(errors.UsageError):
    """The day's searches of one address are used up; ``seconds`` is how long until the next day."""

    def __init__(self, limit: int, seconds: int) -> None:
        self.limit, self.seconds = limit, seconds
        super().__init__(f"the {limit} searches that one address has a day are used up")


@dataclass(frozen=True, slots=True)
class _Row:
    error: type[errors.NeuralKGError]
    status: int
    name: str
    do: str | None = None


# The first row that matches counts, so a class stands above its base.
_ROWS = (
    _Row(errors.UsageError, 400, "bad_request"),
    _Row(errors.SearchTimedOut, 504, "query_cancelled", "Search again, or with fewer sources."),
    _Row(errors.EmbeddingFailed, 503, "embedding_failed", "Search again in a moment."),
    _Row(errors.ScoringFailed, 503, "relevance_scoring_failed", 'Search again, or send "rerank": false.'),
    _Row(errors.DeadlineExceeded, 504, "query_cancelled", "Search again in a moment."),
    _Row(errors.ModelError, 503, "model_failed", "Search again in a moment."),
    _Row(errors.FinderError, 500, "index_failed", "Tell whoever runs this service."),
    _Row(errors.NeuralKGError, 500, "failed", "Tell whoever runs this service."),
)
_STANDARD = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    404: "NOT_FOUND",
    405: "METHOD_NOT_ALLOWED",
    413: "PAYLOAD_TOO_LARGE",
    415: "UNSUPPORTED_MEDIA_TYPE",
    429: "RATE_LIMIT_EXCEEDED",
    500: "INTERNAL_ERROR",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """A failure as it is told."""

    status: int
    error: str
    message: str
    allowed: object = None
    do: str | None = None
    usage: FinderUsage | None = None
    retry_after: int | None = None

    @property
    def code(self) -> str:
        """The standard's code of the status."""
        return _STANDARD.get(self.status, "INTERNAL_ERROR")

    def as_json(self) -> dict[str, Any]:
        """The one shape of every error response."""
        return {
            "errorCode": self.code,
            "message": self.message,
            "error": self.error,
            "allowed": self.allowed,
            "do": self.do,
            "usage": self.usage.model_dump(mode="json") if self.usage else None,
        }

    def response(self, headers: Mapping[str, str] | None = None) -> Response:
        """The response that tells it."""
        more = {"Cache-Control": "no-store"}
        if self.retry_after is not None:
            more["Retry-After"] = str(self.retry_after)
        return JSONResponse(self.as_json(), status_code=self.status, headers={**more, **(headers or {})})


def fault_of(error: errors.NeuralKGError) -> Fault:
    """The fault that a designed error is."""
    match error:
        case BadRequest():
            return Fault(error.status, error.error, as_sentence(error.message), error.allowed, error.do)
        case QuotaSpent():
            return Fault(
                429,
                "daily_quota",
                as_sentence(str(error)),
                {"searches_per_day": error.limit},
                "Search again tomorrow (UTC).",
                retry_after=error.seconds,
            )
        case errors.UnknownSource():
            return _unknown("source_unknown", "source", error.name, error.known)
        case UnknownCatalog():
            return _unknown("catalog_unknown", "catalog", error.name, error.known)
    row = next(row for row in _ROWS if isinstance(error, row.error))
    usage = error.usage if isinstance(error, errors.SearchFailed) else None
    retry = 1 if row.status == 503 else None
    return Fault(row.status, row.name, as_sentence(str(error)), None, row.do, usage, retry)


def _unknown(name: str, kind: str, given: str, known: Sequence[str]) -> Fault:
    message = f"There is no {kind} called {given!r}; valid names: {', '.join(known)}."
    return Fault(400, name, message, list(known), f"Name {kind}s of this list, or none for all of them.")


def http_fault(status: int, allow: str | None, limit: str = "") -> Fault:
    """What the routes refuse by themselves."""
    if status == 404:
        return Fault(404, "not_found", "There is nothing at this address.", None, "See / for what there is.")
    if status == 405:
        methods = sorted((allow or "").replace(" ", "").split(","))
        return Fault(405, "method_not_allowed", "This address does not take that method.", methods)
    return Fault(status, "http_error", limit or "The request cannot be answered.")


INTERNAL = Fault(
    500,
    "internal",
    "The service failed.",
    None,
    "Tell whoever runs this service the X-Request-Id of this response.",
)
