"""A slot as one meaning of it was served: its figures in the order executed, each as a cell that can be cited."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from shared.query.annotated import Executed
from shared.query.conversion import in_dollars
from shared.query.evidence import Computation, Measure, Observation, SourceResponse, shared_id
from shared.query.identifiers import SlotId
from shared.query.quantity import Entity, Period
from shared.query.slots import Slot

TOTAL = -1
"""The index of what is said of all, among executed observations: a breakdown's whole, or that there are none."""
RATE = -2
"""The index of the exchange rate that belongs to an amount in local currency."""
_SAID_OF = {TOTAL: "total", RATE: "rate"}


def base_meaning(meaning: str) -> str:
    """The published quantity of a meaning; ``GDP@GEO`` is ``GDP`` of one of several places of a name."""
    return meaning.partition("@")[0]


@dataclass(slots=True)
class Cell:
    """One executed observation and where it stands. Nobody changes one.

    It is not frozen, as thousands are made for one answer and a frozen one takes four times as long to make.
    """

    slot: SlotId
    meaning: str
    index: int
    observation: Observation
    measure: Measure
    response: SourceResponse
    receipt: str
    """What a claim or a computation cites: the id of the observation's receipt, or of what computed it."""
    added_up: Computation | None = None
    """The sum that the observation is, where it was not published but made of a group's members."""
    converted: Computation | None = None
    """The conversion that the observation is, where it was published in local currency."""

    @property
    def made(self) -> Computation | None:
        """What the observation was computed by, where it is not as it was published."""
        return self.added_up or self.converted

    @property
    def value(self) -> Decimal:
        """The number; a cell without one has no place in arithmetic."""
        if self.observation.value is None:
            raise ValueError(f"{self.receipt} holds no number")
        return self.observation.value

    @property
    def numeric(self) -> bool:
        """Whether the cell holds a number."""
        return self.observation.value is not None

    @property
    def entity(self) -> Entity:
        """Whom the cell is about."""
        return self.observation.entity

    @property
    def period(self) -> Period:
        """Which span the cell is about."""
        return self.observation.period


