"""A typed reader of the World Bank Indicators API, version 2.

Every answer is checked against what was asked: its indicator, entities, years, paging and totals. A number
keeps its published digits; a null is "not reported" and never a value.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any, Literal

from plugins.worldbank.records import Cell, Countries, Country, IndicatorSet, Observations, WorldBankRejects
from shared.query.evidence import RequestMade
from shared.runtime.errors import PublisherUnreachable, ResponseMalformed
from shared.runtime.http import HttpRequest, HttpResponse

ROOT = "https://api.worldbank.org/v2"
PER_PAGE = 20_000
MOST_PAGES = 40
CLASSIFICATIONS = ("region", "incomeLevel", "lendingType")
"""The fields of a country's row that name a group of countries."""
# Codes joined in one address: well below what servers accept as a URL.
MOST_ENTITIES = 120
WDI = "2"
"""The database that several indicators are asked of at once."""
NOTE_HEADER = "x-snapshot-note"
SHORTENED_HEADER = "x-snapshot-shortened"
"""What recorded figures say of themselves; the live API sends neither header."""

Send = Callable[[HttpRequest], Awaitable[HttpResponse]]


@dataclass(slots=True)
class _Pages:
    """What the pages of one answer have in common, gathered as they come."""

    rows: list[Any] = field(default_factory=list)
    header: dict[str, Any] = field(default_factory=dict)
    responses: list[HttpResponse] = field(default_factory=list)
    requests: list[RequestMade] = field(default_factory=list)


class WorldBankClient:
    """Reads the API through ``send``, which carries one request within the caller's deadline."""

    def __init__(self, send: Send) -> None:
        self._send = send

    async def countries(self) -> tuple[Country, ...]:
        """Every country and group that the World Bank lists."""
        return (await self.countries_where(())).rows

    async def countries_where(self, filters: Sequence[tuple[str, str]]) -> Countries:
        """The entities that the list's own filters (``region``, ``incomeLevel``, ``lendingType``) leave."""
        named = "".join(f", {name} {code}" for name, code in filters)
        return _listed(await self._all_pages("country", tuple(filters), f"its list of countries{named}"))

    async def country(self, code: str) -> Country:
        """One country or group by code; raises ``WorldBankRejects`` when the World Bank has no such entity."""
        return (await self.record(code)).rows[0]

    async def record(self, code: str) -> Countries:
        """As ``country``, with the provenance of its one row."""
        found = _listed(await self._all_pages(f"country/{code}", (), f"the entity {code}"))
        if len(found.rows) != 1:
            raise ResponseMalformed(f"the entity {code} was asked for and {len(found.rows)} came")
        (row,) = found.rows
        if code.upper() not in {row.code.upper(), row.iso2.upper()}:
            raise ResponseMalformed(f"the entity {code} was asked for and {row.code} came")
        return found

    async def observations(
        self,
        indicator: str,
        entities: Sequence[str] | Literal["all"],
        *,
        years: tuple[int, int] | None = None,
        newest: int | None = None,
    ) -> Observations:
        """Read an indicator's figures for entities by code, or for all countries and groups.

        ``years`` is a first and last year, inclusive; ``newest`` the number of newest years (``mrv``), which
        may be null. With neither, all years. Raises ``WorldBankRejects`` for an unknown or withdrawn
        indicator or an unknown entity, ``ResponseMalformed`` for an answer that is not what was asked.
        No figures at all is an answer without cells.
        """
        params = _date_param(years)
        if newest is not None:
            params.append(("mrv", str(newest)))
        wanted = None if entities == "all" else tuple(dict.fromkeys(code.upper() for code in entities))
        gathered: list[_Pages] = []
        cells: dict[tuple[str, int], Cell] = {}
        name = ""
        for codes in _batches(wanted):
            path = f"country/{codes}/indicator/{indicator}"
            pages = await self._all_pages(path, tuple(params), f"{indicator} of {_short(codes)}")
            gathered.append(pages)
            for row in pages.rows:
                cell, name = _cell(row, indicator)
                _verify(cell, wanted, years)
                key = (cell.entity, cell.year)
                if key in cells and cells[key] != cell:
                    raise ResponseMalformed(
                        f"the World Bank gives two figures of {indicator} for {cell.entity} in {cell.year}"
                    )
                cells[key] = cell
        return _observations(indicator, name, tuple(cells.values()), gathered)

    async def indicator_set(
        self, indicators: Sequence[str], entity: str, *, years: tuple[int, int] | None = None
    ) -> IndicatorSet:
        """Read several indicators of one entity; raises as ``observations`` does."""
        params = [("source", WDI), *_date_param(years)]
        path = f"country/{entity}/indicator/{';'.join(indicators)}"
        pages = await self._all_pages(path, tuple(params), f"{len(indicators)} indicators of {entity}")
        found: dict[str, dict[int, Decimal]] = {indicator: {} for indicator in indicators}
        for row in pages.rows:
            indicator = next((one for one in indicators if _is_of(row, one)), indicators[0])
            cell, _ = _cell(row, indicator)
            _verify(cell, (entity.upper(),), years)
            if cell.value is not None:
                found[indicator][cell.year] = cell.value
        return IndicatorSet(found, _observations(indicators[0], "", (), [pages]))

    async def _all_pages(self, path: str, params: tuple[tuple[str, str], ...], what: str) -> _Pages:
        pages, number = _Pages(), 1
        while True:
            request = HttpRequest(
                f"{ROOT}/{path}",
                params=(("format", "json"), *params, ("per_page", str(PER_PAGE)), ("page", str(number))),
            )
            response = await self._send(request)
            header, rows = _read(response, what)
            if number > 1 and header.get("total") != pages.header.get("total"):
                raise ResponseMalformed(f"the total of {what} changes from page to page")
            pages.header = header
            pages.rows.extend(rows)
            pages.responses.append(response)
            pages.requests.append(RequestMade(url=request.full_url))
            if not rows:
                break
            if _whole(header, "page", what) != number:
                raise ResponseMalformed(f"page {number} of {what} was asked for and another one came")
            last = _whole(header, "pages", what)
            if last > MOST_PAGES:
                raise ResponseMalformed(f"{what} would take {last} pages, more than {MOST_PAGES}")
            if number >= last:
                break
            number += 1
        total = _whole(pages.header, "total", what)
        if total != len(pages.rows):
            raise ResponseMalformed(f"{what} should have {total} rows and has {len(pages.rows)}")
        return pages


