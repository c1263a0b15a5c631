"""The built-in judge's rule for choosing documents: words that are held against words, and no guess.

In order: the term tables that documents carry ("gdp" denotes five quantities), a phrase that is the measure in
other words, and last the closest phrase that says everything the measure says and nothing that makes another
quantity of it. A share never answers a plain amount, nor an amount a share.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from plugins.choice.tasks import SELECT_DOCUMENTS, Candidate, ChoiceReply, ChoiceRequest, ChosenGroup
from plugins.choice.wording import TURNING, plain, same, words
from shared.models.builtin import BuiltinRule
from shared.runtime.context import RunContext

CLOSE_ENOUGH = 0.6
"""Least share of words that a phrase has in common with the measure."""
LOOSE = 0.4
"""The same where the finder is sure of the document."""
SURE = 80.0
"""Rerank score, of 100, from which the finder is sure. Similarities of embeddings, at most 1, never are."""
FORMS = frozenset({"share", "population", "capita", "growth", "index", "household", "area"})
"""Words that give a quantity's form or whole; a measure of nothing else says nothing about which quantity."""
SEXES = frozenset({"female", "male"})
SAME_RANK = 0.05
"""Phrases this near to the best are as good as it: they denote several quantities."""
_LEADING_SHARE = re.compile(r"^(proportion|share|percentage) of ", re.IGNORECASE)
ASKS_AMOUNT = re.compile(r"\b(how many|number of|count of)\b", re.IGNORECASE)
"""Questions for an amount, which a percentage does not answer."""


async def select_documents(request: ChoiceRequest, context: RunContext) -> ChoiceReply:
    """Choose by wording; an empty reply says that nothing offered is the quantity."""
    del context
    measures = _wordings(request)
    for choose in (_by_term, _by_same_phrase, _by_closest_phrase, _by_strong_score, _by_sex):
        for measure in measures:
            groups = choose(measure, request)
            if groups:
                return ChoiceReply(groups=tuple(groups[:6]), why=f"{choose.__doc__} ({measure})")
    return ChoiceReply(groups=(), why="no phrase of any document says the same")


def _wordings(request: ChoiceRequest) -> list[str]:
    """The measure with the form that the question asked for, said in the ways that documents say it."""
    text = plain(request.measure)
    if request.per_capita and "capita" not in text:
        return [f"{text} per capita"]
    if request.share and "share" not in text:
        return [f"share of {text}", f"{text} share", text]
    return [text]


def _by_term(measure: str, request: ChoiceRequest) -> list[ChosenGroup]:
    """documents name this term"""  # noqa: D400, D403 - it is quoted in the reply's reason
    found: list[tuple[int, Candidate, str]] = []
    for candidate in request.candidates:
        for meaning in candidate.meanings:
            if same(measure, meaning.term) and _fits_form(candidate, request):
                found.append((meaning.rank, candidate, meaning.label))
                break
    found.sort(key=lambda item: (item[0], -item[1].score))
    return [ChosenGroup(documents=(candidate.id,), label=label) for _, candidate, label in found]


def _by_same_phrase(measure: str, request: ChoiceRequest) -> list[ChosenGroup]:
    """a phrase of the document is the measure"""  # noqa: D400, D403
    found = [
        candidate
        for candidate in request.candidates
        if any(same(measure, phrase) for phrase in _sayings(candidate)) and _fits_form(candidate, request)
    ]
    return _alternatives(found)


@dataclass(frozen=True, slots=True)
class _Match:
    candidate: Candidate
    likeness: float


