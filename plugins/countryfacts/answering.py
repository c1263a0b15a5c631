"""How these facts become observations."""

from __future__ import annotations

from collections.abc import Sequence

from plugins.countryfacts.client import Fetched
from plugins.countryfacts.lists import SOURCE
from shared.query.annotated import Executed, PlannedRequest
from shared.query.evidence import Disclosure, DisclosureKind, Observation, RequestMade, SourceResponse
from shared.query.quantity import Entity, Period

UNDATED = Period.undated()
LICENCES = {
    "restcountries.com": ("REST Countries", "ODbL 1.0", "https://restcountries.com/"),
    "www2.census.gov": (
        "US Census Bureau",
        "public domain",
        "https://www.census.gov/geographies/reference-files/2010/geo/county-adjacency.html",
    ),
}


def fetched(answer: Fetched[object], *others: Fetched[object]) -> SourceResponse:
    """The source response of a service's answer, or of several answers of one service."""
    publisher, licence, page = LICENCES[answer.request.host]
    return SourceResponse(
        source=SOURCE,
        publisher=publisher,
        requests=tuple(RequestMade(url=one.request.full_url) for one in (answer, *others)),
        retrieved_at=answer.response.retrieved_at,
        as_of=answer.response.snapshot_as_of,
        snapshot=answer.response.is_snapshot,
        licence=licence,
        page_url=page,
    )


def flagged(entity: Entity, *, flag: bool = True, note: str | None = None) -> Observation:
    """A member of a set, or a yes-or-no fact."""
    return Observation(entity=entity, period=UNDATED, flag=flag, note=note)


def worded(entity: Entity, text: str) -> Observation:
    """A fact in words; an empty one is missing, not an empty string."""
    if not text:
        return Observation(entity=entity, period=UNDATED, missing="not recorded")
    return Observation(entity=entity, period=UNDATED, text=text)


def executed(
    planned: PlannedRequest,
    response: SourceResponse,
    observations: Sequence[Observation],
    *,
    caveats: Sequence[str] = (),
    incomplete: Sequence[str] = (),
    none_of: Entity | None = None,
) -> Executed:
    """What a reader returns for one planned request; ``none_of`` is whom the source itself gives no member for."""
    return Executed(
        meaning=planned.bound.meaning,
        measure=planned.bound.measure,
        response=response,
        observations=tuple(observations),
        empty=None if observations or none_of is None else worded(none_of, "none"),
        incomplete=tuple(incomplete),
        disclosures=tuple(Disclosure(kind=DisclosureKind.CAVEAT, text=text) for text in caveats),
    )
