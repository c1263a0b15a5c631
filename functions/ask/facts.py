"""What an answer's receipts and computations say, put in words and grouped for reading; no layout."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from shared.query.answer import Alternative, Answer, Usage
    from shared.query.evidence import Computation, Receipt
    from shared.query.shared_receipts import SharedReceipt

MAX_INPUTS = 6
_PLAIN = re.compile(r"^-?(0|[1-9]\d*)(\.\d+)?$")
_LONG = re.compile(r"^-?([1-9]\d{4,}|\d+\.\d+)$")
_CODE = re.compile(r"^0\d")
_NAMES = {"rank", "period", "year", "code", "id"}
"""Headings of columns whose digits are no amounts."""
_STAGE_WORDS = {"understand": "reading the question"}


def figure_columns(heads: Sequence[str], rows: Sequence[Sequence[str | None]]) -> set[int]:
    """The columns of a table that hold figures; years, ranks, ids and codes do not count."""
    return {
        i
        for i, head in enumerate(heads)
        if head.casefold() not in _NAMES
        and any(_LONG.match(row[i] or "") for row in rows)
        and not any(_CODE.match(row[i] or "") for row in rows)
    }


def thousands(cell: str) -> str:
    """A figure's digits with their thousands set apart; anything else as it is."""
    whole, point, fraction = cell.partition(".")
    return f"{int(whole):,}{point}{fraction}" if _PLAIN.match(cell) and whole != "-0" else cell


class Figures(Sequence["Receipt"]):
    """Some rows of a shared receipt, each a receipt once it is looked at: of thousands, few are shown."""

    def __init__(self, shared: SharedReceipt, places: Sequence[int]) -> None:
        self._shared, self._places = shared, places

    @overload
    def __getitem__(self, index: int) -> Receipt: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Receipt]: ...

    def __getitem__(self, index: int | slice) -> Receipt | Sequence[Receipt]:
        if isinstance(index, slice):
            return Figures(self._shared, self._places[index])
        return self._shared.receipt(self._places[index])

    def __len__(self) -> int:
        return len(self._places)

    @property
    def ids(self) -> list[str]:
        """What each is cited as."""
        return [self._shared.row_id(place) for place in self._places]


def receipt_groups(answer: Answer) -> list[Sequence[Receipt]]:
    """Receipts by what they share, one request for one measure of one source, in the order they are cited in."""
    groups: dict[tuple[str, str, str, str], list[Receipt]] = {}
    cited_in_order = dict.fromkeys(e for claim in answer.claims for e in claim.evidence)
    rank = {cited: n for n, cited in enumerate(cited_in_order)}
    for receipt in sorted(answer.receipts, key=lambda receipt: rank.get(receipt.id, len(rank))):
        key = (receipt.source, receipt.variable, receipt.request.url, receipt.request.body or "")
        groups.setdefault(key, []).append(receipt)
    shared = (group for one in answer.shared_receipts for group in _by_request(one, cited_in_order))
    return [*groups.values(), *shared]


def _by_request(shared: SharedReceipt, cited_in_order: Iterable[str]) -> list[Figures]:
    """The rows that came by each request, those first that claims cite."""
    first = [place for cited in cited_in_order if (place := shared.place(cited)) is not None]
    rows = dict.fromkeys([*first, *range(shared.count)])
    if shared.rows.request is None:
        return [Figures(shared, list(rows))]
    groups: dict[int, list[int]] = {}
    for place in rows:
        groups.setdefault(shared.rows.request[place], []).append(place)
    return [Figures(shared, places) for places in groups.values()]


def labels(answer: Answer) -> dict[str, str]:
    """The short label under which each receipt (``1``, ``2``) and computation (``c1``) is shown, by id.

    A shared receipt is shown where its first rows are.
    """
    found: dict[str, str] = {}
    for n, group in enumerate(receipt_groups(answer), 1):
        ids = group.ids if isinstance(group, Figures) else [receipt.id for receipt in group]
        found |= dict.fromkeys(ids, str(n))
    for shared in answer.shared_receipts:
        found[shared.id] = found[shared.row_id(0)]
    return found | {str(c.id): f"c{n}" for n, c in enumerate(answer.computations, 1)}


def cited(evidence: tuple[str, ...], known: dict[str, str]) -> list[str]:
    """The labels of some evidence, each once, in its order."""
    return list(dict.fromkeys(known[e] for e in evidence if e in known))


