"""The two judgments of a split: by which of the offered dimensions, and into which of the offered parts."""

from __future__ import annotations

from plugins.datacommons.dimensions import ASKED, partition
from shared.models.builtin import BuiltinRule
from shared.models.tasks import Offered, Task
from shared.query.quantity import Frozen
from shared.runtime.context import RunContext

NONE = "none"
"""What a reply says instead of a dimension when none of those offered is the one that was named."""
FEWEST = 2
"""Parts of a split; fewer are none."""

_DIMENSION = f"""\
Choose the dimension that the asker means. "named" is the asker's word for what the total is to be split by; \
options are the dimensions that the publisher's figures of it are split by, with how many figures each has.
The reply: {{"dimension": option id | "{NONE}", "why": "..."}}
- The same dimension under another name is meant: gender and sex, schooling and educational attainment.
- {NONE}: none of the options is what was named. A dimension that is merely related to it is not it. When in \
doubt, {NONE}: the asker is then told what there is, and that is right.
why: one short sentence."""

_PARTS = f"""\
Choose a total and the parts that it is made up of. The candidates are published figures that are each limited to \
one value of one dimension; some overlap, and some are parts of others.
The reply: {{"total": total id, "parts": [candidate ids], "why": "..."}}
- Everything that the total counts must be in exactly one part. An unbroken chain of age groups from the youngest \
to the oldest does that; a group beside a wider one that holds it does not.
- Of two ways to do it, the one with more parts is wanted.
- People of any race may also be of an ethnic group: such a group is no part beside the races.
- tried are choices of yours that did not add up on some date, with what they added up to. Mend the last of them: \
leave out what overlaps, add what is missing, or take another total.
- No parts, an empty list, rather than parts that cannot make it up. At least {FEWEST} otherwise.
why: one short sentence."""


class DimensionOption(Frozen):
    """A dimension that a total is split by, and how many variables are."""

    id: str
    variables: int


class DimensionRequest(Frozen):
    """The asker's word for a dimension, and those on offer."""

    named: str
    total: str
    options: tuple[DimensionOption, ...]


class DimensionReply(Frozen):
    """The id of an option, or ``none``."""

    dimension: str
    why: str = ""


class PartOption(Frozen):
    """A figure on offer; ``value`` is what it is limited to in the publisher's spelling (``5-9``, ``female``)."""

    id: str
    title: str
    value: str = ""


class TriedParts(Frozen):
    """A choice that failed, and how: "on 2020 they add up to 140 and the total is 100: some overlap"."""

    total: str
    parts: tuple[str, ...]
    problem: str


class PartsRequest(Frozen):
    """The totals and candidates that one source has for one place and date; their figures are not shown."""

    asked: str
    dimension: str
    totals: tuple[PartOption, ...]
    candidates: tuple[PartOption, ...]
    tried: tuple[TriedParts, ...] = ()


class PartsReply(Frozen):
    """Ids of a total and of parts without overlap; no parts when none make it up."""

    total: str
    parts: tuple[str, ...]
    why: str = ""


def _dimensions(request: DimensionRequest) -> list[str]:
    return [*(option.id for option in request.options), NONE]


def _offered_dimension(request: DimensionRequest, reply: DimensionReply) -> str | None:
    if reply.dimension in _dimensions(request):
        return None
    return f"the dimension {reply.dimension} was not offered"


def _offered_parts(request: PartsRequest, reply: PartsReply) -> str | None:
    if reply.total not in {total.id for total in request.totals}:
        return f"the total {reply.total} was not offered"
    if strange := sorted(set(reply.parts) - {candidate.id for candidate in request.candidates}):
        return f"these parts were not offered: {', '.join(strange)}"
    if len(reply.parts) != len(set(reply.parts)):
        return "a part is named twice"
    if reply.total in reply.parts:
        return "the total is named among its parts"
    return f"{FEWEST} parts or more are wanted, or none" if 0 < len(reply.parts) < FEWEST else None


def _ids_of_parts(request: PartsRequest) -> Offered:
    return {
        "total": [total.id for total in request.totals],
        "parts": [candidate.id for candidate in request.candidates],
    }


CHOOSE_DIMENSION = Task(
    name="datacommons_choose_dimension",
    version=1,
    request=DimensionRequest,
    reply=DimensionReply,
    validate=_offered_dimension,
    purpose="choosing what a total is split by",
    instructions=_DIMENSION,
    offered=lambda request: {"dimension": _dimensions(request)},
    fallback=True,
    max_tokens=512,
)
CHOOSE_PARTS = Task(
    name="datacommons_choose_parts",
    version=1,
    request=PartsRequest,
    reply=PartsReply,
    validate=_offered_parts,
    purpose="choosing the parts of a total",
    instructions=_PARTS,
    offered=_ids_of_parts,
    fallback=True,
    max_tokens=2048,
)


async def dimension_by_name(request: DimensionRequest, context: RunContext) -> DimensionReply:
    """The built-in rule: the dimension that the asker's word is a known name of."""
    del context
    wanted = ASKED.get(request.named.strip().casefold(), "")
    offered = {option.id for option in request.options}
    return DimensionReply(dimension=wanted if wanted in offered else NONE)


async def parts_by_value(request: PartsRequest, context: RunContext) -> PartsReply:
    """The built-in rule: the first total, and the finest values that cover everything once."""
    del context
    parts = partition({candidate.id: candidate.value for candidate in request.candidates})
    return PartsReply(total=request.totals[0].id, parts=tuple(parts) if len(parts) >= FEWEST else ())


SPLIT_RULES: dict[str, BuiltinRule] = {
    CHOOSE_DIMENSION.name: dimension_by_name,
    CHOOSE_PARTS.name: parts_by_value,
}
