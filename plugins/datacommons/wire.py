"""The wire form of the Data Commons API, version 2: addresses, bodies, and answers read with care.

A small question goes as GET, so that its address can be opened and checked; a long one as POST, as the API allows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from plugins.datacommons.records import Cell, DataCommonsRejects, Facet, Place, Series
from shared.query.evidence import RequestMade
from shared.runtime.errors import PublisherRefused, PublisherUnreachable, ResponseMalformed
from shared.runtime.http import HttpRequest, HttpResponse

ROOT = "https://api.datacommons.org/v2"
LONGEST_ADDRESS = 1500
"""Characters; longer questions are sent as a body."""
SELECT = ("date", "entity", "value", "variable")
NO_KEY = frozenset({16, 401})
"""Codes of the error object for a request without a key: of the old gateway and of the new one."""
NOT_ALLOWED = frozenset({403, 429, 7, 8})
FAULTS_OF_ITS_OWN = frozenset({2, 13, 14})
"""gRPC codes of failures inside the service: unknown, internal, unavailable."""


@dataclass(frozen=True, slots=True)
class Question:
    """One request, before its form is chosen: ``fields`` are dotted names with one or more values."""

    endpoint: str
    fields: tuple[tuple[str, tuple[str, ...] | str], ...]

    def request(self, headers: Mapping[str, str]) -> HttpRequest:
        """GET where the address stays short, else POST with the same fields as an object."""
        params = tuple(
            (name, value)
            for name, values in self.fields
            for value in ([values] if isinstance(values, str) else values)
        )
        url = f"{ROOT}/{self.endpoint}"
        short = HttpRequest(url, params=params, headers=headers)
        if len(short.full_url) <= LONGEST_ADDRESS:
            return short
        body = json.dumps(self.body(), separators=(",", ":")).encode()
        return HttpRequest(url, method="POST", headers={**headers, "content-type": "application/json"}, body=body)

    def body(self) -> dict[str, Any]:
        """The request's object: ``variable.dcids`` becomes a member of ``variable``."""
        found: dict[str, Any] = {}
        for name, values in self.fields:
            outer, _, inner = name.partition(".")
            value = values if isinstance(values, str) else list(values)
            if inner:
                found.setdefault(outer, {})[inner] = value
            else:
                found[outer] = value
        return found


def made(request: HttpRequest) -> RequestMade:
    """The request as a receipt shows it, without its headers."""
    body = request.body.decode() if request.body is not None else None
    return RequestMade(method=request.method, url=request.full_url, body=body)


def observation_question(
    variables: Sequence[str],
    *,
    entities: Sequence[str] | str,
    date: str,
    facets: Sequence[str] = (),
) -> Question:
    """Ask for figures of places by id or in one containment expression; ``date`` is exact, ``LATEST`` or ``""``."""
    whom: tuple[str, tuple[str, ...] | str] = (
        ("entity.expression", entities) if isinstance(entities, str) else ("entity.dcids", tuple(entities))
    )
    fields: list[tuple[str, tuple[str, ...] | str]] = [
        ("date", date),
        ("variable.dcids", tuple(variables)),
        whom,
        ("select", SELECT),
    ]
    if facets:
        fields.append(("filter.facet_ids", tuple(facets)))
    return Question("observation", tuple(fields))


def node_question(nodes: Sequence[str], prop: str, token: str = "") -> Question:
    """Ask for the arcs of nodes: ``->name``, ``<-containedInPlace+{typeOf:County}``."""
    fields: list[tuple[str, tuple[str, ...] | str]] = [("nodes", tuple(nodes)), ("property", prop)]
    if token:
        fields.append(("nextToken", token))
    return Question("node", tuple(fields))


def resolve_question(names: Sequence[str], prop: str) -> Question:
    """Ask for the ids of names: ``<-description{typeOf:City}->dcid``."""
    return Question("resolve", (("nodes", tuple(names)), ("property", prop)))


def read_object(response: HttpResponse, what: str) -> dict[str, Any]:
    """The answer's object. Raises the kind of ``PublisherError`` that its status and error object call for."""
    try:
        body = response.json()
    except ValueError as error:
        if response.status >= 500:
            raise PublisherUnreachable(f"Data Commons answered {response.status} for {what}") from error
        raise ResponseMalformed(f"Data Commons' answer for {what} is not JSON") from error
    if not isinstance(body, dict):
        raise ResponseMalformed(f"Data Commons' answer for {what} is no object")
    code, message = body.get("code"), body.get("message")
    if response.status < 400 and message is None:
        return body
    said = " ".join(str(message or f"HTTP {response.status}").split())[:300]
    number = code if isinstance(code, int) else response.status
    if number in NO_KEY or response.status == 401:
        raise PublisherRefused(f"Data Commons wants an API key for {what}: set DC_API_KEY")
    if number in NOT_ALLOWED or response.status in {403, 429} or "quota" in said.casefold():
        raise PublisherRefused(f"Data Commons refuses {what}: {said}")
    if number in FAULTS_OF_ITS_OWN or response.status >= 500:
        raise PublisherUnreachable(f"Data Commons failed on {what}: {said}")
    raise DataCommonsRejects(what, number, said)


