"""The headers of every response of this service: strict with browsers, and open to any origin that reads."""

from __future__ import annotations

POLICY = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "X-Request-Id, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining",
}
PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
    "Access-Control-Allow-Headers": (
        "Content-Type, Accept, X-Request-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id"
    ),
    "Access-Control-Max-Age": "86400",
}
