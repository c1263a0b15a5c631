"""Counties that were renamed, split or replaced, and the vintages that know each by its code."""

from __future__ import annotations

from dataclasses import dataclass

CONNECTICUT = "09"
PLANNING_REGIONS_FROM = 2022
"""The first vintage whose Connecticut is planning regions rather than counties."""


@dataclass(frozen=True, slots=True)
class Change:
    """``last`` is the last vintage with the code; ``became`` are the codes that stand for its land since."""

    last: int
    became: tuple[str, ...]
    told: str


ENDED: dict[str, Change] = {
    "46113": Change(
        2014, ("46102",), "Shannon County, South Dakota, was renamed Oglala Lakota County (46102) in 2015"
    ),
    "02270": Change(
        2014, ("02158",), "Wade Hampton Census Area, Alaska, was renamed Kusilvak Census Area (02158) in 2015"
    ),
    "02261": Change(
        2019,
        ("02063", "02066"),
        "Valdez-Cordova Census Area, Alaska, was split into Chugach (02063) and Copper River (02066) Census Areas",
    ),
    "51515": Change(
        2012, ("51019",), "the city of Bedford, Virginia, became part of Bedford County (51019) in 2013"
    ),
    **{
        f"09{code:03}": Change(
            PLANNING_REGIONS_FROM - 1,
            (),
            "Connecticut's figures are of its counties up to 2021 and of its nine planning regions since 2022",
        )
        for code in range(1, 16, 2)
    },
}
"""Codes of counties that exist no more."""

BEGUN: dict[str, tuple[int, tuple[str, ...]]] = {
    "46102": (2015, ("46113",)),
    "02158": (2015, ("02270",)),
    "02063": (2020, ("02261",)),
    "02066": (2020, ("02261",)),
    **{f"09{code}": (PLANNING_REGIONS_FROM, ()) for code in range(110, 191, 10)},
}
"""The first vintage of codes that are newer than the survey, and the codes before them."""


def exists_in(fips: str, vintage: int) -> bool:
    """Whether a county's code is one of a vintage."""
    ended, begun = ENDED.get(fips), BEGUN.get(fips)
    return (ended is None or vintage <= ended.last) and (begun is None or vintage >= begun[0])


def has_ended(fips: str) -> bool:
    """Whether a county's code is of no newer vintage."""
    return fips in ENDED


def code_in(fips: str, vintage: int) -> str | None:
    """The code by which a vintage knows a county of a code, where it is one county under another name or code.

    ``None`` where it had no such county: it is part of another, or several stand for it.
    """
    if exists_in(fips, vintage):
        return fips
    ended = ENDED.get(fips)
    since = ended is not None and vintage > ended.last
    same = ENDED[fips].became if since else BEGUN.get(fips, (0, ()))[1]
    if len(same) != 1 or not exists_in(same[0], vintage):
        return None
    # A part of a county that was split is not the whole of it, nor is a county that took another in.
    other = ENDED.get(same[0])
    whole = other is None or other.became == (fips,)
    renamed = ended is None or BEGUN.get(same[0], (0, ()))[1] == (fips,)
    return same[0] if whole and renamed else None


def told(fips: str) -> str | None:
    """What became of a county, or what it was, for a reader."""
    if fips in ENDED:
        return ENDED[fips].told
    before = next((change.told for change in ENDED.values() if fips in change.became), None)
    if before is None and fips in BEGUN and fips.startswith(CONNECTICUT):
        return ENDED["09001"].told
    return before
