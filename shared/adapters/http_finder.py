"""The ``Finder`` port over the finder's service: its ``/port`` routes, which carry requests and replies whole."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from types import TracebackType
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx
import stamina
from pydantic import TypeAdapter, ValidationError

from shared.adapters.identity_tokens import IdentityTokens, TokenUnavailable
from shared.query.discovery import Family, FamilySplit, FinderReply, FinderRequest, FinderUsage, TableDocument
from shared.runtime import errors
from shared.runtime.deadline import Deadline

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
LOOKUP_SECONDS = 10.0
"""What an exact lookup may take: it has no deadline of its own."""
CONNECT_SECONDS = 5.0
LONGEST_WAIT = 5.0
_PASSING = frozenset({429, 500, 502, 503, 504})
_DOCUMENTS = TypeAdapter(tuple[TableDocument, ...])
_SPLITS = TypeAdapter(tuple[FamilySplit, ...])
Found = TypeVar("Found")


class _TryAgain(Exception):  # noqa: N818 - a signal between an attempt and its retry
    def __init__(self, reason: str, wait: float | None = None) -> None:
        self.wait = wait
        super().__init__(reason)


class HttpFinder:
    """``Finder`` over HTTP. Safe to share between tasks.

    The finder's own errors come back as the kinds that it raised, and are not tried again; a service that cannot
    be reached, or answers for want of an instance, is tried ``attempts`` times within the deadline. Requests carry
    an identity token of the audience ``url``, except to this machine. ``headers`` is asked for more of them.
    """

    def __init__(
        self,
        url: str,
        *,
        tokens: IdentityTokens | None = None,
        headers: Callable[[], Mapping[str, str]] = dict,
        attempts: int = 4,
        first_wait: float = 0.2,
        client: httpx.AsyncClient | None = None,
    ) -> None:
        self._url = url.rstrip("/")
        parts = urlsplit(self._url)
        local = (parts.hostname or "") in LOOPBACK
        if parts.scheme != "https" and not (parts.scheme == "http" and local):
            raise errors.UsageError(
                f"{url!r} cannot be the finder's address: it takes https://..., or http:// to this machine"
            )
        self._tokens = tokens or (None if local else IdentityTokens(self._url))
        self._headers = headers
        self._attempts, self._first_wait = attempts, first_wait
        self._client = client or httpx.AsyncClient(
            headers={"user-agent": "neuralkg"}, limits=httpx.Limits(max_connections=32)
        )

    async def __aenter__(self) -> HttpFinder:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def search(self, request: FinderRequest, *, deadline: Deadline) -> FinderReply:
        """See ``Finder.search``. Raises what the finder raised, ``SearchTimedOut`` or ``FinderUnreachable``."""
        try:
            response = await self._send("POST", "/port/search", deadline, content=request.model_dump_json())
        except TimeoutError as error:
            reason = "the time was up before the finder answered"
            raise errors.SearchTimedOut(reason, FinderUsage()) from error
        if response.status_code != httpx.codes.OK:
            raise _error_of(response, request)
        try:
            return FinderReply.model_validate_json(response.content)
        except ValidationError as error:
            raise errors.FinderUnreachable("the finder's reply is not in its own form") from error

    async def by_variable(self, variable: str) -> tuple[TableDocument, ...]:
        """See ``Finder.by_variable``. Raises ``FinderUnreachable``."""
        return await self._look_up("/port/variable", {"id": variable}, _DOCUMENTS)

    async def splits(self, family: Family) -> tuple[FamilySplit, ...]:
        """See ``Finder.splits``. Raises ``FinderUnreachable``."""
        return await self._look_up("/port/splits", family.model_dump(), _SPLITS)

    async def split_by(self, family: Family, dimensions: Sequence[str]) -> tuple[TableDocument, ...]:
        """See ``Finder.split_by``. Raises ``FinderUnreachable``."""
        asked = {**family.model_dump(), "dimension": list(dimensions)}
        return await self._look_up("/port/split_by", asked, _DOCUMENTS)

    async def _look_up(self, path: str, params: Mapping[str, Any], form: TypeAdapter[Found]) -> Found:
        try:
            deadline = Deadline.after(LOOKUP_SECONDS)
            response = await self._send("GET", path, deadline, params=params)
        except TimeoutError as error:
            raise errors.FinderUnreachable(f"the finder gave no answer in {LOOKUP_SECONDS:g} s") from error
        if response.status_code != httpx.codes.OK:
            raise _error_of(response, None)
        try:
            return form.validate_json(response.content)
        except ValidationError as error:
            raise errors.FinderUnreachable("the finder's reply is not in its own form") from error

    async def _send(self, method: str, path: str, deadline: Deadline, **body: Any) -> httpx.Response:
        """Send until it is answered; raises ``TimeoutError`` at the deadline and ``FinderUnreachable``."""
        try:
            async with asyncio.timeout(deadline.remaining):
                async for attempt in stamina.retry_context(
                    on=_backoff,
                    attempts=self._attempts,
                    timeout=None,
                    wait_initial=self._first_wait,
                    wait_max=LONGEST_WAIT,
                    wait_jitter=self._first_wait,
                ):
                    with attempt:
                        return await self._attempt(method, path, deadline, **body)
        except _TryAgain as last:
            raise errors.FinderUnreachable(f"the finder gave no answer in {self._attempts} tries: {last}") from None
        raise AssertionError("the retry loop ends by returning or raising")

    async def _attempt(self, method: str, path: str, deadline: Deadline, **body: Any) -> httpx.Response:
        headers = {"content-type": "application/json", **self._headers()}
        if self._tokens is not None:
            try:
                headers["authorization"] = f"Bearer {await self._tokens.token()}"
            except TokenUnavailable as error:
                raise errors.FinderUnreachable(str(error)) from error
        timeout = httpx.Timeout(max(0.001, deadline.remaining), connect=CONNECT_SECONDS)
        try:
            response = await self._client.request(
                method, self._url + path, headers=headers, timeout=timeout, **body
            )
        except httpx.RequestError as error:
            raise _TryAgain(type(error).__name__) from error
        if response.status_code in {401, 403}:
            raise errors.FinderUnreachable(
                f"the finder does not let us in (HTTP {response.status_code}): "
                "this function's service account needs the role run.invoker on it"
            )
        if response.status_code in _PASSING and _told(response) is None:
            wait = response.headers.get("retry-after", "")
            raise _TryAgain(
                f"HTTP {response.status_code}", min(float(wait), LONGEST_WAIT) if wait.isdecimal() else None
            )
        return response


def _backoff(error: Exception) -> bool | timedelta:
    if not isinstance(error, _TryAgain):
        return False
    return timedelta(seconds=error.wait) if error.wait is not None else True


def _told(response: httpx.Response) -> dict[str, Any] | None:
    """The finder's own account of a failure; ``None`` where something before it answered."""
    try:
        body = response.json()
    except ValueError:
        return None
    return body if isinstance(body, dict) and isinstance(body.get("error"), str) else None


