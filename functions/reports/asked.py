"""The period that an HTTP request asks for."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from shared.accounting.window import Window, window
from shared.runtime.context import utc_now
from shared.runtime.errors import UsageError

if TYPE_CHECKING:
    from starlette.requests import Request

_ALLOWED = frozenset({"since", "until"})


def asked_window(request: Request, *, besides: frozenset[str] = frozenset()) -> Window:
    """The period that a request asks for by ``since`` and ``until``. Raises ``UsageError``."""
    allowed = sorted(_ALLOWED | besides)
    unknown = sorted(set(request.query_params) - set(allowed))
    if unknown:
        raise UsageError(
            f"there is no parameter {unknown[0][:80]!r}; there are {', '.join(allowed)}",
            allowed=allowed,
            do="Leave it out, or write it as one of these.",
        )
    given = request.query_params
    return window(given.get("since"), given.get("until"), now=settled(utc_now()))


def settled(now: datetime) -> datetime:
    """The end of this minute: what "now" means to a report, so that those asked for together are of one period."""
    return now.replace(second=0, microsecond=0) + timedelta(minutes=1)
