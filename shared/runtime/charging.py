"""What a try of a step has spent is charged to its run before the step is committed.

Whoever works on the step after a try that failed, or whose worker died, finds it spent. Calls that are still out
are charged at their worst price until they are settled.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shared.runtime.attempt import Attempt, Pace
    from shared.runtime.ports import RunStore
    from shared.runtime.records import BudgetTotals, RunRecord


def uncharged(attempt: Attempt) -> BudgetTotals | None:
    """What the run has used with this try, where the store has another sum; ``None`` where it has this one."""
    spent = attempt.spending.at_most if attempt.spending is not None else attempt.budget
    return spent if spent != attempt.charged else None


async def charge(attempt: Attempt, store: RunStore, spent: BudgetTotals, pace: Pace) -> RunRecord:
    """Write down what the run has used, and hold the step. Raises what ``RunStore.renew`` does."""
    lease = timedelta(seconds=pace.lease)
    run = await store.renew(attempt.step, token=attempt.token, lease=lease, spent=spent)
    attempt.charged = spent
    return run
