"""Whether one figure shows one claim: value as far as it is written, unit, sign; and figures that no claim has."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_EVEN, Decimal

from functions.present.worded_binding import bound
from functions.present.worded_claims import Bound, Told
from functions.present.worded_evidence import OTHER, Lexicon
from functions.present.worded_figures import Figure
from functions.present.worded_roles import about_people, in_its_role
from functions.present.worded_sentence import Sentence
from functions.present.worded_words import (
    CURRENCY_SIGNS,
    CURRENCY_WORDS,
    FALL,
    FUNCTION,
    GAPS,
    LESS,
    LIVING,
    MORE,
    RELATIONS,
    SCALES,
    SET_WORDS,
    UNIT_WORDS,
    YEAR_AFTER,
)

MOST_OFF = Decimal("0.05")
"""How far, relatively, a rounding may be from its claim, so that 1.4 trillion is never told as 1 trillion."""
_HUNDRED = Decimal(100)
_CURRENCIES = frozenset({*CURRENCY_SIGNS.values(), *CURRENCY_WORDS.values(), "INT$"})
_UNITS = frozenset({*CURRENCY_SIGNS, *CURRENCY_WORDS, *SCALES, "us", "%", "percent", "per", "percentage"}).union(
    *UNIT_WORDS.values()
)
_FAR = 9
"""Tokens back from a figure to what it is said to be: "the difference between A's and B's population was"."""
_RATES = frozenset({"a", "an", "per"})
_NEGATIVE = frozenset({"negative", "minus", "deficit"})


def is_year(figure: Figure, sentence: Sentence, known: Lexicon) -> bool:
    """Whether it is the year of a claim that is listed, and stands as a year."""
    if not figure.bare or len(figure.text) != 4 or figure.text not in known.years:
        return False
    after, before = sentence.word(figure.last + 1), sentence.word(figure.first - 1)
    if before not in YEAR_AFTER:
        return False
    money = after in CURRENCY_SIGNS and sentence.word(figure.last + 2)[:1].isdigit()
    return money or after not in _UNITS


def fits(figure: Figure, claim: Told, sentence: Sentence) -> bool:
    """Whether a figure is the claim's: its value at the written precision, in its unit, with its sign."""
    value = claim.number
    if value is None or figure.kind == "ordinal":
        return False
    unit = _unit_of(claim)
    if figure.kind == "part":
        share = value if unit and unit.startswith("%") else value * _HUNDRED if unit is None else None
        return share is not None and _shows(figure.value * _HUNDRED, Decimal(1), share, figure.side)
    if figure.kind == "multiple":
        spelled = not any(mark.isdigit() for mark in figure.text)
        step = Decimal("0.1") if spelled else figure.step
        return unit is None and _shows(figure.value, step, value, figure.side)
    return (
        _unit_fits(figure.unit, unit)
        and (value < 0 if figure.signed else value >= 0 or _told_negative(figure, claim, sentence))
        and (sentence.word(figure.first - 1) != "exactly" or abs(figure.value) == abs(value))
        and _shows(abs(figure.value), figure.step, abs(value), 0 if claim.counts else figure.side)
        and _counted(figure, claim, sentence)
        and _as_a_gap(figure, claim, sentence) is claim.gap
        and (not claim.gap or not _of_another_base(claim, sentence))
        and in_its_role(figure, claim, sentence)
    )


def _told_negative(figure: Figure, claim: Told, sentence: Sentence) -> bool:
    """Whether a figure without a sign is said to be below zero: "fell by 8.9%", "9.9% less", "minus 3"."""
    before = {sentence.word(figure.first - back) for back in (1, 2)}
    after = sentence.word(_behind_unit(figure, claim, sentence))
    return bool(before & (FALL | _NEGATIVE)) or after in LESS


def _of_another_base(claim: Told, sentence: Sentence) -> bool:
    """Whether a difference in percent is told from the other side, where it is another one."""
    if not (claim.measure or "").startswith("percent difference ") or claim.number is None:
        return False
    return bool(sentence.said & (LESS if claim.number > 0 else MORE))


def _needs_its_unit(claim: Told) -> bool:
    """Whether a figure says nothing without its unit: what is measured, and is no count of people."""
    unit = claim.unit or ""
    money = _unit_of(claim) in _CURRENCIES
    return bool(unit) and not (money or unit == "people" or unit.startswith(("%", "percentage", "index")))


def _unit_of(claim: Told) -> str | None:
    """The unit's code; of money per something the currency's."""
    written = claim.unit or ""
    if "international" in written:
        return "INT$"
    head = written.split(" ")[0]
    return head if head in _CURRENCIES else claim.unit


def _unit_fits(written: str | None, unit: str | None) -> bool:
    """Money and percentages are always written with their unit; what is counted need not be."""
    if written is None:
        return unit not in _CURRENCIES and not (unit or "").startswith(("%", "percentage"))
    return written == unit or (written == "%" and (unit or "").startswith("%"))


def _shows(written: Decimal, step: Decimal, exact: Decimal, side: int) -> bool:
    """Whether what is written is ``exact``, a rounding to the written digits, or the bound that its word says."""
    if written == exact:
        return side == 0
    if abs(written - exact) > MOST_OFF * abs(exact):
        return False
    if side > 0:
        return written < exact < written + step
    if side < 0:
        return written - step < exact < written
    return (exact / step).quantize(Decimal(1), rounding=ROUND_HALF_EVEN) * step == written


