"""Claims as a wording is held against them, and what else it may say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from functions.present.worded_letters import plainly

_RELATING = (
    "change in ", "percent change in ", "difference in ", "percent difference in ", "margin in ", "verdict on ",
    "number of ", "ratio of ", "share of ", "ratio: ",
)  # fmt: skip
_GAPS = ("change in ", "percent change in ", "difference in ", "percent difference in ", "margin in ")
BASED = (*_RELATING, "sum of ", "mean of ", "median of ", "minimum of ", "maximum of ")
_TAIL = re.compile(r": -?[^\s\d]?[\d,.]+(?:%| [a-z]+)? ((?:of|per) \D.*|per [\d,]+ .*)$")
_RELATING_INSIDE = (", ratio to ", ", share of ")


@dataclass(frozen=True, slots=True)
class Told:
    """A claim. ``one`` says that ``entity`` is one entity."""

    id: str
    text: str
    value: Decimal | str | bool | None = None
    unit: str | None = None
    entity: str | None = None
    one: bool = False
    period: str | None = None
    measure: str | None = None

    @property
    def computed(self) -> bool:
        """Whether it is of a relation between figures, and no figure of a place by itself."""
        measure = self.measure or ""
        return measure.startswith(_RELATING) or any(part in measure for part in _RELATING_INSIDE)

    @property
    def relates(self) -> bool:
        """Whether it relates figures to each other, and is of no part of a whole."""
        return self.computed and ": " not in (self.measure or "")

    @property
    def gap(self) -> bool:
        """Whether it is of a difference or a change, whose figure is no figure of a place."""
        return (self.measure or "").startswith(_GAPS)

    @property
    def counts(self) -> bool:
        """Whether it says how many there are: "over 217 countries" is then no bound."""
        return (self.measure or "").startswith("number of ")

    @property
    def tail(self) -> str | None:
        """What its figure is of or per, as its text ends: ``of total labor force``, ``per 1,000 live births``."""
        found = _TAIL.search(plainly(self.text))
        return found[1].casefold() if found and self.number is not None else None

    @property
    def part(self) -> str | None:
        """The quantity, as mentions name it; of a part of a whole, the part."""
        measure = plainly(self.measure or "")
        return measure.rpartition(": ")[2].casefold() or None

    @property
    def base(self) -> str:
        """The quantity that it relates figures of."""
        measure = plainly(self.measure or "")
        return next((measure[len(lead) :] for lead in BASED if measure.startswith(lead)), measure).casefold()

    @property
    def key(self) -> str | None:
        """The entity, as mentions name it."""
        return self.entity.casefold() if self.entity and self.one else None

    @property
    def number(self) -> Decimal | None:
        """The figure that it claims, if it claims one."""
        return self.value if isinstance(self.value, Decimal) else None

    @property
    def years(self) -> frozenset[str]:
        """The years of its period, both ends of a span."""
        return frozenset(re.findall(r"(?<!\d)\d{4}(?!\d)", self.period or ""))

    @property
    def spans(self) -> bool:
        """Whether it is of a span between two periods."""
        return " to " in (self.period or "")


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound that the question sets."""

    comparator: str
    value: Decimal
    upper: Decimal | None
    unit: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that a wording may say; ``plain`` is the program's own wording."""

    type: str
    claims: tuple[Told, ...]
    plain: str = ""
    publishers: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    bounds: tuple[Bound, ...] = ()
    order: str | None = None
