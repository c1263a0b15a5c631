"""A typed reader of the Census Data API. The key travels as a parameter and is written nowhere else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from plugins.uscensus.geography import Area
from plugins.uscensus.records import Provenance, Table
from plugins.uscensus.wire import read_rows
from shared.query.evidence import RequestMade
from shared.runtime.errors import ResponseMalformed
from shared.runtime.http import HttpRequest, HttpResponse

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
        return Table(
            rows,
            Provenance(
                requests=(RequestMade(url=HttpRequest(url, tuple(params)).full_url),),
                retrieved_at=response.retrieved_at,
                snapshot_as_of=response.snapshot_as_of,
                note=response.headers.get(NOTE_HEADER, ""),
            ),
        )
