"""The observation endpoint: figures of variables for places, as the API writes them.

The body is put together as text, digit for digit as published, since a ranking asks for thousands of places.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from plugins.datacommons.snapshot import graph, store

ANY_DATE = frozenset({"", "LATEST"})
"""Dates that every table can answer for: all of them, and each place's newest."""


def answer_observation(asked: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
    """The body, and by facet what must be known of the recorded figures in it."""
    wanted = str(asked.get("date", ""))
    selected = set(asked.get("select") or ())
    allowed = _allowed(asked.get("filter") or {})
    places = _places(asked.get("entity") or {})
    by_variable, used, notes = [], dict[str, Any](), dict[str, str]()
    for variable in (asked.get("variable") or {}).get("dcids") or ():
        carried = [
            table
            for table in store.tables(variable)
            if (allowed is None or table.facet in allowed) and (wanted in ANY_DATE or wanted in table.dates)
        ]
        by_entity = []
        for place in places:
            rows = []
            for table in carried:
                if place in table.lines and (cells := _at(table.cells(place), wanted)):
                    rows.append(_row(table.facet, cells, selected))
                    used[table.facet] = store.facets()[table.facet]
                    if note := store.notes().get((variable, table.facet)):
                        notes[table.facet] = note
            if rows:
                by_entity.append(f'{json.dumps(place)}:{{"orderedFacets":[{",".join(rows)}]}}' if _wants(selected)
                                 else f"{json.dumps(place)}:{{}}")  # fmt: skip
        inner = f'{{"byEntity":{{{",".join(by_entity)}}}}}' if by_entity else "{}"
        by_variable.append(f"{json.dumps(variable)}:{inner}")
    facets = f',"facets":{json.dumps(used)}' if used and _wants(selected) else ""
    return f'{{"byVariable":{{{",".join(by_variable)}}}{facets}}}', notes


def _wants(selected: set[str]) -> bool:
    """Whether figures or their facets are asked for, rather than only whether there are any."""
    return bool(selected & {"value", "facet"})


def _places(entity: Mapping[str, Any]) -> Sequence[str]:
    if "expression" in entity:
        read = graph.read_expression(str(entity["expression"]))
        return [node.dcid for node in graph.contained(*read)] if read else []
    return list(entity.get("dcids") or ())


def _allowed(filters: Mapping[str, Any]) -> set[str] | None:
    """The facets that a filter leaves; ``None`` without one."""
    ids, domains = filters.get("facet_ids") or filters.get("facetIds"), filters.get("domains")
    if not ids and not domains:
        return None
    found = set(ids or ())
    for key, facet in store.facets().items():
        host = urlsplit(str(facet.get("provenanceUrl", ""))).hostname or ""
        if any(host == domain or host.endswith(f".{domain}") for domain in domains or ()):
            found.add(key)
    return found


def _at(cells: list[tuple[str, str]], wanted: str) -> list[tuple[str, str]]:
    if wanted == "":
        return cells
    if wanted == "LATEST":
        return cells[-1:]
    return [cell for cell in cells if cell[0] == wanted]


def _row(facet: str, cells: Sequence[tuple[str, str]], selected: set[str]) -> str:
    span = f'"obsCount":{len(cells)},"earliestDate":"{cells[0][0]}","latestDate":"{cells[-1][0]}"'
    if "value" not in selected:
        return f'{{"facetId":"{facet}",{span}}}'
    observations = ",".join(f'{{"date":"{date}","value":{value}}}' for date, value in cells)
    return f'{{"facetId":"{facet}","observations":[{observations}],{span}}}'
