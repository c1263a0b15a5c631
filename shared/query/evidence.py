"""Evidence: what publishers returned, what was computed from it, and what is claimed on that ground."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field, StrictBool

from shared.query.identifiers import ClaimId, ComputationId, ReceiptId
from shared.query.quantity import Entity, Exact, Frozen, Period, Printed, Unit


class RequestMade(Frozen):
    """The exact request a publisher was sent, without credentials."""

    method: str = "GET"
    url: str
    body: str | None = None


class SourceResponse(Frozen):
    """Where a set of observations came from: one publisher's answer to one or more requests.

    ``as_of`` is the publisher's own date of the figures (a last-updated date or a vintage), ``snapshot``
    tells that recorded figures answered instead of the live API. Where a source has a quantity from several
    datasets, ``dataset`` is the one that answered, ``datasets`` are all that could have, and ``basis`` is what
    kind of figure it is ("mean of five years"); figures of different bases are not like for like.
    """

    source: str
    publisher: str
    requests: tuple[RequestMade, ...] = Field(min_length=1)
    retrieved_at: datetime
    as_of: date | None = None
    snapshot: bool = False
    licence: str
    page_url: str | None = None
    dataset: str | None = None
    datasets: tuple[str, ...] = ()
    basis: str = ""


class Observation(Frozen):
    """One cell of a publisher's table.

    ``value`` is a number, ``text`` a non-numeric fact, ``flag`` a yes or no; exactly one is set unless the
    cell is ``missing``, and then none is: ``missing`` says why (``not reported``, ``suppressed``...).
    """

    entity: Entity
    period: Period
    value: Exact | None = None
    text: str | None = None
    flag: bool | None = None
    missing: str | None = None
    note: str | None = None

    @property
    def printed(self) -> str | None:
        """The cell as text, or ``None`` when missing."""
        if self.value is not None:
            return format(self.value, "f")
        if self.flag is not None:
            return "yes" if self.flag else "no"
        return self.text


class Receipt(Frozen):
    """One observation with everything that is needed to check it at its publisher."""

    id: ReceiptId
    source: str
    publisher: str
    request: RequestMade
    retrieved_at: datetime
    as_of: date | None
    snapshot: bool
    value: Printed
    unit: str | None
    currency: str | None
    entity: str
    entity_code: str
    period: str
    measure: str
    variable: str
    licence: str
    page_url: str | None


def receipt_id(slot: str, meaning: str, index: int | str) -> ReceiptId:
    """The id of the receipt for one executed observation; combine cites receipts before they are written."""
    return ReceiptId(f"{shared_id(slot, meaning)}:{index}")


def shared_id(slot: str, meaning: str) -> ReceiptId:
    """The id of the receipt that many figures of one slot and meaning share; ``receipt_id`` is one of its rows."""
    return ReceiptId(f"r:{slot}:{meaning}")


class Operation(StrEnum):
    """What a computation does; the formula is written out beside it."""

    DIFFERENCE = "difference"
    PERCENT_CHANGE = "percent_change"
    RATIO = "ratio"
    PERCENT_OF = "percent_of"
    SUM = "sum"
    MEAN = "mean"
    MEDIAN = "median"
    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    COUNT = "count"
    RANK = "rank"
    PEARSON = "pearson"
    SPEARMAN = "spearman"
    COMPARE = "compare"
    CONVERT = "convert"


class Computation(Frozen):
    """Arithmetic over receipts and other computations, reproducible from ``formula`` and ``inputs``."""

    id: ComputationId
    operation: Operation
    inputs: tuple[str, ...]
    value: Annotated[StrictBool | Exact, Field(union_mode="left_to_right")]
    unit: str | None
    formula: str


class Claim(Frozen):
    """One statement of the answer. ``value`` is absent for a purely verbal claim."""

    id: ClaimId
    text: str
    value: Printed | None
    unit: str | None
    entity: str | None
    entity_code: str | None = None
    period: str | None
    measure: str | None
    evidence: tuple[str, ...]


class DisclosureKind(StrEnum):
    """What a disclosure is about."""

    MEANING = "meaning"
    READING = "reading"
    PERIOD = "period"
    COVERAGE = "coverage"
    MEMBERS = "members"
    CONVERSION = "conversion"
    SNAPSHOT = "snapshot"
    CITATION = "citation"
    PANEL = "panel"
    SOURCE = "source"
    CAVEAT = "caveat"
    SPELLING = "spelling"


class Disclosure(Frozen):
    """Something assumed or left out that a careful reader must know."""

    kind: DisclosureKind
    text: str


class FailureStatus(StrEnum):
    """Kinds of failure, for programs; ``reason`` is for people."""

    NOT_FOUND = "not_found"
    NO_DATA = "no_data"
    NOT_COVERED = "not_covered"
    AMBIGUOUS = "ambiguous"
    UNKNOWN_ENTITY = "unknown_entity"
    NOT_COMPARABLE = "not_comparable"
    INFEASIBLE = "infeasible"
    BLOCKED = "blocked"
    UNREACHABLE = "unreachable"
    MALFORMED = "malformed"
    BUDGET = "budget"
    DEADLINE = "deadline"
    UNREADABLE = "unreadable"
    INTERNAL = "internal"


class Failure(Frozen):
    """Something that did not work, where, and why."""

    stage: str
    source: str | None
    slot: str | None
    status: FailureStatus
    reason: str


class Unanswerable(Frozen):
    """A refusal to serve a slot, as data: returned by plugins instead of a guess."""

    status: FailureStatus
    reason: str
    needs: str | None = None


class Measure(Frozen):
    """A published measure: the variable, its name and unit, and what it must not be mixed with.

    ``additive`` tells whether members may be summed to a group (counts and amounts yes, rates no, ``None``
    unknown). ``meaning`` labels it among several published quantities of one name ("nominal").
    """

    source: str
    variable: str
    name: str
    unit: Unit
    definition: str = ""
    grain: str = "country"
    additive: bool | None = None
    meaning: str | None = None
