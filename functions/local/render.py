"""An answer as text: what was found first, then everything needed to check it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from functions.local.layout import Line, cells, safe, table, wrapped

if TYPE_CHECKING:
    from shared.query.answer import Alternative, Answer, Usage
    from shared.query.evidence import Computation, Receipt

MAX_ROWS = 40
MAX_CLAIMS = 12
MAX_FIGURES = 8
MAX_INPUTS = 6
MAX_COMPUTATIONS = 12
_STAGE_WORDS = {"understand": "reading the question"}


def render(answer: Answer, *, width: int = 80) -> Iterator[Line]:
    """The whole answer in lines of at most ``width`` columns; only addresses may be longer."""
    yield from _text(answer, width)
    labels = _labels(answer)
    sections = (
        ("", _choices(answer, width)),
        ("", _table(answer, width)),
        ("What is claimed", _claims(answer, labels, width)),
        ("Sources", _receipts(answer, labels, width)),
        ("Worked out", _computations(answer, labels, width)),
        ("Other meanings", _alternatives(answer, width)),
        ("Please note", _bullets((d.text for d in answer.disclosures), width)),
        ("What did not work", _bullets(_failures(answer), width)),
        ("Other readings tried", _bullets(_readings(answer), width)),
    )
    for title, lines in sections:
        printed = list(lines)
        if printed:
            yield Line()
            if title:
                yield Line(title, "heading")
            yield from printed
    yield Line()
    yield Line(cost_line(answer.usage), "dim")
    yield Line(f"Run {answer.run_id}: `neuralkg run trace {answer.run_id}` shows each step.", "dim")


def cost_line(usage: Usage) -> str:
    """What the answer took, in one line."""
    calls = sum(model.calls for model in usage.models) or usage.model_calls
    requests = sum(stage.requests for stage in usage.stages)
    parts = [
        f"{usage.seconds:.2f} s",
        f"{calls} judgment{'' if calls == 1 else 's'}",
        f"{usage.model_calls} paid model call{'' if usage.model_calls == 1 else 's'}",
        f"{requests} request{'' if requests == 1 else 's'} to publishers",
        f"${money(usage.usd)}",
    ]
    return "Cost and time: " + ", ".join(parts)


def money(usd: Decimal) -> str:
    """Dollars with at least two decimals and no digit lost."""
    return format(usd if usd.as_tuple().exponent <= -2 else usd.quantize(Decimal("0.01")), "f")  # type: ignore[operator]


def grouped(value: object) -> str:
    """A published figure with its thousands set apart and every digit kept; anything else as text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Decimal):
        return format(value, ",f")
    return safe(str(value))


def _text(answer: Answer, width: int) -> Iterator[Line]:
    for paragraph in answer.text.splitlines() or [""]:
        yield from (Line(text, "answer") for text in wrapped(paragraph, width))
    if answer.refusal is not None:
        if answer.refusal.reason not in answer.text:
            yield from (Line(text) for text in wrapped(answer.refusal.reason, width))
        if answer.refusal.needs and answer.refusal.needs not in answer.text:
            yield from (Line(text) for text in wrapped(f"What it would take: {answer.refusal.needs}", width))


def _choices(answer: Answer, width: int) -> Iterator[Line]:
    if answer.clarification is None:
        return
    if answer.clarification.question not in answer.text:
        yield from (Line(text, "heading") for text in wrapped(answer.clarification.question, width))
    for n, option in enumerate(answer.clarification.options, 1):
        yield from _alternative(option, f"  {n}. ", width)
        if option.assumptions:
            flags = " ".join(f"--assume {safe(key)}={safe(value)}" for key, value in option.assumptions.items())
            yield Line(f"     choose it with {flags}", "dim")


def _alternatives(answer: Answer, width: int) -> Iterator[Line]:
    offered = {option.id for option in answer.clarification.options} if answer.clarification else set()
    for option in answer.alternatives:
        if option.id not in offered:
            yield from _alternative(option, "  - ", width)


def _alternative(option: Alternative, bullet: str, width: int) -> Iterator[Line]:
    value = "" if option.value is None else f": {_measured(grouped(option.value), option.unit)}"
    context = ", ".join(part for part in (option.entity, option.period) if part)
    for text in wrapped(f"{option.label}{value}{f' ({context})' if context else ''}", width, first=bullet):
        yield Line(text)


def _table(answer: Answer, width: int) -> Iterator[Line]:
    if answer.table is None or not answer.table.rows:
        return
    yield from table(answer.table.columns, answer.table.rows[:MAX_ROWS], width)
    left = len(answer.table.rows) - MAX_ROWS
    if left > 0:
        yield Line(f"  and {left:,} more rows; --json prints them all", "dim")


