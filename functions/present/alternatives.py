"""Other published meanings of a question, each with its value and what to send back to choose it."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from functions.present.draft import View
from shared.query.annotated import Combined
from shared.query.answer import Alternative, Clarification
from shared.query.evidence import Computation, Operation
from shared.query.material import base_meaning
from shared.query.readings import EntityMention
from shared.query.slots import Slot

_HEADLINES = {
    "ratio": (Operation.RATIO, Operation.PERCENT_OF),
    "difference": (Operation.DIFFERENCE,),
    "change_ranking": (Operation.DIFFERENCE,),
    "correlation": (Operation.PEARSON,),
    "filtered_list": (Operation.COUNT,),
    "aggregate": (
        Operation.COUNT,
        Operation.SUM,
        Operation.MEAN,
        Operation.MEDIAN,
        Operation.MINIMUM,
        Operation.MAXIMUM,
    ),
}
"""Which computation is a result's own figure; of the other results it is the first row's."""


def headline(combined: Combined) -> Computation | None:
    """The computation that is the result's own figure, if it is not a published one."""
    wanted = _HEADLINES.get(combined.result, ())
    return next((made for made in combined.computations if made.operation in wanted), None)


def alternative(view: View, combined: Combined) -> Alternative:
    """One meaning's result in short: its figure, the measure, and the assumption that binds it."""
    cells = view.cells(combined)
    measure = (
        cells[0].measure
        if cells
        else view.material.at(view.material.slots[0].id, combined.meaning).executed.measure
    )
    value: Decimal | str | None = None
    unit: str | None = None
    period = cells[0].period.text if cells and cells[0].period.text != "undated" else None
    entity = cells[0].entity.name if cells else None
    figure = headline(combined)
    if combined.verdict is not None:
        value = "yes" if combined.verdict else "no"
    elif figure is not None and isinstance(figure.value, Decimal):
        value, unit, entity = figure.value, figure.unit, None
    elif cells:
        value = cells[0].observation.value if cells[0].numeric else cells[0].observation.printed
        unit = measure.unit.code if cells[0].numeric else None
    assumptions = {**view.options.assumptions, "measure": measure.variable}
    if cells and base_meaning(combined.meaning) != combined.meaning:
        assumptions["entity"] = cells[0].entity.code
    return Alternative(
        id=combined.meaning,
        label=measure.name if measure.meaning is None else f"{measure.name} ({measure.meaning})",
        value=value,
        unit=unit,
        period=period,
        entity=entity,
        assumptions=assumptions,
    )


def others(view: View) -> list[Alternative]:
    """The results of every meaning but the leading one."""
    if view.leading.result == "vague_aspect":
        return []
    return [alternative(view, combined) for combined in view.combined[1:]]


def which_meaning(view: View) -> Clarification | None:
    """Ask which meaning is meant, if what was fetched differs materially.

    Meanings with one value, unit and period are one answer under several names, and are asked as one.
    """
    distinct: dict[tuple[object, ...], Alternative] = {}
    for combined in view.combined:
        option = alternative(view, combined)
        distinct.setdefault((option.value, option.unit, option.period, option.entity), option)
    if len(distinct) < 2:
        return None
    wording = getattr(getattr(view.material.reading, "measure", None), "text", None)
    asked = f"“{wording}”" if wording else "The quantity asked for"
    names = list(dict.fromkeys(option.entity for option in distinct.values() if option.entity))
    if any("entity" in option.assumptions for option in distinct.values()) and len(names) > 1:
        question = f"{asked} may be asked of {' or '.join(names)}. Which figure is meant?"
    else:
        question = f"{asked} is published as {len(distinct)} materially different quantities. Which one is meant?"
    return Clarification(
        question=question,
        options=tuple(distinct.values()),
    )


def mentions(slots: Sequence[Slot]) -> list[EntityMention]:
    """Every entity that the slots name."""
    found: list[EntityMention] = []
    for slot in slots:
        population = slot.population
        named = [slot.entity, slot.object]
        if population is not None:
            named += [population.container, *population.listed]
        found += [mention for mention in named if mention is not None and mention not in found]
    return found


def which_entity(view_options: dict[str, str], ambiguous: Sequence[EntityMention]) -> Clarification | None:
    """Ask which entity is meant. Its candidates are known before anything is fetched, so they carry no value."""
    if not ambiguous:
        return None
    mention = ambiguous[0]
    return Clarification(
        question=f"“{mention.text}” may be any of {len(mention.candidates)} entities. Which one is meant?",
        options=tuple(
            Alternative(
                id=candidate.code,
                label=f"{candidate.name} ({candidate.kind.value.replace('_', ' ')})",
                value=None,
                unit=None,
                period=None,
                entity=candidate.name,
                assumptions={**view_options, "entity": candidate.code},
            )
            for candidate in mention.candidates
        ),
    )
