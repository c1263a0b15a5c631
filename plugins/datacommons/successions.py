"""US counties that were renamed, split or replaced: the years in which their ids have figures of their own."""

from __future__ import annotations

CONNECTICUT_CHANGED = 2022
"""The first year whose figures are of Connecticut's planning regions rather than of its counties."""

ENDED: dict[str, tuple[int, str]] = {
    **{
        f"geoId/09{code:03}": (
            CONNECTICUT_CHANGED - 1,
            "Connecticut's figures are of its planning regions from 2022 on",
        )
        for code in range(1, 16, 2)
    },
    "geoId/46113": (2014, "Shannon County, South Dakota, was renamed Oglala Lakota County (geoId/46102) in 2015"),
    "geoId/02270": (
        2014,
        "Wade Hampton Census Area, Alaska, was renamed Kusilvak Census Area (geoId/02158) in 2015",
    ),
    "geoId/02280": (
        2008,
        "Wrangell-Petersburg Census Area, Alaska, was split into Wrangell (geoId/02275) and Petersburg (02195)",
    ),
    "geoId/51515": (2012, "Bedford city, Virginia, became a part of Bedford County (geoId/51019) in 2013"),
    "geoId/02261": (
        2019,
        "Valdez-Cordova Census Area, Alaska, was split into Chugach (geoId/02063) and Copper River (geoId/02066) "
        "census areas in 2019",
    ),
}
"""The last year with figures of its own, and what became of the place."""

BEGUN: dict[str, int] = {
    **{f"geoId/09{code}": CONNECTICUT_CHANGED for code in range(110, 200, 10)},
    "geoId/46102": 2015,
    "geoId/02158": 2015,
    "geoId/02063": 2020,
    "geoId/02066": 2020,
}
"""The first year with figures of its own."""


def exists_in(dcid: str, year: int) -> bool:
    """Whether a county has figures of its own in a year."""
    last = ENDED[dcid][0] if dcid in ENDED else year
    return BEGUN.get(dcid, year) <= year <= last


def ended(dcid: str) -> str | None:
    """What became of a place that has no figures of its own any more."""
    return ENDED[dcid][1] if dcid in ENDED else None
