"""An HTTP request and response as the transports carry them, free of any client library."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """One request. ``params`` are encoded in the order given; ``url`` carries no query of its own."""

    url: str
    params: tuple[tuple[str, str], ...] = ()
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None

    @classmethod
    def parse(cls, url: str) -> HttpRequest:
        """Split a whole URL into address and parameters."""
        parts = urlsplit(url)
        return cls(
            url=urlunsplit((parts.scheme, parts.netloc, parts.path, "", "")),
            params=tuple(parse_qsl(parts.query, keep_blank_values=True)),
        )

    @property
    def full_url(self) -> str:
        """The exact URL that is sent, query included. Semicolons and colons stay readable."""
        return f"{self.url}?{urlencode(self.params, safe=';:,')}" if self.params else self.url

    @property
    def host(self) -> str:
        """The host name, lower case, without port."""
        return urlsplit(self.url).hostname or ""


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """One response. ``snapshot_as_of`` is set when it came from recorded figures and tells their date."""

    status: int
    body: bytes
    retrieved_at: datetime
    headers: Mapping[str, str] = field(default_factory=dict)
    snapshot_as_of: date | None = None

    @property
    def is_snapshot(self) -> bool:
        """Whether recorded figures answered rather than the live API."""
        return self.snapshot_as_of is not None

    def json(self) -> Any:
        """Parse the body, reading every number with a decimal point as ``Decimal``.

        Raises ``ValueError`` when the body is not JSON. A byte order mark is tolerated.
        """
        return json.loads(self.body.decode("utf-8-sig"), parse_float=Decimal)
