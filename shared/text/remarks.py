"""What a judge may say in words of its own: no figure that nobody gave it, no markup, no steering characters.

A judge's numbers are judged by code, and so are those in its remarks: a note, a label, a reason. Where such a text
does not pass, whoever asked does without it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal

from shared.text.figures import Figure, find_figures
from shared.text.numbers import find_numbers

MOST_CHARACTERS = 300
_NAMING_DIGITS = 2
"""Significant digits of a number that may be part of a quantity's name: ages 65 and above, per 100,000 people."""
_MARKUP = re.compile(r"<\s*[/!?a-z]|://|\]\(|```", re.IGNORECASE)
_SCALES = (0, 3, 6, 9, 12)
_DIRECTIONS = frozenset(map(chr, (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF)))


def numbers_of(texts: Iterable[str]) -> frozenset[Decimal]:
    """The numbers of ``texts``, whether in digits or in words, without their signs."""
    found: set[Decimal] = set()
    for text in texts:
        found |= {abs(number.value) for number in find_numbers(text)}
        found |= {abs(figure.value) for figure in find_figures(text)}
    return frozenset(found)


def known_number(value: Decimal, known: Iterable[Decimal]) -> bool:
    """Whether ``value`` is one of ``known``, sign aside, or that in thousands, millions or more."""
    return any(abs(value) == number.scaleb(power) for number in known for power in _SCALES)


def few_digits(value: Decimal) -> bool:
    """Whether a number is one of those that names of quantities have."""
    return len(value.normalize().as_tuple().digits) <= _NAMING_DIGITS


def own_figures(text: str, known: Iterable[str], *, naming: bool = False) -> list[Figure]:
    """The figures of ``text`` that stand in none of the ``known`` texts.

    ``naming`` lets those pass that may be part of a quantity's name.
    """
    figures = [figure for figure in find_figures(text) if not (naming and few_digits(figure.value))]
    if not figures:
        return []
    numbers = numbers_of(known)
    return [figure for figure in figures if abs(figure.value) not in numbers]


def fault_of(text: str, known: Iterable[str] = (), *, naming: bool = False) -> str | None:
    """Why a judge's text may not be shown, or ``None``; ``known`` are the texts that it was given."""
    given = tuple(known)
    if len(text) > MOST_CHARACTERS:
        return f"a text has more than {MOST_CHARACTERS} characters"
    if any(character in _DIRECTIONS or unicodedata.category(character) == "Cc" for character in text):
        return "a text has control characters"
    if (found := _MARKUP.search(text)) and not any(found.group() in one for one in given):
        return "a text has markup or an address"
    if own_figures(text, given, naming=naming):
        return "a text has a figure that was not given"
    return None
