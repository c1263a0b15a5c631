"""The built-in judge's rule for choosing documents: words that are held against words, and no guess.

In order: the term tables that documents carry ("gdp" denotes five quantities), a phrase that is the measure in
other words, and last the document whose words are the measure's by a clear margin. A share never answers a plain
amount, nor an amount a share; what is published in the other form alone is told and not given.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from plugins.choice.aspects import another_aspect
from plugins.choice.evidence import SEXES, Wanted, likeness, profile, same_whole
from plugins.choice.forms import all_events_asked, fits_form, per_head
from plugins.choice.place_task import CHOOSE_PLACE, place_by_kind
from plugins.choice.synonyms import FORMS
from plugins.choice.tasks import SELECT_DOCUMENTS, Candidate, ChoiceReply, ChoiceRequest, ChosenGroup
from plugins.choice.wording import plain, same, words
from shared.models.builtin import BuiltinRule
from shared.runtime.context import RunContext

CLOSE_ENOUGH = 0.75
"""Least likeness of a document that is chosen."""
SURE_ENOUGH = 0.57
"""The same where the finder is sure of the document."""
SURE = 80.0
"""Rerank score, of 100, from which the finder is sure. Similarities of embeddings, at most 1, never are."""
SAME_RANK = 0.04
"""Documents this near to the best are as good as it: the words denote several quantities."""

FAR_BEHIND = 12.0
"""Points by which a document may stand behind in the finder's eyes and still be as good as another."""


_SUPERLATIVE = re.compile(
    r"^(?:the )?(?:highest|lowest|greatest|smallest) (?!\d|fifth|tenth|quintile|decile)", re.I
)
"""A ranking's direction, left before its measure."""
_ENDS = frozenset({"highest", "lowest"})
"""Which tenth or fifth of the people is meant; a ranking's direction may have been taken from it."""
_ENERGY = re.compile(r"\benergy(?: consumption| use)?\b", re.I)
_LENDER = re.compile(
    r"\b(?:owe[sd]?(?: to)?|debts? (?:owed )?to|(?:loans?|credits?|borrow\w*) from) (?:the )?"
    r"(imf|international monetary fund|world bank)\b|\b(imf|world bank) (?:loans?|credits?)\b",
    re.I,
)
"""Whose loans are asked for; debt to one lender is not all debt."""
_NARROWING = words(
    "real nominal gold services production pupils students poor arable cereal wage salary origin secondary tertiary"
    " base mortgage prime"
)
"""Words that make a quantity another one: a document that does not say them is not what was asked for."""
_ISLE_OF_MAN = re.compile(r"\bisle of man\b", re.I)
_SEVERAL = re.compile(
    r"\b(?:where|whose|with|and|but|than|having|versus|vs|ratio|divided|relative to|related|correlat\w+)\b|[,;]",
    re.I,
)
"""Questions of several measures: a word may belong to another of them."""


async def select_documents(request: ChoiceRequest, context: RunContext) -> ChoiceReply:
    """Choose by wording; an empty reply says that nothing offered is the quantity."""
    del context
    fitting = [candidate for candidate in request.candidates if fits_form(candidate, request)]
    for measure in _completed(request):
        reply = _choose(request.model_copy(update={"measure": measure}), fitting)
        if reply.groups:
            return reply
    overlooked = _overlooked(request)
    if overlooked and _SEVERAL.search(request.question) is None:
        saying = tuple(one for one in request.candidates if overlooked <= profile(one).all)
        request = request.model_copy(update={"candidates": saying})
        fitting = [candidate for candidate in fitting if candidate in saying]
    reply = _choose(request, fitting)
    if reply.groups:
        return reply
    other = _otherwise(request)
    return ChoiceReply(groups=(), other_form=other, why="no phrase of any document says the same")


def _otherwise(request: ChoiceRequest) -> tuple[str, ...]:
    """The quantity in a form that was not asked for: a share, a rate of events, an amount per person."""
    others = [one for one in request.candidates if not fits_form(one, request) and not another_aspect(one, request)]
    loose = request.model_copy(update={"share": False, "per_capita": False, "question": ""})
    tried = [(loose, others)]
    if events := all_events_asked(request):
        tried.insert(0, (loose.model_copy(update={"measure": f"{events.removesuffix('s')} rate"}), others))
    if not request.share and not request.per_capita:
        heads = [one for one in request.candidates if one.unit_kind == "currency" and per_head(one)]
        tried.append((loose.model_copy(update={"per_capita": True}), heads))
    found = (_choose(asked, candidates).groups for asked, candidates in tried)
    return next((groups[0].documents[:1] for groups in found if groups), ())


def _completed(request: ChoiceRequest) -> list[str]:
    """The measure with what the question says and the measure does not, as far as there is any."""
    overlooked = _overlooked(request)
    if lender := _lender(request.question):
        return [f"debt owed to the {lender}"]
    if "electricity" in overlooked:
        return [_ENERGY.sub("electricity", request.measure)]
    return [" ".join((request.measure, *sorted(overlooked)))] if overlooked else []


