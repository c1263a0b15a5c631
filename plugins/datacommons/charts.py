"""Data Commons' own charts of what was asked: its web components, and its pages that show the same.

The elements and their attributes are those that it documents for embedding; its script draws them from its live
figures, which may be newer than the ones of the answer. A chart of several dates is offered for places, a map and a
ranking of the figures' year for the members of a containment.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote, urlencode

from plugins.datacommons.asking import Asking
from plugins.datacommons.places import KEY, is_containment
from shared.query.evidence import Observation
from shared.query.published import PLACES, PublishedChart
from shared.query.slots import SlotKind

SCRIPT = "https://datacommons.org/datacommons.js"
TIMELINE = "https://datacommons.org/tools/timeline#"
MAP = "https://datacommons.org/tools/map#"
MAPPED = frozenset({"Country", "State", "County", "AdministrativeArea1", "AdministrativeArea2"})
"""Kinds of place that its maps have shapes of."""
RANKED = 10


def charts_of(asking: Asking, observations: Sequence[Observation]) -> tuple[PublishedChart, ...]:
    """What Data Commons draws of the answer to one slot; nothing for members that no containment holds."""
    match asking.planned.slot.kind:
        case SlotKind.VALUE | SlotKind.SERIES:
            return (_timeline(asking.entity.keys[KEY], [asking.variable]),)
        case SlotKind.CATEGORIES:
            return (_bars(asking.entity.keys[KEY], asking.planned.bound.locator["parts"].split(","), observations),)
        case SlotKind.POPULATION:
            return _of_members(asking, observations)
    return ()


def _timeline(place: str, variables: Sequence[str]) -> PublishedChart:
    return PublishedChart(
        element="datacommons-line",
        attributes={"variables": " ".join(variables)},
        places=(place,),
        script=SCRIPT,
        page=_timeline_page(variables),
    )


def _timeline_page(variables: Sequence[str]) -> str:
    return f"{TIMELINE}place={PLACES}&statsVar={quote('__'.join(variables), safe='')}"


def _bars(place: str, variables: Sequence[str], observations: Sequence[Observation]) -> PublishedChart:
    return PublishedChart(
        element="datacommons-bar",
        attributes={"variables": " ".join(variables), **_dated(observations)},
        places=(place,),
        script=SCRIPT,
        page=_timeline_page(variables),
    )


def _of_members(asking: Asking, observations: Sequence[Observation]) -> tuple[PublishedChart, ...]:
    expression = asking.planned.resolved.expression or ""
    if not is_containment(expression):
        return ()
    parent, _, rest = expression.partition("<-containedInPlace+{typeOf:")
    child = rest.rstrip("}")
    dated = _dated(observations)
    within = {"parentPlace": parent, "childPlaceType": child, "variable": asking.variable}
    shown = {"sv": asking.variable, "pd": parent, "ept": child, **({"dt": dated["date"]} if dated else {})}
    page = MAP + urlencode(shown)
    ranking = PublishedChart(
        element="datacommons-ranking",
        attributes={**within, "rankingCount": str(RANKED)},
        script=SCRIPT,
        page=page,
    )
    if child not in MAPPED:
        return (ranking,)
    return PublishedChart(
        element="datacommons-map", attributes={**within, **dated}, script=SCRIPT, page=page
    ), ranking


def _dated(observations: Sequence[Observation]) -> dict[str, str]:
    """The date of the figures, where all are of one."""
    dates = {cell.period.text for cell in observations if cell.missing is None}
    return {"date": next(iter(dates))} if len(dates) == 1 else {}
