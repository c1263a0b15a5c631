"""A series of one area split by one of its dimensions: parts of a whole if they add up, else groups side by side.

Counts are parts: in every year that has all of them they must make up the published total, or nothing is told.
Rates are of each group's own people; they are held side by side, with the figure of all, and never added up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal

from plugins.reporting.years import years_to_request
from plugins.unsdg.answers import conflict_of, executed, observed
from plugins.unsdg.asking import Asking
from plugins.unsdg.caveats import (
    described_now,
    given_in_full,
    names,
    no_total,
    old_figure,
    own_group,
    said_of,
    whole_of,
)
from plugins.unsdg.client import UnSdgClient
from plugins.unsdg.measures import locator_of, measure_of, read_slice, series_of
from plugins.unsdg.periods import choose_cell
from plugins.unsdg.places import KEY
from plugins.unsdg.records import Cell, SeriesData
from plugins.unsdg.slices import NoTotal, Slice, slice_of, spoken
from plugins.unsdg.splits import as_whole, dimension_named, splits_of, told
from shared.query.annotated import Bound, EntityResolved, Executed, Selected
from shared.query.discovery import TableDocument
from shared.query.evidence import Disclosure, DisclosureKind, FailureStatus, Measure, Observation, Unanswerable
from shared.query.slots import Slot

TOLERANCE = Decimal("0.02")
"""How far the sum of the parts may be from the total, as a share of it."""
APART = "each is a rate of its own people, and rates of groups are not added up"


def offered_for_split(documents: Sequence[TableDocument]) -> list[TableDocument]:
    """The documents of whole series; of a series that has none, one of its parts stands for it."""
    known = {series_of(one): one for one in documents if not one.terms.get("slice")}
    for one in documents:
        known.setdefault(series_of(one), as_whole(one))
    return list(known.values())


async def plan_splits(
    slot: Slot, selected: Selected, resolved: EntityResolved, client: UnSdgClient, *, source: str, version: str
) -> list[Bound] | Unanswerable:
    """A binding for each chosen series that the place has split by what is asked; else what the splits are."""
    wanted = dimension_named(slot.dimension or "")
    entity = resolved.entity
    if entity is None:
        return Unanswerable(status=FailureStatus.UNKNOWN_ENTITY, reason="no place was named")
    bound, others = [], []
    for meaning in selected.meanings:
        document = meaning.documents[0]
        data = await client.values(series_of(document), [entity.keys[KEY]])
        splits = splits_of(data, data.cells)
        if wanted is None or wanted not in splits:
            others.append((document.title, data, list(splits)))
            continue
        split = splits[wanted]
        measure = measure_of(document, source=source, meaning=meaning.label)
        locator = locator_of(document) | {
            "split": wanted,
            "codes": ",".join(split.codes),
            "total": split.total or "",
            "left": ",".join(split.overlapping),
        }
        bound.append(
            Bound(
                meaning=meaning.id,
                measure=measure,
                plugin=source,
                plugin_version=version,
                locator=locator,
                parts=tuple(_part(measure, data, wanted, code) for code in split.codes),
                republished=True,
            )
        )
    return bound or _not_split(slot, entity.name, others)


def _part(measure: Measure, data: SeriesData, dimension: str, code: str) -> Measure:
    name = f"{measure.name}: {spoken(data, dimension, code)}"
    return measure.model_copy(update={"name": name, "variable": f"{measure.variable}.{code}"})


def _not_split(slot: Slot, whom: str, others: Sequence[tuple[str, SeriesData, list[str]]]) -> Unanswerable:
    by = slot.dimension or "any dimension"
    each = []
    for title, data, dimensions in others:
        if not data.cells:
            each.append(f"{title} has no figure for {whom}")
        elif dimensions:
            each.append(f"{title} is split for {whom} by {' and '.join(dimensions).lower()} only")
        else:
            each.append(f"{title} is not split for {whom}")
    return Unanswerable(
        status=FailureStatus.NOT_COVERED,
        reason=f"the UN's SDG database has no figures by {by} of what is asked: {'; '.join(each)}",
    )


async def answer_categories(asking: Asking) -> Executed | Unanswerable:
    """The planned parts, all of one year: the newest that has all of them, else the newest with most of them."""
    locator = asking.planned.bound.locator
    dimension, codes = locator["split"], locator["codes"].split(",")
    years = years_to_request(asking.period, this_year=asking.this_year)
    data = await asking.client.values(asking.series, [asking.area], years=years)
    cells = [cell for cell in data.cells if cell.area == asking.area]
    parts: dict[str, dict[int, Cell]] = {}
    stands_for: tuple[tuple[str, str], ...] = ()
    for code in [*codes, *([locator["total"]] if locator["total"] else [])]:
        own = [cell for cell in cells if cell.dimensions.get(dimension) == code]
        chosen = slice_of(data, own, {**read_slice(locator["slice"]), dimension: code})
        if isinstance(chosen, NoTotal):
            return Unanswerable(status=chosen.status, reason=no_total(asking, data, asking.entity.name, chosen))
        if conflict := conflict_of(asking, chosen.cells):
            return Unanswerable(status=FailureStatus.NOT_COMPARABLE, reason=conflict)
        parts[code] = {cell.year: cell for cell in chosen.cells if cell.reported}
        stands_for = tuple(one for one in chosen.stands_for if one[0] != dimension) or stands_for
    whole = parts.pop(locator["total"], {})
    if asking.planned.bound.measure.additive and (wrong := _does_not_add_up(asking, parts, whole)):
        return Unanswerable(status=FailureStatus.NOT_COMPARABLE, reason=wrong)
    year = _year_of(asking, parts)
    if year is None:
        return await _nothing(asking, parts)
    return _told(
        asking, data, {code: by_year.get(year) for code, by_year in parts.items()}, whole.get(year), stands_for
    )


def _does_not_add_up(
    asking: Asking, parts: Mapping[str, Mapping[int, Cell]], whole: Mapping[int, Cell]
) -> str | None:
    """Why counts are no parts of a whole: no total, or a year whose parts miss it."""
    if not whole:
        return f"the UN's SDG database has no total of {asking.measure_name} that its parts could be held against"
    for year, total in sorted(whole.items()):
        cells = [by_year[year] for by_year in parts.values() if year in by_year]
        numbers = [cell.figure.value for cell in cells if cell.figure.value is not None]
        if len(numbers) < len(parts) or total.figure.value is None:
            continue
        added = sum(numbers, start=Decimal(0))
        if abs(added - total.figure.value) > abs(total.figure.value) * TOLERANCE:
            return (
                f"the parts of {asking.measure_name} for {asking.entity.name} add up to {added:f} in {year} and "
                f"the total is {total.figure.value:f}: they overlap or some are missing"
            )
    return None


def _year_of(asking: Asking, parts: Mapping[str, Mapping[int, Cell]]) -> int | None:
    counts = Counter(year for by_year in parts.values() for year in by_year)
    most = max(counts.values(), default=0)
    complete = sorted(year for year, count in counts.items() if count == most)
    if most < 2:
        return None
    chosen = choose_cell([next(c[year] for c in parts.values() if year in c) for year in complete], asking.period)
    return None if chosen is None else chosen.year


async def _nothing(asking: Asking, parts: Mapping[str, Mapping[int, Cell]]) -> Unanswerable:
    """No year with two groups: say which years have any, so that the reader can ask for them."""
    asked, codes = asking.period.explicit_year, set(parts)
    when = f" in {asked}" if asked is not None else ""
    data = await asking.client.values(asking.series, [asking.area])
    dimension = asking.planned.bound.locator["split"]
    held = sorted({c.year for c in data.cells if c.reported and c.dimensions.get(dimension) in codes}, reverse=True)
    more = f"; it has figures of them for {names([str(year) for year in held])}" if held else ""
    return Unanswerable(
        status=FailureStatus.NO_DATA,
        reason=f"the UN's SDG database has no two groups of {asking.measure_name} for {asking.entity.name}{when}"
        f"{more}",
    )


def _told(
    asking: Asking,
    data: SeriesData,
    parts: Mapping[str, Cell | None],
    whole: Cell | None,
    stands_for: tuple[tuple[str, str], ...],
) -> Executed:
    locator, bound = asking.planned.bound.locator, asking.planned.bound
    dimension = locator["split"]
    given = [
        (code, measure, cell) for (code, cell), measure in zip(parts.items(), bound.parts, strict=True) if cell
    ]
    cells = [cell for _, _, cell in given]
    notes = [
        *said_of(asking, data, cells),
        *whole_of(asking, data, Slice((), stands_for)),
        *own_group(asking, cells[0]),
        *old_figure(asking, cells[0]),
        *described_now(asking, data),
        *given_in_full(asking, cells[0]),
    ]
    if left := [code for code in locator["left"].split(",") if code]:
        text = f"{asking.measure_name}: the database also has {names(told(data, dimension, left))}, which overlap"
        notes.append(Disclosure(kind=DisclosureKind.COVERAGE, text=f"{text} with the groups that are told"))
    additive = bool(bound.measure.additive)
    made = executed(
        asking,
        data,
        [observed(asking, asking.entity, cell) for cell in cells],
        notes,
        incomplete=[spoken(data, dimension, code) for code, cell in parts.items() if cell is None],
    )
    total: Observation | None = observed(asking, asking.entity, whole) if whole is not None else None
    return made.model_copy(
        update={
            "categories": tuple(spoken(data, dimension, code) for code, _, _ in given),
            "parts": tuple(measure for _, measure, _ in given),
            "total": total if total is not None and total.value is not None else None,
            "apart": "" if additive else APART,
        }
    )
