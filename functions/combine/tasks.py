"""The two judgments that combine may ask for. Whatever is not judged a clear yes is not composed."""

from __future__ import annotations

from typing import Literal

from shared.models.tasks import Task
from shared.query.material import Cell
from shared.query.quantity import Frozen


class FigureDescribed(Frozen):
    """A figure as a judge sees it: everything about it but its value, which must not sway the judgment."""

    entity: str
    source: str
    variable: str
    measure: str
    definition: str
    unit: str
    period: str
    period_kind: str
    vintage: str | None
    basis: str

    @classmethod
    def of(cls, cell: Cell) -> FigureDescribed:
        """Describe one executed observation."""
        measure, response = cell.measure, cell.response
        basis = [part for part in (measure.unit.currency, measure.unit.price_basis, measure.unit.per) if part]
        return cls(
            entity=cell.entity.name,
            source=measure.source,
            variable=measure.variable,
            measure=measure.name,
            definition=measure.definition,
            unit=" ".join([measure.unit.code, *basis]),
            period=cell.period.text,
            period_kind=cell.period.kind.value,
            vintage=response.as_of.isoformat() if response.as_of else None,
            basis=response.basis,
        )


class FigurePair(Frozen):
    """Two figures to be held side by side."""

    id: str
    left: FigureDescribed
    right: FigureDescribed


class ComparableRequest(Frozen):
    """Pairs of figures, each to be judged like for like or not."""

    question: str
    pairs: tuple[FigurePair, ...]


class ComparableReply(Frozen):
    """A verdict for every pair offered."""

    verdicts: dict[str, Literal["comparable", "not_comparable", "unknown"]]
    why: str = ""


def _every_pair_judged(request: ComparableRequest, reply: ComparableReply) -> str | None:
    offered = {pair.id for pair in request.pairs}
    if set(reply.verdicts) == offered:
        return None
    return f"a verdict is wanted for exactly the pairs {', '.join(sorted(offered))}"


COMPARABLE_FIGURES = Task(
    name="comparable_figures",
    version=1,
    request=ComparableRequest,
    reply=ComparableReply,
    validate=_every_pair_judged,
    effort="low",
)


class AddsUpRequest(Frozen):
    """A quantity whose group may or may not equal the sum of its members."""

    measure: str
    definition: str
    unit: str
    unit_kind: str
    per: str | None
    members: tuple[str, ...]


class AddsUpReply(Frozen):
    """Whether it adds up."""

    adds_up: Literal["yes", "no", "unknown"]
    why: str = ""


def _always_valid(request: AddsUpRequest, reply: AddsUpReply) -> str | None:
    del request, reply
    return None


QUANTITY_ADDS_UP = Task(
    name="quantity_adds_up",
    version=1,
    request=AddsUpRequest,
    reply=AddsUpReply,
    validate=_always_valid,
    effort="low",
)
