"""Finds every figure of a sentence, however it is spelled: digits, words, fractions, multiples, ordinals, years."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from functions.present.worded_words import (
    ABOVE_BEFORE,
    AFTER_ARTICLE,
    ALWAYS_PARTS,
    BELOW_BEFORE,
    CURRENCY_SIGNS,
    CURRENCY_WORDS,
    DENOMINATORS,
    MULTIPLES,
    ORDINALS,
    PERCENT_WORDS,
    SCALES,
    SMALL,
    TIGHT,
)

_TOKEN = re.compile(r"[^\W_]+(?:[.,'][^\W_]+)*|[^\w\s]|_")
_NUMBER = re.compile(
    r"(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?|\d+(?:\.\d+)?)(?P<tight>[a-z]*)",
    re.ASCII,
)
_ORDINAL = re.compile(r"([1-9]\d{0,3})(?:st|nd|rd|th)", re.ASCII)
_LARGEST_IN = 1000
Kind = Literal["amount", "part", "multiple", "ordinal"]


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number or mark; ``word`` is in lower case. ``masked`` stands for a known name."""

    text: str
    word: str
    start: int
    end: int
    masked: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as it is written: its value, the worth of its last digit, its unit where one is written.

    ``first`` and ``last`` are the numbers of its tokens. ``side`` is +1 for "over" and -1 for "nearly" before it.
    ``bare`` is true for digits alone, which may be a year or a count.
    """

    kind: Kind
    text: str
    value: Decimal
    step: Decimal
    unit: str | None
    first: int
    last: int
    side: int = 0
    signed: bool = False
    bare: bool = False


class UnreadError(ValueError):
    """Something looks like a figure and is none that can be read."""


def tokens(text: str) -> list[Token]:
    """The text taken apart."""
    return [Token(m.group(), m.group().lower(), m.start(), m.end()) for m in _TOKEN.finditer(text)]


def figures(words: Sequence[Token]) -> list[Figure]:
    """Every figure, in order. Raises ``UnreadError`` for digits or number words that make none."""
    found: list[Figure] = []
    position = 0
    while position < len(words):
        figure = None if words[position].masked else _at(words, position)
        if figure is None:
            if not words[position].masked and any(mark.isdigit() for mark in words[position].text):
                raise UnreadError(words[position].text)
            position += 1
            continue
        found.append(figure)
        position = figure.last + 1
    return found


def _word(words: Sequence[Token], position: int) -> str:
    inside = 0 <= position < len(words) and not words[position].masked
    return words[position].word if inside else ""


def _at(words: Sequence[Token], first: int) -> Figure | None:
    word = _word(words, first)
    if match := _ORDINAL.fullmatch(word):
        return _made("ordinal", words, first, first, Decimal(match[1]))
    if word in MULTIPLES:
        return _made("multiple", words, first, first, MULTIPLES[word])
    part = _part(words, first)
    if part is not None:
        return part
    if word in ORDINALS:
        return _made("ordinal", words, first, first, Decimal(ORDINALS[word]))
    return _amount(words, first)


def _part(words: Sequence[Token], first: int) -> Figure | None:
    """``half``, ``a third``, ``two-thirds``, ``one in five``."""
    word = _word(words, first)
    if word in ALWAYS_PARTS:
        return _made("part", words, first, first, Decimal(1) / DENOMINATORS[word])
    counted = 1 if word in {"a", "an"} else SMALL.get(word)
    after = first + (2 if _word(words, first + 1) == "-" else 1)
    below = _word(words, after)
    if counted is not None and below in DENOMINATORS and (word not in {"a", "an"} or below in AFTER_ARTICLE):
        return _made("part", words, first, after, Decimal(counted) / DENOMINATORS[below])
    if word == "one" and _word(words, first + 1) in {"of"}:
        return None
    above, middle = _integer(word), _word(words, first + 1)
    after = first + (3 if middle == "out" and _word(words, first + 2) == "of" else 2)
    lower = _integer(_word(words, after))
    if above is None or lower is None or not (middle == "in" or after == first + 3):
        return None
    return _made("part", words, first, after, above / lower) if above < lower <= _LARGEST_IN else None


def _integer(word: str) -> Decimal | None:
    if word in SMALL:
        return Decimal(SMALL[word])
    return Decimal(word) if word.isascii() and word.isdigit() else None


def _amount(words: Sequence[Token], first: int) -> Figure | None:
    begin = first
    unit = None
    if _word(words, first) == "us" and _word(words, first + 1) == "$":
        unit, begin = "USD", first + 2
    elif _word(words, first) in CURRENCY_SIGNS:
        unit, begin = CURRENCY_SIGNS[_word(words, first)], first + 1
    elif _word(words, first) in CURRENCY_WORDS and any(m.isdigit() for m in _word(words, first + 1)):
        unit, begin = CURRENCY_WORDS[_word(words, first)], first + 1
    read = _digits(words, begin) or _spelled(words, begin)
    if read is None:
        if unit is not None:
            raise UnreadError(words[first].text)
        return None
    value, step, last, scaled = read
    named, last, kind = _unit(words, last)
    if unit and named and named != unit:
        raise UnreadError(" ".join(token.text for token in words[first : last + 1]))
    before = first - 1
    signed = _word(words, before) == "-" and (before == 0 or _apart(words[before - 1], words[before]))
    if signed:
        value = -value
    written = words[begin].text
    bare = unit is None and named is None and not scaled and begin == last and written.isdigit()
    side = _side(words, before - 1 if signed else before)
    return Figure(
        kind,
        _text(words, first, last),
        value,
        step,
        unit or named,
        first,
        last,
        side=side,
        signed=signed,
        bare=bare,
    )


def _apart(one: Token, other: Token) -> bool:
    """Whether a stroke after a token is a minus sign and joins nothing."""
    return one.end < other.start or not (one.masked or one.text[-1].isalnum())


def _digits(words: Sequence[Token], first: int) -> tuple[Decimal, Decimal, int, bool] | None:
    match = _NUMBER.fullmatch(_word(words, first))
    if match is None:
        return None
    factor, last = 1, first
    if match["tight"]:
        if match["tight"] not in TIGHT:
            raise UnreadError(words[first].text)
        factor = TIGHT[match["tight"]]
    digits = match["digits"].replace(",", "")
    if digits[0] == "0" and digits[1:2].isdigit():
        raise UnreadError(words[first].text)
    while _word(words, last + 1) in SCALES:
        factor, last = factor * SCALES[_word(words, last + 1)], last + 1
    if factor == 1 and _word(words, last + 1) == "-" and _word(words, last + 2) in SCALES:
        factor, last = SCALES[_word(words, last + 2)], last + 2
    step = Decimal(1).scaleb(-len(digits.partition(".")[2])) * factor
    return Decimal(digits) * factor, step, last, factor > 1


def _spelled(words: Sequence[Token], first: int) -> tuple[Decimal, Decimal, int, bool] | None:
    """A number in words; its step is the worth of its last word."""
    word = _word(words, first)
    begins = word in SMALL or (word in {"a", "an"} and (_word(words, first + 1) in {*SCALES, "dozen"}))
    if not begins or (word == "one" and _word(words, first + 1) in {"of"}):
        if word in SCALES:
            raise UnreadError(words[first].text)
        return None
    total, current, decimals, step, last = Decimal(0), Decimal(0), "", Decimal(1), first - 1
    point = False
    for position in range(first, len(words)):
        word = _word(words, position)
        if word in {"a", "an"} and position == first:
            current = Decimal(1)
        elif word == "point" and _word(words, position + 1) in SMALL:
            point = True
        elif word in SMALL and point:
            decimals += str(SMALL[word])
        elif word == "dozen":
            current = (current or Decimal(1)) * 12
        elif word in SMALL:
            current, step = current + SMALL[word], Decimal(1)
        elif word in SCALES:
            factor = SCALES[word]
            current = (current or Decimal(1)) + Decimal(f"0.{decimals or 0}")
            step = Decimal(1).scaleb(-len(decimals)) * factor
            if factor == SCALES["hundred"]:
                current *= factor
            else:
                total, current = total + current * factor, Decimal(0)
            decimals, point = "", False
        elif word in {"-", "and"} and _word(words, position + 1) in {*SMALL, *SCALES} and current + total > 0:
            if word == "and" and _word(words, position - 1) not in SCALES:
                break
            continue
        else:
            break
        last = position
    if decimals:
        step = Decimal(1).scaleb(-len(decimals))
    return total + current + Decimal(f"0.{decimals or 0}"), step, last, step > 1


def _unit(words: Sequence[Token], last: int) -> tuple[str | None, int, Kind]:
    """The unit written after a number, and its last token."""
    one, two, three = (_word(words, last + n) for n in (1, 2, 3))
    if one == "%" or one in PERCENT_WORDS:
        return (
            ("percentage points", last + 2, "amount") if two in {"point", "points"} else ("%", last + 1, "amount")
        )
    if one == "per" and two == "cent":
        return "%", last + 2, "amount"
    if one == "percentage" and two in {"point", "points"}:
        return "percentage points", last + 2, "amount"
    if one in {"us", "u.s"} and two in {"dollars", "$"}:
        return "USD", last + 2, "amount"
    if one in {"us", "u.s"} and two == "." and three == "dollars":
        return "USD", last + 3, "amount"
    if one == "international" and two == "dollars":
        return "INT$", last + 2, "amount"
    if one in CURRENCY_SIGNS and not any(mark.isdigit() for mark in two):
        return CURRENCY_SIGNS[one], last + 1, "amount"
    if one in CURRENCY_WORDS:
        return CURRENCY_WORDS[one], last + 1, "amount"
    if one in {"times", "fold"} or (one == "-" and two == "fold"):
        return None, last + (2 if one == "-" else 1), "multiple"
    return None, last, "amount"


def _side(words: Sequence[Token], before: int) -> int:
    for length in (2, 1):
        said = tuple(_word(words, before - length + 1 + n) for n in range(length))
        if said in ABOVE_BEFORE:
            return 1
        if said in BELOW_BEFORE:
            return -1
    return 0


def _text(words: Sequence[Token], first: int, last: int) -> str:
    return " ".join(token.text for token in words[first : last + 1])


def _made(kind: Kind, words: Sequence[Token], first: int, last: int, value: Decimal) -> Figure:
    return Figure(
        kind, _text(words, first, last), value, Decimal(1), None, first, last, side=_side(words, first - 1)
    )