def _overlooked(request: ChoiceRequest) -> frozenset[str]:
    """What the question speaks of and its measure does not: one sex, the countryside, one kind of a quantity."""
    asked = words(_ISLE_OF_MAN.sub(" ", request.question))
    if len(asked & SEXES) > 1:
        asked -= SEXES
    if {"rural", "urban"} <= asked:
        asked -= {"rural"}
    narrower = _NARROWING | frozenset({"electricity"}) if _ENERGY.search(request.measure) else _NARROWING
    if words(request.measure) & {"10", "20", "40"} and not words(request.measure) & _ENDS:
        narrower |= _ENDS
    lender = words(_lender(request.question) or "")
    return ((asked & (SEXES | {"rural"} | narrower)) | lender) - words(request.measure)


def _lender(question: str) -> str | None:
    found = _LENDER.search(question)
    return (found[1] or found[2]).lower() if found else None


def _choose(request: ChoiceRequest, candidates: list[Candidate]) -> ChoiceReply:
    measures = _wordings(request)
    for choose in (_by_term, _by_same_phrase, _by_likeness, _by_sex):
        for measure in measures:
            groups = choose(measure, request, candidates)
            if groups:
                return ChoiceReply(groups=tuple(groups[:6]), why=f"{choose.__doc__} ({measure})")
    return ChoiceReply(groups=())


def _wordings(request: ChoiceRequest) -> list[str]:
    """The measure with the form that the question asked for, said in the ways that documents say it."""
    text = plain(request.measure)
    if request.per_capita and "capita" not in text:
        return [f"{request.measure} per capita"]
    if request.share and "share" not in text:
        return [f"share of {request.measure}", f"{request.measure} share", request.measure]
    return list(dict.fromkeys((request.measure, _SUPERLATIVE.sub("", request.measure))))


def _by_term(measure: str, request: ChoiceRequest, candidates: list[Candidate]) -> list[ChosenGroup]:
    """documents name this term"""  # noqa: D400, D403 - it is quoted in the reply's reason
    del request
    found: list[tuple[int, Candidate, str]] = []
    for candidate in candidates:
        for meaning in candidate.meanings:
            if same(measure, meaning.term):
                found.append((meaning.rank, candidate, meaning.label))
                break
    found.sort(key=lambda item: (item[0], -item[1].score))
    return [ChosenGroup(documents=(candidate.id,), label=label) for _, candidate, label in found]


def _by_same_phrase(measure: str, request: ChoiceRequest, candidates: list[Candidate]) -> list[ChosenGroup]:
    """a phrase of the document is the measure"""  # noqa: D400, D403
    del request
    found = [
        candidate
        for candidate in candidates
        if any(same(measure, said) for said in (*candidate.phrases, candidate.title, candidate.quantity))
    ]
    return _alternatives(found)


@dataclass(frozen=True, slots=True)
class _Match:
    candidate: Candidate
    likeness: float


def _by_likeness(measure: str, request: ChoiceRequest, candidates: list[Candidate]) -> list[ChosenGroup]:
    """its words are the measure's"""  # noqa: D400, D403
    wanted = Wanted.of(measure, request.question)
    if not wanted.words - FORMS:
        return []
    matches = [
        _Match(candidate, found)
        for candidate in candidates
        if same_whole(candidate, wanted.per)
        and (found := likeness(wanted, candidate)) >= (SURE_ENOUGH if candidate.score >= SURE else CLOSE_ENOUGH)
    ]
    best = max((match.likeness for match in matches), default=0.0)
    near = [match for match in matches if match.likeness >= best - SAME_RANK]
    surest = max((match.candidate.score for match in near), default=0.0)
    near = [match for match in near if match.likeness == best or match.candidate.score >= surest - FAR_BEHIND]
    near = [match for match in near if match.candidate.score >= surest - 2 * FAR_BEHIND]
    near.sort(key=lambda match: (-match.likeness, -match.candidate.score))
    return _alternatives([match.candidate for match in near])


def _by_sex(measure: str, request: ChoiceRequest, candidates: list[Candidate]) -> list[ChosenGroup]:
    """the quantity is published for each sex and not for both"""  # noqa: D400, D403
    wanted = Wanted.of(measure, request.question)
    if not wanted.words - FORMS or wanted.words & SEXES:
        return []
    found = []
    told: set[str] = set()
    for candidate in candidates:
        sexes = profile(candidate).core & SEXES
        if "sex=" not in candidate.constraints or len(sexes) != 1 or not same_whole(candidate, wanted.per):
            continue
        both = Wanted(wanted.words | sexes, wanted.per)
        if likeness(both, candidate) >= CLOSE_ENOUGH:
            found.append(candidate)
            told |= sexes
    if told != SEXES:
        return []
    ordered = sorted(found, key=lambda one: (len(one.constraints.split(",")), -one.score))
    return [ChosenGroup(documents=(one.id,), label=min(profile(one).core & SEXES)) for one in ordered]


def _alternatives(candidates: list[Candidate]) -> list[ChosenGroup]:
    """One group each; figures limited to a part (a sex, an age) only where none are of the whole."""
    limits = {candidate.id: len([c for c in candidate.constraints.split(",") if c]) for candidate in candidates}
    fewest = min(limits.values(), default=0)
    whole = [candidate for candidate in candidates if limits[candidate.id] == fewest]
    ordered = sorted(whole, key=lambda candidate: -candidate.score)
    return [ChosenGroup(documents=(candidate.id,), label=candidate.title) for candidate in ordered]


BUILTIN_RULES: dict[str, BuiltinRule] = {
    SELECT_DOCUMENTS.name: select_documents,
    CHOOSE_PLACE.name: place_by_kind,
}
