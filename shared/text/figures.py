"""Figures as people read them: exact and short forms, and the check that a text shows no other figure.

Formatting never changes a value: the exact form prints every published digit, and the short form is a
rounding (half to even) for display only, whose exact form stays at hand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, localcontext

from shared.query.quantity import Unit, UnitKind
from shared.text.numbers import find_numbers

SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹"}
"""The sign of each currency that is written with one."""
_WORD_UNITS = {UnitKind.PHYSICAL, UnitKind.COUNT}
_UNSAID = {"people", "count", "number", ""}
_WHOLE_FROM = 10_000
_ENOUGH = 120
"""Digits that a figure may have steps of: the largest amounts counted in the smallest shares."""
_LARGE = ((Decimal(10) ** 12, "trillion"), (Decimal(10) ** 9, "billion"), (Decimal(10) ** 6, "million"))


def format_number(value: Decimal) -> str:
    """Every digit of ``value``, with commas: ``3956067115771.63`` gives ``3,956,067,115,771.63``."""
    return f"{value:,f}"


def format_quantity(value: Decimal, unit: Unit) -> str:
    """The exact value with its unit: ``$3,956,067,115,771.63``, ``5.2%``, ``5.2% of GDP``, ``72.5 years``."""
    return _dressed(value < 0, format_number(abs(value)), unit)


def format_short(value: Decimal, unit: Unit) -> str:
    """A rounded form for display: ``$3.96 trillion``, ``1.44 billion``, ``5.2%``. Never for arithmetic."""
    magnitude = abs(value)
    if unit.code.startswith("kt") and magnitude >= 1:
        # A unit that is thousands itself takes no second scale: 10,291,927 kt, not 10.29 million kt.
        places = 0 if magnitude >= _WHOLE_FROM else 2
        return _dressed(value < 0, _bare(_rounded(magnitude, places)), unit)
    for size, name in _LARGE:
        # 999.999 million rounds to 1,000.00 million, which reads as 1 billion.
        if magnitude >= size or _rounded(magnitude / size, 5) >= 1:
            return _dressed(value < 0, f"{_bare(_rounded(magnitude / size, 2))} {name}", unit)
    places = 1 if unit.kind is UnitKind.PERCENT else 2
    if 0 < magnitude < 1:
        places = max(places, 1 - magnitude.adjusted())  # two significant digits, so that nothing small reads as 0
    return _dressed(value < 0, _bare(_rounded(magnitude, places), keep=_cents(magnitude, unit)), unit)


def _cents(value: Decimal, unit: Unit) -> bool:
    return unit.kind is UnitKind.CURRENCY and value != value.to_integral_value()


def _rounded(value: Decimal, places: int) -> Decimal:
    if value == value.to_integral_value():
        return value.to_integral_value()
    return value.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_EVEN)


def _bare(value: Decimal, *, keep: bool = False) -> str:
    text = f"{value:,f}"
    return text.rstrip("0").rstrip(".") if "." in text and not keep else text


def _dressed(negative: bool, digits: str, unit: Unit) -> str:  # noqa: FBT001 - one internal call shape
    sign = "-" if negative else ""
    match unit.kind:
        case UnitKind.CURRENCY:
            code = unit.currency or unit.code
            mark = SIGNS.get(code)
            return f"{sign}{mark}{digits}" if mark else f"{sign}{digits} {_money_name(code, unit)}"
        case UnitKind.PERCENT:
            return f"{sign}{digits}%" + (f" of {unit.per}" if unit.per else "")
        case UnitKind.RATE:
            return f"{sign}{digits} per {unit.per}" if unit.per else f"{sign}{digits}"
        case kind if kind in _WORD_UNITS and unit.code not in _UNSAID:
            return f"{sign}{digits} {unit.code}"
        case _:
            return f"{sign}{digits}"


def _money_name(code: str, unit: Unit) -> str:
    return "international dollars" if code == "INT$" else (unit.label if code == "LCU" else code)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure shown in a text: its value and the worth of its last digit."""

    value: Decimal
    step: Decimal
    text: str

    def shows(self, exact: Decimal) -> bool:
        """Whether this is ``exact`` or a rounding of it to the digits shown, sign aside."""
        if abs(self.value) == abs(exact):
            return True
        with localcontext(prec=_ENOUGH):
            steps = (abs(exact) / self.step).quantize(Decimal(1), rounding=ROUND_HALF_EVEN)
            return steps * self.step == abs(self.value)


_DATE = re.compile(r"(?<![\d-])(\d{4})-(?:0[1-9]|1[0-2])(?:-[0-3]\d)?(?![\d-])")


def find_figures(text: str) -> list[Figure]:
    """All figures written with digits in ``text``, in order, years included; ``CO2`` and ``G7`` hold none.

    Of a date such as ``2023-09-30`` the year is a figure, its month and day are not.
    """
    numbers = find_numbers(_DATE.sub(r"\1", text.replace("FY", "FY ")))
    return [
        Figure(number.value, number.step, number.text)
        for number in numbers
        if any(char.isdigit() for char in number.text)
    ]


def figures(text: str) -> list[Decimal]:
    """The values of all figures written with digits in ``text``."""
    return [figure.value for figure in find_figures(text)]