def _claims(answer: Answer, labels: dict[str, str], width: int) -> Iterator[Line]:
    if answer.table is not None and len(answer.claims) > MAX_CLAIMS:
        return
    for claim in answer.claims[:MAX_CLAIMS]:
        cited = " ".join(dict.fromkeys(f"[{labels[e]}]" for e in claim.evidence if e in labels))
        for text in wrapped(f"{claim.text} {cited}", width, first="  - "):
            yield Line(text)
    if len(answer.claims) > MAX_CLAIMS:
        yield Line(f"  and {len(answer.claims) - MAX_CLAIMS:,} more; --json prints them all", "dim")


def _groups(answer: Answer) -> dict[tuple[str, str, str, str], list[Receipt]]:
    """Receipts by what they share: one request for one measure of one source."""
    groups: dict[tuple[str, str, str, str], list[Receipt]] = {}
    for receipt in answer.receipts:
        key = (receipt.source, receipt.variable, receipt.request.url, receipt.request.body or "")
        groups.setdefault(key, []).append(receipt)
    return groups


def _labels(answer: Answer) -> dict[str, str]:
    """The short label under which each receipt and computation is printed."""
    labels = {str(r.id): str(n) for n, group in enumerate(_groups(answer).values(), 1) for r in group}
    return labels | {str(c.id): f"c{n}" for n, c in enumerate(answer.computations, 1)}


def _receipts(answer: Answer, labels: dict[str, str], width: int) -> Iterator[Line]:
    for group in _groups(answer).values():
        head = group[0]
        label = f"  [{labels[head.id]}] "
        indent = " " * cells(label)
        for text in wrapped(f"{head.publisher}: {head.measure} ({head.variable})", width, first=label):
            yield Line(text)
        yield from (Line(text) for text in _figures(group, indent, width))
        method = "" if head.request.method == "GET" else f"{head.request.method} "
        yield Line(f"{indent}request  {method}{safe(head.request.url)}", "dim")
        if head.request.body:
            yield Line(f"{indent}body     {safe(head.request.body)}", "dim")
        if head.page_url:
            yield Line(f"{indent}page     {safe(head.page_url)}", "dim")
        for text in wrapped(_standing(head), width, first=indent):
            yield Line(text, "dim")


def _figures(group: Sequence[Receipt], indent: str, width: int) -> Iterator[str]:
    for r in group[:MAX_FIGURES]:
        figure = _measured(grouped(r.value), r.currency or r.unit)
        yield from wrapped(f"{r.entity}, {r.period}: {figure}", width, first=indent, rest=indent + "  ")
    if len(group) > MAX_FIGURES:
        yield f"{indent}and {len(group) - MAX_FIGURES:,} more figures; --json prints them all"


def _standing(receipt: Receipt) -> str:
    """How the figure was come by, and on what terms."""
    as_of = f", the publisher's figures of {receipt.as_of}" if receipt.as_of else ""
    if receipt.snapshot:
        return f"from recorded figures, not asked live{as_of}; licence: {receipt.licence}"
    return f"asked live on {receipt.retrieved_at:%Y-%m-%d %H:%M} UTC{as_of}; licence: {receipt.licence}"


def _computations(answer: Answer, labels: dict[str, str], width: int) -> Iterator[Line]:
    for c in answer.computations[:MAX_COMPUTATIONS]:
        result = _measured(grouped(c.value), c.unit)
        text = f"{c.operation.value.replace('_', ' ')} = {result}: {c.formula}{_from(c, labels)}"
        for line in wrapped(text, width, first=f"  [{labels[c.id]}] "):
            yield Line(line)
    left = len(answer.computations) - MAX_COMPUTATIONS
    if left > 0:
        yield Line(f"  and {left:,} more; --json prints them all", "dim")


def _from(computation: Computation, labels: dict[str, str]) -> str:
    cited = list(dict.fromkeys(f"[{labels[i]}]" for i in computation.inputs if i in labels))
    more = f" and {len(cited) - MAX_INPUTS} more" if len(cited) > MAX_INPUTS else ""
    return f" (from {' '.join(cited[:MAX_INPUTS])}{more})" if cited else ""


def _failures(answer: Answer) -> Iterator[str]:
    for f in answer.failures:
        where = _STAGE_WORDS.get(f.stage, f.stage.replace("_", " "))
        yield f"{where}{f' ({f.source})' if f.source else ''}: {f.reason}"


def _readings(answer: Answer) -> Iterator[str]:
    if len(answer.readings_tried) > 1:
        for tried in answer.readings_tried:
            why = f": {tried.why}" if tried.why else ""
            yield f"as {tried.reading.type.replace('_', ' ')} ({tried.status.value.replace('_', ' ')}){why}"


def _bullets(texts: Iterator[str], width: int) -> Iterator[Line]:
    for text in dict.fromkeys(texts):
        for line in wrapped(text, width, first="  - "):
            yield Line(line)


def _measured(value: str, unit: str | None) -> str:
    if not unit:
        return value
    return f"{value}%" if unit == "%" else f"{value} {safe(unit)}"
