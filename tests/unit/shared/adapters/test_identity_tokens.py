"""Identity tokens: from the metadata server as Google's library asks it, kept, renewed, never told in an error."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest

from shared.adapters.identity_tokens import IdentityTokens, TokenUnavailable

CODE = """
import asyncio, sys
from shared.adapters.identity_tokens import IdentityTokens
async def main():
    tokens = IdentityTokens("https://finder.example.run.app")
    first, second = await asyncio.gather(tokens.token(), tokens.token())
    assert first == second == await tokens.token()
    print(first)
asyncio.run(main())
"""


def unsigned(claims: dict[str, object]) -> str:
    """A token whose claims can be read; nobody checks its signature here."""
    parts = [{"alg": "RS256", "typ": "JWT", "kid": "1"}, claims]
    coded = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts]
    return ".".join([*coded, "c2lnbmF0dXJl"])


def test_a_token_is_fetched_once_from_the_metadata_server():
    asked: list[str] = []
    token = unsigned({"aud": "https://finder.example.run.app", "exp": int(time.time()) + 3600})

    class Metadata(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            identity = parts.path.endswith("/service-accounts/default/identity")
            if identity:
                asked.append(parse_qs(parts.query)["audience"][0])
            body = token if identity else json.dumps({"email": "f@p.iam.gserviceaccount.com", "scopes": []})
            self.send_response(200)
            self.send_header("Metadata-Flavor", "Google")
            self.send_header("Content-Type", "text/plain" if identity else "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Metadata)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    address = f"127.0.0.1:{server.server_address[1]}"
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("GOOGLE_", "GCE_"))},
        "GCE_METADATA_HOST": address,
        "GCE_METADATA_IP": address,
    }
    try:
        done = subprocess.run(
            [sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=False, timeout=60
        )
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert done.stdout.strip() == token, done.stderr[-2000:]
    assert asked == ["https://finder.example.run.app"]


class Credentials:
    """Good until ``spend`` is called; each refresh is another token."""

    def __init__(self) -> None:
        self.count = 0
        self.good = False

    @property
    def valid(self) -> bool:
        return self.good

    @property
    def token(self) -> str | None:
        return f"token-{self.count}" if self.count else None

    def refresh(self, request: object) -> None:
        self.count += 1
        self.good = True


async def test_a_token_that_has_run_out_is_renewed():
    held = Credentials()
    tokens = IdentityTokens("https://finder.test", credentials=lambda _: held)
    assert await tokens.token() == await tokens.token() == "token-1"
    held.good = False
    assert await tokens.token() == "token-2"


async def test_without_an_identity_it_says_what_to_do():
    from google.auth.exceptions import DefaultCredentialsError

    def none(_: str) -> Credentials:
        raise DefaultCredentialsError("a long story")

    with pytest.raises(TokenUnavailable, match="GOOGLE_APPLICATION_CREDENTIALS"):
        await IdentityTokens("https://finder.test", credentials=none).token()
