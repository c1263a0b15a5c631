"""Which documents a slot's words denote, and of which survey or count the question wants the figures."""

from __future__ import annotations

import re
from collections.abc import Sequence

from plugins.choice.tasks import SELECT_DOCUMENTS, ChoiceRequest
from plugins.uscensus.business import SURVEYS, industry_in
from plugins.uscensus.measures import FIVE_YEARS, ONE_YEAR
from shared.query.annotated import Meaning, Selected
from shared.query.discovery import TableDocument
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.quantity import UnitKind
from shared.query.readings import PeriodKindAsked
from shared.query.slots import Slot
from shared.runtime.context import RunContext
from shared.runtime.errors import ModelError

COUNT, MODEL = "pl", "saipe"
CHANGING = "before"
"""The role of the first of two populations whose change is asked for; what is chosen for it serves both."""
WHOLE_TABLE = "."
"""In the id of an entry for a table rather than for one of its columns."""
COUNT_YEARS = frozenset({2020})
_ONE_YEAR = re.compile(
    r"\b(?:acs[- ]?1|(?:1|one|single)[- ]year (?:acs|american|estimates?|survey|data)|acs (?:1|one)[- ]year)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\b(?:decennial|(?:20[012]0|last) census|(?:was|were|people) counted|headcount|enumerat\w+)\b", re.IGNORECASE
)
_MODELLED = re.compile(r"\bsaipe\b|\bsmall area (?:income|estimates?)\b", re.IGNORECASE)
_ACS = re.compile(r"\b(?:acs|american community survey)\b", re.IGNORECASE)
_SURVEY = re.compile(r"\b(?:acs|american community survey|survey|estimates?)\b", re.IGNORECASE)
_NAMED = re.compile(r"\bcensus\b(?! tracts?\b)", re.IGNORECASE)
_RATE = re.compile(r"\b(?:rates?|shares?|per ?cent(?:ages?)?|proportion|fraction)\b|%", re.IGNORECASE)
_MOST = re.compile(
    r"\bhow many\b|\b(?:most|fewest|more|fewer) (?:people|persons|residents|inhabitants|children|adults)\b", re.I
)
_SIZE = re.compile(r"\b(?:size|average|per household)\b", re.IGNORECASE)
_NUMBER = re.compile(r"\b(?:how many|numbers? of|count of|people|persons|residents|inhabitants)\b", re.IGNORECASE)


async def choose(
    slot: Slot, offered: dict[str, TableDocument], *, question: str, context: RunContext
) -> Selected | Unanswerable:
    """Choose among the offered documents; each distinct quantity that the words denote is a meaning.

    The decennial count answers where it is asked for by name or by its year. Where the Census Bureau is named and
    no year is, it stands in for a survey that has no figure. So does a model's estimate, whoever is named, unless
    the survey itself is.
    """
    chosen = context.options.assumptions.get("measure")
    one_year = _ONE_YEAR.search(question) is not None
    survey = survey_named(question)
    if chosen and [document.variable for document in offered.values()] == [chosen]:
        (bound,) = offered.values()
        meaning = _meaning(bound, bound.title, 0, survey=survey)
        return Selected(meanings=(meaning,), why=f"the caller chose {chosen}")
    # Of some data sets only whole tables are known; their columns have no entries of their own.
    offered = {i: one for i, one in offered.items() if WHOLE_TABLE not in one.variable}
    counts = {i for i, one in offered.items() if is_count(one)}
    counted = _asks_count(slot, question)
    # Who names the survey wants the survey, and nothing in its stead.
    in_stead = _MODELLED.search(question) is not None or not survey
    named = any(pattern.search(question) for pattern in (_NAMED, _MODELLED)) or (
        bool(context.options.sources) and _ACS.search(question) is None
    )
    if counted or (named and slot.period.kind is PeriodKindAsked.LATEST):
        kept = offered
    else:
        kept = {i: one for i, one in offered.items() if i not in counts}
    if not in_stead:
        kept = {i: one for i, one in kept.items() if one.terms.get("program") != MODEL}
    request = ChoiceRequest.of(slot, question, tuple(kept.values()))
    try:
        reply = await context.judge(SELECT_DOCUMENTS, request)
    except ModelError as error:
        return Unanswerable(status=FailureStatus.INTERNAL, reason=f"no document could be chosen: {error}")
    if not reply.groups:
        return _none_fits(request, [*map(kept.__getitem__, reply.other_form), *kept.values()])
    found = [(kept[group.documents[0]], group.label) for group in reply.groups]
    surveyed = [one for one in found if not is_count(one[0])]
    head = [one for one in found if is_count(one[0])]
    modelled = [one for one in found if one[0].terms.get("program") == MODEL]
    surveyed = [one for one in surveyed if one not in modelled]
    if counted and head:
        found, head = head, []
    elif modelled and _MODELLED.search(question):
        found, modelled = modelled, []
    elif surveyed:
        found = surveyed
    found = _of_form(found, request.measure, question)
    meanings = [
        _meaning(document, label if len(found) > 1 else document.title, rank, survey=survey)
        for rank, (document, label) in enumerate(found)
    ]
    others = [*(head if named else []), *(modelled if in_stead else [])]
    if surveyed and found[0] in surveyed and not one_year:
        meanings = [_with_others(one, [other for other, _ in others]) for one in meanings]
    bound_one = [one for one in meanings if one.variable == chosen]
    if bound_one:
        return Selected(meanings=(bound_one[0],), why=f"the caller chose {chosen}")
    return Selected(meanings=tuple(_of_industry(one, question) for one in meanings), why=reply.why)


