"""What the routes of the finder rest on: its service, its settings, who asks and where we are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from functions.finder import incoming
from functions.finder.faults import BadRequest
from functions.hosting.caller import caller_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from functions.finder.incoming import SearchCall
    from functions.finder.service import Service


class Face:
    """Routes of one subject, thin: each reads, calls the service and writes."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._settings = service.settings

    def base(self, request: Request) -> str:
        """The service's own address."""
        return self._settings.base_url or f"{request.url.scheme}://{request.url.netloc}"

    def caller(self, request: Request) -> str:
        """Who a quota is counted for. Only what our own proxies wrote is believed."""
        return caller_of(request, proxies=self._settings.trusted_proxies)


def refuse_ignored(call: SearchCall) -> None:
    """The standard's responses have no place to tell that a filter was ignored, so such a filter is refused."""
    if call.ignored:
        raise BadRequest(
            "filter_unsupported",
            f"tables cannot be filtered by {', '.join(call.ignored)}",
            allowed=list(incoming.FILTER_KEYS),
        )


def whole(key: str, given: object, default: int, most: int, *, least: int = 1) -> int:
    """A whole number, brought into its range; raises ``BadRequest`` for anything else."""
    if given is None or given == "":
        return default
    text = str(given).strip()
    if isinstance(given, bool) or not text.lstrip("-").isdecimal() or len(text) > 12:
        raise BadRequest(f"{key.lower()}_invalid", f"{key} must be a whole number from {least} to {most}")
    return min(most, max(least, int(text)))
