"""Receipts for every figure that the answer rests on, and the rule that a claim cites only what is carried."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from urllib.parse import urlsplit

from functions.present.draft import Draft, View
from shared.query.evidence import Claim, Computation, Disclosure, DisclosureKind, Receipt, RequestMade
from shared.query.identifiers import ComputationId
from shared.query.material import Cell
from shared.query.slots import SlotKind


def receipts(view: View, draft: Draft) -> list[Receipt]:
    """A receipt for every executed observation; of a population or a total, for those that the answer uses.

    They are collected from the executions themselves, whatever the presenter made of them.
    """
    used = _used(view, draft)
    found: dict[str, Receipt] = {}
    for served in view.material.everything():
        cells = served.published()
        whole = served.of_all()
        if whole is not None:
            cells.append(whole)
        for cell in cells:
            many = served.slot.kind is SlotKind.POPULATION or served.members is not None
            if not many or cell.receipt in used:
                found.setdefault(cell.receipt, receipt(cell))
    return list(found.values())


def with_totals(view: View, computations: Sequence[Computation]) -> list[Computation]:
    """The computations, each after the totals and conversions that it was made from."""
    computed = [one.added_up or one.converted for one in view.material.everything()]
    totals = {one.id: one for one in computed if one is not None}
    found: dict[str, Computation] = {}
    for made in computations:
        for cited in made.inputs:
            if cited in totals:
                found.setdefault(cited, totals[ComputationId(cited)])
        found.setdefault(made.id, made)
    return list(found.values())


def resting(computations: Sequence[Computation], receipts: Sequence[Receipt]) -> list[Computation]:
    """The computations whose every input the answer carries, be it a receipt or an earlier computation."""
    known: set[str] = {receipt.id for receipt in receipts}
    kept = []
    for made in computations:
        if known.issuperset(made.inputs):
            kept.append(made)
            known.add(made.id)
    return kept


def _used(view: View, draft: Draft) -> set[str]:
    used = {cited for claim in draft.claims for cited in claim.evidence}
    used |= {cited for computation in draft.computations for cited in computation.inputs}
    for combined in view.combined:
        # An alternative shows its leading figure, so that figure is carried too.
        rows = combined.rows if combined is view.leading else combined.rows[:1]
        used |= {view.cell(row).receipt for row in rows}
    return used


def receipt(cell: Cell) -> Receipt:
    """The receipt of one executed observation."""
    observation, measure, response = cell.observation, cell.measure, cell.response
    if observation.value is not None:
        value: object = observation.value
    else:
        value = observation.flag if observation.flag is not None else observation.text
    return Receipt.model_validate(
        {
            "id": cell.receipt,
            "source": response.source,
            "publisher": response.publisher,
            "request": _request_for(cell, response.requests),
            "retrieved_at": response.retrieved_at,
            "as_of": response.as_of,
            "snapshot": response.snapshot,
            "value": value,
            "unit": measure.unit.code if observation.value is not None else None,
            "currency": measure.unit.currency if observation.value is not None else None,
            "entity": cell.entity.name,
            "entity_code": cell.entity.code,
            "period": cell.period.text,
            "measure": measure.name,
            "variable": measure.variable,
            "licence": response.licence,
            "page_url": response.page_url,
        }
    )


def _request_for(cell: Cell, requests: Sequence[RequestMade]) -> RequestMade:
    """Of several requests, the one that names the cell's entity in its address, else the first."""
    codes = {code.casefold() for code in cell.entity.keys.values()}
    for request in requests[1:] and requests:
        if codes & _segments(request.url):
            return request
    return requests[0]


@lru_cache(maxsize=64)
def _segments(url: str) -> frozenset[str]:
    """The parts of an address's path, each list in it taken apart."""
    return frozenset(part.casefold() for segment in urlsplit(url).path.split("/") for part in segment.split(";"))


def supported(
    claims: Iterable[Claim], carried: Sequence[Receipt], computations: Sequence[Computation]
) -> tuple[list[Claim], list[Disclosure]]:
    """The claims without citations of what the answer does not carry, and a disclosure for each that lost one."""
    known = {receipt.id for receipt in carried} | {computation.id for computation in computations}
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
