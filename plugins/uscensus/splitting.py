"""A slot of categories in the stages before its figures are read: which split is meant, and what to request."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from plugins.uscensus.breakdowns import SplitPlan, Wanted, plan_split
from plugins.uscensus.choosing import is_one_year, names_survey, survey_named
from plugins.uscensus.civilians import BY, LEVELS, CivilianPlan, plan_civilians
from plugins.uscensus.client import CensusClient
from plugins.uscensus.geography import Area
from plugins.uscensus.splits import DIMENSIONS, PEOPLE, POOR, SPLITS, Split, splits_of
from shared.query.annotated import Bound, EntityResolved, Meaning, Selected
from shared.query.discovery import TableDocument
from shared.query.evidence import FailureStatus, Measure, Unanswerable
from shared.query.slots import Slot

_NUMBER = re.compile(r"\b(?:people|persons|residents|how many|number|poor)\b", re.IGNORECASE)


def choose_split(slot: Slot, documents: Sequence[TableDocument], question: str) -> Selected | Unanswerable:
    """The split that the words ask for; which of its tables answers is planned when the place is known.

    A rate has no parts: people below the poverty level are split only where people are asked for.
    """
    wanted = slot.measure.text if slot.measure else slot.describes
    splits = splits_of(wanted, slot.dimension)
    if splits and splits[0].whom == POOR and not _NUMBER.search(question):
        return _no_split(f"{wanted} by {slot.dimension}: a rate is not made up of parts")
    if not splits:
        return _no_split(f"{wanted} by {slot.dimension}")
    document = next(
        (one for split in splits for one in documents if one.variable.startswith(f"{split.table}_")),
        next(iter(documents), None),
    )
    if document is None:
        return _no_split(f"{wanted} by {slot.dimension}")
    label = f"{splits[0].name} by {splits[0].dimension}"
    survey = survey_named(question)
    meaning = Meaning(
        id=f"{survey}:{label}" if survey else label,
        label=label,
        variable=splits[0].table,
        rank=0,
        documents=(document,),
    )
    return Selected(meanings=(meaning,), why=f"the Census Bureau's tables split {label}")


def _no_split(what: str) -> Unanswerable:
    known = ", ".join(dict.fromkeys(f"{one.name.lower()} by {one.dimension}" for one in SPLITS))
    return Unanswerable(
        status=FailureStatus.NOT_COVERED,
        reason=f"no table of the Census Bureau's that is read here splits {what}; those that are: {known}",
    )


async def bind_split(
    slot: Slot,
    selected: Selected,
    resolved: EntityResolved,
    *,
    own: tuple[str, str],
    client: CensusClient,
    today: date,
) -> list[Bound] | Unanswerable:
    """The planned split of the survey, else of the civilian population where that has it.

    ``own`` are the plugin's name and version.
    """
    source = own[0]
    entity, wanted = resolved.entity, slot.measure.text if slot.measure else slot.describes
    splits = splits_of(wanted, slot.dimension)
    if entity is None or resolved.expression is None or not splits:
        return Unanswerable(status=FailureStatus.NOT_COVERED, reason="only one place's figures are split")
    area = Area.parse(resolved.expression)
    chosen = selected.meanings[0]
    meaning = chosen.id
    if is_one_year(chosen):
        splits = [split.of_one_year() for split in splits]
    asked = Wanted(entity, area, slot.period, client, today)
    plan = await plan_split(splits, asked)
    if isinstance(plan, SplitPlan):
        parts = tuple(plan.measure(source, part) for part in plan.parts)
        return [_bound(meaning, plan, parts, own, republished=area.level.name == "us")]
    # Who names the survey wants the survey, and nothing in its stead.
    if names_survey(chosen) or is_one_year(chosen) or not _has_civilians(splits, slot.dimension, area):
        return plan
    civilians = await plan_civilians(DIMENSIONS[slot.dimension or ""], asked)
    if isinstance(civilians, Unanswerable):
        return plan
    parts = tuple(civilians.measure(source, part) for part in civilians.parts)
    return [_bound(meaning, civilians, parts, own, republished=True)]


def _has_civilians(splits: Sequence[Split], dimension: str | None, area: Area) -> bool:
    return splits[0].whom == PEOPLE and DIMENSIONS.get(dimension or "") in BY and area.level.name in LEVELS


def _bound(
    meaning: str,
    plan: SplitPlan | CivilianPlan,
    parts: tuple[Measure, ...],
    own: tuple[str, str],
    *,
    republished: bool,
) -> Bound:
    """What stands in for the survey, and splits of the nation, are asked for after publishers of all countries."""
    return Bound(
        meaning=meaning,
        measure=plan.measure(own[0]),
        plugin=own[0],
        plugin_version=own[1],
        locator=plan.locator,
        parts=parts,
        republished=republished,
    )
