"""The carried places: ids, names, types and what contains what, as the graph has them."""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass
from functools import lru_cache

from plugins.datacommons.snapshot.store import DATA

_EXPRESSION = re.compile(r"^(?P<container>[^<]+)<-containedInPlace\+\{typeOf:(?P<type>\w+)\}$")


@dataclass(frozen=True, slots=True)
class Node:
    """A place; ``parents`` are the ids that it lies in directly."""

    dcid: str
    name: str
    types: tuple[str, ...]
    parents: tuple[str, ...]


@lru_cache(maxsize=1)
def nodes() -> dict[str, Node]:
    """All carried places by id, in the order of the file."""
    text = gzip.decompress((DATA / "places.tsv.gz").read_bytes()).decode()
    found = {}
    for line in text.splitlines()[1:]:
        dcid, name, types, parents = line.split("\t")
        found[dcid] = Node(dcid, name, tuple(types.split(",")), tuple(parents.split(",")) if parents else ())
    return found


WHOLE: dict[str, frozenset[str]] = {
    "Country": frozenset({"Earth"}),
    "State": frozenset({"country/USA"}),
    "AdministrativeArea1": frozenset({"country/USA"}),
    "County": frozenset({"country/USA"}),
    "AdministrativeArea2": frozenset({"country/USA"}),
    "City": frozenset({"geoId/04"}),
}
"""By type, the places whose members of it are all carried; a state's counties are too."""
_STATE = re.compile(r"^geoId/\d\d$")


def is_whole(container: str, place_type: str) -> bool:
    """Whether all members are carried: an order of only some of them would be a wrong one."""
    counties = place_type in {"County", "AdministrativeArea2"}
    return container in WHOLE.get(place_type, ()) or (counties and _STATE.match(container) is not None)


@lru_cache(maxsize=256)
def contained(container: str, place_type: str) -> tuple[Node, ...]:
    """The places of a type that lie in a place, directly or not; none where not all of them are carried."""
    if not is_whole(container, place_type):
        return ()
    known = nodes()

    def lies_in(node: Node) -> bool:
        return any(parent == container or (parent in known and lies_in(known[parent])) for parent in node.parents)

    return tuple(node for node in known.values() if place_type in node.types and lies_in(node))


def read_expression(text: str) -> tuple[str, str] | None:
    """Container and type of a containment expression; ``None`` for anything else."""
    found = _EXPRESSION.match(text.strip())
    return (found["container"], found["type"]) if found else None


@lru_cache(maxsize=1)
def by_name() -> dict[str, tuple[Node, ...]]:
    """Places by lower-case name, with and without what they lie in (``springfield``, ``springfield, illinois``)."""
    found: dict[str, list[Node]] = {}
    known = nodes()
    for node in known.values():
        names = {node.name}
        for parent in node.parents:
            if parent in known:
                names.add(f"{node.name}, {known[parent].name}")
        for name in names:
            found.setdefault(name.casefold(), []).append(node)
    return {name: tuple(same) for name, same in found.items()}
