"""Who may push messages to a function that everybody may call: the environment's own subscriptions alone.

Such a push carries a token that Google signed for the subscription's service account and this function's address.
Functions that only messages call need none of this: the platform itself lets nobody else in.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

if TYPE_CHECKING:
    from starlette.requests import Request

log = logging.getLogger(__name__)

VERIFY_SECONDS = 10.0

Verify = Callable[[str, str], Mapping[str, Any]]
"""The claims of a token for an audience; raises ``ValueError`` for one that is not good, ``TimeoutError``."""
Answer = Callable[["Request"], Awaitable[Response]]


def only_from(account: str, answer: Answer, *, verify: Verify | None = None) -> Answer:
    """``answer`` for pushes of the service account ``account``, an e-mail address; every other request gets 403."""
    verify = verify or _verified

    async def guarded(request: Request) -> Response:
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        audience = f"https://{request.headers.get('host', '')}"
        try:
            async with asyncio.timeout(VERIFY_SECONDS):
                claims = await asyncio.to_thread(verify, token, audience) if kind.lower() == "bearer" else {}
        except TimeoutError:
            return Response(status_code=503)
        except ValueError as error:
            log.warning("a push was refused: its token is not good (%s)", type(error).__name__)
            return Response(status_code=403)
        if claims.get("email") != account or claims.get("email_verified") is not True:
            log.warning("a push was refused: it is not of %s", account)
            return Response(status_code=403)
        return await answer(request)

    return guarded


def _verified(token: str, audience: str) -> Mapping[str, Any]:
    # Only a function that is called from outside needs them.
    import google.auth.exceptions  # noqa: PLC0415
    import google.auth.transport.requests  # noqa: PLC0415
    from google.oauth2 import id_token  # noqa: PLC0415

    try:
        found: Mapping[str, Any] = id_token.verify_oauth2_token(  # type: ignore[no-untyped-call]
            token, google.auth.transport.requests.Request(), audience
        )
    except google.auth.exceptions.TransportError as error:
        raise TimeoutError("Google's keys could not be fetched") from error
    except google.auth.exceptions.GoogleAuthError as error:
        raise ValueError(str(error)) from error
    return found