def read_facets(body: Mapping[str, Any]) -> dict[str, Facet]:
    """The facets that an answer describes, by id; one without a name keeps its id as name."""
    found = {}
    for key, row in _objects(body.get("facets")):
        found[key] = Facet(
            id=key,
            import_name=str(row.get("importName") or key),
            provenance_url=str(row.get("provenanceUrl") or ""),
            method=str(row.get("measurementMethod") or ""),
            period=str(row.get("observationPeriod") or ""),
            unit=str(row.get("unit") or ""),
            scaling=str(row.get("scalingFactor") or ""),
            aggregate=row.get("isDcAggregate") is True,
        )
    return found


def read_series(body: Mapping[str, Any], what: str) -> Iterator[tuple[str, str, tuple[Series, ...], list[str]]]:
    """For each variable and place its series by facet, and the dates whose value is no number.

    A place without figures, an empty facet and a missing value are holes and give nothing. One facet may come
    twice: the same figures are taken once; two figures of one date are an error.
    """
    for variable, of_variable in _objects(body.get("byVariable")):
        for place, of_place in _objects(of_variable.get("byEntity")):
            gathered: dict[str, dict[str, Decimal]] = {}
            unread: list[str] = []
            for row in of_place.get("orderedFacets") or ():
                if not isinstance(row, dict) or "facetId" not in row:
                    raise ResponseMalformed(f"Data Commons' answer for {what} has a facet without an id")
                figures = gathered.setdefault(str(row["facetId"]), {})
                for observation in row.get("observations") or ():
                    date, value = _figure(observation, what)
                    if value is None:
                        continue
                    read = number(value)
                    if read is None:
                        unread.append(f"{place} {date}")
                    elif figures.setdefault(date, read) != read:
                        raise ResponseMalformed(
                            f"Data Commons gives two figures of {variable} for {place} on {date} in one facet"
                        )
            series = tuple(Series(facet, _cells(figures)) for facet, figures in gathered.items() if figures)
            yield variable, place, series, unread


def _cells(figures: Mapping[str, Decimal]) -> tuple[Cell, ...]:
    """The figures oldest first."""
    return tuple(map(Cell._make, sorted(figures.items()) if len(figures) > 1 else figures.items()))


def _figure(observation: object, what: str) -> tuple[str, object]:
    if not isinstance(observation, dict) or not isinstance(observation.get("date"), str):
        raise ResponseMalformed(f"Data Commons' answer for {what} has a figure without a date")
    return observation["date"], observation.get("value")


def number(value: object) -> Decimal | None:
    """A published number, exact; a number written as a string is one too. ``None`` for anything else."""
    if isinstance(value, bool | float):
        # Only NaN and the infinities are read as floats; they are no figures.
        return None
    if isinstance(value, int | Decimal):
        return Decimal(value)
    try:
        found = Decimal(str(value).strip())
    except InvalidOperation:
        return None
    return found if found.is_finite() else None


def read_arcs(body: Mapping[str, Any], what: str) -> Iterator[tuple[str, str, list[Place]]]:
    """For each node and property what it leads to; a plain value stands in ``name`` of a place without an id."""
    for node, row in _objects(body.get("data")):
        for prop, arc in _objects(row.get("arcs")):
            found = []
            for one in arc.get("nodes") or ():
                if not isinstance(one, dict):
                    raise ResponseMalformed(f"Data Commons' answer for {what} has an arc that is no object")
                types = tuple(str(kind) for kind in one.get("types") or ())
                found.append(
                    Place(str(one.get("dcid") or ""), str(one.get("name") or one.get("value") or ""), types)
                )
            yield node, prop, found


def read_candidates(body: Mapping[str, Any], what: str) -> Iterator[tuple[str, tuple[Place, ...]]]:
    """For each name the places that it may mean."""
    for row in body.get("entities") or ():
        if not isinstance(row, dict) or not isinstance(row.get("node"), str):
            raise ResponseMalformed(f"Data Commons' answer for {what} has an entity without its name")
        places = []
        for candidate in row.get("candidates") or ():
            if isinstance(candidate, dict) and candidate.get("dcid"):
                kind = candidate.get("dominantType")
                places.append(Place(str(candidate["dcid"]), "", (str(kind),) if kind else ()))
        yield row["node"], tuple(places)


def _objects(value: object) -> Iterator[tuple[str, dict[str, Any]]]:
    """The members of an object that are objects themselves; an absent or null one has none."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key, inner if isinstance(inner, dict) else {}
