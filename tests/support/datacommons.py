"""Recorded answers of Data Commons, in the spelling of the wire, and clients that answer with them."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from plugins.datacommons.client import DataCommonsClient
from plugins.datacommons.snapshot.responder import DataCommonsResponder
from shared.runtime.http import HttpRequest, HttpResponse

RECORDED = Path(__file__).parents[1] / "unit" / "plugins" / "datacommons" / "recorded"
_SNAKE = re.compile(r"_([a-z])")
_FIELDS = frozenset(
    {
        "by_variable", "by_entity", "ordered_facets", "facet_id", "obs_count", "earliest_date", "latest_date",
        "import_name", "provenance_url", "measurement_method", "observation_period", "is_dc_aggregate",
        "place_types", "next_token", "dominant_type", "provenance_id",
    }
)  # fmt: skip
"""Field names that the goldens print as protobuf has them and the wire spells in camel case."""


def recorded(path: str | Path) -> Any:
    """A recorded answer; a name is that of a file beside the tests."""
    file = RECORDED / path if isinstance(path, str) else path
    raw = file.read_bytes()
    return json.loads(gzip.decompress(raw) if file.suffix == ".gz" else raw, parse_float=Decimal)


def on_the_wire(value: Any) -> Any:
    """A golden in the spelling of the wire."""
    if isinstance(value, list):
        return [on_the_wire(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        _SNAKE.sub(lambda found: found[1].upper(), key) if key in _FIELDS else key: on_the_wire(inner)
        for key, inner in value.items()
    }


def response(body: Any, *, status: int = 200) -> HttpResponse:
    """A live answer with this body."""
    data = body if isinstance(body, bytes) else json.dumps(body, default=_number).encode()
    return HttpResponse(status=status, body=data, retrieved_at=datetime.now(UTC))


def _number(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)


def saying(
    *bodies: Any, status: int = 200, key: str | None = None, seen: list[HttpRequest] | None = None
) -> DataCommonsClient:
    """A client whose publisher answers with these bodies in turn, the last one again and again."""
    answers = list(bodies)

    async def send(request: HttpRequest) -> HttpResponse:
        if seen is not None:
            seen.append(request)
        return response(answers.pop(0) if len(answers) > 1 else answers[0], status=status)

    return DataCommonsClient(send, key=key)


def counting(seen: list[HttpRequest]) -> Callable[[HttpRequest], Any]:
    """The recorded figures as a sender that remembers its requests."""

    async def send(request: HttpRequest) -> HttpResponse:
        seen.append(request)
        return DataCommonsResponder().respond(request)

    return send
