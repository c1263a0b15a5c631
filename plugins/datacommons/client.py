"""A typed reader of the Data Commons API, version 2: figures, arcs of the graph, and ids of names.

Every answer is held against what was asked. Long lists go in batches, pages are followed to their end or to a
bound. The key, where there is one, travels in a header and is written nowhere else.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass

from plugins.datacommons.records import (
    Candidates,
    Observations,
    Place,
    Places,
    Provenance,
    Series,
)
from plugins.datacommons.wire import (
    Question,
    made,
    node_question,
    observation_question,
    read_arcs,
    read_candidates,
    read_facets,
    read_object,
    read_series,
    resolve_question,
)
from shared.runtime.errors import PublisherRefused, ResponseMalformed
from shared.runtime.http import HttpRequest, HttpResponse

BATCH = 500
"""Places or nodes of one request."""
MOST_PAGES = 40
DESCRIBING = ("name", "typeOf", "containedInPlace")
NOTE_HEADER = "x-snapshot-note"
"""What recorded figures say of themselves; the live API never sends it."""

Send = Callable[[HttpRequest], Awaitable[HttpResponse]]


class DataCommonsClient:
    """Reads the API through ``send``, which carries one request within the caller's deadline."""

    def __init__(self, send: Send, *, key: str | None = None) -> None:
        self._send = send
        self._headers = {"x-api-key": key} if key else {}

    async def observations(
        self,
        variables: Sequence[str],
        places: Sequence[str] | str,
        *,
        date: str = "LATEST",
        facets: Sequence[str] = (),
    ) -> Observations:
        """Read figures of variables for places by id, or for all that one containment expression holds.

        ``date`` is one date as the API writes it, ``LATEST`` for each facet's newest, or ``""`` for all. No
        figures is an answer without series. Raises ``DataCommonsRejects`` for a request that is not taken and
        ``ResponseMalformed`` for an answer to another question.
        """
        by_variable: dict[str, dict[str, tuple[Series, ...]]] = {variable: {} for variable in variables}
        facets_seen, unread, gathered = {}, [], []
        for batch in _batches(places):
            question = observation_question(variables, entities=batch, date=date, facets=facets)
            what = _named(variables, batch)
            asked = _Asked(variables, batch, date, facets)
            response, provenance = await self._ask(question)
            gathered.append(provenance)
            body = read_object(response, what)
            facets_seen.update(read_facets(body))
            for variable, place, series, odd in read_series(body, what):
                asked.check(variable, place, series)
                by_variable[variable][place] = series
                unread += odd
        return Observations(by_variable, facets_seen, _joined(gathered), tuple(unread))

    async def contained(self, container: str, place_type: str) -> Places:
        """All places of a type inside a place, with their names."""
        found = await self._arcs([container], f"<-containedInPlace+{{typeOf:{place_type}}}")
        arcs = found[0].values()
        rows = {
            place.dcid: place for by_arc in arcs for places in by_arc.values() for place in places if place.dcid
        }
        return Places(tuple(rows.values()), found[1])

    async def names(self, dcids: Sequence[str]) -> dict[str, str]:
        """The names of nodes; a node without one is not there."""
        found: dict[str, str] = {}
        for batch in _batches(dcids):
            named, _ = await self._arcs(batch, "->name")
            first = {node: places[0] for node, arcs in named.items() for places in arcs.values() if places}
            found |= {node: place.name for node, place in first.items() if place.name}
        return found

    async def described(self, dcids: Sequence[str]) -> dict[str, dict[str, list[Place]]]:
        """By node its ``name``, ``typeOf`` and ``containedInPlace``; what a node does not have is not there."""
        found, _ = await self._arcs(dcids, f"->[{', '.join(DESCRIBING)}]")
        return found

    async def candidates(self, names: Sequence[str], *, place_type: str | None = None) -> Candidates:
        """The places that names may mean, of one type if it is named."""
        narrowed = f"{{typeOf:{place_type}}}" if place_type else ""
        question = resolve_question(names, f"<-description{narrowed}->dcid")
        response, provenance = await self._ask(question)
        what = f"the ids of {', '.join(names)}"
        found = dict(read_candidates(read_object(response, what), what))
        if strange := sorted(set(found) - set(names)):
            raise ResponseMalformed(f"{what} were asked for and {strange[0]!r} came")
        return Candidates(found, provenance)

    async def _arcs(
        self, nodes: Sequence[str] | str, prop: str
    ) -> tuple[dict[str, dict[str, list[Place]]], Provenance]:
        """What the nodes lead to, by node and property, from all pages."""
        asked = [nodes] if isinstance(nodes, str) else list(nodes)
        what = f"{prop} of {_some(asked)}"
        found: dict[str, dict[str, list[Place]]] = {}
        gathered: list[Provenance] = []
        tokens: set[str] = set()
        token = ""
        while True:
            response, provenance = await self._ask(node_question(asked, prop, token))
            gathered.append(provenance)
            body = read_object(response, what)
            for node, arc, places in read_arcs(body, what):
                if node not in asked:
                    raise ResponseMalformed(f"{what} was asked for and {node} came")
                found.setdefault(node, {}).setdefault(arc, []).extend(places)
            token = str(body.get("nextToken") or "")
            if not token:
                return found, _joined(gathered)
            if token in tokens or len(gathered) >= MOST_PAGES:
                raise ResponseMalformed(f"{what} has no end: {len(gathered)} pages and a token for one more")
            tokens.add(token)

    async def _ask(self, question: Question) -> tuple[HttpResponse, Provenance]:
        request = question.request(self._headers)
        try:
            response = await self._send(request)
        except PublisherRefused as error:
            if self._headers:
                raise
            # The transport keeps a refusal's body to itself, and the body is what would say this.
            raise PublisherRefused(f"{error}; the live service wants an API key: set DC_API_KEY") from error
        note = response.headers.get(NOTE_HEADER, "")
        return response, Provenance(
            requests=(made(request),),
            retrieved_at=response.retrieved_at,
            snapshot_as_of=response.snapshot_as_of,
            notes=_notes(note),
        )


