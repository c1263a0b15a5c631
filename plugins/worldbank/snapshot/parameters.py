"""The query parameters of the Indicators API, checked the way it checks them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from plugins.worldbank.snapshot.wire import INVALID_VALUE, ApiError

MOST_PER_PAGE = 32_500
_YEARS = re.compile(r"(\d{4})(?::(\d{4}))?")
_FINER_DATES = re.compile(r"(YTD|YTM):\d{4}|\d{4}[MQ]\d{1,2}(:\d{4}[MQ]\d{1,2})?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of one request; names are compared without regard to case."""

    page: int
    per_page: int
    years: tuple[int, int] | None
    annual: bool
    """False when months or quarters are asked for, which yearly figures cannot answer."""
    newest: int | None
    newest_with_value: int | None
    footnote: bool
    source: str | None
    region: str | None
    income_level: str | None
    lending_type: str | None
    json: bool


def _count(given: dict[str, str], name: str, default: int | None, most: int) -> int | None:
    text = given.get(name)
    if text is None or text == "":
        return default
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= most:
        raise ApiError(INVALID_VALUE)
    return int(text)


def read_parameters(params: Iterable[tuple[str, str]]) -> Parameters:
    """Read the parameters; raises ``ApiError`` for one that the API would not accept."""
    given = {name.lower(): value.strip() for name, value in params}
    years: tuple[int, int] | None = None
    annual = given.get("frequency", "Y").upper() in {"Y", ""}
    if date := given.get("date"):
        if match := _YEARS.fullmatch(date):
            years = (int(match[1]), int(match[2] or match[1]))
            if years[0] > years[1]:
                raise ApiError(INVALID_VALUE)
        elif _FINER_DATES.fullmatch(date):
            annual = False
        else:
            raise ApiError(INVALID_VALUE)
    page, per_page = _count(given, "page", 1, 10**9), _count(given, "per_page", 50, MOST_PER_PAGE)
    return Parameters(
        page=page or 1,
        per_page=per_page or 50,
        years=years,
        annual=annual,
        newest=_count(given, "mrv", None, 10**4),
        newest_with_value=_count(given, "mrnev", None, 10**4),
        footnote=given.get("footnote", "").lower() == "y",
        source=given.get("source"),
        region=given.get("region"),
        income_level=given.get("incomelevel"),
        lending_type=given.get("lendingtype"),
        json=given.get("format", "").lower() == "json",
    )
