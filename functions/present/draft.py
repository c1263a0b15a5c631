"""What a presenter fills in: sentences, claims, a table and charts, on top of the combined results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property

from shared.query.annotated import AskOptions, Combined, ResultRow
from shared.query.answer import Alternative, Chart, Table
from shared.query.evidence import Claim, Computation
from shared.query.identifiers import ClaimId, SlotId
from shared.query.material import Cell, Material, Served
from shared.query.quantity import Entity
from shared.query.readings import PeriodAsked
from shared.text.figures import format_quantity

ONE_MEANING = frozenset(
    {
        "comparison",
        "difference",
        "ratio",
        "ranking",
        "change_ranking",
        "population_value",
        "correlation",
        "filtered_list",
        "aggregate",
        "vague_aspect",
        "breakdown",
        "yes_no",
    }
)
"""Results that are shown for one meaning, unless all meanings are asked for."""


@dataclass(frozen=True)
class View:
    """What a presenter reads: the executed figures and what combine made of them, the leading meaning first."""

    material: Material
    combined: tuple[Combined, ...]
    options: AskOptions

    @property
    def leading(self) -> Combined:
        """The result of the first-ranked meaning."""
        return self.combined[0]

    @property
    def leading_only(self) -> bool:
        """Whether the type shows one meaning whole and the others as alternatives."""
        if not self.combined or self.options.on_ambiguity == "all":
            return False
        # The course of one entity is told in each meaning; of several, side by side, in one.
        side_by_side = self.leading.result == "trend" and len(self.material.slots) > 1
        return side_by_side or self.leading.result in ONE_MEANING

    @cached_property
    def shown(self) -> dict[SlotId, frozenset[str]]:
        """The meanings that the leading result has rows of, by slot."""
        pairs = {(row.slot, row.meaning) for row in self.leading.rows}
        return {slot: frozenset(meaning for one, meaning in pairs if one == slot) for slot, _ in pairs}

    def leading_slot(self, served: Served) -> bool:
        """Whether the leading result is made of this meaning of its slot.

        A slot that the result has no row of (nobody met the condition, or the slot serves another) leads with
        its first meaning.
        """
        rows = self.shown.get(served.slot.id)
        first = self.material.served[served.slot.id][0]
        return served.meaning in rows if rows else served.meaning == first.meaning

    def cell(self, row: ResultRow) -> Cell:
        """The executed observation a row refers to."""
        return self.material.at(row.slot, row.meaning).cell(row.index)

    def asked(self, cell: Cell) -> PeriodAsked:
        """The span that the cell's slot asks for."""
        return self.material.at(cell.slot, cell.meaning).slot.period

    def cells(self, combined: Combined) -> list[Cell]:
        """The executed observations of a result, in its order."""
        return self.cells_of(combined.rows)

    def cells_of(self, rows: Iterable[ResultRow]) -> list[Cell]:
        """The executed observations that rows refer to, in their order."""
        at: dict[tuple[SlotId, str], Served] = {}
        found = []
        for row in rows:
            key = row.slot, row.meaning
            served = at.get(key)
            if served is None:
                served = at[key] = self.material.at(*key)
            found.append(served.cell(row.index))
        return found


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence for people, and a plainer one with exact digits in case the first shows an unclaimed figure."""

    text: str
    plain: str


@dataclass(slots=True)
class Draft:
    """The parts of the answer that depend on its type."""

    sentences: list[Sentence] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    computations: list[Computation] = field(default_factory=list)
    table: Table | None = None
    charts: list[Chart] = field(default_factory=list)
    alternatives: list[Alternative] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    """Names that the text uses and that may hold digits (measures, groups, thresholds)."""
    _claimed: dict[str, Claim] = field(default_factory=dict)

    def say(self, text: str, plain: str | None = None) -> None:
        """Add a sentence; a name's article at its start is capitalised."""
        plain = plain or text
        self.sentences.append(Sentence(text[:1].upper() + text[1:], plain[:1].upper() + plain[1:]))

    def claim(self, cell: Cell, *, part: str | None = None) -> Claim:
        """Claim one figure or fact, ``part`` being what it is of a whole; the same one only once.

        A published one cites its receipt, a total of a group's members the sum, which goes into the answer with it.
        """
        if cell.receipt in self._claimed:
            return self._claimed[cell.receipt]
        if cell.made is not None:
            self.keep(cell.made)
        observation, measure = cell.observation, cell.measure
        value: Decimal | str | bool | None = observation.value
        shown = observation.printed or ""
        unit = None
        if observation.value is not None:
            shown, unit = format_quantity(observation.value, measure.unit), measure.unit.code
        elif observation.flag is not None:
            value = observation.flag
        else:
            value = observation.text
        name = measure.name if part is None else f"{measure.name}: {part}"
        dated = "" if cell.period.text == "undated" else f", {cell.period}"
        self._claimed[cell.receipt] = made = self._add(
            text=f"{name}, {cell.entity.name}{dated}: {shown}",
            value=value,
            unit=unit,
            entity=cell.entity,
            period=None if cell.period.text == "undated" else cell.period.text,
            measure=name,
            evidence=(cell.receipt,),
        )
        return made

    def claim_computed(
        self,
        computation: Computation,
        *,
        text: str,
        measure: str,
        entity: Entity | str | None = None,
        period: str | None = None,
    ) -> Claim:
        """Claim what was computed; the computation goes into the answer with it."""
        self.keep(computation)
        return self._add(
            text=text,
            value=computation.value,
            unit=computation.unit,
            entity=entity,
            period=period,
            measure=measure,
            evidence=(computation.id,),
        )

    def keep(self, *computations: Computation) -> None:
        """Carry computations in the answer."""
        self.computations += [made for made in computations if made not in self.computations]

    def _add(
        self,
        *,
        text: str,
        value: Decimal | str | bool | None,
        unit: str | None,
        entity: Entity | str | None,
        period: str | None,
        measure: str | None,
        evidence: tuple[str, ...],
    ) -> Claim:
        claim = Claim(
            id=ClaimId(f"claim:{len(self.claims) + 1}"),
            text=text,
            value=value,
            unit=unit,
            entity=entity.name if isinstance(entity, Entity) else entity,
            entity_code=entity.code if isinstance(entity, Entity) else None,
            period=period,
            measure=measure,
            evidence=evidence,
        )
        self.claims.append(claim)
        return claim