def _as_a_gap(figure: Figure, claim: Told, sentence: Sentence) -> bool:
    """Whether it is said as a difference or a change: "5 more than", "by 5", "(+5%)", "a gap of about 5"."""
    after = _behind_unit(figure, claim, sentence)
    if claim.gap and sentence.word(after) == "(":
        closed = (n for n in range(after, after + 6) if sentence.word(n) == ")")
        after = next(closed, after) + 1
    if sentence.word(after) in (MORE | LESS) - {"over", "under"}:  # "24 million over 30 million" is a quotient
        return True
    first = figure.first - (1 if figure.signed else 0)
    before = [sentence.word(first - back) for back in range(1, _FAR)]
    if before[0] in {"about", "around", "roughly", "approximately"}:
        before = before[1:]
    if claim.gap and before[0] in {"(", "+"}:
        return True
    return before[0] in {"by", "+"} or not _gaps(claim).isdisjoint(before)


def _gaps(claim: Told) -> frozenset[str]:
    """What it may be called: a change in time is no difference between places."""
    measure = claim.measure or ""
    if not claim.gap:
        return GAPS
    return GAPS - ({"change"} if "difference " in measure or measure.startswith("margin") else set())


def _behind_unit(figure: Figure, claim: Told, sentence: Sentence) -> int:
    """The token after the figure and its unit."""
    after = figure.last + 1
    if any(one.first == after for one in sentence.mentions("unit")):
        return after + 1
    own = {*re.findall(r"\w+|[./]", (claim.unit or "").casefold()), *UNIT_WORDS.get(claim.unit or "", ())}
    while sentence.word(after) in own:
        after += 1
    return after


def _counted(figure: Figure, claim: Told, sentence: Sentence) -> bool:
    """What stands after the figure is the claim's unit where it has one that must be said, and no other."""
    behind = _behind_unit(figure, claim, sentence)
    if sentence.word(behind) in _RATES:
        return False
    if _needs_its_unit(claim) and behind == figure.last + 1:
        return False
    squared = {sentence.word(n) for n in range(figure.last + 1, behind)} & {"sq", "square"}
    metres = {sentence.word(n) for n in range(figure.last + 1, behind)} & {"km", "kilometres", "kilometers"}
    if claim.unit == "sq. km" and bool(squared) is not bool(metres):
        return False
    if claim.unit == "people" and not about_people(claim) and not LIVING.isdisjoint(sentence.said):
        named = {one.key for one in sentence.mentions("measure")}
        if claim.part not in named and not claim.relates:
            return False
    tail = next((one.key for one in sentence.mentions("unit") if one.first == figure.last + 1), None)
    if tail is not None:
        return tail in {claim.tail, (claim.unit or "").casefold()}
    after = sentence.word(figure.last + 1)
    if not after[:1].isalpha() or after in FUNCTION | RELATIONS:
        return True
    text = " ".join(filter(None, (claim.text, claim.unit, claim.measure))).casefold()
    own = {word.strip(".,;:()") for word in text.split()}
    return after in own | UNIT_WORDS.get(claim.unit or "", frozenset())


def meets_bound(figure: Figure, sentence: Sentence, known: Lexicon) -> bool:
    """Whether it is the asked bound, and the claims lie on the side of it that the sentence says."""
    for limit in known.evidence.bounds:
        unit = None if figure.unit is None and limit.unit in UNIT_WORDS else limit.unit
        same = figure.unit == unit and figure.value in {limit.value, limit.upper}
        if same and _side_holds(figure, limit, sentence, known):
            return True
    return False


def _side_holds(figure: Figure, limit: Bound, sentence: Sentence, known: Lexicon) -> bool:
    published = [claim.number for claim in known.cited if claim.number is not None and not claim.computed]
    if not published:
        return False
    if limit.upper is not None:
        between = sentence.word(figure.first - 1) in {"between", "and"}
        return between and all(limit.value <= value <= limit.upper for value in published)
    if figure.side == 0:
        return False
    denied = "not" in sentence.said
    return all(((value - figure.value) * figure.side > 0) is not denied for value in published)


def counts(figure: Figure, sentence: Sentence, known: Lexicon) -> bool:
    """Whether it says how many are named in the sentence, or how many a list has."""
    if figure.kind != "amount" or figure.unit or figure.side or figure.value != int(figure.value):
        return False
    after = sentence.word(figure.last + 1)
    if not after.endswith("s") or after in FUNCTION or any(after in words for words in UNIT_WORDS.values()):
        return False
    if any(claim.counts for claim in known.evidence.claims) or not (
        after in SET_WORDS or sentence.mentions("fact")
    ):
        return False
    named = {one.key for one in sentence.mentions("entity")} - {OTHER}
    facts = sentence.mentions("fact")
    possible = {len(found) for found in (named, facts) if len(found) > 1}
    if known.evidence.type == "item_list":
        possible.add(sum(claim.value is True or isinstance(claim.value, str) for claim in known.evidence.claims))
    return int(figure.value) in possible


def ranks(figure: Figure, sentence: Sentence, known: Lexicon) -> bool:
    """Whether it is the rank of the entity that it is said of, in the order that was asked for."""
    if figure.kind != "ordinal" or known.evidence.order is None:
        return False
    place, ranked = int(figure.value) - 1, known.entities
    keys = bound([(figure.first, figure.last)], sentence.mentions("entity"), leads=lambda *_: False)[0]
    return 0 <= place < len(ranked) and keys[0] == ranked[place]
