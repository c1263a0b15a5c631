"""Receipts for every figure that the answer rests on, and the rule that a claim cites only what is carried."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache
from urllib.parse import urlsplit

from functions.present.draft import Draft, View
from shared.query.answer import Chart
from shared.query.evidence import (
    Claim,
    Computation,
    Disclosure,
    DisclosureKind,
    Observation,
    Receipt,
    RequestMade,
    shared_id,
)
from shared.query.identifiers import ComputationId, ReceiptId
from shared.query.material import Cell, Served
from shared.query.quantity import Entity, plain_digits
from shared.query.shared_receipts import Rows, SharedReceipt
from shared.query.slots import SlotKind

_TEXT = re.compile(r'"([^"\\]+)"')


MOST_SINGLE = 100
"""So many figures of one slot and meaning have a receipt each; more of them share one."""

SHARING = frozenset({SlotKind.POPULATION, SlotKind.MEMBERS})
"""Slots whose figures are of many; so are those of a total's members."""


@dataclass(frozen=True)
class Carried:
    """The evidence that an answer carries."""

    receipts: tuple[Receipt, ...]
    shared: tuple[SharedReceipt, ...]

    @cached_property
    def rows(self) -> dict[str, list[str]]:
        """What the rows of each shared receipt are cited as."""
        return {one.id: one.row_ids() for one in self.shared}

    @cached_property
    def ids(self) -> frozenset[str]:
        """All that may be cited: receipts, shared ones as a whole, and each of their rows."""
        return frozenset().union((one.id for one in self.receipts), self.rows, *self.rows.values())


def carried(view: View, draft: Draft) -> Carried:
    """A receipt for every executed observation; of a population or a total, for those that the answer uses.

    They are collected from the executions themselves, whatever the presenter made of them. Where one population
    gives very many, they share one receipt.
    """
    used = _used(view, draft)
    single: dict[str, Receipt] = {}
    shared: dict[str, SharedReceipt] = {}
    for served in view.material.everything():
        cells = served.published()
        only_used = served.slot.kind is SlotKind.POPULATION or served.members is not None
        if only_used:
            cells = [cell for cell in cells if cell.receipt in used]
        if len(cells) > MOST_SINGLE and _alike(served, cells):
            made = _shared(served, cells)
            if made.id not in shared:
                shared[made.id] = made
            cells = []
        whole = served.of_all()
        if whole is not None and (not only_used or whole.receipt in used):
            cells.append(whole)
        for cell in cells:
            if cell.receipt not in single:
                single[cell.receipt] = receipt(cell)
    return Carried(tuple(single.values()), tuple(shared.values()))


def _alike(served: Served, cells: Sequence[Cell]) -> bool:
    """Whether the cells are members' figures of one kind, so that one receipt may be shared by all."""
    many = served.slot.kind in SHARING or served.members is not None
    numeric = sum(cell.observation.value is not None for cell in cells)
    return many and not served.executed.parts and numeric in {0, len(cells)}


def _shared(served: Served, cells: Sequence[Cell]) -> SharedReceipt:
    measure, response, numeric = cells[0].measure, cells[0].response, cells[0].numeric
    observations = [cell.observation for cell in cells]
    entities = [one.entity for one in observations]
    periods = tuple([one.period.text for one in observations])
    one_period = len(set(periods)) == 1
    asked: tuple[int, ...] = ()
    if len(response.requests) > 1:
        asked = tuple(map(_place_of_request(response.requests), entities))
    notes = tuple([one.note for one in observations])
    return SharedReceipt.sealed(
        id=shared_id(served.slot.id, served.meaning),
        source=response.source,
        publisher=response.publisher,
        requests=response.requests,
        retrieved_at=response.retrieved_at,
        as_of=response.as_of,
        snapshot=response.snapshot,
        unit=measure.unit.code if numeric else None,
        currency=measure.unit.currency if numeric else None,
        period=periods[0] if one_period else None,
        measure=measure.name,
        variable=measure.variable,
        dataset=response.dataset,
        licence=response.licence,
        page_url=response.page_url,
        rows=Rows(
            n=tuple([cell.index for cell in cells]),
            entity=tuple([one.name for one in entities]),
            entity_code=tuple([one.code for one in entities]),
            value=tuple([_shared_content(one) for one in observations]),
            period=None if one_period else periods,
            request=asked if any(asked) else None,
            note=notes if any(notes) else None,
        ),
    )


def with_totals(view: View, computations: Sequence[Computation]) -> list[Computation]:
    """The computations, each after the totals and conversions that it was made from."""
    served = list(view.material.everything())
    totals = {total.id: total for one in served for total in one.added_up}
    totals |= {one.converted.id: one.converted for one in served if one.converted is not None}
    found: dict[str, Computation] = {}
    for made in computations:
        for cited in made.inputs:
            if cited in totals:
                found.setdefault(cited, totals[ComputationId(cited)])
        found.setdefault(made.id, made)
    return list(found.values())


