"""The two judgments that combine may ask for. Whatever is not judged a clear yes is not composed."""

from __future__ import annotations

from typing import Literal

from shared.models.tasks import Task
from shared.query.material import Cell
from shared.query.quantity import Frozen

_COMPARABLE = """\
Say for each pair whether its two figures may be held against each other or computed with: whether they measure \
the same thing in the same way, about whatever entity. Their values are not shown and do not matter.
The reply: {"verdicts": {pair id: "comparable" | "not_comparable" | "unknown"}, "convert": {pair id: "left" | \
"right" | "both" | "neither"}, "why": "..."}
- comparable: one definition, one unit on one basis (currency, prices, denominator), one kind of period. Another \
source's figure may be comparable when its definition is the same.
- not_comparable: any of these differs in a way that changes the figure, or one is an estimate or a forecast and \
the other a record.
- unknown: the descriptions do not tell. When in doubt, unknown: nothing is computed then, and that is right.
A verdict for every pair; each is judged by itself, whatever the others are.
- convert: only for pairs with `convertible`, which lists the sides that are amounts in a country's own currency \
(LCU) at current prices and that can be converted to US dollars at their publisher's official rate of the figure's \
year. Two countries' own currencies are two currencies, and neither is dollars: name the side or sides that must \
be converted for the pair to be in one currency, and give the verdict for the pair as it stands then. "neither" \
where that would not make them alike. Every other pair is left out of convert.
why: one short sentence."""

_ADDS_UP = """\
Say whether the figures of the members, added up, are the figure of the whole group, for this quantity. The \
members do not overlap.
The reply: {"adds_up": "yes" | "no" | "unknown", "why": "..."}
- yes: counts of people or things, and amounts of money at one exchange rate.
- no: rates, shares, averages, medians, indices, densities, and anything per something.
- unknown: the description does not tell. When in doubt, unknown.
why: one short sentence."""


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


Verdict = Literal["comparable", "not_comparable", "unknown"]
Side = Literal["left", "right", "both", "neither"]
"""Which of two figures is converted to US dollars."""


class FigurePair(Frozen):
    """Two figures to be held side by side. ``convertible`` are the sides that may be named for conversion."""

    id: str
    left: FigureDescribed
    right: FigureDescribed
    convertible: tuple[Literal["left", "right"], ...] = ()


class ComparableRequest(Frozen):
    """All pairs of figures of one reading, each to be judged like for like or not."""

    question: str
    pairs: tuple[FigurePair, ...]


class ComparableReply(Frozen):
    """Verdicts on the pairs offered, and the sides to convert of those that have some.

    A pair without a verdict is one that nothing is composed of.
    """

    verdicts: dict[str, Verdict]
    convert: dict[str, Side] = {}
    why: str = ""


def _only_offered_pairs(request: ComparableRequest, reply: ComparableReply) -> str | None:
    offered = {pair.id for pair in request.pairs}
    if not reply.verdicts or set(reply.verdicts) - offered:
        return f"a verdict is wanted for exactly the pairs {', '.join(sorted(offered))}"
    sides = {pair.id: set(pair.convertible) for pair in request.pairs if pair.convertible}
    for pair, said in reply.convert.items():
        if pair not in sides:
            return f"no side of {pair} can be converted"
        wrong = _SIDES[said] - sides[pair]
        if wrong:
            return f"of {pair} only {' and '.join(sorted(sides[pair]))} can be converted, not {' and '.join(wrong)}"
    return None


_SIDES: dict[Side, set[str]] = {"left": {"left"}, "right": {"right"}, "both": {"left", "right"}, "neither": set()}


COMPARABLE_FIGURES = Task(
    name="comparable_figures",
    version=3,
    request=ComparableRequest,
    reply=ComparableReply,
    validate=_only_offered_pairs,
    effort="low",
    purpose="telling whether figures are like for like",
    instructions=_COMPARABLE,
    offered=lambda request: {
        "verdicts": [pair.id for pair in request.pairs],
        "convert": [pair.id for pair in request.pairs if pair.convertible],
    },
    fallback=True,
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
    purpose="telling whether figures add up",
    instructions=_ADDS_UP,
    fallback=True,
    max_tokens=512,
)
