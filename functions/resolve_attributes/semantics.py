"""Measures whose words are not the asker's are judged by their definition; one that is another quantity is left.

The check can reject a measure and never rescues one: only what a source has chosen and bound comes here. A measure
that goes by the asker's very words needs no judgment; where models read, these must stand in the question itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from functions.resolve_attributes.semantics_task import ACCEPT_SEMANTICS, MeasureChosen, SemanticsRequest
from plugins.choice.tasks import Candidate
from plugins.choice.wording import same
from shared.models.tasks import metered
from shared.query.annotated import Bound, Meaning, Selected
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.slots import Slot, SlotKind
from shared.runtime.context import RunContext
from shared.runtime.errors import ModelError

_LINKS = frozenset({"the", "a", "of", "in", "per", "share", "rate", "total"})
KINDS = frozenset({SlotKind.VALUE, SlotKind.SERIES, SlotKind.POPULATION})
"""Slots for figures of one quantity. A fact is named by its relation, and parts are checked by their sum."""


@dataclass(frozen=True, slots=True)
class Found:
    """What one source has bound for one slot."""

    slot: Slot
    selected: Selected
    bound: Sequence[Bound]


@dataclass(slots=True)
class Semantics:
    """The verdicts on one reading's measures, by the words asked for and the measure."""

    rejected: dict[tuple[str, str, str], str] = field(default_factory=dict)

    @classmethod
    async def judged(cls, found: Sequence[Found], *, question: str, context: RunContext) -> Semantics:
        """Judge all measures that need it at once. What cannot be judged is rejected, with the reason."""
        asked: dict[tuple[str, str, str], MeasureChosen] = {}
        read_by_models = any(metered(judge) for judge in context.judges)
        for one in found:
            for bound in one.bound:
                key = _key(one.slot, bound)
                if key is None or key in asked:
                    continue
                # A model's reading says in its own words what is asked for, which may be something else altogether.
                askers = not read_by_models or _said(key[0], question)
                if not (askers and _in_its_words(key[0], bound, one.selected)):
                    asked[key] = _chosen(f"measure:{len(asked) + 1}", key[0], bound)
        if not asked:
            return cls()
        request = SemanticsRequest(question=question, measures=tuple(asked.values()))
        try:
            reply = await context.judge(ACCEPT_SEMANTICS, request)
        except ModelError as error:
            return cls(dict.fromkeys(asked, f"could not be judged to be what is asked for: {error}"))
        no = "was judged by its definition to be another quantity"
        return cls({key: no for key, measure in asked.items() if reply.verdicts[measure.id] == "no"})

    def sifted(self, slot: Slot, bound: Sequence[Bound]) -> tuple[list[Bound] | Unanswerable, list[str]]:
        """The measures of a slot that stand, or why none does; and why others do not."""
        kept: list[Bound] = []
        left: list[str] = []
        for one in bound:
            key = _key(slot, one)
            why = self.rejected.get(key) if key is not None else None
            if why is None:
                kept.append(one)
            else:
                left.append(f"“{one.measure.name}”, chosen for “{_asked(slot)}”, {why}")
        left = list(dict.fromkeys(left))
        if kept or not left:
            return kept, left
        return Unanswerable(status=FailureStatus.NOT_FOUND, reason="; ".join(left)), []


def _key(slot: Slot, bound: Bound) -> tuple[str, str, str] | None:
    if slot.kind not in KINDS or slot.measure is None:
        return None
    return _asked(slot), bound.measure.source, bound.measure.variable


def _asked(slot: Slot) -> str:
    """The quantity in the asker's words, in the form that was asked for."""
    measure = slot.measure
    if measure is None:
        return slot.describes
    if measure.per_capita and "capita" not in measure.text:
        return f"{measure.text} per capita"
    return f"share of {measure.text}" if measure.share and "share" not in measure.text else measure.text


def _said(asked: str, question: str) -> bool:
    """Whether the question has each word of the quantity, in the singular or the plural."""
    words = set(_stems(question))
    return words.issuperset(_stems(asked))


def _stems(text: str) -> list[str]:
    return [word.removesuffix("s") for word in re.findall(r"\w+", text.casefold()) if word not in _LINKS]


def _in_its_words(asked: str, bound: Bound, selected: Selected) -> bool:
    """Whether the measure goes by the words asked for: by its name, a phrase of its documents, or a known term."""
    said = [bound.measure.name]
    for meaning in _meanings(bound, selected):
        for document in meaning.documents:
            candidate = Candidate.of(document)
            said += [candidate.title, candidate.quantity, *candidate.phrases]
            said += [term.term for term in candidate.meanings]
    return any(same(asked, words) for words in said)


def _meanings(bound: Bound, selected: Selected) -> list[Meaning]:
    return [meaning for meaning in selected.meanings if meaning.id == bound.meaning.partition("@")[0]]


def _chosen(identifier: str, asked: str, bound: Bound) -> MeasureChosen:
    measure = bound.measure
    return MeasureChosen(
        id=identifier, asked=asked, name=measure.name, definition=measure.definition, unit=measure.unit.label
    )
