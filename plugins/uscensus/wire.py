"""The forms of the Census Data API's answers: arrays of text, nothing at all, plain-text errors and web pages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from plugins.uscensus.business import remarked, withheld
from plugins.uscensus.geography import Area, geoid_of
from plugins.uscensus.markers import CONTROLLED, ESTIMATES, REMARKS, annotation, marker, open_ended
from plugins.uscensus.records import CensusRejects, Estimate, NoVintage, Row
from shared.runtime.errors import PublisherRefused, PublisherUnreachable, ResponseMalformed
from shared.runtime.http import HttpResponse

KEY_VARIABLE = "CENSUS_API_KEY"
KEY_ERROR = "x-datawebapi-keyerror"
"""The header by which the API says what is wrong with a key."""
NO_CONTENT = 204

_PAGE = re.compile(r"\s*(?:<!doctype html|<html|<\?xml)", re.IGNORECASE)
_TITLE = re.compile(r"<(title|h1)[^>]*>(?P<text>.*?)</\1>", re.IGNORECASE | re.DOTALL)
_TEXTS = frozenset({str, type(None)})
_TAGS = re.compile(r"<[^>]+>|\s+")


def read_rows(response: HttpResponse, area: Area, columns: tuple[str, ...], what: str) -> tuple[Row, ...]:
    """The rows of an answer, each held against the area and the columns that were asked for.

    No content is no rows. Raises ``CensusRejects``, ``NoVintage``, ``PublisherRefused`` (keys),
    ``PublisherUnreachable`` or ``ResponseMalformed``.
    """
    raise_errors(response, what)
    if response.status == NO_CONTENT or not response.body.strip():
        return ()
    try:
        body = response.json()
    except ValueError as error:
        raise ResponseMalformed(f"the Census Bureau's answer for {what} is not JSON") from error
    match body:
        case [[*header], *lines] if all(isinstance(name, str) for name in header):
            pass
        case _:
            raise ResponseMalformed(f"the Census Bureau's answer for {what} is no table with a header")
    lacking = [name for name in (*columns, *area.level.columns) if name not in header]
    if lacking:
        raise ResponseMalformed(f"the Census Bureau's answer for {what} lacks the column {lacking[0]}")
    return tuple(_row(line, header, area, what) for line in lines)


def _row(line: object, header: list[str], area: Area, what: str) -> Row:
    if not isinstance(line, list) or len(line) != len(header):
        raise ResponseMalformed(f"a row of {what} has another width than its header")
    # A column that is asked for twice stands twice; both say the same.
    cells: dict[str, str | None] = dict(zip(header, line, strict=True))
    if not _TEXTS.issuperset(map(type, line)):
        cells = {name: None if cell is None else str(cell) for name, cell in cells.items()}
    geoid = geoid_of(area.level, cells)
    if geoid is None or not area.holds(geoid):
        told = geoid or "/".join(str(cells.get(name)) for name in area.level.columns)
        raise ResponseMalformed(f"{what} was asked for and {told} came")
    return Row(geoid, cells)


def read_lines(response: HttpResponse, columns: Sequence[str]) -> tuple[Mapping[str, str], ...]:
    """The lines of a published file by column; its letters are of Unicode or, in older files, of Latin-1.

    Raises ``ResponseMalformed`` where a column is lacking or a line has another width than the header.
    """
    # Only published files are of this form.
    import csv  # noqa: PLC0415

    try:
        text = response.body.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = response.body.decode("latin-1")
    header, *lines = list(csv.reader(text.splitlines())) or [[]]
    if lacking := [name for name in columns if name not in header]:
        raise ResponseMalformed(f"the Census Bureau's file lacks the column {lacking[0]}")
    if any(len(line) != len(header) for line in lines):
        raise ResponseMalformed("a line of the Census Bureau's file has another width than its header")
    return tuple(dict(zip(header, line, strict=True)) for line in lines)


def raise_errors(response: HttpResponse, what: str) -> None:
    """Raise what an answer that has no data says in place of it; see ``read_rows`` for the kinds."""
    text = response.body[:4000].decode("utf-8", "replace")
    page = _PAGE.match(text) is not None
    if KEY_ERROR in response.headers or (page and "key" in _heading(text).lower()):
        raise PublisherRefused(_key_trouble(response.headers.get(KEY_ERROR, "") or _heading(text)))
    if response.status >= 500:
        raise PublisherUnreachable(f"the Census Bureau answered {response.status} for {what}")
    if response.status == 404:
        raise NoVintage(f"the Census Bureau has no data set for {what}")
    if response.status >= 400:
        raise CensusRejects(what, _plain(text) or f"HTTP {response.status}")
    if page:
        raise ResponseMalformed(
            f"the Census Bureau answered {what} with a web page (“{_heading(text)}”) instead of data"
        )


def _key_trouble(said: str) -> str:
    how = "a key is free at api.census.gov/data/key_signup.html"
    if "missing" in said.lower():
        return f"the Census Bureau answers only requests with a key; set {KEY_VARIABLE} ({how})"
    return f"the Census Bureau does not accept the key in {KEY_VARIABLE}; set a valid one ({how})"


def _heading(page: str) -> str:
    found = _TITLE.search(page)
    return " ".join(_TAGS.sub(" ", found["text"]).split()) if found else ""


def _plain(text: str) -> str:
    return " ".join(_TAGS.sub(" ", text).split()).removeprefix("error:").strip()[:300]


def read_estimate(row: Row, estimate: str) -> Estimate:
    """The estimate of a column with its margin of error; markers and annotations are reasons, never figures.

    Raises ``ResponseMalformed`` for a cell that is neither a number nor a known marker.
    """
    noted = row.cells.get(f"{estimate}A")
    cell = row.cells.get(estimate)
    if said := annotation(noted) or withheld(row.cells.get(f"{estimate}_F")) or withheld(cell):
        return Estimate(None, said)
    if cell is None or not cell.strip():
        return Estimate(None, "no estimate is published")
    if said := open_ended(estimate, cell):
        return Estimate(None, said)
    value = _number(cell, estimate, row)
    if isinstance(value, str):
        return Estimate(None, value)
    flag = (row.cells.get(f"{estimate}_F") or "").strip()
    if flag and not value and flag not in REMARKS:
        return Estimate(None, f"withheld (flag {flag})")
    margin, why = _margin(row, estimate)
    return Estimate(value, None, margin, why, _bounds(row, estimate), remarked(row.cells, estimate))


def _bounds(row: Row, estimate: str) -> tuple[Decimal, Decimal] | None:
    low, high = bounds_of(estimate) or ("", "")
    cells = row.cells.get(low), row.cells.get(high)
    if not (cells[0] and cells[1]):
        return None
    found = [_number(cell, name, row) for cell, name in zip(cells, (low, high), strict=True) if cell]
    numbers = [one for one in found if isinstance(one, Decimal)]
    return (numbers[0], numbers[1]) if len(numbers) == len(cells) else None


def _margin(row: Row, estimate: str) -> tuple[Decimal | None, str | None]:
    name = margin_of(estimate)
    cell = row.cells.get(name) if name else None
    if name is None or cell is None or not cell.strip():
        return None, None
    try:
        value = Decimal(cell)
    except InvalidOperation as error:
        raise ResponseMalformed(f"{name} of {row.geoid} is {cell!r}, which is no number") from error
    said = marker(value)
    if said is None and value < 0:
        raise ResponseMalformed(f"{name} of {row.geoid} is {cell!r}, which is no margin of error")
    return (value, None) if said is None else (None, said)


def _number(cell: str, name: str, row: Row) -> Decimal | str:
    """The number in a cell, or what its marker says."""
    try:
        value = Decimal(cell.strip())
    except InvalidOperation:
        said = annotation(cell.strip())
        if said is None:
            raise ResponseMalformed(f"{name} of {row.geoid} is {cell!r}, which is no number") from None
        return said
    return marker(value) or value


@lru_cache(maxsize=256)
def margin_of(estimate: str) -> str | None:
    """The column of the margin of error of an estimate: ``B19013_001M``, ``DP05_0071PM``; counts have none."""
    return f"{estimate[:-1]}M" if estimate.endswith("E") and "_" in estimate else None


@lru_cache(maxsize=256)
def bounds_of(estimate: str) -> tuple[str, str] | None:
    """The columns of a 90% confidence interval, which a point estimate (``SAEMHI_PT``) has; others have none."""
    stem, point, rest = estimate.rpartition("_PT")
    return (f"{stem}_LB90", f"{stem}_UB90") if point and not rest else None


def has_no_sampling_error(estimate: Estimate) -> bool:
    """Whether the estimate is controlled, so that its margin may be treated as zero."""
    return estimate.margin_note == ESTIMATES[CONTROLLED]
