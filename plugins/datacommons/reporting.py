"""What goes with the figures: where they are from, of which source and kind, and what the reader must know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import quote

from plugins.datacommons.asking import Asking
from plugins.datacommons.charts import charts_of
from plugins.datacommons.dates import is_yearly
from plugins.datacommons.places import KEY
from plugins.datacommons.records import Cell, Facet, Observations, Series
from plugins.datacommons.sources import PUBLISHER, basis, published_by
from shared.query.annotated import Executed
from shared.query.evidence import Disclosure, DisclosureKind, Observation, SourceResponse
from shared.query.quantity import Entity

LICENCE = "terms of the source named in the facet; compiled by Data Commons (CC BY 4.0)"
EXPLORE = "https://datacommons.org/place/"
VARIABLE = "https://datacommons.org/tools/statvar#sv="
ORDINARY = "yearly figure"


def facet_of(found: Observations, facet: str) -> Facet:
    """The description of a facet; an answer may leave it out."""
    return found.facets.get(facet) or Facet(facet, facet)


def executed(
    asking: Asking,
    found: Observations,
    facet: str,
    observations: Sequence[Observation],
    disclosures: Sequence[Disclosure],
    *,
    offered: Iterable[Series] = (),
    incomplete: Sequence[str] = (),
) -> Executed:
    """The figures of one facet with their provenance."""
    bound = asking.planned.bound
    datasets = tuple(dict.fromkeys((facet, *(one.facet for one in offered))))
    return Executed(
        meaning=bound.meaning,
        measure=bound.measure,
        response=response_of(bound.plugin, found, facet, page=_page(asking), datasets=datasets),
        observations=tuple(observations),
        incomplete=tuple(incomplete),
        disclosures=tuple(disclosures),
        charts=charts_of(asking, observations),
    )


def response_of(
    source: str, found: Observations, facet: str, *, page: str, datasets: tuple[str, ...] = ()
) -> SourceResponse:
    """The answer's provenance; the publisher is who the facet's figures come from, by way of Data Commons."""
    described = facet_of(found, facet)
    provenance = found.provenance
    return SourceResponse(
        source=source,
        publisher=f"{PUBLISHER} ({published_by(described)})",
        requests=provenance.requests,
        retrieved_at=provenance.retrieved_at,
        as_of=provenance.snapshot_as_of,
        snapshot=provenance.snapshot_as_of is not None,
        licence=LICENCE,
        page_url=page,
        dataset=facet,
        datasets=datasets,
        basis=basis(described),
    )


def said_of(asking: Asking, found: Observations, facet: str) -> list[Disclosure]:
    """Whose figures they are, of what kind, and what recorded figures say of themselves."""
    described = facet_of(found, facet)
    kind = basis(described)
    text = f"{asking.measure.name}: Data Commons' figures are of one source, {published_by(described)}"
    text += f" (import {described.import_name}, facet {facet})"
    if kind != ORDINARY:
        text += f"; each is a {kind}"
    if described.aggregate:
        text += "; Data Commons added them up from smaller places"
    notes = [Disclosure(kind=DisclosureKind.SOURCE, text=text)]
    if note := found.provenance.notes.get(facet):
        notes.append(Disclosure(kind=DisclosureKind.SNAPSHOT, text=f"{asking.measure.name}: {note}"))
    if found.unread:
        odd = ", ".join(found.unread[:5])
        notes.append(
            Disclosure(kind=DisclosureKind.COVERAGE, text=f"values that are no numbers were left out: {odd}")
        )
    return notes


def other_dates(asking: Asking, found: Observations, place: str, cell: Cell) -> list[Disclosure]:
    """That there are newer figures of months where a year's is given."""
    if not is_yearly(cell.date) or asking.period.explicit_year is not None:
        return []
    months = [
        one.cells[-1].date
        for one in found.of(asking.variable, place)
        if not is_yearly(one.cells[-1].date) and one.cells[-1].date[:4] > cell.date
    ]
    if not months:
        return []
    text = f"{asking.measure.name}: figures of single months are published up to {max(months)}; a year's is given"
    return [Disclosure(kind=DisclosureKind.PERIOD, text=text)]


def _page(asking: Asking) -> str:
    entity: Entity | None = asking.planned.resolved.entity
    if entity is not None and KEY in entity.keys:
        return EXPLORE + quote(entity.keys[KEY], safe="/")
    return VARIABLE + quote(asking.variable, safe="/")
