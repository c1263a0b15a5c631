"""Splits of a total into a table's own parts: planned where requests may be tried, read again where they are not.

A split is of one table, one vintage and one level of the table's variable tree. It is refused unless the parts add
up: counts to the published total exactly, percentages to 100 within what rounding each of them may take.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from plugins.uscensus.asking import Asking
from plugins.uscensus.client import MOST_VARIABLES, CensusClient
from plugins.uscensus.geography import Area
from plugins.uscensus.records import CensusRejects, Estimate, NoVintage, Row
from plugins.uscensus.reporting import about_program, executed, parts_told, recorded_note, succession_told
from plugins.uscensus.splits import FEWEST, Split
from plugins.uscensus.successions import code_in, told
from plugins.uscensus.trees import Line
from plugins.uscensus.vintages import PROGRAMS, candidates, spanned
from plugins.uscensus.wire import margin_of, read_estimate
from shared.query.annotated import Executed
from shared.query.evidence import FailureStatus, Measure, Observation, Unanswerable
from shared.query.quantity import Entity, Period, Unit, UnitKind
from shared.query.readings import PeriodAsked, PeriodKindAsked

HUNDRED = Decimal(100)
ROUNDED = Decimal("0.05")
"""How far rounding to one decimal may put a percentage from its figure."""
PERCENT = Unit(kind=UnitKind.PERCENT, code="%", label="percent")
COUNTY = "county"
TITLES = {"mode": "Means of transportation to work"}
"""What a split into shares is called where its dimension's own word does not say it."""


@dataclass(frozen=True, slots=True)
class SplitPlan:
    """What is asked for: the total, its parts with their names, and the vintage in which they add up."""

    split: Split
    vintage: int
    total: str
    parts: tuple[Line, ...]

    @property
    def locator(self) -> dict[str, str]:
        """The binding's own address; ``total`` is empty where the parts are shares."""
        return {
            "dataset": self.split.dataset,
            "program": self.split.program,
            "variable": self.total,
            "vintage": str(self.vintage),
            "parts": ",".join(part.variable for part in self.parts),
            "part_names": "|".join(part.name for part in self.parts),
            "shares_of": self.split.name if self.split.shares else "",
        }

    def measure(self, source: str, line: Line | None = None) -> Measure:
        """The measure of the whole, or of one of its parts."""
        split = self.split
        unit = PERCENT if split.shares else Unit(kind=UnitKind.COUNT, code=split.unit, label=split.unit)
        title = TITLES.get(split.dimension, split.dimension.capitalize()) if split.shares else split.name
        return Measure(
            source=source,
            variable=line.variable if line else self.total,
            name=f"{title}: {line.name}" if line else title,
            unit=unit,
            definition=f"{split.name}; American Community Survey, table {split.table}",
            grain="place",
            additive=not split.shares,
        )


@dataclass(frozen=True, slots=True)
class Wanted:
    """Whose parts are wanted and of when; ``today`` tells which vintages may be out."""

    entity: Entity
    area: Area
    period: PeriodAsked
    client: CensusClient
    today: date


async def plan_split(splits: Sequence[Split], wanted: Wanted) -> SplitPlan | Unanswerable:
    """The first split, and the newest vintage of it, whose parts are all published and add up; or why none is."""
    why: list[Unanswerable] = []
    for split in splits:
        found = await _newest(split, vintages_for(split.program, wanted.period, wanted.today), wanted)
        back = wanted.period.count if wanted.period.kind is PeriodKindAsked.YEARS_AGO else None
        if isinstance(found, SplitPlan) and back:
            found = await _newest(split, [found.vintage - back], wanted)
        if isinstance(found, SplitPlan):
            return found
        why.append(found)
    # What an answer says of its cells tells more than that a table has no row.
    told_most = [one for one in why if one.status is not FailureStatus.NO_DATA]
    return (told_most or why)[0]


def vintages_for(name: str, period: PeriodAsked, today: date) -> list[int]:
    """The vintages of a program to try, the first that has the parts being the answer."""
    program = PROGRAMS[name]
    if period.kind in {PeriodKindAsked.RANGE, PeriodKindAsked.SINCE, PeriodKindAsked.LAST_YEARS}:
        return list(reversed(spanned(program, period, today)))
    return candidates(program, period, today)


async def _newest(split: Split, vintages: Sequence[int], wanted: Wanted) -> SplitPlan | Unanswerable:
    entity, area, client = wanted.entity, wanted.area, wanted.client
    why, note = "", ""
    for vintage in vintages:
        here = _as_coded(area, vintage)
        if here is None:
            why = why or f"{told(''.join(area.codes))}; {vintage} has no such county"
            continue
        try:
            plan = await _in_tree(split, vintage, client)
            row, note = await _read(plan, here, client) if plan else (None, note)
        except NoVintage:
            continue
        except CensusRejects as error:
            why = why or f"the vintage {vintage} rejects the table: {error.message}"
            continue
        if plan is None or row is None:
            why = why or ("" if plan else f"the vintage {vintage} has no such split")
            continue
        lacking = [part for part in plan.parts if not _published(row, part.variable)]
        if lacking or not (split.shares or _published(row, plan.total)):
            why = why or f"{vintage} has no figure of {lacking[0].name if lacking else 'the total'}"
            continue
        if wrong := _wrong(plan, row, entity):
            return wrong
        return plan
    reason = f"the Census Bureau has no parts of {split.name.lower()} by {split.dimension} for {entity.name}"
    asked = f" ({PROGRAMS[split.program].name}, table {split.table}): {why or 'no row of it came'}{note}"
    return Unanswerable(status=FailureStatus.NO_DATA, reason=reason + asked)


