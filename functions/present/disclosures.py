"""What a careful reader must know: which meanings, which years, which data, how names were read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from functions.present.alternatives import mentions
from functions.present.draft import View
from functions.present.wording import listed
from shared.query.evidence import Disclosure, DisclosureKind
from shared.query.material import Served
from shared.query.readings import PeriodKindAsked
from shared.query.slots import SlotKind


def collect(view: View, noted: Sequence[Disclosure]) -> list[Disclosure]:
    """All disclosures, those of the stages first, none twice."""
    served = list(view.material.everything())
    found = [
        *noted,
        *(disclosure for one in _shown(view) for disclosure in one.executed.disclosures),
        *_meanings(view, noted),
        *_readings(view, noted),
        *_periods(view),
        *_coverage(view),
        *_snapshots(served),
    ]
    return list(dict.fromkeys(found))


def _shown(view: View) -> list[Served]:
    """Whatever the answer shows: everything, or the leading meaning where the others are mere alternatives."""
    if not view.leading_only:
        return list(view.material.everything())
    rows = {(row.slot, row.meaning) for row in view.leading.rows}
    first = {slot: served[0].meaning for slot, served in view.material.served.items() if served}
    return [
        one
        for one in view.material.everything()
        if (one.slot.id, one.meaning) in rows or (not rows and first[one.slot.id] == one.meaning)
    ]


def _meanings(view: View, noted: Sequence[Disclosure]) -> Iterable[Disclosure]:
    told = " ".join(disclosure.text for disclosure in noted if disclosure.kind is DisclosureKind.MEANING)
    said = set()
    for slot in view.material.slots:
        served = view.material.served.get(slot.id, ())
        missing = view.material.unserved.get(slot.id, ())
        words = slot.measure.text if slot.measure else slot.describes
        names = list(dict.fromkeys([*(one.executed.measure.name for one in served), *missing]))
        if len(names) < 2 or words in said:
            continue
        said.add(words)
        if f"“{words}”" not in told:
            labels = "; ".join(names)
            yield Disclosure(
                kind=DisclosureKind.MEANING,
                text=f"“{words}” is published as {len(names)} distinct quantities: {labels}",
            )
        if not view.combined:
            continue
        if view.leading.result == "vague_aspect":
            text = f"“{words}” is answered as {names[0]}; its other meanings can be asked for by name"
        elif view.leading_only:
            text = f"“{words}” is answered as {names[0]}; other meanings are given as alternatives"
        else:
            text = f"each meaning of “{words}” is answered under its own name"
        yield Disclosure(kind=DisclosureKind.MEANING, text=text)


def _readings(view: View, noted: Sequence[Disclosure]) -> Iterable[Disclosure]:
    told = " ".join(disclosure.text for disclosure in noted)
    for mention in mentions(view.material.slots):
        if mention.entity is None or mention.text.casefold().removeprefix("the ") == mention.entity.name.casefold():
            continue
        if mention.text not in told:
            yield Disclosure(
                kind=DisclosureKind.READING, text=f"“{mention.text}” was read as {mention.entity.name}"
            )


def _periods(view: View) -> Iterable[Disclosure]:
    newest = sorted(
        {
            cell.period.text
            for one in view.material.everything()
            if one.slot.period.kind is PeriodKindAsked.LATEST
            and one.slot.kind in {SlotKind.VALUE, SlotKind.POPULATION, SlotKind.CATEGORIES}
            for cell in one.reported()
            if cell.numeric and cell.period.text != "undated"
        }
    )
    if newest:
        yield Disclosure(
            kind=DisclosureKind.PERIOD,
            text=f"no year was named, so the newest reported figures are used ({listed(newest)})",
        )


def _coverage(view: View) -> Iterable[Disclosure]:
    for slot, resolved in view.material.resolved.items():
        if not resolved.complete:
            whom = resolved.member_of or f"{slot}'s population"
            yield Disclosure(kind=DisclosureKind.COVERAGE, text=f"the source does not cover the whole of {whom}")


def _snapshots(served: Iterable[Served]) -> Iterable[Disclosure]:
    dates: dict[str, set[str]] = {}
    for one in served:
        response = one.executed.response
        if response.snapshot:
            dates.setdefault(response.publisher, set()).add(
                response.as_of.isoformat() if response.as_of else "an unstated date"
            )
    for publisher, found in dates.items():
        yield Disclosure(
            kind=DisclosureKind.SNAPSHOT,
            text=f"figures of {publisher} come from a recorded snapshot dated {listed(sorted(found))}, "
            "not from its live service",
        )