def figure(value: object, unit: str | None = None) -> str:
    """A figure with its thousands set apart, every digit kept, and its unit; anything else as text."""
    if isinstance(value, bool):
        text = "yes" if value else "no"
    else:
        text = format(value, ",f") if isinstance(value, Decimal) else str(value)
    if not unit:
        return text
    return f"{text}%" if unit == "%" else f"{text} {unit}"


def receipt_figures(group: Sequence[Receipt], most: int) -> list[str]:
    """The first figures of a group with place and period: ``India, 2023: 3,567,551,674,623.01 USD``.

    Of a shared receipt with the code of each place too, by which its row is found in the publisher's reply.
    """
    coded = isinstance(group, Figures)
    return [
        f"{receipt.entity}{f' ({receipt.entity_code})' if coded else ''}, {receipt.period}: "
        f"{figure(receipt.value, receipt.currency or receipt.unit)}"
        for receipt in group[:most]
    ]


def standing(receipt: Receipt) -> str:
    """How the figure was come by, and on what terms."""
    as_of = f", the publisher's figures of {receipt.as_of}" if receipt.as_of else ""
    if receipt.snapshot:
        return f"from recorded figures, not asked live{as_of}; licence: {receipt.licence}"
    return f"asked live on {receipt.retrieved_at:%Y-%m-%d %H:%M} UTC{as_of}; licence: {receipt.licence}"


def computation(made: Computation, known: dict[str, str]) -> str:
    """A computation's result, formula and what it was made from."""
    inputs = [f"[{label}]" for label in cited(made.inputs, known)]
    more = f" and {len(inputs) - MAX_INPUTS} more" if len(inputs) > MAX_INPUTS else ""
    source = f" (from {' '.join(inputs[:MAX_INPUTS])}{more})" if inputs else ""
    return f"{made.operation.value.replace('_', ' ')} = {figure(made.value, made.unit)}: {made.formula}{source}"


def alternative(option: Alternative) -> str:
    """Another meaning with its value, place and period."""
    value = "" if option.value is None else f": {figure(option.value, option.unit)}"
    context = ", ".join(part for part in (option.entity, option.period) if part)
    return f"{option.label}{value}{f' ({context})' if context else ''}"


def unoffered(answer: Answer) -> list[Alternative]:
    """The alternatives that neither the clarification nor a claim tells already."""
    offered = {option.id for option in answer.clarification.options} if answer.clarification else set()
    claimed = {(claim.value, claim.period) for claim in answer.claims}
    return [
        option
        for option in answer.alternatives
        if option.id not in offered and (option.value, option.period) not in claimed
    ]


def published(answer: Answer) -> list[tuple[str, str]]:
    """Title and address of each page on which a publisher draws the answer's figures itself."""
    pages = {one.component.page_url: one.title for one in reversed(answer.charts) if one.component is not None}
    return [(title, page) for page, title in reversed(pages.items())]


def disclosures(answer: Answer) -> list[str]:
    """What a careful reader must know, each once."""
    return list(dict.fromkeys(disclosure.text for disclosure in answer.disclosures))


def failures(answer: Answer) -> list[str]:
    """What did not work, where and why, each once; what the text says already is left out."""
    told = (
        f"{_STAGE_WORDS.get(f.stage, f.stage.replace('_', ' '))}{f' ({f.source})' if f.source else ''}: {f.reason}"
        for f in answer.failures
        if f.reason not in answer.text
    )
    return list(dict.fromkeys(told))


def readings(answer: Answer) -> Iterator[str]:
    """The readings that were worked on, when there was more than one."""
    if len(answer.readings_tried) > 1:
        for tried in answer.readings_tried:
            why = f": {tried.why}" if tried.why else ""
            yield f"as {tried.reading.type.replace('_', ' ')} ({tried.status.value.replace('_', ' ')}){why}"


def cost(usage: Usage) -> str:
    """What the answer took, in one line."""
    judgments = sum(model.calls for model in usage.models) or usage.model_calls
    requests = sum(stage.requests for stage in usage.stages)
    parts = [
        f"{usage.seconds:.2f} s",
        f"{judgments} judgment{'' if judgments == 1 else 's'} ({usage.model_calls} paid)",
        f"{requests} request{'' if requests == 1 else 's'} to publishers",
        f"${money(usage.usd)}",
    ]
    return ", ".join(parts)


def money(usd: Decimal) -> str:
    """Dollars with at least two decimals and no digit lost."""
    exponent = usd.as_tuple().exponent
    return format(usd.quantize(Decimal("0.01")) if isinstance(exponent, int) and exponent > -2 else usd, "f")
