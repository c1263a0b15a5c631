"""Words that hold figures against each other must say what the claims say: rises, comparisons and extremes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from functions.present.worded_claims import Told
from functions.present.worded_evidence import Lexicon
from functions.present.worded_sentence import Sentence, Taken
from functions.present.worded_words import FALL, LESS, MORE, MOST, RELATIONS, RISE, SAME

_CHANGES = ("change in ", "percent change in ", "difference in ", "percent difference in ")
_OVER_A_SET = frozenset({"aggregate", "correlation"})
_VERBS = frozenset(
    {"had", "has", "have", "is", "was", "ranks", "ranked", "leads", "led", "came", "comes", "with", "("}
)
_FIXED = frozenset({("most", "recent"), ("at", "most"), ("at", "least"), ("most", "recently")})


def relation_fault(sentence: Sentence, known: Lexicon, taken: Taken) -> str | None:
    """Why a comparing word of the sentence is not borne out by the claims, or ``None``."""
    for position in range(sentence.first, sentence.last + 1):
        word = sentence.word(position)
        if word not in RELATIONS or position in taken.tokens:
            continue
        if (word, sentence.word(position + 1)) in _FIXED:
            continue
        if word == "over" and known.evidence.type in _OVER_A_SET and _is_set(position + 1, sentence):
            continue
        if not _holds(word, position, sentence, known, taken):
            return f"the claims do not bear out “{word}”"
    return None


def _is_set(position: int, sentence: Sentence) -> bool:
    """Whether a name or a kind of place comes next: "the mean over countries"."""
    inside = position <= sentence.last
    return inside and (
        sentence.words[position].masked or sentence.word(position) in {"countries", "counties", "states"}
    )


def _holds(word: str, position: int, sentence: Sentence, known: Lexicon, taken: Taken) -> bool:
    if (word, sentence.word(position + 1)) in {("down", "to"), ("up", "to")}:
        values = [claim.number for claim in taken.claims if claim.number is not None]
        return len(values) > 1 and ((values[-1] - values[0]) > 0) is (word == "up")
    if word in RISE | FALL:
        return _changes(1 if word in RISE else -1, position, sentence, known, taken)
    if word in SAME:
        same = {claim.number for claim in _published(known)}
        return len(same) == 1 and len(_published(known)) > 1
    if word in MORE | LESS and _than(position, sentence) is not None:
        return _compares(1 if word in MORE else -1, position, sentence, known, taken)
    return _is_extreme(1 if word in MORE | MOST else -1, position, sentence, known, pair=word in MORE | LESS)


def _published(known: Lexicon) -> list[Told]:
    return [claim for claim in known.cited if claim.number is not None and not claim.computed and claim.one]


def _nearest(position: int, sentence: Sentence) -> str | None:
    before = [one.key for one in sentence.mentions("entity") if one.last < position]
    after = [one.key for one in sentence.mentions("entity") if one.first > position]
    return before[-1] if before else after[0] if after else None


def _changes(sign: int, position: int, sentence: Sentence, known: Lexicon, taken: Taken) -> bool:
    """Whether the figures of whom it is said of move that way: by each claimed change, else by first and last."""
    entity = _nearest(position, sentence)
    about = [claim for claim in known.cited if entity is None or claim.key == entity]
    measures = [one.key for one in sentence.mentions("measure") if one.last < position]
    if measures:
        about = [claim for claim in about if claim.part == measures[-1] or claim.base == measures[-1]]
    if len({claim.key for claim in about if claim.key}) > 1:
        return False
    years = list(dict.fromkeys(one.key for one in sentence.mentions("year")))
    reached = position + 2 if sentence.word(position + 1) == "to" else None
    for claim, (first, _) in zip(taken.claims, taken.spans, strict=True):
        if first == reached and claim.years and years and max(years) not in claim.years:
            return False
    if years:
        return _moved(sign, years, about)
    moves = [
        claim.number for claim in about if claim.number is not None and (claim.measure or "").startswith(_CHANGES)
    ]
    if not moves:
        moves = list(_moves(about))
    return bool(moves) and all(move * sign > 0 for move in moves)


def _moved(sign: int, years: Sequence[str], about: Sequence[Told]) -> bool:
    """Whether it is the move between the years that are named, in their order; one year alone is the last one."""
    ends = {year for claim in about for year in claim.years}
    if not ends or list(years) != sorted(years) or (len(years) == 1 and years[0] != max(ends)):
        return False
    first, last = (years[0], years[-1]) if len(years) > 1 else (min(ends), years[0])
    within = [claim for claim in about if claim.spans or not claim.years or first <= min(claim.years) <= last]
    moves = [
        claim.number
        for claim in within
        if claim.number is not None
        and (claim.measure or "").startswith(_CHANGES)
        and claim.years == frozenset({first, last})
    ]
    if not moves:
        at_ends = [claim for claim in within if not claim.spans and claim.years & {first, last}]
        moves = list(_moves(at_ends))
    return bool(moves) and all(move * sign > 0 for move in moves)


def _moves(claims: Iterable[Told]) -> Iterable[Decimal]:
    series: dict[str | None, list[tuple[str, Decimal]]] = {}
    for claim in claims:
        if claim.number is not None and claim.period and not claim.computed and not claim.spans:
            series.setdefault(claim.measure, []).append((claim.period, claim.number))
    for points in series.values():
        points.sort()
        if len(points) > 1:
            yield points[-1][1] - points[0][1]


def _than(position: int, sentence: Sentence) -> int | None:
    return next(
        (n for n in range(position + 1, sentence.last + 1) if sentence.word(n) == "than"),
        None,
    )


def _compares(sign: int, position: int, sentence: Sentence, known: Lexicon, taken: Taken) -> bool:
    """Whether who is named before the word has more, or less, than who is named after ``than``."""
    than = _than(position, sentence)
    mentions = sentence.mentions("entity")
    before = [one.key for one in mentions if one.last < position]
    after = [one.key for one in mentions if than is not None and one.first > than]
    if not before or not after or before[-1] == after[0]:
        return False
    pairs = [
        (one, two)
        for one in _published(known)
        for two in _published(known)
        if (one.key, two.key) == (before[-1], after[0])
        and one.measure == two.measure
        and (one.period == two.period or len(taken.claims) == 2)
    ]
    denied = "not" in sentence.said
    return bool(pairs) and all(((_gap(one, two) * sign) > 0) is not denied for one, two in pairs)


def _first_of_all(position: int, sentence: Sentence, known: Lexicon) -> bool:
    """Whether it is said of a list of names ("A, B and C") which are the first of the order."""
    mentions = sentence.mentions("entity")
    keys = [one.key for one in mentions]
    if len(keys) < 2 or any(one.last > position for one in mentions):
        return False
    joined = sentence.word(mentions[-1].first - 1) == "and" and mentions[0].first == sentence.first
    return joined and tuple(keys) == known.entities[: len(keys)]


def _is_subject(position: int, sentence: Sentence) -> bool:
    """Whether who was named last before a word is alone its subject, or no list of several."""
    before = [one for one in sentence.mentions("entity") if one.last < position]
    if len({one.key for one in before}) < 2:
        return True
    between = {sentence.word(n) for n in range(before[-2].last + 1, before[-1].first)}
    if "and" in between and between <= {"and", ",", "the", ""}:
        return False
    return sentence.possessed(before[-1].last) or sentence.word(before[-1].last + 1) in _VERBS


def _gap(one: Told, two: Told) -> Decimal:
    return (one.number or Decimal(0)) - (two.number or Decimal(0))


def _is_extreme(sign: int, position: int, sentence: Sentence, known: Lexicon, *, pair: bool) -> bool:
    """Whether who it is said of is the first of the order asked for, or has the extreme of all claims."""
    order = known.evidence.order
    entity = _nearest(position, sentence)
    if order == ("highest" if sign > 0 else "lowest") and _first_of_all(position, sentence, known):
        return True
    if not _is_subject(position, sentence):
        return False
    claims = [
        claim
        for claim in known.evidence.claims
        if claim.number is not None and claim.one and not claim.computed and (claim.measure or "")
    ]
    entities = {claim.key for claim in claims}
    if entity not in entities or len({claim.measure for claim in claims}) != 1:
        return False
    if order is None and (len(entities) < 2 or known.evidence.type not in {"comparison", "yes_no", "difference"}):
        return False
    if order is not None and (order == "highest") is not (sign > 0):
        return False
    if pair and len(entities) != 2:
        return False
    own = [claim.number for claim in claims if claim.key == entity and claim.number is not None]
    others = [claim.number for claim in claims if claim.key != entity and claim.number is not None]
    return all(mine * sign > other * sign for mine in own for other in others)
