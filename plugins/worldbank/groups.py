"""Groups that the World Bank has no figure for: the figures of their members, of one year, to be added up."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from plugins.reporting.years import COVERAGE_YEARS, compared_year, years_to_request
from plugins.worldbank.answers import answer_population, executed_of, observation_of
from plugins.worldbank.asking import Asking
from plugins.worldbank.caveats import names, recorded_limits
from plugins.worldbank.periods import choose_series
from plugins.worldbank.records import Cell, Observations
from shared.query.annotated import Executed
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.quantity import Entity
from shared.query.readings import PeriodAsked, PeriodKindAsked

LEAST_REPORTING = 2
"""One part in so many of the members must report a year, or their sum says nothing of the group."""


async def answer_members(asking: Asking) -> Executed | Unanswerable:
    """One cell for each member, all of one year; who is without one is ``missing`` or ``incomplete``."""
    covered = sum("wb" in member.keys for member in asking.planned.resolved.members)
    executed = await answer_population(asking, year_of=partial(total_year, of=covered))
    if isinstance(executed, Unanswerable):
        return executed
    cells = executed.observations
    reported = [cell for cell in cells if cell.missing is None]
    if len(reported) * LEAST_REPORTING < len(cells) + len(executed.incomplete):
        return Unanswerable(
            status=FailureStatus.NO_DATA,
            reason=f"only {len(reported)} of {len(cells)} members of {asking.entity.name} have a figure of "
            f"{asking.measure_name} for {cells[0].period}: too few to speak of the whole",
        )
    return executed.model_copy(update={"sum_of": asking.entity})


async def answer_members_series(asking: Asking) -> Executed | Unanswerable:
    """A cell for each member and year, of the years of the span of which every member has a figure; oldest first.

    Years of the span that some member lacks are ``incomplete``.
    """
    resolved = asking.planned.resolved
    members = {member.keys["wb"]: member for member in resolved.members if "wb" in member.keys}
    years = years_to_request(asking.period, this_year=asking.this_year)
    entities = "all" if resolved.expression == "all" else list(members)
    found = await asking.client.observations(asking.indicator, entities, years=years)
    without = [member.name for member in resolved.members if not found.reported(member.keys.get("wb", ""))]
    complete = _complete(found, members)
    chosen, lacking = choose_series([Cell("", "", year, None) for year in complete], asking.period)
    if without or not chosen:
        why = (
            f"{names(without)} {'has' if len(without) == 1 else 'have'} none" if without else "they report in turn"
        )
        return Unanswerable(
            status=FailureStatus.NO_DATA,
            reason=f"the World Bank has no year of the span in which every member of {asking.entity.name} has a "
            f"figure of {asking.measure_name}: {why}",
        )
    executed = executed_of(
        asking,
        found,
        [
            observation_of(member, cell)
            for year in (cell.year for cell in chosen)
            for code, member in members.items()
            for cell in found.reported(code)
            if cell.year == year
        ],
        recorded_limits(found, asking.period),
        page_of=[],
        incomplete=[str(year) for year in lacking],
    )
    return executed.model_copy(update={"sum_of": asking.entity})


def _complete(found: Observations, members: Mapping[str, Entity]) -> list[int]:
    """The years that every member reports, oldest first."""
    each = [{cell.year for cell in found.reported(code)} for code in members]
    return sorted(set.intersection(*each)) if each else []


def total_year(coverage: Mapping[int, int], period: PeriodAsked, *, of: int) -> int | None:
    """The year whose figures are added up: the one asked for, else the newest that all ``of`` members report.

    A sum must not lack a member only because its figure is a year late. Where no recent year has everybody, it is
    the newest well-reported one, as for any population.
    """
    year = compared_year(coverage, period)
    if period.kind is not PeriodKindAsked.LATEST or year is None:
        return year
    recent = (recent for recent in sorted(coverage, reverse=True) if recent > max(coverage) - COVERAGE_YEARS)
    return next((recent for recent in recent if coverage[recent] == of), year)