def _date_param(years: tuple[int, int] | None) -> list[tuple[str, str]]:
    if years is None:
        return []
    first, last = years
    return [("date", str(first) if first == last else f"{first}:{last}")]


def _is_of(row: Any, indicator: str) -> bool:
    try:
        return bool(row["indicator"]["id"].upper() == indicator.upper())
    except (KeyError, TypeError, AttributeError):
        return False


def _batches(codes: tuple[str, ...] | None) -> Iterator[str]:
    if codes is None:
        yield "all"
        return
    for start in range(0, len(codes), MOST_ENTITIES):
        yield ";".join(codes[start : start + MOST_ENTITIES])


def _short(codes: str) -> str:
    names = codes.split(";")
    return codes if len(names) <= 3 else f"{names[0]} and {len(names) - 1} more"


def _read(response: HttpResponse, what: str) -> tuple[dict[str, Any], list[Any]]:
    """The header and rows of one page; raises for the API's errors and for a body of another form."""
    if response.status >= 500:
        raise PublisherUnreachable(f"the World Bank answered {response.status} for {what}")
    if response.status >= 400:
        raise WorldBankRejects(what, (), (f"HTTP {response.status}, a page and no data",))
    try:
        body = response.json()
    except ValueError as error:
        raise ResponseMalformed(f"the World Bank's answer for {what} is not JSON") from error
    match body:
        case [{"message": [*messages]}]:
            ids = tuple(str(m.get("id")) for m in messages if isinstance(m, dict))
            texts = tuple(str(m.get("value")) for m in messages if isinstance(m, dict))
            raise WorldBankRejects(what, ids, texts)
        case [dict() as header, None]:
            return header, []
        case [dict() as header, list() as rows]:
            return header, rows
    raise ResponseMalformed(f"the World Bank's answer for {what} is neither data nor its error object")


