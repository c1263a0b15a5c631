"""What a careful reader must know beside the World Bank's figures: which year, whose group, how complete."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from plugins.reporting.years import well_reported_year
from plugins.worldbank.asking import Asking
from plugins.worldbank.records import Cell, Observations
from shared.query.evidence import Disclosure, DisclosureKind
from shared.query.quantity import Entity
from shared.query.readings import PeriodAsked, PeriodKindAsked
from shared.text.places import by_code, group_list_name, members

OLD_YEARS = 4
"""A newest figure that is this many years old is pointed out."""
NAMES_SHOWN = 8


def coverage_of(found: Observations, members_asked: Iterable[str]) -> dict[int, int]:
    """How many of the members have a value, by year; groups of countries are never counted."""
    asked = set(members_asked)
    years: dict[int, int] = {}
    for cell in found.cells:
        if cell.value is not None and cell.entity in asked:
            years[cell.year] = years.get(cell.year, 0) + 1
    return years


def year_chosen(asking: Asking, year: int, coverage: dict[int, int], of: int) -> list[Disclosure]:
    """Say which year a population is compared in when a later one has figures too."""
    newer = {later: count for later, count in coverage.items() if later > year}
    if not newer or asking.period.kind is not PeriodKindAsked.LATEST:
        return []
    told = ", ".join(f"{later} by {count}" for later, count in sorted(newer.items()))
    return [
        Disclosure(
            kind=DisclosureKind.PERIOD,
            text=f"{asking.measure_name} is taken for {year}, which {coverage[year]} of {of} members report; "
            f"later years are reported by too few: {told}",
        )
    ]


def recorded_limits(found: Observations, period: PeriodAsked) -> list[Disclosure]:
    """Say what the recorded figures leave out of the publisher's: missing early years only where they matter."""
    notes = found.notes if period.kind is PeriodKindAsked.LATEST else (*found.notes, *found.shortened)
    return [Disclosure(kind=DisclosureKind.SNAPSHOT, text=note) for note in notes]


def old_figure(asking: Asking, entity: Entity, cell: Cell) -> list[Disclosure]:
    """Point out a newest figure that is some years old."""
    if asking.period.kind is not PeriodKindAsked.LATEST or asking.this_year - cell.year < OLD_YEARS:
        return []
    text = f"the newest figure of {asking.measure_name} for {entity.name} is of {cell.year}"
    return [Disclosure(kind=DisclosureKind.PERIOD, text=text)]


def own_group(entity: Entity, cell: Cell) -> Disclosure:
    """Say that a group's figure is the publisher's own, for its own group."""
    return Disclosure(
        kind=DisclosureKind.MEMBERS,
        text=f"the figure for {entity.name} is the World Bank's own for its group “{cell.name}” ({cell.entity})",
    )


async def other_extent(asking: Asking, entity: Entity) -> list[Disclosure]:
    """A caveat when the World Bank's region of a name has other countries than the usual list of that name."""
    group = by_code(entity.keys["wb"])
    known = members(group) if group is not None else None
    listed = [country for country in await asking.client.countries() if not country.is_group]
    theirs = {country.code: country.name for country in listed if country.region == entity.keys["wb"]}
    if group is None or known is None or not theirs:
        return []
    covered = {country.code for country in listed}
    left_out = [member.name for member in known if member.code in covered and member.code not in theirs]
    if not left_out:
        return []
    return [
        Disclosure(
            kind=DisclosureKind.CAVEAT,
            text=f"the World Bank's {entity.name} is {', '.join(sorted(theirs.values()))}; it leaves out "
            f"{names(left_out)}, which {group_list_name(group)} counts in",
        )
    ]


async def thin_year(asking: Asking, entity: Entity, cell: Cell) -> list[Disclosure]:
    """A caveat when far fewer members report the year of a group's newest figure than an earlier year."""
    if asking.period.kind is not PeriodKindAsked.LATEST:
        return []
    countries = {country.code for country in await asking.client.countries() if not country.is_group}
    group = by_code(entity.keys["wb"])
    known = members(group) if group is not None else None
    counted = {member.keys["iso3"] for member in known} & countries if known else countries
    span = (cell.year - 3, cell.year)
    found = await asking.client.observations(asking.indicator, "all", years=span)
    coverage = coverage_of(found, counted)
    fuller = well_reported_year(coverage)
    if fuller is None or fuller == cell.year:
        return []
    return [
        Disclosure(
            kind=DisclosureKind.CAVEAT,
            text=f"{asking.measure_name}, {entity.name}, {cell.year}: only {coverage.get(cell.year, 0)} members "
            f"report that year, against {coverage[fuller]} for {fuller}: the two years are not like for like",
        )
    ]


def names(some: Sequence[str]) -> str:
    """The names in a sentence: the first ones, and how many more there are."""
    if len(some) <= NAMES_SHOWN:
        return ", ".join(some)
    return f"{', '.join(some[:NAMES_SHOWN])} and {len(some) - NAMES_SHOWN} more"