def _as_coded(area: Area, vintage: int) -> Area | None:
    """The area under the code that a vintage knows it by."""
    if area.level.name != COUNTY:
        return area
    code = code_in("".join(area.codes), vintage)
    return Area.one(COUNTY, code) if code else None


async def _in_tree(split: Split, vintage: int, client: CensusClient) -> SplitPlan | None:
    tree = await client.tree(split.dataset, vintage, split.table)
    total, parts = tree.line(split.total), split.parts(tree)
    if total is None or len(parts) < FEWEST:
        return None
    return SplitPlan(split, vintage, total.variable, tuple(parts))


async def _read(plan: SplitPlan, area: Area, client: CensusClient) -> tuple[Row | None, str]:
    """The row with the total and all parts, and what recorded figures say of themselves."""
    total = [] if plan.split.shares else [plan.total]
    columns = columns_of([*total, *(part.variable for part in plan.parts)])
    table = await client.table(plan.split.dataset, plan.vintage, columns, area)
    return table.row("".join(area.codes)), recorded_note(table.provenance)


def columns_of(variables: Sequence[str]) -> list[str]:
    """The variables with their margins of error, as many as one request gives."""
    margins = [name for name in map(margin_of, variables) if name]
    wanted = ["NAME", *variables, *margins]
    return wanted if len(wanted) <= MOST_VARIABLES else ["NAME", *variables]


def _published(row: Row, variable: str) -> bool:
    """Whether a cell has anything: a marker is an answer, a blank is none."""
    return bool((row.cells.get(variable) or "").strip())


def _wrong(plan: SplitPlan, row: Row, entity: Entity) -> Unanswerable | None:
    """Why the row's parts cannot be told as parts of the whole, or ``None``."""
    found = {part.name: read_estimate(row, part.variable) for part in plan.parts}
    whole = Estimate(HUNDRED) if plan.split.shares else read_estimate(row, plan.total)
    whose = f"{plan.split.name} of {entity.name} by {plan.split.dimension}, {plan.vintage}"
    for name, one in (("the total", whole), *found.items()):
        if one.value is None:
            return Unanswerable(status=FailureStatus.NO_DATA, reason=f"{whose}: {name}: {one.missing}")
    values = [one.value for one in found.values() if one.value is not None]
    reason = disagreement(whole.value, values, shares=plan.split.shares)
    if reason is None:
        return None
    return Unanswerable(status=FailureStatus.NOT_COMPARABLE, reason=f"{whose}: {reason}")


def disagreement(whole: Decimal | None, parts: Sequence[Decimal], *, shares: bool) -> str | None:
    """How the parts fail to make up the whole, with both figures; ``None`` where they do."""
    added = sum(parts, Decimal(0))
    wanted = HUNDRED if shares or whole is None else whole
    allowed = ROUNDED * len(parts) if shares else Decimal(0)
    if abs(added - wanted) <= allowed:
        return None
    why = "some overlap" if added > wanted else "some are missing"
    return f"the parts add up to {added:,f} and the whole is {wanted:,f}{'%' if shares else ''}: {why}"


async def answer_categories(asking: Asking) -> Executed | Unanswerable:
    """The planned parts and their total, read again in one request and held against each other again."""
    locator = asking.planned.bound.locator
    vintage, shares = int(locator["vintage"]), bool(locator["shares_of"])
    parts, names = locator["parts"].split(","), locator["part_names"].split("|")
    total = locator["variable"]
    area = _as_coded(asking.area, vintage)
    if area is None:
        raise LookupError(f"{asking.planned.slot.id} was planned for a vintage without the county")
    columns = columns_of([*([] if shares else [total]), *parts])
    table = await asking.client.table(locator["dataset"], vintage, columns, area)
    row = table.row("".join(area.codes))
    if row is None:
        reason = f"no row of {asking.entity.name} came for the parts of {asking.measure.name}"
        return Unanswerable(status=FailureStatus.NO_DATA, reason=reason + recorded_note(table.provenance))
    estimates = [read_estimate(row, part) for part in parts]
    whole = Estimate(HUNDRED) if shares else read_estimate(row, total)
    for name, one in zip(("the total", *names), (whole, *estimates), strict=True):
        if one.value is None:
            reason = f"{asking.measure.name} of {asking.entity.name}, {vintage}: {name}: {one.missing}"
            return Unanswerable(status=FailureStatus.NO_DATA, reason=reason)
    values = [one.value for one in estimates if one.value is not None]
    if reason_not := disagreement(whole.value, values, shares=shares):
        reason = f"{asking.measure.name} of {asking.entity.name}, {vintage}: {reason_not}"
        return Unanswerable(status=FailureStatus.NOT_COMPARABLE, reason=reason)
    period = Period.year(vintage)
    notes = [
        *about_program(asking, vintage),
        *parts_told(asking, vintage, dict(zip(names, estimates, strict=True))),
        *succession_told(asking, vintage),
    ]
    cells = [Observation(entity=asking.entity, period=period, value=value) for value in values]
    answer = executed(asking, table.provenance, vintage, cells, notes)
    page = answer.response.page_url
    update: dict[str, object] = {
        "categories": tuple(names),
        "parts": asking.planned.bound.parts,
        "part_pages": (page,) * len(parts) if page else (),
    }
    if shares:
        update["whole"] = f"the {locator['shares_of'][:1].lower()}{locator['shares_of'][1:]}"
    else:
        update["total"] = Observation(entity=asking.entity, period=period, value=whole.value)
    return answer.model_copy(update=update)