def resting(computations: Sequence[Computation], carried: Carried) -> list[Computation]:
    """The computations whose every input the answer carries, be it a receipt or an earlier computation.

    One that takes all rows of a shared receipt names that receipt instead of each.
    """
    known = set(carried.ids)
    # Several computations are often of the same thousands of figures.
    shorter: dict[tuple[str, ...], tuple[str, ...]] = {}
    kept = []
    for made in computations:
        inputs = made.inputs
        if not known.issuperset(inputs):
            continue
        if len(inputs) > MOST_SINGLE:
            inputs = shorter.get(inputs) or shorter.setdefault(inputs, _naming_whole(inputs, carried.rows))
        kept.append(made if inputs is made.inputs else made.model_copy(update={"inputs": inputs}))
        known.add(made.id)
    return kept


def charted(charts: Iterable[Chart], carried: Carried) -> list[Chart]:
    """The charts, each of which names a shared receipt instead of all of its rows."""
    return [
        chart.model_copy(update={"evidence": _naming_whole(chart.evidence, carried.rows)})
        if len(chart.evidence) > MOST_SINGLE
        else chart
        for chart in charts
    ]


def _naming_whole(inputs: tuple[str, ...], rows: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    given = set(inputs)
    whole = {row: shared for shared, ids in rows.items() if given.issuperset(ids) for row in ids}
    return tuple(dict.fromkeys(whole.get(cited, cited) for cited in inputs)) if whole else inputs


def _used(view: View, draft: Draft) -> set[str]:
    used = {cited for claim in draft.claims for cited in claim.evidence}
    used |= {cited for computation in draft.computations for cited in computation.inputs}
    for combined in view.combined:
        # An alternative shows its leading figure, so that figure is carried too.
        rows = combined.rows if combined is view.leading else combined.rows[:1]
        used.update(cell.receipt for cell in view.cells_of(rows))
    return used


def _content(observation: Observation) -> Decimal | bool | str:
    if observation.value is not None:
        return observation.value
    return observation.flag if observation.flag is not None else str(observation.text)


def _shared_content(observation: Observation) -> bool | str:
    if observation.value is not None:
        return plain_digits(observation.value)
    return observation.flag if observation.flag is not None else str(observation.text)


def receipt(cell: Cell) -> Receipt:
    """The receipt of one executed observation."""
    measure, response = cell.measure, cell.response
    place = _place_of_request(response.requests)(cell.entity)
    return Receipt(
        id=ReceiptId(cell.receipt),
        source=response.source,
        publisher=response.publisher,
        request=response.requests[place],
        retrieved_at=response.retrieved_at,
        as_of=response.as_of,
        snapshot=response.snapshot,
        value=_content(cell.observation),
        unit=measure.unit.code if cell.numeric else None,
        currency=measure.unit.currency if cell.numeric else None,
        entity=cell.entity.name,
        entity_code=cell.entity.code,
        period=cell.period.text,
        measure=measure.name,
        variable=measure.variable,
        licence=response.licence,
        page_url=response.page_url,
    )


def _place_of_request(requests: Sequence[RequestMade]) -> Callable[[Entity], int]:
    """Which of several requests is whose: one after the first that names the entity, else the first."""
    naming: dict[str, int] = {}
    for place, request in enumerate(requests[1:], start=1):
        for word in _named_in(request.url, request.body or ""):
            naming.setdefault(word, place)

    def place_of(entity: Entity) -> int:
        if not naming:
            return 0
        found = [naming[code.casefold()] for code in entity.keys.values() if code.casefold() in naming]
        return min(found, default=0)

    return place_of


@lru_cache(maxsize=64)
def _named_in(url: str, body: str) -> frozenset[str]:
    """What a request may name entities by: parts of the lists in its address's path, and the texts of its body."""
    listed = (part for segment in urlsplit(url).path.split("/") for part in segment.split(";"))
    return frozenset(word.casefold() for word in (*listed, *_TEXT.findall(body)))


def supported(
    claims: Iterable[Claim], carried: Carried, computations: Sequence[Computation]
) -> tuple[list[Claim], list[Disclosure]]:
    """The claims without citations of what the answer does not carry, and a disclosure for each that lost one."""
    known = carried.ids | {computation.id for computation in computations}
    kept, lost = [], []
    for claim in claims:
        evidence = tuple(cited for cited in claim.evidence if cited in known)
        if evidence != claim.evidence:
            gone = ", ".join(cited for cited in claim.evidence if cited not in known)
            lost.append(
                Disclosure(
                    kind=DisclosureKind.CITATION,
                    text=f"“{claim.text}” cited {gone}, which this answer does not carry; the citation is dropped",
                )
            )
            claim = claim.model_copy(update={"evidence": evidence})  # noqa: PLW2901 - the claim, as it is kept
        kept.append(claim)
    return kept, lost
