"""Readers of the two services behind these facts: REST Countries v3.1 and the Census county adjacency file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from shared.runtime.context import RunContext
from shared.runtime.errors import PublisherUnreachable, RequestRejected, ResponseMalformed
from shared.runtime.http import HttpRequest, HttpResponse

COUNTRIES_HOST = "restcountries.com"
CENSUS_HOST = "www2.census.gov"
FIELDS = "name,cca2,cca3,capital,region,subregion,landlocked,unMember,borders"
ADJACENCY_URL = f"https://{CENSUS_HOST}/geo/docs/reference/county_adjacency.txt"


KOSOVO = {"UNK": "XKX"}
"""The service's own code where no ISO code exists, and the one that is used elsewhere."""


class CountryNames(BaseModel):
    """The names of a country."""

    model_config = ConfigDict(extra="ignore")
    common: str
    official: str


class CountryRecord(BaseModel):
    """One country as REST Countries describes it, in the fields asked for."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True)
    name: CountryNames
    iso2: str = Field(alias="cca2")
    iso3: str = Field(alias="cca3")
    capital: list[str] = []
    region: str
    subregion: str = ""
    landlocked: bool
    listed_as_un_member: bool = Field(alias="unMember")
    borders: list[str] = []

    @property
    def un_member(self) -> bool:
        """Whether the country is a member of the United Nations, the observers left out."""
        return self.listed_as_un_member and self.iso3 not in OBSERVERS

    @field_validator("iso3", mode="after")
    @classmethod
    def _usual_code(cls, code: str) -> str:
        return KOSOVO.get(code, code)

    @field_validator("borders", mode="after")
    @classmethod
    def _usual_codes(cls, codes: list[str]) -> list[str]:
        return [KOSOVO.get(code, code) for code in codes]


T_co = TypeVar("T_co", covariant=True)


OBSERVERS = frozenset({"VAT", "PSE"})
"""The two permanent observers at the United Nations; the service's record calls the first a member."""


@dataclass(frozen=True, slots=True)
class Fetched(Generic[T_co]):
    """A parsed answer with the request that brought it and the response around it."""

    value: T_co
    request: HttpRequest
    response: HttpResponse


async def fetch_countries(codes: Sequence[str], context: RunContext) -> Fetched[list[CountryRecord]]:
    """Read the records of countries by ISO3 code.

    Raises ``RequestRejected`` when the service knows none of the codes, ``ResponseMalformed`` when its answer
    is not in the documented form.
    """
    request = HttpRequest(
        url=f"https://{COUNTRIES_HOST}/v3.1/alpha",
        params=(("codes", ",".join(_service_code(code) for code in codes)), ("fields", FIELDS)),
    )
    response = await context.send(request)
    if response.status in {400, 404}:
        raise RequestRejected(f"REST Countries knows no country with the code {', '.join(codes)}")
    records = _records(response)
    strangers = {record.iso3 for record in records} - set(codes)
    if strangers:
        raise ResponseMalformed(f"REST Countries returned {', '.join(sorted(strangers))}, which was not asked for")
    return Fetched(records, request, response)


def _service_code(code: str) -> str:
    return next((own for own, usual in KOSOVO.items() if usual == code), code)


async def fetch_every_country(context: RunContext) -> Fetched[dict[str, CountryRecord]]:
    """Read the records of all countries and territories, by ISO3 code."""
    request = HttpRequest(url=f"https://{COUNTRIES_HOST}/v3.1/all", params=(("fields", FIELDS),))
    response = await context.send(request)
    return Fetched({record.iso3: record for record in _records(response)}, request, response)


def _records(response: HttpResponse) -> list[CountryRecord]:
    if response.status != 200:
        raise PublisherUnreachable(f"REST Countries answered with HTTP status {response.status}")
    try:
        body = response.json()
        return [CountryRecord.model_validate(item) for item in (body if isinstance(body, list) else [body])]
    except (ValueError, ValidationError) as error:
        raise ResponseMalformed("REST Countries answered in an unknown form") from error


@dataclass(frozen=True, slots=True)
class StateBorders:
    """Which states touch, by FIPS code: ``pairs`` in both directions, ``states`` all that the file speaks of."""

    pairs: frozenset[tuple[str, str]]
    states: frozenset[str]


async def fetch_state_borders(context: RunContext) -> Fetched[StateBorders]:
    """Read which states have counties that are adjacent."""
    request = HttpRequest(url=ADJACENCY_URL)
    response = await context.send(request)
    if response.status != 200:
        raise PublisherUnreachable(f"the Census Bureau answered with HTTP status {response.status}")
    pairs: set[tuple[str, str]] = set()
    states: set[str] = set()
    state = ""
    for number, line in enumerate(response.body.decode("latin-1").splitlines(), start=1):
        fields = line.split("\t")
        if len(fields) != 4 or not fields[3].strip().isdigit():
            raise ResponseMalformed(f"line {number} of the county adjacency file is not in its documented form")
        state = fields[1].strip()[:2] or state
        neighbour = fields[3].strip()[:2]
        states.add(state)
        if state != neighbour:
            pairs |= {(state, neighbour), (neighbour, state)}
    return Fetched(StateBorders(frozenset(pairs), frozenset(states)), request, response)
