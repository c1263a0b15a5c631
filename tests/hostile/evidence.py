"""Whether every number of an answer was returned by a publisher, or follows from such numbers.

Nothing of this asks the program how it came to a number. What publishers returned is read off the bytes that they
sent; what was computed is computed anew from the figures cited, in fractions; and each number in a text is one of
these, a rounding of one to the digits shown, a number of the question, or a count or a date of the answer itself.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import isqrt
from statistics import median
from typing import Any

from shared.query.annotated import Annotation, Combined, Discovered, Executed
from shared.query.answer import Answer
from shared.query.evidence import Computation, Operation, receipt_id, shared_id
from shared.runtime.deadline import Deadline
from shared.runtime.http import HttpRequest, HttpResponse
from shared.runtime.ports import Transport
from shared.text.figures import Figure, find_figures
from shared.text.numbers import find_numbers

_TOKEN = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_COUNTS = 400
"""Integers up to this may count members, rows, requests or ranks where an answer has fewer figures."""
_YEARS = range(1800, 2101)
_OWN = re.compile(
    r"\b[a-z_]+\.v\d+\b|\bHTTP \d{3}\b|\b\d+(?:\.\d+)? s\b|\bm\d\b|\$\d+\.\d+ of \$\d+\.\d+|\bUTF-8\b"
    r"|a year is not from \d+ to \d+|a count is not from \d+ to \d+|(?:has|are) \d+ \w+(?: listed)? and at most \d+"
    r"|\b127\.0\.0\.1:\d+|more than \d+ KB|model budget of \$1\.00|\bare those of [^()]*\(\d{4}(?:-\d\d-\d\d)?\)",
    re.IGNORECASE,
)
"""What the program says of itself: a task's version, a status, seconds, a model, the budget, a list's date."""
_RELATIVE = Decimal("1e-10")


Cells = dict[tuple[int, str], dict[str, Decimal]]
"""What a reading may cite, and its figures by the codes of whom they are about: one, or those that many share."""


class Witness:
    """A transport that remembers every number that publishers sent in their answers."""

    def __init__(self, inner: Transport) -> None:
        self._inner = inner
        self._known: dict[str, frozenset[Decimal]] = {}
        self._seen: list[str] = []

    async def send(self, request: HttpRequest, *, deadline: Deadline) -> HttpResponse:
        """Carry the request, and keep what came back."""
        response = await self._inner.send(request, deadline=deadline)
        name = hashlib.sha256(response.body).hexdigest()
        if name not in self._known:
            self._known[name] = frozenset(Decimal(token.decode()) for token in _TOKEN.findall(response.body))
        self._seen.append(name)
        return response

    def returned(self) -> Witnessed:
        """What was sent so far in this run."""
        return Witnessed([self._known[name] for name in dict.fromkeys(self._seen)])

    def forget(self) -> None:
        """A new run begins."""
        self._seen.clear()


@dataclass(frozen=True)
class Witnessed:
    """The numbers of the answers of one run."""

    parts: Sequence[frozenset[Decimal]]

    def __contains__(self, value: Decimal) -> bool:
        return any(value in part for part in self.parts)


@dataclass
class Facts:
    """What a run may say: the values of its evidence and the names that hold digits."""

    sent: Witnessed
    values: set[Decimal] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    years: set[int] = field(default_factory=set)
    cells: int = 0
    faults: list[str] = field(default_factory=list)

    @cached_property
    def spoken(self) -> frozenset[str]:
        """The names that hold digits and words, in lower case."""
        return frozenset(
            name.casefold()
            for name in self.names
            if any(letter.isdigit() for letter in name) and sum(letter.isalpha() for letter in name) > 1
        )


def violations(answer: Answer, annotations: Iterable[Annotation], returned: Witnessed) -> list[str]:
    """Each number of ``answer`` that has no ground, in words; empty when every one has."""
    facts = _facts(answer, list(annotations), returned)
    found = list(facts.faults)
    found += _receipts(answer, returned)
    found += _claims(answer, facts)
    asked = _asked(answer)
    said = _of_the_reading(answer)
    for place, text in _texts(answer):
        for figure in _unexplained(text, facts, asked, said, answer):
            found.append(f"{place} says {figure.text}, which nothing returned gives: {text[:200]!r}")
    for place, value in _drawn(answer):
        if not any(_close(value, known) for known in facts.values):
            found.append(f"{place} draws {value}, which nothing returned gives")
    return found


# What the evidence is ----------------------------------------------------------------------------------


def _facts(answer: Answer, annotations: Sequence[Annotation], returned: Witnessed) -> Facts:
    facts = Facts(sent=returned)
    cells: Cells = {}
    for one in annotations:
        payload = one.payload
        if isinstance(payload, Discovered):
            for document in payload.documents:
                facts.names |= {document.title, document.description, *document.terms.values()}
                facts.years |= {year for text in document.terms.values() for year in _years(text)}
        elif isinstance(payload, Executed):
            _executed(one, payload, facts, cells, returned)
    asked = _asked(answer)
    made: dict[tuple[int, str], Computation] = {}
    for one in annotations:
        if isinstance(one.payload, Combined):
            made |= {(one.reading, made_one.id): made_one for made_one in one.payload.computations}
    for (reading, name), computation in made.items():
        inputs = _inputs(reading, computation, cells, made)
        fault = _computed_wrongly(computation, inputs, asked)
        if fault:
            facts.faults.append(f"the computation {name} is not what its inputs give: {fault}")
        elif isinstance(computation.value, Decimal):
            facts.values.add(computation.value)
    for receipt in answer.figures():
        facts.names |= {receipt.measure, receipt.entity, receipt.publisher, receipt.licence, receipt.variable}
        if isinstance(receipt.value, Decimal):
            facts.values.add(receipt.value)
        elif isinstance(receipt.value, str):
            facts.names.add(receipt.value)
        facts.years |= _years(receipt.period)
    return facts


def _executed(
    one: Annotation,
    executed: Executed,
    facts: Facts,
    cells: Cells,
    returned: Witnessed,
) -> None:
    facts.names |= {executed.measure.name, executed.measure.definition, executed.measure.unit.label}
    facts.names |= {executed.measure.meaning or "", executed.whole or "", *executed.categories}
    facts.names |= {f"per {executed.measure.unit.per}", executed.measure.unit.code}
    facts.names |= {part.name for part in executed.parts}
    facts.names |= {disclosure.text for disclosure in executed.disclosures}
    if executed.response.as_of:
        facts.years.add(executed.response.as_of.year)
    told = [(str(at), cell) for at, cell in enumerate(executed.observations)]
    told += [("total", executed.total)] if executed.total else []
    if executed.rate is not None:
        _executed(one, executed.rate, facts, {}, returned)
        told += [("rate", cell) for cell in executed.rate.observations[:1]]
    facts.cells += len(told) + len(executed.incomplete)
    facts.years |= {year for name in executed.incomplete for year in _years(name)}
    for at, cell in told:
        facts.years |= _years(cell.period.text)
        facts.names |= {cell.entity.name, cell.text or "", cell.note or "", cell.missing or ""}
        if cell.value is None:
            continue
        facts.values.add(cell.value)
        slot, code = one.slot or "", cell.entity.code
        cells[one.reading, receipt_id(slot, executed.meaning, at)] = {code: cell.value}
        cells.setdefault((one.reading, shared_id(slot, executed.meaning)), {})[code] = cell.value
        if not _sent(cell.value, returned):
            facts.faults.append(f"{cell.value} for {cell.entity.name} {cell.period.text} was sent by no publisher")


def _inputs(
    reading: int, computation: Computation, cells: Cells, made: Mapping[tuple[int, str], Computation]
) -> list[Decimal | bool | None]:
    """The figures that a computation cites; of two that many share, those of the same members side by side."""
    cited = [cells.get((reading, name)) for name in computation.inputs]
    paired = computation.operation in {Operation.PEARSON, Operation.SPEARMAN}
    if paired and len(cited) == 2 and cited[0] is not None and cited[1] is not None:
        return [both for code, value in cited[0].items() if code in cited[1] for both in (value, cited[1][code])]
    found: list[Decimal | bool | None] = []
    for name, figures in zip(computation.inputs, cited, strict=True):
        other = made.get((reading, name))
        if figures is not None:
            found += figures.values()
        else:
            found.append(None if other is None else other.value)
    return found


def _sent(value: Decimal, returned: Witnessed) -> bool:
    """Whether a publisher sent it, as it is or in thousands, millions or per hundred of its own unit."""
    return any(value.scaleb(-power) in returned for power in (0, 3, 6, 9, 2))


def _asked(answer: Answer) -> list[Decimal]:
    """The numbers of the question, and zero, from which a decline is told."""
    found = [number.value for number in find_numbers(answer.question)]
    found += [figure.value for figure in find_figures(answer.question)]
    # A scale may be misspelt ("200 milion"), and is a power of a thousand then too.
    return [number.scaleb(power) for number in (*found, Decimal(0)) for power in (0, 3, 6, 9, 12)]


def _computed_wrongly(
    made: Computation, inputs: Sequence[Decimal | bool | None], asked: Sequence[Decimal]
) -> str | None:
    """How a computation differs from what its inputs give; ``None`` where it does not.

    A difference of one input is its distance from a bound, which is a number of the question; a ratio of one input
    is a share that was published as such.
    """
    numbers = [Fraction(one) for one in inputs if isinstance(one, Decimal)]
    if len(numbers) != len(inputs):
        return f"{len(inputs) - len(numbers)} of its {len(inputs)} inputs are not among what was returned"
    if isinstance(made.value, bool):
        return None  # says no number
    if made.operation is Operation.DIFFERENCE and len(numbers) == 1:
        bound = numbers[0] - Fraction(made.value)
        return None if any(abs(bound) == abs(Fraction(one)) for one in asked) else f"its bound {bound} is not asked"
    published = made.operation in {Operation.RATIO, Operation.PERCENT_OF} and len(numbers) == 1
    expected = numbers[0] if published else _anew(made.operation, numbers)
    if expected is None:
        return None if made.operation is Operation.COUNT and made.value <= max(len(numbers), _COUNTS) else "unknown"
    if abs(expected - Fraction(made.value)) <= abs(expected) * Fraction(_RELATIVE):
        return None
    return f"{made.operation.value} is {float(expected):.12g}, and it says {made.value}"


def _anew(operation: Operation, numbers: Sequence[Fraction]) -> Fraction | None:
    first, last = (numbers[0], numbers[-1]) if numbers else (Fraction(0), Fraction(0))
    match operation:
        case Operation.DIFFERENCE:
            return first - last
        case Operation.PERCENT_CHANGE:
            return (first - last) / abs(last) * 100
        case Operation.RATIO:
            return first / last
        case Operation.PERCENT_OF:
            return first / last * 100
        case Operation.SUM:
            return sum(numbers, start=Fraction(0))
        case Operation.MEAN:
            return sum(numbers, start=Fraction(0)) / len(numbers)
        case Operation.MEDIAN:
            return median(numbers)
        case Operation.MINIMUM:
            return min(numbers)
        case Operation.MAXIMUM:
            return max(numbers)
        case Operation.PEARSON:
            return _correlation(numbers[::2], numbers[1::2])
        case Operation.SPEARMAN:
            return _correlation(_ranked(numbers[::2]), _ranked(numbers[1::2]))
        case _:
            return None


def _correlation(x: Sequence[Fraction], y: Sequence[Fraction]) -> Fraction:
    n = len(x)
    together = n * sum(a * b for a, b in zip(x, y, strict=True)) - sum(x) * sum(y)
    spread = (n * sum(a * a for a in x) - sum(x) ** 2) * (n * sum(b * b for b in y) - sum(y) ** 2)
    scale = 10**40
    return Fraction(together) / Fraction(isqrt(int(spread * scale**2)), scale)


def _ranked(values: Sequence[Fraction]) -> list[Fraction]:
    """The place of each value, those that are equal sharing the mean of theirs."""
    places: dict[Fraction, list[int]] = {}
    for place, value in enumerate(sorted(values), start=1):
        places.setdefault(value, []).append(place)
    return [Fraction(sum(places[value]), len(places[value])) for value in values]


# What is held against it -------------------------------------------------------------------------------


def _receipts(answer: Answer, returned: Witnessed) -> Iterator[str]:
    for receipt in answer.figures():
        if isinstance(receipt.value, Decimal) and not _sent(receipt.value, returned):
            yield f"the receipt {receipt.id} has {receipt.value}, which no publisher sent"


def _claims(answer: Answer, facts: Facts) -> Iterator[str]:
    values = {str(one.id): one.value for one in answer.figures()}
    values |= {str(one.id): one.value for one in answer.computations}
    for claim in answer.claims:
        if not isinstance(claim.value, Decimal) or claim.value in {len(claim.evidence), len(answer.claims) - 1}:
            continue  # how many there are, which the answer itself shows
        cited = [values[name] for name in claim.evidence if name in values]
        if claim.value not in cited:
            yield f"the claim {claim.id} has {claim.value}, which none of what it cites is"
        if claim.value not in facts.values:
            yield f"the claim {claim.id} has {claim.value}, which nothing returned gives"
    for option in (*answer.alternatives, *(answer.clarification.options if answer.clarification else ())):
        if isinstance(option.value, Decimal) and option.value not in facts.values:
            yield f"the alternative {option.id} has {option.value}, which nothing returned gives"


def _texts(answer: Answer) -> Iterator[tuple[str, str]]:
    """Everything of an answer that people read, with where it stands."""
    yield "the text", answer.text
    for claim in answer.claims:
        yield "a claim", claim.text
    for disclosure in answer.disclosures:
        yield "a disclosure", disclosure.text
    for failure in answer.failures:
        yield "a failure", failure.reason
    for tried in answer.readings_tried:
        yield "a reading tried", tried.why
    if answer.refusal is not None:
        yield "the refusal", f"{answer.refusal.reason} {answer.refusal.needs or ''}"
    if answer.clarification is not None:
        yield "the question back", answer.clarification.question
    for option in (*answer.alternatives, *(answer.clarification.options if answer.clarification else ())):
        yield "an alternative", option.label
    for chart in answer.charts:
        yield "a chart", f"{chart.title} {chart.description}"
    if answer.table is not None:
        for row in (answer.table.columns, *answer.table.rows):
            for cell in row:
                yield "the table", cell or ""
    for reading in (answer.reading, *(tried.reading for tried in answer.readings_tried)):
        for place, text in _of(reading.model_dump(mode="json") if reading else {}):
            yield f"the reading's {place}", text


def _of(value: Any, place: str = "reading") -> Iterator[tuple[str, str]]:
    """The words of a reading, and its numbers as words; identifiers are the gazetteer's."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in {"keys", "type", "kind", "status", "member"}:
                yield from _of(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from _of(inner, place)
    elif isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        yield place, str(value)


def _of_the_reading(answer: Answer) -> list[Decimal]:
    """Years, and numbers of few digits that name a quantity (``ages 65 and above``): a reader may say these."""
    return [
        figure.value
        for place, text in _texts(answer)
        if place.startswith("the reading's")
        for figure in find_figures(text)
        if len(figure.value.normalize().as_tuple().digits) <= 2
        or (place.endswith((" start", " end")) and int(figure.value) in _YEARS)
    ]


def _unexplained(
    text: str, facts: Facts, asked: Sequence[Decimal], said: Sequence[Decimal], answer: Answer
) -> Iterator[Figure]:
    rest = text.casefold()
    for name in sorted((name for name in facts.spoken if name in rest), key=len, reverse=True):
        rest = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "_", rest)
    for figure in find_figures(_OWN.sub("_", rest)):
        if not _explained(figure, facts, [*asked, *said], answer):
            yield figure


