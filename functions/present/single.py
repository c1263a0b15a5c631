"""Presenters of a value, a fact, a status and several aspects."""

from __future__ import annotations

from collections.abc import Sequence

from functions.present import tables
from functions.present.draft import Draft, View
from functions.present.wording import (
    NEWEST,
    according,
    listed,
    possessive,
    running,
    shown,
    sources,
    stale_year,
    verb,
    when,
)
from shared.query.material import Cell
from shared.query.readings import StatusReading, VagueAspectReading, ValueReading
from shared.text.articles import spoken

MOST_OTHERS = 6
"""How many places without a figure are named before "and N more"."""


def stated(cell: Cell, *, exact: bool = False, namesake: bool = False) -> str:
    """``India's GDP (current US$) was $3.96 trillion in 2025``; of one of two of a name, with its kind."""
    is_was = verb(cell.measure.name) if cell.numeric else "is"
    whose = f"{possessive(cell.entity.name)} {running(cell.measure.name)}"
    if namesake:
        whose = f"the {running(cell.measure.name)} of {spoken(cell.entity.name)} ({cell.entity.kind.words})"
    return f"{whose} {is_was} {shown(cell, exact=exact)}{when(cell.period)}"


def value(view: View, draft: Draft) -> None:
    """The first meaning leads; the others follow, each labelled and with its own claim."""
    groups = [view.cells(combined) for combined in view.combined]
    cells = [cell for group in groups for cell in group]
    for cell in cells:
        draft.claim(cell)
    lead, *others = groups
    whom = {(cell.entity.name, cell.entity.kind) for cell in cells}
    namesakes = len({name for name, _ in whom}) < len(whom)
    if not lead[0].numeric and len(lead) > 1:
        facts = listed([shown(cell) for cell in lead])
        head = f"{possessive(lead[0].entity.name)} {running(lead[0].measure.name)}: {facts}"
        draft.say(f"{head}, according to {sources(lead)}.")
    else:
        tail = according(view, lead[:1])
        draft.say(*(stated(lead[0], exact=exact, namesake=namesakes) + tail for exact in (False, True)))
    if view.options.on_ambiguity == "all":
        for group in others:
            tail = according(view, group[:1])
            draft.say(*(stated(group[0], exact=exact, namesake=namesakes) + tail for exact in (False, True)))
    elif others:
        same = [group[0] for group in others if group[0].entity == lead[0].entity]
        elsewhere = [group[0] for group in others if group[0].entity != lead[0].entity]
        if same:
            draft.say(*also(same, _asked(view)))
        for cell in elsewhere:
            plain = stated(cell, exact=True, namesake=namesakes)
            draft.say(f"As for another place of that name, {stated(cell, namesake=namesakes)}.", f"{plain}.")
    if unfound := _places_without(view, cells):
        draft.say(f"{unfound}.")
    if len(cells) > 1:
        draft.table = tables.by_measure(cells)


def _places_without(view: View, cells: Sequence[Cell]) -> str | None:
    """Which other places the name may mean that have no figure here; a reader may have meant one of them."""
    mention = view.material.slots[0].entity
    if mention is None or mention.status != "ambiguous" or "entity" in view.options.assumptions:
        return None
    answered = {cell.entity.code for cell in cells}
    named = {(cell.entity.name, cell.entity.kind) for cell in cells}
    others = [one for one in mention.candidates if one.code not in answered and (one.name, one.kind) not in named]
    if not others:
        return None
    most = MOST_OTHERS if len(others) > MOST_OTHERS + 1 else len(others)
    words = [f"{spoken(one.name)} ({one.kind.words})" for one in others[:most]]
    names = listed([*words, f"{len(others) - most} more"] if len(others) > most else words)
    return f"“{mention.text}” may also mean {names}, for which no figure is given here"


def also(cells: Sequence[Cell], asked: str) -> tuple[str, str]:
    """The other published meanings in one sentence, rounded and exact."""

    def each(*, exact: bool) -> str:
        return "; ".join(
            f"{cell.measure.name}, {shown(cell, exact=exact)}"
            + (f" ({cell.period})" if cell.period.text != "undated" else "")
            for cell in cells
        )

    lead = f"“{asked}” is also published as: " if asked else "Also published: "
    return f"{lead}{each(exact=False)}.", f"{lead}{each(exact=True)}."


def _asked(view: View) -> str:
    reading = view.material.reading
    return reading.measure.text if isinstance(reading, ValueReading) else ""


def status(view: View, draft: Draft) -> None:
    """Yes or no, or the property in words; a no is an answer."""
    reading = view.material.reading
    cells = view.cells(view.leading)
    for cell in cells:
        draft.claim(cell)
    first = cells[0]
    attribute = reading.attribute if isinstance(reading, StatusReading) else running(first.measure.name)
    whom = reading.object.label if isinstance(reading, StatusReading) and reading.object else None
    about = f"{attribute} {whom}" if whom else attribute
    draft.names.add(about)
    source = f", according to {sources(cells)}"
    if first.observation.flag is not None:
        answer = "Yes" if view.leading.verdict else "No"
        draft.say(f"{answer}: {_property(first, about, whom)}{source}.")
        return
    facts = listed([shown(cell) for cell in cells])
    is_are = "is" if len(cells) == 1 else "are"
    draft.say(f"{possessive(first.entity.name)} {running(first.measure.name)} {is_are} {facts}{source}.")


_PROPERTIES: dict[str, tuple[str, str]] = {
    "landlocked": ("is landlocked", "is not landlocked"),
    "borders": ("borders", "does not border"),
    "membership": ("is a member of", "is not a member of"),
    "un_member": ("is a member of the United Nations", "is not a member of the United Nations"),
    "income_level": ("is classified as", "is not classified as"),
    "lending_type": ("is classified as", "is not classified as"),
    "region": ("is in", "is not in"),
}
"""How a property that is a yes or a no reads, by its published variable."""


def _property(cell: Cell, about: str, whom: str | None) -> str:
    words = _PROPERTIES.get(cell.measure.variable)
    if words is None:
        return f"{spoken(cell.entity.name)}, {about}: {cell.observation.printed}"
    said = words[0] if cell.observation.flag else words[1]
    # A source's note may say more of the other side than its name: a territory that meets it all the same.
    note = cell.observation.note
    whom = note if note and whom and note.startswith(whom) else whom or note
    return f"{spoken(cell.entity.name)} {said}" + (f" {spoken(whom)}" if whom else "")


def aspects(view: View, draft: Draft) -> None:
    """One sentence an aspect, each a figure of its own; nothing is weighed or summed up."""
    cells = view.cells(view.leading)
    reading = view.material.reading
    aspect = reading.aspect if isinstance(reading, VagueAspectReading) else ""
    draft.names.add(aspect)
    whom = spoken(cells[0].entity.name)
    about = f"the {aspect} of {whom}" if aspect and ";" not in aspect else whom
    draft.say(f"Some published figures on {about}, according to {sources(cells)}.")
    for cell in cells:
        draft.claim(cell)
        newest = NEWEST if stale_year([cell], view) else ""
        draft.say(f"{stated(cell)}{newest}.", f"{stated(cell, exact=True)}{newest}.")
    draft.table = tables.by_measure(cells)
