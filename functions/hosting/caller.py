"""Who sends a request, as quotas and rate limits count it."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.requests import Request

UNKNOWN = "unknown"


def caller_of(request: Request, *, proxies: int) -> str:
    """The client's address; with ``proxies`` of our own in front, the one that the outermost of them wrote.

    What a client itself puts into ``X-Forwarded-For`` stands further left and is never believed. An IPv6 client
    counts by its /64 network: it can choose freely among the addresses in it.
    """
    address = request.client.host if request.client else UNKNOWN
    if proxies:
        # A client may have sent lines of its own; the proxies' stand after them.
        lines = ",".join(request.headers.getlist("x-forwarded-for"))
        forwarded = [part.strip() for part in lines.split(",") if part.strip()]
        address = forwarded[-min(proxies, len(forwarded))] if forwarded else address
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return str(IPv6Address(int(parsed) >> 64 << 64)) + "/64"
    return str(parsed)