@dataclass(frozen=True)
class Served:
    """A slot as one meaning of it was served. Its cells are made once, for whoever asks first."""

    slot: Slot
    executed: Executed
    members: Executed | None = None
    """Where ``executed`` holds the totals of a group: the figures of its members, as they were returned."""
    added_up: tuple[Computation, ...] = ()
    """The sum behind each observation of ``executed``, where they are totals."""
    amount: Executed | None = None
    """Where ``executed`` holds a converted amount: what was published, in local currency, with its rate."""
    converted: Computation | None = None
    only: tuple[Entity, ...] | None = None
    """Whom a filter leaves of the members; observations of others stay where they are and are not told."""

    @classmethod
    def total(cls, slot: Slot, members: Executed, added_up: tuple[Computation, ...]) -> Served:
        """A slot filled by the sums of its group's members, one for each of their periods, oldest first.

        Raises ``ValueError`` for what are no such sums.
        """
        reported = [cell.period for cell in members.observations if cell.value is not None]
        periods = sorted(dict.fromkeys(reported), key=lambda period: period.text)
        if members.sum_of is None or not periods or len(periods) != len(added_up):
            raise ValueError(f"{', '.join(one.id for one in added_up)}: no totals of a group's members")
        cells = tuple(
            Observation(entity=members.sum_of, period=period, value=made.value)
            for period, made in zip(periods, added_up, strict=True)
        )
        executed = members.model_copy(update={"observations": cells, "incomplete": ()})
        return cls(slot, executed, members, added_up)

    @classmethod
    def in_dollars(cls, slot: Slot, amount: Executed, converted: Computation) -> Served:
        """A slot filled by its amount as it was converted; raises ``ValueError`` for what is no conversion."""
        reported = [cell for cell in amount.observations if cell.value is not None]
        if isinstance(converted.value, bool) or len(reported) != 1:
            raise ValueError(f"{converted.id} is no conversion of one amount")
        cell = reported[0].model_copy(update={"value": converted.value})
        executed = amount.model_copy(update={"observations": (cell,), "measure": in_dollars(amount.measure)})
        return cls(slot, executed, amount=amount, converted=converted)

    @property
    def meaning(self) -> str:
        """The meaning's id."""
        return self.executed.meaning

    @property
    def key(self) -> tuple[str, str]:
        """Source and published variable: what figures are paired by, never their wording."""
        return self.executed.measure.source, self.executed.measure.variable

    def cell(self, index: int) -> Cell:
        """The observation at ``index``; ``TOTAL`` is a breakdown's whole, or the statement that there is nobody."""
        made = self._cells.get(index)
        if made is None:
            made = self._cells[index] = self._cell(index)
        return made

    @cached_property
    def _cells(self) -> dict[int, Cell]:
        return {}

    def _cell(self, index: int) -> Cell:
        executed = self.executed
        whole = executed.total or executed.empty
        observation = whole if index == TOTAL else executed.observations[index]
        if observation is None:
            raise LookupError(f"{self.slot.id} has no total")
        own = index != TOTAL and index < len(executed.parts)
        response, pages = executed.response, executed.part_pages
        if index != TOTAL and index < len(pages):
            response = response.model_copy(update={"page_url": pages[index]})
        measure = executed.parts[index] if own else executed.measure
        total = self.added_up[index] if self.added_up else None
        made = total or self.converted
        cited = self._receipt(index) if made is None else made.id
        return Cell(
            self.slot.id,
            executed.meaning,
            index,
            observation,
            measure,
            response,
            cited,
            total,
            self.converted,
        )

    @cached_property
    def _receipts(self) -> str:
        return shared_id(self.slot.id, self.executed.meaning)

    def _receipt(self, index: int) -> str:
        return f"{self._receipts}:{_SAID_OF.get(index, index)}"

    def rate(self) -> Cell | None:
        """The official exchange rate of an amount in local currency, where it was asked for and had."""
        rate = (self.amount or self.executed).rate
        if rate is None:
            return None
        cell = rate.observations[0]
        return Cell(self.slot.id, self.meaning, RATE, cell, rate.measure, rate.response, self._receipt(RATE))

    def of_all(self) -> Cell | None:
        """What the source says of all parts or members: their whole, or that there are none."""
        return self.cell(TOTAL) if self.executed.total is not None or self.executed.empty is not None else None

    def published(self) -> list[Cell]:
        """The observations that a publisher made, each with a receipt.

        Of a total those of the members, of a converted amount the amount and its rate.
        """
        if self.members is not None:
            return Served(self.slot, self.members).reported()
        if self.amount is not None:
            rate = self.rate()
            return [*Served(self.slot, self.amount).reported(), *([rate] if rate is not None else [])]
        return self.reported()

    def lacking(self) -> list[str]:
        """The members that a total lacks, by name."""
        return Served(self.slot, self.members).unreported() if self.members is not None else []

    def reported(self) -> list[Cell]:
        """The observations that hold something, in the order executed."""
        return list(self._reported)

    @cached_property
    def _reported(self) -> tuple[Cell, ...]:
        everyone = self.only is None
        return tuple(
            [
                self.cell(index)
                for index, observation in enumerate(self.executed.observations)
                if observation.missing is None and (everyone or self._counts(observation))
            ]
        )

    @cached_property
    def _left(self) -> frozenset[str]:
        return frozenset(entity.code for entity in self.only or ())

    def unreported(self) -> list[str]:
        """Whatever was asked for and not reported: members or periods, by name, in the order executed."""
        absent = [
            observation.entity.name
            for observation in self.executed.observations
            if observation.missing is not None and self._counts(observation)
        ]
        left = None if self.only is None else {entity.name for entity in self.only}
        named = [name for name in self.executed.incomplete if left is None or name in left]
        return list(dict.fromkeys([*absent, *named]))

    def _counts(self, observation: Observation) -> bool:
        return self.only is None or observation.entity.code in self._left
