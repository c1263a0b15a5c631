"""The bodies that the Indicators API sends, digit for digit.

The values endpoint writes its paging fields as numbers, the country, topic and indicator lists write only
``per_page`` as a string, and the small code lists write all four as strings.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal

from plugins.worldbank.snapshot.lists import WireRow

PagingStyle = Literal["numbers", "string per_page", "strings"]

INVALID_VALUE = {
    "id": "120",
    "key": "Invalid value",
    "value": "The provided parameter value is not valid",
}
ARCHIVED = {
    "id": "175",
    "key": "Invalid format",
    "value": "The indicator was not found. It may have been deleted or archived.",
}
UNSUPPORTED_LANGUAGE = {
    "id": "150",
    "key": "Language is not yet supported in the API",
    "value": "Response requested in an unsupported language.",
}

NO_DATA = '[{"page":0,"pages":0,"per_page":0,"total":0,"sourceid":null,"lastupdated":null},null]'

REQUEST_ERROR_PAGE = (
    '\ufeff<?xml version="1.0" encoding="utf-8"?>\r\n<html xmlns="http://www.w3.org/1999/xhtml">\r\n'
    "  <head>\r\n    <title>Request Error</title>\r\n  </head>\r\n  <body>\r\n"
    '    <div id="content">\r\n      <p class="heading1">Request Error</p>\r\n'
    "      <p>The server encountered an error processing the request. See server logs for more details.</p>\r\n"
    "    </div>\r\n  </body>\r\n</html>"
)


class ApiError(Exception):
    """The API's error object is the answer; ``messages`` are its entries."""

    def __init__(self, *messages: dict[str, str]) -> None:
        self.messages = messages
        super().__init__(messages[0]["value"])


class RequestErrorPage(Exception):  # noqa: N818 - it is a page, sent with ``status``
    """The server's HTML page is the answer."""

    def __init__(self, status: int) -> None:
        self.status = status
        super().__init__(f"HTTP {status}")


class NoData(Exception):  # noqa: N818 - an answer without rows
    """The API's answer without rows; ``note`` says why the snapshot has none, where that is its own doing."""

    def __init__(self, note: str | None = None) -> None:
        self.note = note
        super().__init__(note or "no data")


def dumps(value: Any) -> str:
    """JSON as the API spaces it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def error_body(messages: Sequence[dict[str, str]]) -> str:
    """The error object, which comes with HTTP status 200."""
    return dumps([{"message": list(messages)}])


def paging(page: int, per_page: int, total: int, style: PagingStyle) -> WireRow:
    """The paging fields of a header in the form of its endpoint."""
    pages = -(-total // per_page)
    if style == "strings":
        return {"page": str(page), "pages": str(pages), "per_page": str(per_page), "total": str(total)}
    per = per_page if style == "numbers" else str(per_page)
    return {"page": page, "pages": pages, "per_page": per, "total": total}


def list_body(rows: Sequence[WireRow], *, page: int, per_page: int, style: PagingStyle) -> str:
    """One page of a list."""
    shown = rows[(page - 1) * per_page : page * per_page]
    return dumps([paging(page, per_page, len(rows), style), shown])


def observation_head(indicator: str, name: str, country: WireRow) -> str:
    """The part of a value row that stays the same for one indicator and entity."""
    names = dumps({"id": indicator, "value": name})
    where = dumps({"id": country["iso2Code"], "value": country["name"].strip()})
    return f'{{"indicator":{names},"country":{where},"countryiso3code":"{country["id"]}","date":"'


def observation_row(head: str, year: int, value: str | None, tail: str) -> str:
    """One value row; ``value`` is written with exactly the published digits."""
    return f'{head}{year}","value":{value or "null"}{tail}'


def observation_tail(*, scale: bool, footnote: bool) -> str:
    """What follows the value: answers for several indicators carry a scale, ``footnote=y`` adds its field.

    The figures carry no display precision of their own; the recorded answers have 0 there.
    """
    return (
        (',"scale":""' if scale else "")
        + ',"unit":"","obs_status":"","decimal":0'
        + (',"footnote":""' if footnote else "")
        + "}"
    )
