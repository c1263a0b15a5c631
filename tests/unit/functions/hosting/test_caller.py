"""Only what our own proxies wrote tells who a caller is."""

from __future__ import annotations

import pytest
from starlette.requests import Request

from functions.hosting.caller import caller_of


def request(peer: str | None, forwarded: str | None = None) -> Request:
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded is not None else []
    return Request({"type": "http", "headers": headers, "client": (peer, 1) if peer else None})


@pytest.mark.parametrize(
    ("peer", "forwarded", "proxies", "caller"),
    [
        ("203.0.113.9", None, 0, "203.0.113.9"),
        ("203.0.113.9", "198.51.100.1", 0, "203.0.113.9"),
        ("10.0.0.1", "198.51.100.1", 1, "198.51.100.1"),
        ("10.0.0.1", "6.6.6.6, 198.51.100.1", 1, "198.51.100.1"),
        ("10.0.0.1", "6.6.6.6, 198.51.100.1, 10.0.0.2", 2, "198.51.100.1"),
        ("10.0.0.1", "198.51.100.1", 2, "198.51.100.1"),
        ("10.0.0.1", "", 1, "10.0.0.1"),
        ("2001:db8:1:2:3:4:5:6", None, 0, "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.9", None, 0, "203.0.113.9"),
        ("fe80::1%eth0", None, 0, "fe80::/64"),
        (None, None, 0, "unknown"),
        ("10.0.0.1", "x" * 500, 1, "x" * 64),
    ],
)
def test_the_caller_is_who_the_outermost_own_proxy_saw(peer, forwarded, proxies, caller):
    assert caller_of(request(peer, forwarded), proxies=proxies) == caller


def test_lines_that_a_client_sends_itself_are_not_believed_before_those_of_the_proxy():
    headers = [(b"x-forwarded-for", b"9.9.9.9"), (b"x-forwarded-for", b"203.0.113.7")]
    scope = {"type": "http", "headers": headers, "client": ("10.0.0.1", 1)}
    assert caller_of(Request(scope), proxies=1) == "203.0.113.7"