def _of_industry(meaning: Meaning, question: str) -> Meaning:
    """A meaning of business statistics with the industry that the question speaks of."""
    industry = industry_in(question)
    if meaning.documents[0].terms.get("program") not in SURVEYS or industry is None:
        return meaning
    code, name = industry
    return meaning.model_copy(update={"id": f"{meaning.id}#{code}", "label": f"{meaning.label}, {name}"})


def _with_others(meaning: Meaning, others: Sequence[TableDocument]) -> Meaning:
    """A meaning with what stands in for its survey where that has no figure: a count, or a model's estimate.

    They are of the same unit, and each answers under its own name.
    """
    unit = meaning.documents[0].terms.get("unit")
    more = tuple(one for one in others if one.terms.get("unit") == unit)
    return meaning.model_copy(update={"documents": (*meaning.documents, *more)})


def is_count(document: TableDocument) -> bool:
    """Whether a document is of the decennial count."""
    return document.terms.get("program") == COUNT


def _asks_count(slot: Slot, question: str) -> bool:
    if _COUNTED.search(question):
        return True
    if slot.role == CHANGING:
        return False  # One count shows no change.
    return slot.period.explicit_year in COUNT_YEARS and _SURVEY.search(question) is None


def _of_form(
    found: list[tuple[TableDocument, str]], measure: str, question: str
) -> list[tuple[TableDocument, str]]:
    """Of one quantity as a number and as a share, the one that the words ask for; without a word, the share.

    Of a number and a mean size (households, and people in each), the number where no size is spoken of.
    """
    kinds = {document.terms.get("unitKind") for document, _ in found}
    wanted: str | None = None
    if {UnitKind.COUNT.value, UnitKind.PERCENT.value} <= kinds:
        number = _NUMBER.search(measure) is not None or _MOST.search(question) is not None
        wanted = UnitKind.COUNT if number and not _RATE.search(question) else UnitKind.PERCENT
    elif {UnitKind.COUNT.value, UnitKind.RATE.value} <= kinds:
        wanted = UnitKind.RATE if _SIZE.search(measure) else UnitKind.COUNT
    return [one for one in found if wanted is None or one[0].terms.get("unitKind") == wanted]


def _meaning(document: TableDocument, label: str, rank: int, *, survey: str) -> Meaning:
    """``survey`` is the file of the survey that the question names, empty where it names none."""
    identifier = f"{survey}:{document.variable}" if survey else document.variable
    return Meaning(id=identifier, label=label, variable=document.variable, rank=rank, documents=(document,))


def industry_of(meaning: Meaning) -> str:
    """The code of the industry that the question speaks of, empty where it speaks of none."""
    return meaning.id.partition("#")[2]


def is_one_year(meaning: Meaning) -> bool:
    """Whether the question asked for the one-year file."""
    return meaning.id.startswith(f"{ONE_YEAR}:")


def survey_named(question: str) -> str:
    """The file of the survey that a question names, the five-year one where it names none of them; else empty."""
    return ONE_YEAR if _ONE_YEAR.search(question) else FIVE_YEARS if _ACS.search(question) else ""


def names_survey(meaning: Meaning) -> bool:
    """Whether the question names the survey, and wants nothing in its stead."""
    return meaning.id.startswith(f"{FIVE_YEARS}:")


def _none_fits(request: ChoiceRequest, documents: Sequence[TableDocument]) -> Unanswerable:
    nearest = "; ".join(dict.fromkeys(document.title for document in documents[:3]))
    asked = "a share of " if request.share else "a figure per person of " if request.per_capita else ""
    reason = f"none of the Census Bureau's tables is {asked}“{request.measure}”"
    return Unanswerable(
        status=FailureStatus.NOT_FOUND, reason=f"{reason}; the nearest are: {nearest}" if nearest else reason
    )