_SEARCH_FAILURES: dict[str, type[errors.SearchFailed]] = {
    "query_cancelled": errors.SearchTimedOut,
    "embedding_failed": errors.EmbeddingFailed,
    "relevance_scoring_failed": errors.ScoringFailed,
}
_FAILURES: dict[str, type[errors.NeuralKGError]] = {
    "model_failed": errors.ModelUnavailable,
    "index_failed": errors.FinderError,
    "failed": errors.FinderError,
    "internal": errors.FinderError,
    "daily_quota": errors.FinderUnreachable,
}


def _error_of(response: httpx.Response, request: FinderRequest | None) -> errors.NeuralKGError:
    """The error that the finder raised, from its account of it."""
    told = _told(response)
    if told is None:
        return errors.FinderUnreachable(f"the finder answered HTTP {response.status_code}, which is not its form")
    name, message = told["error"], str(told.get("message") or "the finder failed")
    if name == "source_unknown" and request is not None and isinstance(told.get("allowed"), list):
        known = [str(one) for one in told["allowed"]]
        unknown = [one for one in (*request.sources, *request.exclude_sources) if one not in known]
        return errors.UnknownSource(unknown[0] if unknown else "", known)
    if name in _SEARCH_FAILURES:
        try:
            usage = FinderUsage.model_validate(told.get("usage") or {})
        except ValidationError:
            usage = FinderUsage()
        return _SEARCH_FAILURES[name](message, usage)
    default = errors.UsageError if response.status_code < 500 else errors.FinderError
    return _FAILURES.get(name, default)(message)
