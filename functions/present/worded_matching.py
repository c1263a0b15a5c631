"""Matches the figures and facts of one sentence to claims, each said of its own place, quantity and year."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from functions.present.worded_binding import Mention, bound
from functions.present.worded_claims import Told
from functions.present.worded_evidence import OTHER, Lexicon
from functions.present.worded_fitting import counts, fits, is_year, meets_bound, ranks
from functions.present.worded_sentence import Sentence, Taken
from functions.present.worded_words import JOINS

Candidates = Sequence[tuple[tuple[int, int], Sequence[Told]]]
"""For each figure its tokens and the claims whose value it shows."""
Carried = Mapping[str, str | None]
"""What the sentences before spoke of last, by kind of name."""

_NO_CLAIM = (meets_bound, counts, ranks)


def match(sentence: Sentence, known: Lexicon, carried: Carried) -> tuple[str | None, Taken]:
    """Why a figure or fact of the sentence is not the claims', or ``None``."""
    taken = Taken()
    candidates: list[tuple[tuple[int, int], Sequence[Told]]] = []
    for figure in sentence.figures:
        if is_year(figure, sentence, known):
            sentence.years.append(Mention(figure.text, figure.first, figure.last))
            continue
        if figure.side:
            before = figure.first - (2 if figure.signed else 1)
            taken.tokens |= {before, before - 1}
        fitting = [claim for claim in known.cited if fits(figure, claim, sentence)]
        if fitting:
            candidates.append(((figure.first, figure.last), fitting))
        elif not any(test(figure, sentence, known) for test in _NO_CLAIM):
            return f"the figure {figure.text} is not that of a claim listed, with its unit", taken
    for fact in sentence.mentions("fact"):
        stating = [c for c in known.cited if isinstance(c.value, str) and _folded(c.value) == fact.key]
        if not stating:
            return "a name in the answer is that of a claim not listed", taken
        candidates.append(((fact.first, fact.last), stating))
    candidates.sort(key=lambda one: one[0])
    chosen = _chosen(sentence, known, carried, candidates)
    if chosen is None:
        return "a figure is said of another place, quantity or year than its claim's", taken
    taken.claims += chosen
    taken.spans += [span for span, _ in candidates]
    return None, taken


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _chosen(sentence: Sentence, known: Lexicon, carried: Carried, candidates: Candidates) -> list[Told] | None:
    """The claim of each figure, or ``None`` where one is not said of its claim's entity, quantity and year."""
    if not candidates:
        return []
    tests = (
        _Test("entity", known.units, _free_entity(sentence, known), _entity_fits),
        _Test("measure", known.units, lambda claim: claim.relates, _measure_fits(known)),
        _Test("year", known.units, _free_year, _year_fits(known)),
    )
    usable = [
        [claim for claim in options if _mentioned(claim, sentence, known, carried)] for _, options in candidates
    ]
    for way in product(*(_ways(test, sentence, carried, candidates) for test in tests)):
        found: list[Told] = []
        for n, options in enumerate(usable):
            said = [way[k][n] for k in range(len(tests))]
            found += [
                claim
                for claim in options
                if all(test.free(claim) or test.fits(claim, key) for test, key in zip(tests, said, strict=True))
            ][:1]
        if len(found) == len(usable):
            return found
    return None


@dataclass(frozen=True, slots=True)
class _Test:
    """One way in which a claim may be somebody else's; claims that are ``free`` need no name of that kind."""

    kind: str
    units: frozenset[str]
    free: Callable[[Told], bool]
    fits: Callable[[Told, str | None], bool]


def _ways(test: _Test, sentence: Sentence, carried: Carried, candidates: Candidates) -> list[list[str | None]]:
    """The readings of which name each figure belongs to; figures that need none take no part."""
    held = [n for n, (_, options) in enumerate(candidates) if not all(test.free(claim) for claim in options)]
    if not held:
        return [[None] * len(candidates)]
    entities = {one.first for one in sentence.mentions("entity")}
    joins = JOINS | test.units

    def leads(first: int, last: int) -> bool:
        between = range(first, last)
        joined = all(sentence.words[n].masked or sentence.words[n].word in joins for n in between)
        return joined and len(between) > 0 and not any(n in entities for n in between)

    found = bound(
        [candidates[n][0] for n in held],
        sentence.mentions(test.kind),
        leads=leads,
        carried=carried[test.kind],
        resumes=sentence.resumes,
    )
    ways = []
    for way in found:
        whole: list[str | None] = [None] * len(candidates)
        for n, key in zip(held, way, strict=True):
            whole[n] = key
        ways.append(whole)
    return ways


def _free_entity(sentence: Sentence, known: Lexicon) -> Callable[[Told], bool]:
    others = known.evidence.others or any(one.key == OTHER for one in sentence.mentions("entity"))
    alone = len(known.entities) <= 1 and not others
    relative = known.evidence.type == "yes_no"
    return lambda claim: not claim.one or alone or (claim.computed and relative)


def _entity_fits(claim: Told, key: str | None) -> bool:
    return key == claim.key


def _measure_fits(known: Lexicon) -> Callable[[Told, str | None], bool]:
    """A quantity that is named must be the claim's; it needs a name where another one claimed could be meant."""
    claims = known.evidence.claims
    units = [unit for unit, _ in {(claim.unit, claim.part) for claim in claims if not claim.relates}]
    return lambda claim, key: key == claim.part if key is not None else units.count(claim.unit) < 2


def _free_year(claim: Told) -> bool:
    return not claim.period or claim.spans or not claim.years


def _year_fits(known: Lexicon) -> Callable[[Told, str | None], bool]:
    """A year that is said must be the claim's; one must be said where figures of several are claimed."""
    dated: dict[tuple[str | None, str | None], set[str | None]] = {}
    for claim in known.evidence.claims:
        if not (claim.computed or claim.spans):
            dated.setdefault((claim.key, claim.part), set()).add(claim.period)

    def fits_year(claim: Told, key: str | None) -> bool:
        if key is None:
            return len(dated.get((claim.key, claim.part), ())) < 2
        return key == claim.period or key in claim.years

    return fits_year


def _mentioned(claim: Told, sentence: Sentence, known: Lexicon, carried: Carried) -> bool:
    """Whether what a claim is about is named: each of its entities, and both ends of its span if any year is."""
    named = {one.key for one in sentence.mentions("entity")} | {carried["entity"]}
    named |= set() if claim.one else sentence.told
    entity = (claim.entity or "").casefold()
    about = [key for key in known.entities if key == entity or key in entity.split(" and ")]
    if len(known.entities) > 1 and not named.issuperset(about):
        return False
    years = {one.key for one in sentence.mentions("year")}
    return not (claim.spans and years) or claim.years <= years