def _by_closest_phrase(measure: str, request: ChoiceRequest) -> list[ChosenGroup]:
    """the closest phrase says what the measure says"""  # noqa: D400, D403
    wanted = words(measure)
    if not wanted:
        return []
    matches: list[_Match] = []
    for candidate in request.candidates:
        if not _fits_form(candidate, request):
            continue
        likeness = max(
            (_likeness(wanted, words(phrase)) for phrase in _loose_sayings(candidate, request)), default=0.0
        )
        if likeness >= CLOSE_ENOUGH:
            matches.append(_Match(candidate, likeness))
    best = max((match.likeness for match in matches), default=0.0)
    near = [match for match in matches if match.likeness >= best - SAME_RANK]
    near.sort(key=lambda match: (-match.likeness, -match.candidate.score))
    return _alternatives([match.candidate for match in near])


def _by_strong_score(measure: str, request: ChoiceRequest) -> list[ChosenGroup]:
    """the finder is sure and the words agree"""  # noqa: D400, D403
    wanted = words(measure)
    sure = [
        candidate
        for candidate in request.candidates
        if candidate.score >= SURE
        and _fits_form(candidate, request)
        and any(_likeness(wanted, words(said)) >= LOOSE for said in _loose_sayings(candidate, request))
    ]
    return _alternatives(sorted(sure, key=lambda candidate: -candidate.score)[:1]) if wanted else []


def _by_sex(measure: str, request: ChoiceRequest) -> list[ChosenGroup]:
    """the quantity is published for each sex and not for both"""  # noqa: D400, D403
    wanted = words(measure)
    if not wanted - FORMS or wanted & SEXES:
        return []
    found = [
        candidate
        for candidate in request.candidates
        if "sex=" in candidate.constraints
        and _fits_form(candidate, request)
        and any(_likeness(wanted, words(said) - SEXES) >= CLOSE_ENOUGH for said in _sayings(candidate))
    ]
    return _alternatives(found)


def _likeness(wanted: frozenset[str], phrase: frozenset[str]) -> float:
    """Words in common of all words; 0 when the phrase lacks one that is wanted or turns the quantity."""
    if not wanted <= phrase or (phrase - wanted) & TURNING:
        return 0.0
    if phrase != wanted and not wanted - FORMS:
        return 0.0
    return len(wanted) / len(phrase)


def _fits_form(candidate: Candidate, request: ChoiceRequest) -> bool:
    """Whether a share answers a share and a per-head figure a per-head question."""
    is_share = candidate.unit_kind == "percent"
    if request.share and not is_share and candidate.unit_kind:
        return False
    if is_share and not request.share and ASKS_AMOUNT.search(request.question):
        return False
    return not request.per_capita or candidate.unit_kind in {"percent", "rate", "index"} or _per_head(candidate)


def _sayings(candidate: Candidate) -> tuple[str, ...]:
    return (*candidate.phrases, candidate.title, candidate.quantity, _LEADING_SHARE.sub("", candidate.quantity))


def _loose_sayings(candidate: Candidate, request: ChoiceRequest) -> tuple[str, ...]:
    """The phrases that may be matched loosely: a share of people only by a phrase that was written for it.

    "Female population" has the words of "Population, female (% of total population)" and asks for people.
    """
    if candidate.unit_kind == "percent" and not request.share and "population" in words(candidate.quantity):
        return candidate.phrases
    return _sayings(candidate)


def _per_head(candidate: Candidate) -> bool:
    texts = (candidate.unit, candidate.per, candidate.title, *candidate.phrases)
    return any("capita" in plain(text) or "per person" in text for text in texts)


def _alternatives(candidates: list[Candidate]) -> list[ChosenGroup]:
    """One group each; figures limited to a part (a sex, an age) only where none are of the whole."""
    limits = {candidate.id: len([c for c in candidate.constraints.split(",") if c]) for candidate in candidates}
    fewest = min(limits.values(), default=0)
    whole = [candidate for candidate in candidates if limits[candidate.id] == fewest]
    ordered = sorted(whole, key=lambda candidate: -candidate.score)
    return [ChosenGroup(documents=(candidate.id,), label=candidate.title) for candidate in ordered]


BUILTIN_RULES: dict[str, BuiltinRule] = {SELECT_DOCUMENTS.name: select_documents}
