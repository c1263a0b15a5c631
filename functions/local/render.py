"""An answer as text: what was found first, then everything needed to check it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from functions.ask import facts
from functions.local.layout import Line, cells, safe, table, wrapped
from shared.query.evidence import FailureStatus

if TYPE_CHECKING:
    from shared.query.answer import Answer
    from shared.query.evidence import Receipt

MAX_ROWS = 40
MAX_CLAIMS = 12
CLAIMS_BESIDE_TABLE = 3
MAX_FIGURES = 8
MAX_COMPUTATIONS = 12


def render(answer: Answer, *, width: int = 80) -> Iterator[Line]:
    """The whole answer in lines of at most ``width`` columns; only addresses may be longer."""
    yield from _text(answer, width)
    labels = facts.labels(answer)
    sections: tuple[tuple[str, Iterable[Line]], ...] = (
        ("", _choices(answer, width)),
        ("", _table(answer, width)),
        ("What is claimed", _claims(answer, labels, width)),
        ("Sources", _receipts(answer, labels, width)),
        ("Worked out", _computations(answer, labels, width)),
        ("Drawn by the publisher", _published(answer, width)),
        ("Other meanings", _bullets(map(facts.alternative, facts.unoffered(answer)), width)),
        ("Please note", _bullets(facts.disclosures(answer), width)),
        ("What did not work", _bullets(facts.failures(answer), width)),
        ("Readings tried", _bullets(facts.readings(answer), width)),
    )
    for title, lines in sections:
        printed = list(lines)
        if printed:
            yield Line()
            if title:
                yield Line(title, "heading")
            yield from printed
    yield Line()
    if any(failure.status is FailureStatus.DEADLINE for failure in answer.failures):
        yield Line("The time was up: `--deadline 120` lets an answer take two minutes.")
    yield from (Line(text, "dim") for text in wrapped(f"Cost and time: {facts.cost(answer.usage)}", width))
    yield Line(f"Run {answer.run_id}: `neuralkg run trace {answer.run_id}` shows each step.", "dim")


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
        yield from (Line(text) for text in wrapped(facts.alternative(option), width, first=f"  {n}. "))
        if option.assumptions:
            flags = " ".join(f"--assume {safe(key)}={safe(value)}" for key, value in option.assumptions.items())
            yield Line(f"     choose it with {flags}", "dim")


def _table(answer: Answer, width: int) -> Iterator[Line]:
    if answer.table is None or not answer.table.rows:
        return
    yield from table(answer.table.columns, answer.table.rows[:MAX_ROWS], width)
    yield from _more(len(answer.table.rows) - MAX_ROWS, "rows")


def _claims(answer: Answer, labels: dict[str, str], width: int) -> Iterator[Line]:
    if answer.table is not None and answer.table.rows and len(answer.claims) > CLAIMS_BESIDE_TABLE:
        return  # the table says the same, shorter
    for claim in answer.claims[:MAX_CLAIMS]:
        cited = " ".join(f"[{label}]" for label in facts.cited(claim.evidence, labels))
        yield from (Line(text) for text in wrapped(f"{claim.text} {cited}", width, first="  - "))
    yield from _more(len(answer.claims) - MAX_CLAIMS, "claims")


def _receipts(answer: Answer, labels: dict[str, str], width: int) -> Iterator[Line]:
    for group in facts.receipt_groups(answer):
        head = group[0]
        label = f"  [{labels[head.id]}] "
        indent = " " * cells(label)
        title = f"{head.publisher}: {head.measure} ({head.variable})"
        yield from (Line(text) for text in wrapped(title, width, first=label))
        yield from _figures(group, indent, width)
        method = "" if head.request.method == "GET" else f"{head.request.method} "
        yield Line(f"{indent}request  {method}{safe(head.request.url)}", "dim")
        if head.request.body:
            yield Line(f"{indent}body     {safe(head.request.body)}", "dim")
        if head.page_url:
            yield Line(f"{indent}page     {safe(head.page_url)}", "dim")
        yield from (Line(text, "dim") for text in wrapped(facts.standing(head), width, first=indent))


def _figures(group: Sequence[Receipt], indent: str, width: int) -> Iterator[Line]:
    for figure in facts.receipt_figures(group, MAX_FIGURES):
        lines = wrapped(figure, width, first=indent, rest=indent + "  ")
        yield from (Line(text) for text in lines)
    yield from _more(len(group) - MAX_FIGURES, "figures", indent)


def _computations(answer: Answer, labels: dict[str, str], width: int) -> Iterator[Line]:
    for made in answer.computations[:MAX_COMPUTATIONS]:
        lines = wrapped(facts.computation(made, labels), width, first=f"  [{labels[made.id]}] ")
        yield from (Line(text) for text in lines)
    yield from _more(len(answer.computations) - MAX_COMPUTATIONS, "computations")


def _published(answer: Answer, width: int) -> Iterator[Line]:
    for title, link in facts.published(answer):
        yield from (Line(text) for text in wrapped(title, width, first="  - "))
        yield Line(f"    page     {safe(link)}", "dim")


def _more(left: int, what: str, indent: str = "  ") -> Iterator[Line]:
    if left > 0:
        yield Line(f"{indent}and {left:,} more {what}; --json prints them all", "dim")


def _bullets(texts: Iterable[str], width: int) -> Iterator[Line]:
    for text in texts:
        yield from (Line(line) for line in wrapped(text, width, first="  - "))
