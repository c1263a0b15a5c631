"""Checks that a pushed request comes from Pub/Sub itself: by the Google-signed token that each push carries.

The platform does this for functions that only Pub/Sub may call. The ask function is open to everybody, and so
checks its one path for messages itself.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

import httpx
from google.auth import jwt
from google.auth.exceptions import GoogleAuthError

from shared.runtime.errors import NeuralKGError

if TYPE_CHECKING:
    from starlette.requests import Request

CERTIFICATES = "https://www.googleapis.com/oauth2/v1/certs"
FETCH_SECONDS = 5.0
KEPT_SECONDS = 3600.0
"""Google announces a new key days before it signs with it."""
LEAST_SECONDS = 60.0
"""Between two looks for a key that is not known: tokens that name one cannot make us ask all the time."""
SKEW_SECONDS = 10
_ISSUERS = frozenset({"accounts.google.com", "https://accounts.google.com"})

Certificates = Mapping[str, str]
"""PEM certificates by the id of their key."""


class CertificatesUnavailable(NeuralKGError):  # noqa: N818 - the name says what is wrong
    """Google's certificates cannot be had, so no token can be checked."""


class PushIdentity:
    """Whether a request carries a valid token of ``account``, a service account's address.

    ``audience`` is what the subscription puts into its tokens; ``None`` leaves it unchecked.
    """

    def __init__(
        self,
        account: str,
        *,
        audience: str | None = None,
        fetch: Callable[[], Awaitable[Certificates]] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._account, self._audience = account, audience
        self._fetch = fetch or fetch_certificates
        self._clock = clock
        self._known: Certificates = {}
        self._since: float | None = None
        self._fetching = asyncio.Lock()

    async def __call__(self, request: Request) -> bool:
        """Check the request's ``Authorization``; raises ``CertificatesUnavailable``."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token:
            return False
        key = _key_of(token)
        if key is None:
            return False
        certificates = await self._certificates(key)
        if key not in certificates:
            return False
        try:
            claims: Mapping[str, Any] = jwt.decode(  # type: ignore[no-untyped-call]
                token, certs=certificates, audience=self._audience, clock_skew_in_seconds=SKEW_SECONDS
            )
        except (GoogleAuthError, ValueError):
            return False
        return (
            claims.get("iss") in _ISSUERS
            and claims.get("email") == self._account
            and claims.get("email_verified") is True
        )

    async def _certificates(self, key: str) -> Certificates:
        """The certificates, fetched when they are old, or when none has this key."""
        async with self._fetching:
            age = None if self._since is None else self._clock() - self._since
            if age is None or age > KEPT_SECONDS or (key not in self._known and age > LEAST_SECONDS):
                try:
                    self._known = await self._fetch()
                except (httpx.HTTPError, ValueError) as error:
                    if age is None:
                        why = type(error).__name__
                        raise CertificatesUnavailable(f"Google's certificates cannot be had ({why})") from error
                self._since = self._clock()
            return self._known


async def fetch_certificates() -> Certificates:
    """Google's certificates as they are now; raises ``httpx.HTTPError``, or ``ValueError`` for another form."""
    async with httpx.AsyncClient(timeout=FETCH_SECONDS) as client:
        reply = (await client.get(CERTIFICATES)).raise_for_status()
    found = reply.json()
    if not isinstance(found, dict) or not all(isinstance(pem, str) for pem in found.values()):
        raise ValueError("the certificates are not in their documented form")
    return found


def _key_of(token: str) -> str | None:
    """The id of the key that a token says it is signed with; ``None`` for what is no token of RS256."""
    try:
        header = jwt.decode_header(token)  # type: ignore[no-untyped-call]
    except (GoogleAuthError, ValueError):
        return None
    if not isinstance(header, dict) or header.get("alg") != "RS256":
        return None
    key = header.get("kid")
    return key if isinstance(key, str) else None
