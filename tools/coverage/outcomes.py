"""The outcome of one question: its status, and where it has no answer, the class of the reason."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel

from shared.query.answer import Answer, AnswerStatus
from shared.query.evidence import Failure, FailureStatus
from shared.query.quantity import Entity
from tools.coverage.collected import Label

ANSWERED = frozenset({AnswerStatus.COMPLETE, AnswerStatus.PARTIAL})
STAGES = (
    "understand",
    "discover",
    "select",
    "resolve_entities",
    "resolve_attributes",
    "execute",
    "combine",
    "present",
)

UNREAD: tuple[tuple[str, str], ...] = (
    ("by the change of", "not read: ordered by a change over time"),
    ("orders by a change", "not read: ordered by a change over time"),
    ("change or a mean over", "not read: ordered by a change over time"),
    ("earlier question", "not read: goes on from an earlier question"),
    ("I read whole years only", "not read: a part of a year"),
    ("no words that I can read", "not read: another language than English"),
    ("no place that I know", "not read: no known place is named"),
    ("against no quantity", "not read: a bound without a quantity"),
    ("and no quantity", "not read: no quantity is named"),
    ("the moment when", "not read: asks when something happened"),
)
REASONS: dict[str, str] = {
    "select": "quantity not carried",
    "resolve_entities": "place, or figures of each such place, not carried",
    "resolve_attributes": "split or grouping not published",
    "execute": "no figure recorded of that place, year or set",
    "combine": "figures that cannot be combined",
}
"""What stopped a question that was read, by the furthest stage that any source came to."""

EQUIVALENTS: dict[str, frozenset[str]] = {
    "Count_Person": frozenset({"SP.POP.TOTL", "B01003_001E", "DP05_0001E", "POPESTIMATE"}),
    "Median_Age_Person": frozenset({"B01002_001E", "S0101_C01_032E"}),
    "Count_Person_Female": frozenset({"B01001_026E", "DP05_0003E", "S0101_C05_001E", "SP.POP.TOTL.FE.IN"}),
    "Median_Income_Household": frozenset({"B19013_001E", "DP03_0062E", "S1901_C01_012E"}),
    "LifeExpectancy_Person": frozenset({"SP.DYN.LE00.IN"}),
    "Annual_Emissions_GreenhouseGas": frozenset({"EN.ATM.GHGT.KT.CE", "EN.GHG.ALL.MT.CE.AR5"}),
    "Count_Person_BelowPovertyLevelInThePast12Months": frozenset(
        {"S1701_C03_001E", "DP03_0128PE", "B17001_002E", "SAEPOVRTALL_PT"}
    ),
    "sdg/SN_ITK_DEFC": frozenset({"SN.ITK.DEFC.ZS", "SN_ITK_DEFC"}),
    "sdg/DT_DOD_DECT_GN_ZS": frozenset({"DT.DOD.DECT.GN.ZS"}),
    "Amount_EconomicActivity_GrossDomesticProduction_Nominal": frozenset({"NY.GDP.MKTP.CD"}),
}
"""Variables of other publishers that are the labelled one, or the share of people that it counts."""
GROUPS: dict[str, str] = {"Earth": "world", "africa": "africa", "asia": "asia", "europe": "europe"}


def outcome(answer: Answer) -> str:
    """``complete``, ``partial`` and so on, or why there is none."""
    if answer.status in ANSWERED or answer.status is AnswerStatus.NEEDS_CLARIFICATION:
        return answer.status.value.replace("_", " ")
    if answer.status in {AnswerStatus.FAILED, AnswerStatus.CANCELLED}:
        return "failed"
    return _reason(answer.failures)


def _reason(failures: Iterable[Failure]) -> str:
    last = max(failures, key=lambda failure: STAGES.index(failure.stage))
    if last.stage == "understand":
        return next((name for words, name in UNREAD if words in last.reason), "not read: form")
    if any(failure.status is FailureStatus.UNKNOWN_ENTITY for failure in failures):
        return "place unknown"
    return REASONS.get(last.stage, last.status.value)


def differs(answer: Answer, label: Label) -> str | None:
    """In what an answer differs from its label: ``place``, ``variable``, or in nothing."""
    if label.place not in GROUPS and not _codes(label.place) & _places(answer):
        return f"place: {label.place} is not among {', '.join(sorted(_places(answer))[:4])}"
    used = {receipt.variable for receipt in answer.figures()}
    same = label.variables.union(*map(_equivalents, label.variables))
    if used & same:
        return None
    return f"variable: {', '.join(sorted(used)[:3])} for {', '.join(sorted(label.variables))}"


def _equivalents(variable: str) -> frozenset[str]:
    """Its equals of other publishers; what Data Commons takes over from the World Bank keeps that code."""
    publisher, _, code = variable.partition("/")
    own = {code.replace("_", ".")} if publisher == "worldBank" else set()
    return EQUIVALENTS.get(variable, frozenset()) | own


def _codes(place: str) -> set[str]:
    return {place.partition("/")[2]}


def _places(answer: Answer) -> set[str]:
    named = {receipt.entity_code for receipt in answer.figures()}
    return named | set(_keys(answer.reading))


def _keys(value: object) -> Iterable[str]:
    if isinstance(value, Entity):
        yield from value.keys.values()
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _keys(inner)
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from _keys(getattr(value, name))
