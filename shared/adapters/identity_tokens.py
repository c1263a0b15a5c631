"""Google-signed identity tokens: how one function proves to another who calls.

In the cloud they come from the metadata server, elsewhere from the key file of ``GOOGLE_APPLICATION_CREDENTIALS``.
A token is good for an hour; it is fetched in a thread, kept, and renewed before it runs out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from shared.runtime.errors import NeuralKGError


class TokenUnavailable(NeuralKGError):  # noqa: N818 - the name says what is wrong
    """No identity token can be had; the message never holds one."""


class Credentials(Protocol):
    """What is used of ``google.auth`` credentials."""

    @property
    def valid(self) -> bool:
        """Whether ``token`` is there and good for some time."""

    @property
    def token(self) -> str | None:
        """The token."""

    def refresh(self, request: Any) -> None:
        """Fetch a new token; blocks."""


class IdentityTokens:
    """Tokens for one audience, the address of the service that is called."""

    def __init__(self, audience: str, *, credentials: Callable[[str], Credentials] | None = None) -> None:
        self._audience = audience
        self._make = credentials or _credentials
        self._credentials: Credentials | None = None
        self._fetching = asyncio.Lock()

    async def token(self) -> str:
        """A token that is good now. Raises ``TokenUnavailable``."""
        held = self._credentials
        if held is not None and held.valid and held.token:
            return held.token
        async with self._fetching:
            held = await asyncio.to_thread(self._fetched)
        if not held.token:
            raise TokenUnavailable(f"no identity token was given for {self._audience}")
        return held.token

    def _fetched(self) -> Credentials:
        import google.auth.exceptions  # noqa: PLC0415 - only who is in the cloud has it
        import google.auth.transport.requests  # noqa: PLC0415

        try:
            held = self._credentials or self._make(self._audience)
            if not held.valid:
                held.refresh(google.auth.transport.requests.Request())
        except google.auth.exceptions.GoogleAuthError as error:
            raise TokenUnavailable(
                f"no identity token can be had for {self._audience} ({type(error).__name__}): run as a service "
                "account, or name its key file in GOOGLE_APPLICATION_CREDENTIALS"
            ) from error
        self._credentials = held
        return held


def _credentials(audience: str) -> Credentials:
    from google.oauth2 import id_token  # noqa: PLC0415

    made: Credentials = id_token.fetch_id_token_credentials(audience)  # type: ignore[no-untyped-call]
    return made
