"""What a careful reader must know: which meanings, which years, which data, how names were read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from functions.present.alternatives import mentions
from functions.present.draft import View
from functions.present.status import lacking_meanings, one_year_of_span
from functions.present.wording import listed, publishers_of
from shared.query.evidence import Disclosure, DisclosureKind, Failure
from shared.query.material import Served
from shared.query.readings import PeriodKindAsked
from shared.query.slots import SlotKind
from shared.text.places import group_as_of, group_list_name


def collect(view: View, noted: Sequence[Disclosure], failures: Sequence[Failure]) -> list[Disclosure]:
    """All disclosures, those of the stages first, none twice."""
    served = list(view.material.everything())
    meanings = list(_meanings(view))
    told = {words for words, _ in meanings}
    found = [
        *(one for one in noted if not _repeats(one, told)),
        *(disclosure for one in _shown(view) for disclosure in one.executed.disclosures),
        *(disclosure for _, disclosure in meanings),
        *_alternatives_lacking(view, failures),
        *_readings(view, noted),
        *_periods(view),
        *_members(view, noted),
        *_coverage(view),
        *_snapshots(served),
    ]
    return list(dict.fromkeys(found))


def _shown(view: View) -> list[Served]:
    """Whatever the answer shows: everything, or the leading meaning where the others are mere alternatives."""
    if not view.leading_only:
        return list(view.material.everything())
    return [one for one in view.material.everything() if view.leading_slot(one)]


def _repeats(disclosure: Disclosure, told: set[str]) -> bool:
    """Whether a stage's note of several meanings says the same as the answer's own, which says more."""
    if disclosure.kind is not DisclosureKind.MEANING:
        return False
    return any(disclosure.text.startswith(f"“{words}” is published as ") for words in told)


def _meanings(view: View) -> Iterable[tuple[str, Disclosure]]:
    """For each term with several published meanings: which they are, and how the answer deals with them."""
    said = set()
    for slot in view.material.slots:
        served = view.material.served.get(slot.id, ())
        missing = view.material.unserved.get(slot.id, ())
        words = slot.measure.text if slot.measure else slot.describes
        names = list(dict.fromkeys([*(one.executed.measure.name for one in served), *missing]))
        unused = bool(view.combined and view.leading.rows) and slot.id not in view.shown
        if len(names) < 2 or words in said or unused:
            continue
        said.add(words)
        text = f"“{words}” is published as {len(names)} distinct quantities: {'; '.join(names)}"
        yield words, Disclosure(kind=DisclosureKind.MEANING, text=text + _dealt_with(view, served))


def _dealt_with(view: View, served: Sequence[Served]) -> str:
    if not view.combined:
        return ""
    if view.leading.result != "vague_aspect" and not view.leading_only:
        return "; each is answered under its own name"
    leading = next((one for one in served if view.leading_slot(one)), None)
    if leading is None:
        return ""
    others = "can be asked for by name"
    if view.leading.result != "vague_aspect" and len(view.combined) > 1:
        others = "are given as alternatives"
    return f"; the answer is of {leading.executed.measure.name}, and the others {others}"


def _alternatives_lacking(view: View, failures: Sequence[Failure]) -> Iterable[Disclosure]:
    """What the other meanings lack, where the answer is of one of them and does not suffer from it."""
    if not view.leading_only or view.leading.result == "vague_aspect":
        return
    lacking: dict[str, list[str]] = {}
    leading = {cell.measure.name for cell in view.cells(view.leading)}
    for slot in view.material.slots:
        for name in lacking_meanings(view, slot):
            if name not in leading:
                lacking.setdefault(slot.describes, []).append(name)
    for where, names in lacking.items():
        verb = "is no alternative" if len(names) == 1 else "are no alternatives"
        yield Disclosure(kind=DisclosureKind.MEANING, text=f"{listed(names)} {verb}: no figure for {where}")
    told = tuple(name for names in lacking.values() for name in names)
    for failure in failures:
        if failure.stage == "combine" and not failure.reason.startswith(told):
            yield Disclosure(kind=DisclosureKind.MEANING, text=f"not among the alternatives: {failure.reason}")


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
    for slot in view.material.slots:
        if only := one_year_of_span(view, slot):
            text = f"{slot.describes}: {only}; the other years can be asked for one by one"
            yield Disclosure(kind=DisclosureKind.PERIOD, text=text)
    if view.material.reading.type == "change_ranking":
        return  # Which years they are was told with the change.
    newest = sorted(
        {
            cell.period.text
            for one in _shown(view)
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


def _members(view: View, noted: Sequence[Disclosure]) -> Iterable[Disclosure]:
    """Whose list says who belongs to a population, unless a stage has said so."""
    told = " ".join(one.text for one in noted if one.kind is DisclosureKind.MEMBERS)
    for slot in view.material.slots:
        container = slot.population.container if slot.population is not None else None
        group = container.entity if container is not None else None
        if slot.kind is not SlotKind.POPULATION or group is None or group.keys.get("wb") == "WLD":
            continue
        whose, as_of = group_list_name(group), group_as_of(group)
        if whose is None or whose in told:
            continue
        dated = "" if as_of in {None, "customary"} else f" ({as_of})"
        text = f"the members of {group.name} are those of {whose}{dated}"
        yield Disclosure(kind=DisclosureKind.MEMBERS, text=text)


def _coverage(view: View) -> Iterable[Disclosure]:
    for slot, resolved in view.material.resolved.items():
        if not resolved.complete:
            whom = resolved.member_of or f"{slot}'s population"
            yield Disclosure(kind=DisclosureKind.COVERAGE, text=f"the source does not cover the whole of {whom}")


def _snapshots(served: Iterable[Served]) -> Iterable[Disclosure]:
    dates: dict[str, set[str]] = {}
    figures: set[str] = set()
    for one in served:
        response = one.executed.response
        if response.snapshot:
            dates.setdefault(response.publisher, set()).add(
                response.as_of.isoformat() if response.as_of else "an unstated date"
            )
            if any(cell.numeric for cell in one.published()):
                figures.add(response.publisher)
    for name, found in dates.items():
        dated = f"a recorded snapshot dated {listed(sorted(found))}, not from its live service"
        text = (
            f"figures of {publishers_of([name])} come from {dated}"
            if name in figures
            else f"{publishers_of([name])} is read from {dated}"
        )
        yield Disclosure(kind=DisclosureKind.SNAPSHOT, text=text)
