"""A function that everybody may call takes messages from its own subscription alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

from functions.hosting.pusher import only_from

ACCOUNT = "neuralkg-dev-push@my-project.iam.gserviceaccount.com"
CLAIMS = {"email": ACCOUNT, "email_verified": True}


async def push(
    claims: Mapping[str, Any] | Exception, *, authorization: str | None = "Bearer t"
) -> tuple[int, list]:
    asked: list[tuple[str, str]] = []

    def verify(token: str, audience: str) -> Mapping[str, Any]:
        asked.append((token, audience))
        if isinstance(claims, Exception):
            raise claims
        return claims

    async def taken(_: object) -> Response:
        return Response(status_code=204)

    app = Starlette(routes=[Route("/", only_from(ACCOUNT, taken, verify=verify), methods=["POST"])])
    headers = {"authorization": authorization} if authorization else {}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="https://ask.test") as client:
        return (await client.post("/", headers=headers)).status_code, asked


async def test_a_push_of_our_own_subscription_is_taken():
    assert await push(CLAIMS) == (204, [("t", "https://ask.test")])


@pytest.mark.parametrize(
    "claims",
    [{}, {**CLAIMS, "email": "somebody@example.org"}, {**CLAIMS, "email_verified": False}, {"email": ACCOUNT}],
)
async def test_a_push_of_another_account_is_refused(claims):
    assert (await push(claims))[0] == 403


@pytest.mark.parametrize("authorization", [None, "", "Basic dTpw"])
async def test_a_push_without_a_token_is_refused_unread(authorization):
    assert await push(CLAIMS, authorization=authorization) == (403, [])


async def test_a_token_that_is_not_good_is_refused():
    assert (await push(ValueError("expired")))[0] == 403


async def test_when_the_keys_cannot_be_had_the_message_comes_again():
    assert (await push(TimeoutError()))[0] == 503
