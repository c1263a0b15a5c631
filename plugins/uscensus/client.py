"""A typed reader of the Census Data API. The key travels as a parameter and is written nowhere else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from plugins.uscensus.geography import Area
from plugins.uscensus.records import Provenance, Published, Table
from plugins.uscensus.wire import raise_errors, read_lines, read_rows
from shared.query.evidence import RequestMade
from shared.runtime.errors import ResponseMalformed
from shared.runtime.http import HttpRequest, HttpResponse

if TYPE_CHECKING:
    from plugins.uscensus.trees import Tree

ROOT = "https://api.census.gov/data"
MOST_VARIABLES = 50
"""Columns that the API gives in one answer."""
NOTE_HEADER = "x-snapshot-note"

Send = Callable[[HttpRequest], Awaitable[HttpResponse]]


class CensusClient:
    """Reads the API through ``send``, which carries one request within the caller's deadline."""

    def __init__(self, send: Send, *, key: str | None = None) -> None:
        self._send = send
        self._key = key

    async def table(
        self,
        dataset: str,
        vintage: int | None,
        columns: Sequence[str],
        area: Area,
        predicates: Sequence[tuple[str, str]] = (),
    ) -> Table:
        """Read columns of a data set (``acs/acs5/subject``) for an area or for all areas of a level.

        ``vintage`` is ``None`` for time series, whose year is a predicate. No rows where nobody has data.
        Raises ``CensusRejects`` for an unknown variable or geography, ``NoVintage``, ``PublisherRefused`` where a
        key is wanted or refused, ``PublisherUnreachable``, and ``ResponseMalformed`` for an answer to another
        question.
        """
        if len(columns) > MOST_VARIABLES:
            raise ValueError(f"{len(columns)} columns were asked for; the API gives {MOST_VARIABLES} at once")
        url = f"{ROOT}/{vintage}/{dataset}" if vintage is not None else f"{ROOT}/{dataset}"
        params = [("get", ",".join(columns)), *area.params, *predicates]
        what = f"{columns[-1]} of {area} in {vintage or ''} {dataset}".replace("  ", " ")
        key = [("key", self._key)] if self._key else []
        response = await self._send(HttpRequest(url, tuple(params + key)))
        rows = read_rows(response, area, tuple(columns), what)
        seen = {row.geoid for row in rows}
        if len(seen) != len(rows):
            raise ResponseMalformed(f"{what} has two rows for one area")
        return Table(rows, _provenance(HttpRequest(url, tuple(params)), response))

    async def tree(self, dataset: str, vintage: int, table: str) -> Tree:
        """The variables of one table of a vintage with the labels that place them.

        Lists of variables are given without a key. Raises as ``table`` does.
        """
        # Only splits are planned from trees.
        from plugins.uscensus.trees import Tree  # noqa: PLC0415

        url = f"{ROOT}/{vintage}/{dataset}/groups/{table}.json"
        response = await self._send(HttpRequest(url))
        what = f"the variables of {table} in {vintage} {dataset}"
        raise_errors(response, what)
        try:
            body = response.json()
        except ValueError as error:
            raise ResponseMalformed(f"the Census Bureau's answer for {what} is not JSON") from error
        return Tree.read(table, body)

    async def file(self, url: str, columns: Sequence[str]) -> Published:
        """A table of comma-separated values that the Census Bureau publishes outside of the API.

        ``NoVintage`` where there is no such file, ``ResponseMalformed`` where it lacks one of the columns.
        """
        request = HttpRequest(url)
        response = await self._send(request)
        raise_errors(response, f"the file {url.rpartition('/')[2]}")
        return Published(read_lines(response, columns), _provenance(request, response))


def _provenance(request: HttpRequest, response: HttpResponse) -> Provenance:
    return Provenance(
        requests=(RequestMade(url=request.full_url),),
        retrieved_at=response.retrieved_at,
        snapshot_as_of=response.snapshot_as_of,
        note=response.headers.get(NOTE_HEADER, ""),
    )
