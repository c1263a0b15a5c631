"""The goals' framework as lists: the targets of a goal, the indicators of a target, the series of an indicator."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence

from plugins.unsdg.answers import LICENCE, PUBLISHER
from plugins.unsdg.client import UnSdgClient
from plugins.unsdg.records import Listing
from shared.query.annotated import Bound, EntityResolved, Executed, Meaning, PlannedRequest, Selected
from shared.query.discovery import TableDocument
from shared.query.evidence import FailureStatus, Measure, Observation, SourceResponse, Unanswerable
from shared.query.quantity import Entity, Period, PlaceKind, Unit, UnitKind
from shared.query.slots import Slot

VARIABLE = "sdg_framework"
"""The document of the lists in the finder."""
HOME = "https://unstats.un.org/sdgs/metadata/"
WORDS = Unit(kind=UnitKind.NONE, code="", label="")

GOALS = "sustainable development goals"
_ASKED = re.compile(r"(?P<what>targets|indicators|series) of (?P<kind>goal|target|indicator) (?P<code>[\da-z.]+)")
LISTS: dict[str, Callable[[UnSdgClient], Awaitable[Listing]]] = {
    "targets": UnSdgClient.targets,
    "indicators": UnSdgClient.indicators,
    "series": UnSdgClient.series_list,
}
ABOVE = {"targets": ("goal",), "indicators": ("goal", "target"), "series": ("goal", "target", "indicator")}
"""Below what each list stands."""


def choose(slot: Slot, documents: Sequence[TableDocument]) -> Selected | Unanswerable:
    """The document of the lists, where a list of the framework is asked for."""
    found = tuple(document for document in documents if document.variable == VARIABLE)
    if (_wanted(slot) != GOALS and _ASKED.fullmatch(_wanted(slot)) is None) or not found:
        return Unanswerable(
            status=FailureStatus.NOT_FOUND,
            reason=f"“{_wanted(slot)}” is no list of the UN's SDG database: it lists the goals, the targets "
            "of a goal, the indicators of a goal or target, and the series of each",
        )
    label = _wanted(slot)
    meaning = Meaning(id=VARIABLE, label=label, variable=VARIABLE, rank=0, documents=found)
    return Selected(meanings=(meaning,), why=f"the database lists the {label}")


def _wanted(slot: Slot) -> str:
    """``targets of goal 3``: the population of the list that is asked for."""
    return slot.population.text if slot.population else slot.describes


def resolve(slot: Slot) -> EntityResolved:
    """There is no place to resolve; the number is the publisher's own."""
    return EntityResolved(expression=_wanted(slot))


def bind(slot: Slot, selected: Selected, *, source: str, version: str) -> Bound:
    """The list as a measure without figures."""
    name = _wanted(slot).capitalize()
    measure = Measure(source=source, variable=VARIABLE, name=name, unit=WORDS, grain="framework", additive=False)
    return Bound(meaning=selected.meanings[0].id, measure=measure, plugin=source, plugin_version=version)


async def answer_members(planned: PlannedRequest, client: UnSdgClient) -> Executed | Unanswerable:
    """What the publisher lists below the number, or why there is nothing."""
    if planned.resolved.expression == GOALS:
        return _listed(planned, await client.goals())
    asked = _ASKED.fullmatch(planned.resolved.expression or "")
    if asked is None:
        raise LookupError(f"{planned.resolved.expression!r} was planned as a list of the framework and is none")
    what, kind, code = asked["what"], asked["kind"], asked["code"]
    if kind not in ABOVE[what]:
        above = " or ".join(ABOVE[what])
        return Unanswerable(status=FailureStatus.NOT_FOUND, reason=f"{what} belong to a {above}, none to an {kind}")
    listing = await LISTS[what](client)
    rows = [row for row in listing.rows if code in {parent.lower() for parent in row.parents}]
    if not rows:
        return Unanswerable(
            status=FailureStatus.NOT_FOUND,
            reason=f"the UN lists no {what} of {kind} {code}: there is no such number",
        )
    return _listed(planned, Listing(tuple(rows), listing.provenance))


def _listed(planned: PlannedRequest, listing: Listing) -> Executed:
    provenance = listing.provenance
    return Executed(
        meaning=planned.bound.meaning,
        measure=planned.bound.measure,
        response=SourceResponse(
            source=planned.bound.plugin,
            publisher=PUBLISHER,
            requests=provenance.requests,
            retrieved_at=provenance.retrieved_at,
            as_of=provenance.snapshot_as_of,
            snapshot=provenance.snapshot_as_of is not None,
            licence=LICENCE,
            page_url=HOME,
        ),
        observations=tuple(
            Observation(
                entity=Entity(name=f"{row.code} {row.title}", kind=PlaceKind.PLACE, keys={"sdg": row.code}),
                period=Period.undated(),
                flag=True,
            )
            for row in listing.rows
        ),
    )