def _explained(figure: Figure, facts: Facts, others: Sequence[Decimal], answer: Answer) -> bool:
    value = abs(figure.value)
    if any(abs(other) == value for other in others):
        return True
    if value == value.to_integral_value():
        counted = max(_COUNTS, facts.cells)
        if value <= counted or int(value) in facts.years or int(value) == answer.asked_at.year:
            return True
        if int(value) in _YEARS and value in facts.sent:
            return True  # of what a publisher has, which it says itself
        decades = {year // 10 * 10 for other in others if (year := int(other)) in _YEARS}
        if int(value) in _YEARS and any(decade <= int(value) <= decade + 10 for decade in decades):
            return True
    return any(figure.shows(known) for known in facts.values)


def _drawn(answer: Answer) -> Iterator[tuple[str, Decimal]]:
    for chart in answer.charts:
        for row in chart.spec.get("data", {}).get("values", ()):
            for name, value in row.items():
                if isinstance(value, int | float) and not isinstance(value, bool) and name != "rank":
                    yield f"the chart {chart.title!r}", Decimal(repr(value))


def _close(value: Decimal, known: Decimal) -> bool:
    """Whether a drawing's float is the figure."""
    return value == known or float(value) == float(known)


def _years(text: str) -> set[int]:
    return {int(year) for year in re.findall(r"\d{4}", text)}
