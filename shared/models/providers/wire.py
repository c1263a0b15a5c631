"""JSON over HTTP to a model server: bounded, timed, and silent about what it sends.

No message made here holds a key, a request, or words of the server's, which may echo either. Of a server's error
only its code is told, when it is a plain word.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx

from shared.models.providers.chat import CallFailed, Passing, TurnedAway
from shared.runtime.errors import ModelUnavailable, ReplyBroken

if TYPE_CHECKING:
    from shared.runtime.deadline import Deadline

CONNECT_SECONDS = 5.0
LARGEST_REPLY = 1024 * 1024
LARGEST_ERROR = 64 * 1024
MOST_COUNTED = 100_000_000
"""Tokens that one call can have read or written; what is said to be more is no count."""
RETRIED = frozenset({408, 409, 425, 429})
"""Besides these, every status from 500 on is tried again."""

_SPENT = frozenset(
    {"insufficient_quota", "credit_balance_exhausted", "billing_error", "enforced_spend_limit_reached"}
)
_PLAIN = re.compile(r"[a-z][a-z_]{2,40}")


_TALKATIVE = ("httpx", "httpcore.http11", "httpcore.http2")


def hush() -> None:
    """Stop the client library from logging addresses and headers, in which a server may send back what it got."""
    for name in _TALKATIVE:
        logging.getLogger(name).addFilter(_never)


def _never(_record: logging.LogRecord) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Wire:
    """One server. ``headers`` carry the key and are never told; ``key_variable`` is where a key is read from."""

    base: str
    client: httpx.AsyncClient
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    key_variable: str = "NEURALKG_MODEL_KEY"

    @property
    def server(self) -> str:
        """The server as messages call it: host and port."""
        return urlsplit(self.base).netloc

    async def post(self, path: str, body: object, *, deadline: Deadline) -> dict[str, Any]:
        """Send ``body`` and return the JSON object that comes back.

        Raises ``CallFailed`` for what is no answer, ``ReplyBroken`` for an answer that is no bounded JSON object.
        """
        return await self._exchange("POST", path, json.dumps(body).encode(), deadline)

    async def get(self, path: str, *, deadline: Deadline) -> dict[str, Any]:
        """Read a JSON object; raises as ``post`` does."""
        return await self._exchange("GET", path, None, deadline)

    async def _exchange(self, method: str, path: str, body: bytes | None, deadline: Deadline) -> dict[str, Any]:
        left = max(0.001, deadline.remaining)
        try:
            async with self.client.stream(
                method,
                f"{self.base}{path}",
                content=body,
                # Nothing packed is asked for or read: a small body could unpack to any size.
                headers={"Content-Type": "application/json", "Accept-Encoding": "identity", **self.headers},
                timeout=httpx.Timeout(left, connect=min(CONNECT_SECONDS, left)),
                follow_redirects=False,
            ) as response:
                if not response.is_success:
                    raise await self._failure(response)
                return _object(await self._bounded(response))
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout) as error:
            raise Passing(f"{self.server} cannot be reached", free=True) from error
        except httpx.TimeoutException as error:
            raise Passing(f"{self.server} took too long to answer", free=False) from error
        except httpx.TransportError as error:
            raise Passing(f"{self.server} broke the connection off", free=False) from error
        except (httpx.InvalidURL, httpx.DecodingError) as error:
            raise CallFailed(f"{self.server} cannot be spoken to: {type(error).__name__}", free=False) from error

    async def _bounded(self, response: httpx.Response) -> bytes:
        if response.headers.get("Content-Encoding", "identity").lower() != "identity":
            raise ReplyBroken(f"{self.server} packed its answer, which was not asked for")
        chunks, size = [], 0
        async for chunk in response.aiter_raw():
            size += len(chunk)
            if size > LARGEST_REPLY:
                raise ReplyBroken(f"{self.server} sent more than {LARGEST_REPLY // 1024} KB")
            chunks.append(chunk)
        return b"".join(chunks)

    async def _failure(self, response: httpx.Response) -> ModelUnavailable:
        """What a status other than success means."""
        told = await _told(response)
        return self.refusal(response.status_code, told, wait=_asked_wait(response.headers))

    def refusal(self, status: int, told: str, *, wait: float | None = None) -> ModelUnavailable:
        """The error for a status and what the server said with it; some servers send both inside a success."""
        codes = _codes(told)
        code = f" ({', '.join(codes)})" if codes else ""
        if status == 402 or _SPENT.intersection(codes):
            return CallFailed(f"{self.server}: the account's credit is spent{code}", free=True)
        if status in {401, 403}:
            return CallFailed(
                f"{self.server} refuses the key (HTTP {status}){code}; set a valid one in {self.key_variable}",
                free=True,
            )
        if status in RETRIED or status >= 500:
            return Passing(f"{self.server} answered HTTP {status}{code}", free=True, wait=wait)
        if 300 <= status < 400:
            return CallFailed(f"{self.server} redirects; NEURALKG_MODEL_URL must be the address itself", free=True)
        return TurnedAway(f"{self.server} answered HTTP {status}{code}", told=told.lower())


async def _told(response: httpx.Response) -> str:
    """The beginning of an error's body. That it cannot be read is no news."""
    chunks, size = [], 0
    try:
        async for chunk in response.aiter_raw():
            chunks.append(chunk)
            size += len(chunk)
            if size > LARGEST_ERROR:
                break
    except httpx.HTTPError:
        pass
    return b"".join(chunks)[:LARGEST_ERROR].decode("utf-8", "replace")


def _object(body: bytes) -> dict[str, Any]:
    try:
        found = json.loads(body.decode("utf-8"), parse_float=Decimal)
    except UnicodeDecodeError as error:
        raise ReplyBroken("the answer is not UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise ReplyBroken("the answer is not JSON") from error
    if not isinstance(found, dict):
        raise ReplyBroken("the answer is not a JSON object")
    return found


def _codes(told: str) -> list[str]:
    """The plain words by which an error is called: safe to tell, as they can hold nothing that was sent."""
    try:
        error = json.loads(told)["error"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return []
    if not isinstance(error, dict):
        return []
    found = [error.get("code"), error.get("type")]
    return list(dict.fromkeys(code for code in found if isinstance(code, str) and _PLAIN.fullmatch(code)))


def _asked_wait(headers: httpx.Headers) -> float | None:
    """Seconds from ``Retry-After``, which is a number of seconds or a date."""
    written = headers.get("Retry-After", "").strip()
    if not written:
        return None
    try:
        seconds = float(written)
    except ValueError:
        try:
            at = parsedate_to_datetime(written)
        except ValueError:
            return None
        at = at if at.tzinfo else at.replace(tzinfo=UTC)
        seconds = (at - datetime.now(UTC)).total_seconds()
    return max(0.0, seconds) if seconds < 86_400 * 365 else None


def whole(value: object) -> int:
    """A count in a server's answer; what is no count is zero."""
    return value if is_count(value) and isinstance(value, int) else 0


def is_count(value: object) -> bool:
    """Whether a value is a count of tokens that one call can have."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_COUNTED


def counted(usage: Mapping[str, Any], *names: str) -> bool:
    """Whether a server tells the counts of these names, and no nonsense by any of them.

    Of a call whose tokens were not told nobody knows what it cost, so it is settled at its worst price.
    """
    return all(is_count(usage.get(name, 0)) for name in names) and any(is_count(usage.get(name)) for name in names)