def _whole(header: dict[str, Any], name: str, what: str) -> int:
    """A paging field, which some endpoints write as a number and others as a string."""
    value = header.get(name)
    if isinstance(value, str) and value.isdigit():
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise ResponseMalformed(f"the answer for {what} has no readable {name!r}: {value!r}")


def _listed(pages: _Pages) -> Countries:
    return Countries(
        rows=tuple(_country(row) for row in pages.rows),
        requests=tuple(pages.requests),
        retrieved_at=pages.responses[0].retrieved_at,
        snapshot_as_of=min((r.snapshot_as_of for r in pages.responses if r.snapshot_as_of), default=None),
    )


def _country(row: Any) -> Country:
    try:
        is_group = row["region"]["value"].strip() in {"Aggregates", ""}
        return Country(
            code=row["id"],
            iso2=row["iso2Code"],
            name=row["name"].strip(),
            region=None if is_group else row["region"]["id"],
            income_level=None if is_group else row["incomeLevel"]["id"],
            lending_type=None if is_group else row["lendingType"]["id"],
            capital=row["capitalCity"] or None,
            is_group=is_group,
            names={} if is_group else {field: row[field]["value"].strip() for field in CLASSIFICATIONS},
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ResponseMalformed(f"a row of the World Bank's list of countries lacks {error}") from error


def _cell(row: Any, indicator: str) -> tuple[Cell, str]:
    """One row as a cell, and the indicator's name as the row gives it."""
    try:
        found, name = row["indicator"]["id"], row["indicator"]["value"]
        # The three-letter code is empty for some groups; the two-letter one then stands for it.
        entity = row["countryiso3code"] or row["country"]["id"]
        year, value, label = row["date"], row["value"], row["country"]["value"]
    except (KeyError, TypeError) as error:
        raise ResponseMalformed(f"a row of {indicator} lacks {error}") from error
    if not isinstance(found, str) or found.upper() != indicator.upper():
        raise ResponseMalformed(f"{indicator} was asked for and {found!r} came")
    if not (isinstance(year, str) and len(year) == 4 and year.isdigit()):
        raise ResponseMalformed(f"{indicator} has a row for {year!r}, which is not a year")
    if isinstance(value, bool) or not isinstance(value, int | Decimal | None):
        raise ResponseMalformed(f"{indicator} of {entity} in {year} is {value!r}, which is not a number")
    return Cell(entity, label.strip(), int(year), None if value is None else Decimal(value)), name


def _verify(cell: Cell, wanted: tuple[str, ...] | None, years: tuple[int, int] | None) -> None:
    if wanted is not None and cell.entity not in wanted:
        raise ResponseMalformed(f"figures of {_short(';'.join(wanted))} were asked for and {cell.entity} came")
    if years is not None and not years[0] <= cell.year <= years[1]:
        raise ResponseMalformed(f"years {years[0]} to {years[1]} were asked for and {cell.year} came")


def _observations(indicator: str, name: str, cells: tuple[Cell, ...], gathered: list[_Pages]) -> Observations:
    responses = [response for pages in gathered for response in pages.responses]
    updated = [text for pages in gathered if (text := pages.header.get("lastupdated"))]
    try:
        last_updated = min((date.fromisoformat(text) for text in updated), default=None)
    except (TypeError, ValueError) as error:
        raise ResponseMalformed(f"{indicator} was last updated on {updated[0]!r}, which is no date") from error
    return Observations(
        indicator=indicator,
        indicator_name=name,
        cells=cells,
        last_updated=last_updated,
        requests=tuple(request for pages in gathered for request in pages.requests),
        retrieved_at=responses[0].retrieved_at,
        snapshot_as_of=min((r.snapshot_as_of for r in responses if r.snapshot_as_of), default=None),
        notes=_said(responses, NOTE_HEADER),
        shortened=_said(responses, SHORTENED_HEADER),
    )


def _said(responses: list[HttpResponse], header: str) -> tuple[str, ...]:
    texts = [response.headers.get(header, "") for response in responses]
    return tuple(dict.fromkeys(text for text in texts if text))
