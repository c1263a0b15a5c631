"""Facts that narrow a set of countries: what the record of each tells, and carried lists of some kind of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from plugins.countryfacts.client import CountryRecord
from plugins.countryfacts.lists import dated_list
from shared.query.quantity import Entity
from shared.text.places import by_name
from shared.text.places import members as group_members

Records = Mapping[str, CountryRecord]


def _landlocked(record: CountryRecord, records: Records) -> bool:
    del records
    return record.landlocked


def _doubly_landlocked(record: CountryRecord, records: Records) -> bool:
    neighbours = [records[code] for code in record.borders if code in records]
    return record.landlocked and bool(neighbours) and all(neighbour.landlocked for neighbour in neighbours)


def _coastal(record: CountryRecord, records: Records) -> bool:
    del records
    return not record.landlocked


def _un_member(record: CountryRecord, records: Records) -> bool:
    del records
    return record.un_member


@dataclass(frozen=True, slots=True)
class Narrowing:
    """One fact. ``holds`` reads it from a record; with ``group`` it is the membership of a carried list."""

    variable: str
    label: str
    words: tuple[str, ...]
    holds: Callable[[CountryRecord, Records], bool] | None = None
    group: str | None = None

    def of(self, countries: Sequence[Entity], records: Records) -> list[Entity]:
        """The countries of which the fact holds; one without a record is left out."""
        if self.holds is None:
            listed = {member.code for member in self.listed()}
            return [country for country in countries if country.code in listed]
        found = ((country, records.get(country.code)) for country in countries)
        return [country for country, record in found if record is not None and self.holds(record, records)]

    def listed(self) -> tuple[Entity, ...]:
        """The members of the carried list."""
        group = by_name(self.group) if self.group else None
        return (group_members(group) if group is not None else None) or ()

    @property
    def told_by(self) -> str:
        """Where the fact is read, for the reader of the answer."""
        group = by_name(self.group) if self.group else None
        if group is None:
            return f"which countries are {self.label} is read from the record of each"
        return f"which countries are {self.label} is taken from {dated_list(group)}"


NARROWINGS: tuple[Narrowing, ...] = (
    Narrowing("landlocked", "landlocked", ("landlocked", "without a coast"), _landlocked),
    Narrowing("doubly_landlocked", "doubly landlocked", ("doubly landlocked",), _doubly_landlocked),
    Narrowing("coastal", "coastal", ("coastal", "with a coast"), _coastal),
    Narrowing(
        "un_member",
        "members of the United Nations",
        ("un members", "un member", "un member states", "members of the un", "members of the united nations"),
        _un_member,
    ),
    Narrowing(
        "least_developed",
        "least developed",
        ("least developed",),
        group="Least developed countries: UN classification",
    ),
    Narrowing(
        "small_island_developing",
        "small island developing states",
        ("small island developing", "small island developing states"),
        group="Small island developing states",
    ),
    Narrowing(
        "landlocked_developing",
        "landlocked developing",
        ("landlocked developing",),
        group="Landlocked developing countries",
    ),
)


def narrowing_of(fact: str) -> Narrowing | None:
    """The fact that a question narrows countries by ("land-locked countries"), or ``None`` for an unknown one."""
    words = fact.casefold().replace("-", " ").replace("land locked", "landlocked").strip()
    words = words.removesuffix(" countries").removesuffix(" nations").strip()
    return next((one for one in NARROWINGS if words in one.words), None)


def known() -> str:
    """The facts that can narrow a set of countries, in words."""
    return ", ".join(one.label for one in NARROWINGS)
