"""Groups that a source has no figure for: their members are asked for, and the answer says whose they are."""

from __future__ import annotations

from shared.query.annotated import Executed, PlannedRequest
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.slots import SlotKind

LEAST_REPORTING = 2
"""One part in so many of the members must have a figure, or their sum says nothing of the group."""


def as_population(request: PlannedRequest) -> PlannedRequest:
    """The request as its plugin gets it: a group that models have listed the members of is a listed set to it."""
    resolved = request.resolved
    if resolved.listed is None or not resolved.sum_of_members:
        return request
    slot = request.slot.model_copy(
        update={"kind": SlotKind.POPULATION, "entity": None, "population": resolved.listed}
    )
    members = resolved.model_copy(update={"entity": None, "sum_of_members": False})
    return request.model_copy(update={"slot": slot, "resolved": members})


def of_group(request: PlannedRequest, result: Executed | Unanswerable) -> Executed | Unanswerable:
    """The members' figures as those of their group, where enough of them have one."""
    group = request.resolved.entity
    if not isinstance(result, Executed) or not request.resolved.sum_of_members or result.sum_of is not None:
        return result
    reported = [cell for cell in result.observations if cell.missing is None]
    members = max(len(result.observations) + len(result.incomplete), len(request.resolved.members))
    if group is None or len(reported) * LEAST_REPORTING < members:
        return Unanswerable(
            status=FailureStatus.NO_DATA,
            reason=f"only {len(reported)} of {members} members of {group.name if group else 'the group'} have a "
            f"figure of {result.measure.name}: too few to speak of the whole",
        )
    return result.model_copy(update={"sum_of": group})
