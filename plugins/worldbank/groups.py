"""Groups that the World Bank has no figure for: the figures of their members, of one year, to be added up."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from plugins.worldbank.answers import answer_population
from plugins.worldbank.asking import Asking
from plugins.worldbank.periods import COVERAGE_YEARS, population_year
from shared.query.annotated import Executed
from shared.query.evidence import FailureStatus, Unanswerable
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


def total_year(coverage: Mapping[int, int], period: PeriodAsked, *, of: int) -> int | None:
    """The year whose figures are added up: the one asked for, else the newest that all ``of`` members report.

    A sum must not lack a member only because its figure is a year late. Where no recent year has everybody, it is
    the newest well-reported one, as for any population.
    """
    year = population_year(coverage, period)
    if period.kind is not PeriodKindAsked.LATEST or year is None:
        return year
    recent = (recent for recent in sorted(coverage, reverse=True) if recent > max(coverage) - COVERAGE_YEARS)
    return next((recent for recent in recent if coverage[recent] == of), year)
