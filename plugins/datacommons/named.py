"""Places that only a name identifies: looked up by Data Commons' own resolver, chosen among where it has several.

The resolver finds places for words that name none (“Cash”). So only names that the gazetteer knows are given to
it, and of its places only those are kept that lie where the gazetteer has the name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from plugins.choice.place_task import PlaceCandidate, choose_place
from plugins.datacommons.client import DataCommonsClient
from plugins.datacommons.places import USA, country_id, known_place, not_covered
from plugins.datacommons.records import Place
from plugins.reporting.recorded import recorded_places
from shared.query.evidence import Unanswerable
from shared.query.quantity import Entity, PlaceKind
from shared.runtime.context import RunContext
from shared.text.places.tables import countries, states

CITY_TYPE = "City"
COUNTRY = "country/"
US_PLACE = "geoId/"
RECORDED = "countries, the states and counties of the United States, and cities, most of them in Arizona"
"""The kinds of places that are recorded."""
SETTLEMENTS = ("CensusDesignatedPlace", "Village", "Borough", "Town", "City")
"""Types of settlement, the narrower before the wider, which a place may have besides."""


@dataclass(frozen=True, slots=True)
class _Where:
    """The area that is said with a name: a state of the United States, or a country, or nothing."""

    name: str = ""
    prefix: str = ""
    country: str = ""

    @classmethod
    def of(cls, entity: Entity) -> _Where:
        state = states().get(entity.keys.get("state", ""))
        if state is not None:
            return cls(state.name, f"{US_PLACE}{state.keys['fips']}", USA)
        country = countries().get(entity.keys.get("country", ""))
        return cls(country.name, "", country_id(country.keys["iso3"])) if country is not None else cls()

    def may_hold(self, dcid: str, parents: Iterable[Place]) -> bool:
        """Whether a place may lie in the area, as far as its id and what it lies in tell."""
        if self.prefix:
            return dcid.startswith(self.prefix)
        if not self.country:
            return True
        if dcid.startswith(US_PLACE):
            return self.country == USA
        told = {parent.dcid for parent in parents if parent.dcid.startswith(COUNTRY)}
        return not told or self.country in told


async def dcid_by_name(
    entity: Entity, client: DataCommonsClient, *, question: str, context: RunContext
) -> str | Unanswerable:
    """The id of a city or another part of a country by its name and where it lies, or why there is none."""
    where = _Where.of(entity)
    name = entity.name
    if where.name not in name:
        name = f"{name.partition(',')[0]}, {where.name}"
    kind = CITY_TYPE if entity.kind is PlaceKind.CITY else None
    answer = await client.candidates([name], place_type=kind)
    found = answer.by_name.get(name, ())
    inside = list(dict.fromkeys(one.dcid for one in found if where.may_hold(one.dcid, ())))
    if len(inside) == 1 and where.prefix:
        return inside[0]
    described = await client.described(inside) if inside else {}
    offered = [
        _candidate(dcid, described.get(dcid, {}))
        for dcid in inside
        if where.may_hold(dcid, described.get(dcid, {}).get("containedInPlace", ()))
    ]
    if not offered:
        recorded = answer.provenance is not None and answer.provenance.snapshot_as_of is not None
        return not_covered(f"no place called {name}{recorded_places(RECORDED) if recorded else ''}")
    within = where.name if where.prefix else ""
    return await choose_place(name, offered, question=question, context=context, within=within)


def _candidate(dcid: str, arcs: dict[str, list[Place]]) -> PlaceCandidate:
    known = known_place(dcid)
    names = [known.name] if known is not None else [one.name for one in arcs.get("name", ())]
    types = [one.dcid or one.name for one in arcs.get("typeOf", ())]
    kind = next((one for one in SETTLEMENTS if one in types), types[0] if types else "")
    parents = arcs.get("containedInPlace", ())
    return PlaceCandidate(
        id=dcid,
        name=names[0] if names else dcid,
        kind=kind,
        lies_in=tuple(parent.name for parent in parents if parent.name),
    )
