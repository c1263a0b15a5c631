"""The gazetteer's tables, read once from the data files beside this package."""

from __future__ import annotations

import csv
import gzip
import io
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING

from shared.query.quantity import Entity, PlaceKind

if TYPE_CHECKING:
    from collections.abc import Mapping

Row = dict[str, str]


def rows(name: str) -> list[Row]:
    """The rows of one tab-separated data file (gzip by its suffix)."""
    raw = files(__package__).joinpath("data", name).read_bytes()
    text = (gzip.decompress(raw) if name.endswith(".gz") else raw).decode("utf-8")
    return list(csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))


def lines(name: str) -> tuple[str, ...]:
    """The non-empty lines of one data file."""
    text = files(__package__).joinpath("data", name).read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line)


@lru_cache(maxsize=4096)
def _folded_char(char: str) -> str:
    if char in "\u2019\u2018`\u00b4":
        return "'"
    if char in "\u2010\u2011\u2013\u2014":
        return "-"
    if char.isspace():
        return " "
    base = unicodedata.normalize("NFKD", char)[0].lower()
    return base if len(base) == 1 else char


def fold(text: str) -> str:
    """Lower case without accents, character for character, so that positions stay those of ``text``."""
    if text.isascii():
        return text.lower().translate(_ASCII)
    return "".join(map(_folded_char, text))


_ASCII = str.maketrans({"\t": " ", "\n": " ", "\r": " ", "`": "'"})


def slug(name: str) -> str:
    """A key made of a name: ``São Paulo`` gives ``sao-paulo``."""
    return re.sub(r"[^a-z0-9]+", "-", fold(name)).strip("-")


def split(cell: str) -> list[str]:
    """The items of a cell, which are separated by ``|``."""
    return [item for item in cell.split("|") if item]


@dataclass(frozen=True, slots=True)
class Group:
    """A country group: its members as ISO3 codes, empty where no list is carried."""

    entity: Entity
    members: tuple[str, ...]
    as_of: str
    source: str


@lru_cache(maxsize=1)
def countries() -> Mapping[str, Entity]:
    """Countries and territories by ISO3."""
    territories = {row["iso3"]: row for row in rows("us_states.tsv") if row["iso3"]}
    found: dict[str, Entity] = {}
    for row in rows("countries.tsv"):
        keys = {scheme: row[scheme] for scheme in ("iso3", "iso2", "m49") if row[scheme]}
        territory = territories.get(row["iso3"])
        if territory:
            keys |= {"fips": territory["fips"], "postal": territory["postal"]}
        found[row["iso3"]] = Entity(name=row["name"], kind=PlaceKind.COUNTRY, keys=keys)
    return MappingProxyType(found)


@lru_cache(maxsize=1)
def groups() -> Mapping[str, Group]:
    """Country groups by key."""
    found: dict[str, Group] = {}
    for row in rows("groups.tsv"):
        keys = {"group": row["key"]} | {scheme: row[scheme] for scheme in ("wb", "m49") if row[scheme]}
        entity = Entity(name=row["name"], kind=PlaceKind.COUNTRY_GROUP, keys=keys)
        found[row["key"]] = Group(entity, tuple(row["members"].split()), row["as_of"], row["source"])
    return MappingProxyType(found)


@lru_cache(maxsize=1)
def states() -> Mapping[str, Entity]:
    """US states and the District of Columbia by postal code; the territories are among the countries."""
    return MappingProxyType(
        {
            row["postal"]: Entity(
                name=row["name"],
                kind=PlaceKind.US_STATE,
                keys={"fips": row["fips"], "postal": row["postal"], "iso3166_2": f"US-{row['postal']}"},
            )
            for row in rows("us_states.tsv")
            if not row["iso3"]
        }
    )


@dataclass(frozen=True, slots=True)
class County:
    """A US county with its name as the Census Bureau writes it, without the state."""

    entity: Entity
    local_name: str
    state: str


@lru_cache(maxsize=1)
def counties() -> tuple[County, ...]:
    """All US counties and equivalents, most populous first."""
    names = {row["postal"]: row["name"] for row in rows("us_states.tsv")}
    return tuple(
        County(
            Entity(
                name=f"{row['name']}, {names[row['state']]}", kind=PlaceKind.US_COUNTY, keys={"fips": row["fips"]}
            ),
            row["name"],
            row["state"],
        )
        for row in rows("us_counties.tsv.gz")
    )


@lru_cache(maxsize=1)
def cities() -> tuple[tuple[Entity, Row], ...]:
    """Cities with their rows; a name that several cities share is told apart by state or country."""
    table = rows("cities.tsv")
    shared: dict[str, int] = {}
    for row in table:
        shared[fold(row["name"])] = shared.get(fold(row["name"]), 0) + 1
    found = []
    for row in table:
        name = row["name"]
        keys = {"city": slug(f"{name} {row['state'] or row['country']}"), "country": row["country"]}
        if row["state"]:
            keys["state"] = row["state"]
        if shared[fold(name)] > 1:
            whole = states()[row["state"]].name if row["state"] else countries()[row["country"]].name
            name = f"{name}, {whole}"
        found.append((Entity(name=name, kind=PlaceKind.CITY, keys=keys), row))
    return tuple(found)


@lru_cache(maxsize=1)
def organizations() -> tuple[tuple[Entity, Row], ...]:
    """Companies and organisations with their rows."""
    found = []
    for row in rows("organizations.tsv"):
        keys = {"ticker": row["ticker"]} if row["ticker"] else {"organization": slug(row["name"])}
        found.append((Entity(name=row["name"], kind=PlaceKind(row["kind"]), keys=keys), row))
    return tuple(found)


@lru_cache(maxsize=1)
def regions() -> tuple[tuple[Entity, Row], ...]:
    """Places that are no country, group, state or city of the other tables, such as England."""
    found = []
    for row in rows("regions.tsv"):
        keys = {"place": slug(row["name"])} | ({"country": row["country"]} if row["country"] else {})
        found.append((Entity(name=row["name"], kind=PlaceKind.PLACE, keys=keys), row))
    return tuple(found)
