"""Answers the requests of the Data Commons API, version 2, from the carried figures."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import urlsplit

from plugins.datacommons.snapshot import graph
from plugins.datacommons.snapshot.observations import answer_observation
from shared.runtime.http import HttpRequest, HttpResponse

AS_OF = date(2026, 8, 21)
"""The date of the newest recorded answers; what is older says so in its own note."""
NOTE_HEADER = "x-snapshot-note"
_ARC = re.compile(r"^(?P<direction><-|->)(?P<property>[\w+]+|\[[^\]]*\])(?:\{typeOf:(?P<type>\w+)\})?$")
_DESCRIPTION = re.compile(r"^<-description(?:\{typeOf:(?P<type>\w+)\})?->dcid$")


class BadRequest(Exception):  # noqa: N818 - an answer of the API, not a fault of ours
    """A request that the API does not take, with its message."""


class DataCommonsResponder:
    """Stands in for ``api.datacommons.org``; an unknown place or variable is an empty object, as there."""

    hosts = frozenset({"api.datacommons.org"})

    def respond(self, request: HttpRequest) -> HttpResponse:
        """Answer GET and POST in the API's wire form, its errors included."""
        status, notes = 200, dict[str, str]()
        try:
            body, notes = self._route(request)
        except BadRequest as error:
            status, body = 400, json.dumps({"code": 3, "message": str(error), "details": []})
        headers = {"content-type": "application/json"}
        if notes:
            headers[NOTE_HEADER] = " | ".join(f"{facet}={note}" for facet, note in notes.items())
        return HttpResponse(
            status=status,
            body=body.encode(),
            retrieved_at=datetime.now(UTC),
            headers=headers,
            snapshot_as_of=AS_OF,
        )

    def _route(self, request: HttpRequest) -> tuple[str, dict[str, str]]:
        asked = read_fields(request)
        match [part for part in urlsplit(request.url).path.split("/") if part]:
            case ["v2", "observation"]:
                return answer_observation(asked)
            case ["v2", "node"]:
                return json.dumps(_arcs(asked)), {}
            case ["v2", "resolve"]:
                return json.dumps(_resolved(asked)), {}
        raise BadRequest("Not Found")


def read_fields(request: HttpRequest) -> dict[str, Any]:
    """The fields of a request, whether it came as GET (``variable.dcids=``) or as POST (an object)."""
    if request.method == "POST":
        try:
            body = json.loads(request.body or b"")
        except ValueError as error:
            raise BadRequest("the body is no JSON") from error
        if not isinstance(body, dict):
            raise BadRequest("the body is no object")
        return body
    found: dict[str, Any] = {}
    for name, value in request.params:
        outer, _, inner = name.partition(".")
        if inner in {"dcids", "facet_ids", "domains"}:
            found.setdefault(outer, {}).setdefault(inner, []).append(value)
        elif inner:
            found.setdefault(outer, {})[inner] = value
        elif name in {"nodes", "select"}:
            found.setdefault(name, []).append(value)
        else:
            found[name] = value
    return found


def _arcs(asked: Mapping[str, Any]) -> dict[str, Any]:
    arc = _ARC.match(str(asked.get("property", "")).replace(" ", ""))
    if arc is None:
        raise BadRequest(f"invalid property expression: {asked.get('property')}")
    known = graph.nodes()
    data: dict[str, Any] = {}
    for dcid in asked.get("nodes") or ():
        node = known.get(dcid)
        arcs: dict[str, Any] = {}
        if arc["direction"] == "<-" and arc["property"] == "containedInPlace+" and arc["type"]:
            inside = graph.contained(dcid, arc["type"])
            if inside:
                arcs["containedInPlace+"] = {"nodes": [{"name": one.name, "dcid": one.dcid} for one in inside]}
        elif arc["direction"] == "->" and node is not None:
            for prop in arc["property"].strip("[]").split(","):
                if shown := _out(node, prop):
                    arcs[prop] = {"nodes": shown}
        data[dcid] = {"arcs": arcs} if arcs else {}
    return {"data": data}


def _out(node: graph.Node, prop: str) -> list[dict[str, Any]]:
    known = graph.nodes()
    match prop:
        case "name":
            return [{"value": node.name}]
        case "typeOf":
            return [{"dcid": kind, "name": kind, "types": ["Class"]} for kind in node.types]
        case "containedInPlace":
            return [
                {"dcid": parent, "name": known[parent].name, "types": list(known[parent].types)}
                for parent in node.parents
                if parent in known
            ]
    return []


def _resolved(asked: Mapping[str, Any]) -> dict[str, Any]:
    described = _DESCRIPTION.match(str(asked.get("property", "")).replace(" ", ""))
    if described is None:
        raise BadRequest(f"invalid property expression: {asked.get('property')}")
    entities = []
    for name in asked.get("nodes") or ():
        found = [
            {"dcid": node.dcid}
            for node in graph.by_name().get(str(name).casefold(), ())
            if described["type"] is None or described["type"] in node.types
        ]
        entities.append({"node": name, "candidates": found} if found else {"node": name})
    return {"entities": entities}