def _notes(header: str) -> dict[str, str]:
    """What recorded figures say of themselves, by facet: ``facet=text``, several joined by bars."""
    parts = (part.partition("=") for part in header.split(" | ") if part)
    return {facet: text for facet, _, text in parts}


def _batches(places: Sequence[str] | str) -> Iterator[Sequence[str] | str]:
    if isinstance(places, str):
        yield places
        return
    unique = list(dict.fromkeys(places))
    for start in range(0, len(unique), BATCH):
        yield unique[start : start + BATCH]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What one batch asked for, to hold its answer against."""

    variables: Sequence[str]
    places: Sequence[str] | str
    date: str
    facets: Sequence[str]

    def check(self, variable: str, place: str, series: Sequence[Series]) -> None:
        """Raise ``ResponseMalformed`` for figures that were not asked for."""
        if variable not in self.variables:
            raise ResponseMalformed(f"{_some(self.variables)} was asked for and {variable} came")
        if not isinstance(self.places, str) and place not in self.places:
            raise ResponseMalformed(f"figures of {_some(self.places)} were asked for and {place} came")
        for one in series:
            if self.facets and one.facet not in self.facets:
                raise ResponseMalformed(
                    f"figures of facet {_some(self.facets)} were asked for and {one.facet} came"
                )
            if self.date not in {"", "LATEST"} and any(cell.date != self.date for cell in one.cells):
                raise ResponseMalformed(f"{self.date} was asked for and {one.cells[0].date} came")


def _joined(gathered: Sequence[Provenance]) -> Provenance:
    whole = gathered[0]
    for other in gathered[1:]:
        whole = whole.joined(other)
    return whole


def _named(variables: Sequence[str], places: Sequence[str] | str) -> str:
    return f"{_some(variables)} of {places if isinstance(places, str) else _some(places)}"


def _some(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= 3 else f"{names[0]} and {len(names) - 1} more"
