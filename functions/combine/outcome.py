"""What a combiner hands back, before it is written as annotations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from shared.query.annotated import Combined, ResultRow
from shared.query.evidence import Disclosure, DisclosureKind, FailureStatus
from shared.query.identifiers import ComputationId, SlotId
from shared.query.material import Cell

NAMES_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Refused:
    """A composition that was not made, and why."""

    status: FailureStatus
    reason: str
    slot: SlotId | None = None
    source: str | None = None


@dataclass(slots=True)
class Outcome:
    """Results (one a meaning), refusals and disclosures, each in order."""

    combined: list[Combined] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    notes: list[Disclosure] = field(default_factory=list)

    def refuse(self, status: FailureStatus, reason: str, *, cell: Cell | None = None) -> None:
        """Record that something was not composed."""
        where = (cell.slot, cell.measure.source) if cell else (None, None)
        self.refused.append(Refused(status, reason, *where))

    def note(self, kind: DisclosureKind, text: str) -> None:
        """Record something a reader must know, once."""
        disclosure = Disclosure(kind=kind, text=text)
        if disclosure not in self.notes:
            self.notes.append(disclosure)


def computation_id(meaning: str, what: str) -> ComputationId:
    """The id of a computation of one meaning."""
    return ComputationId(f"c:{meaning}:{what}")


def row(cell: Cell, *, rank: int | None = None, computations: Sequence[ComputationId] = ()) -> ResultRow:
    """The result row that refers to ``cell``."""
    return ResultRow(
        slot=cell.slot, meaning=cell.meaning, index=cell.index, rank=rank, computations=tuple(computations)
    )


def named(names: Sequence[str], *, shown: int = NAMES_SHOWN) -> str:
    """The names in a sentence: all of them when few, else the first ones and how many more there are."""
    if len(names) > shown:
        return f"{', '.join(names[:shown])} and {len(names) - shown} more"
    if len(names) > 1:
        return f"{', '.join(names[:-1])} and {names[-1]}"
    return "".join(names)
