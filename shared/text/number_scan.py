"""Numbers as people write them: ``$100 million``, ``1.5bn``, ``five percent``, ``half a million``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

SCALES: dict[str, int] = {
    "hundred": 10**2,
    "k": 10**3,
    "thousand": 10**3,
    "lakh": 10**5,
    "m": 10**6,
    "mn": 10**6,
    "mm": 10**6,
    "mio": 10**6,
    "million": 10**6,
    "crore": 10**7,
    "b": 10**9,
    "bn": 10**9,
    "billion": 10**9,
    "t": 10**12,
    "tn": 10**12,
    "trillion": 10**12,
    "quadrillion": 10**15,
}
_SMALL = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
    "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
    "seventy": 70,
    "eighty": 80, "ninety": 90,
}  # fmt: skip
_FRACTIONS = {
    "half": Decimal(50),
    "a half": Decimal(50),
    "one half": Decimal(50),
    "a third": Decimal(100) / 3,
    "one third": Decimal(100) / 3,
    "two thirds": Decimal(200) / 3,
    "a quarter": Decimal(25),
    "one quarter": Decimal(25),
    "three quarters": Decimal(75),
    "a fifth": Decimal(20),
    "one fifth": Decimal(20),
    "a tenth": Decimal(10),
    "one tenth": Decimal(10),
}
_CURRENCY_SIGNS = {
    "us$": "USD", "u.s.$": "USD", "$": "USD", "usd": "USD", "€": "EUR", "eur": "EUR", "£": "GBP", "gbp": "GBP",
    "¥": "JPY", "jpy": "JPY", "₹": "INR", "inr": "INR", "rs.": "INR", "c$": "CAD", "a$": "AUD",
}  # fmt: skip
_UNIT_WORDS = {
    "%": "%", "percent": "%", "per cent": "%", "pct": "%", "percentage points": "%", "percentage point": "%",
    "us dollars": "USD", "u.s. dollars": "USD", "dollars": "USD", "dollar": "USD", "usd": "USD", "us$": "USD",
    "bucks": "USD", "euros": "EUR", "euro": "EUR", "eur": "EUR", "pounds sterling": "GBP", "gbp": "GBP",
    "yen": "JPY", "rupees": "INR", "people": "people", "persons": "people", "inhabitants": "people",
    "residents": "people", "citizens": "people", "years": "years", "year": "years", "tonnes": "tonnes",
    "metric tons": "tonnes", "tons": "tonnes", "kilotons": "kt", "kt": "kt", "kwh": "kWh", "sq km": "sq. km",
    "sq. km": "sq. km", "square kilometers": "sq. km", "square kilometres": "sq. km", "km2": "sq. km",
    "hectares": "hectares", "acres": "acres",
}  # fmt: skip


def _any_of(words: Iterable[str]) -> str:
    return "|".join(sorted((re.escape(word) for word in words), key=len, reverse=True))


_LONG_SCALES = [name for name in SCALES if len(name) > 2]
_SHORT_SCALES = [name for name in SCALES if len(name) <= 2]
_DIGITS = r"(?:\d{1,3}(?:,\d{2,3})*,\d{3}|\d+)(?:\.\d+)?|\.\d+"
_SCALE = rf"(?:[\s-]?(?P<scale>{_any_of(_LONG_SCALES)})s?|(?P<tight>{_any_of(_SHORT_SCALES)}))(?![a-z0-9])"
_UNIT = rf"\s?(?P<unit>{_any_of(_UNIT_WORDS)})(?![a-z])"
_PER = r"\s?(?:per|out of(?: every)?)\s(?P<per>1[,0]*00)(?:\s(?P<perscale>thousand|million))?(?![\d,.]*\d)"
_SIGN = "[-+\N{MINUS SIGN}]"
_NUMBER = re.compile(
    rf"(?P<sign>(?<![\w.,)]){_SIGN})?(?P<currency>{_any_of(_CURRENCY_SIGNS)})?\s?(?<![\w.])(?<!\d,)"
    rf"(?P<digits>{_DIGITS})(?:{_SCALE})?(?:{_UNIT})?(?:{_PER})?",
    re.IGNORECASE,
)
_WORD = _any_of([*_SMALL, *_LONG_SCALES, *(f"{scale}s" for scale in _LONG_SCALES)])
_ONES = rf"(?:{_any_of(_SMALL)})"
_SCALES = rf"(?:{_any_of(_LONG_SCALES)})"
_MORE = rf"(?:[\s-](?:and\s)?(?:point\s)?(?:{_WORD}))*"
_WORDS = re.compile(
    rf"(?<![\w-])(?P<words>half an?\s{_SCALES}|(?:a )?quarter of an?\s{_SCALES}|half a percent"
    rf"|{_ONES}\sand a half\s{_SCALES}|an?\s(?:dozen|{_SCALES}){_MORE}|{_ONES}{_MORE})(?![\w])(?:{_UNIT})?",
    re.IGNORECASE,
)
_FRACTION = re.compile(
    rf"(?<![\w-])(?P<fraction>{_any_of(_FRACTIONS)})(?=\s(?:of|the|its|their)\b|[\s?.!,]*$)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class NumberMatch:
    """A number found in a text. ``unit`` is ``USD``, ``%``, ``people``, ``per 1,000``... where it is written."""

    start: int
    end: int
    text: str
    value: Decimal
    unit: str | None = None
    step: Decimal = Decimal(1)
    """The worth of the last digit shown: ``$3.96 trillion`` has step 10,000,000,000."""
    scale: int = 1
    """What the digits were multiplied by: 1,000,000 for ``$3 million``."""
    bare: bool = False
    """True when only digits are written, with no comma, scale or unit, so that it may be a year."""


def _plain(value: Decimal) -> Decimal:
    """The same number without the zeros that scaling leaves behind: ``1500000000.0`` is ``1500000000``."""
    return value.quantize(Decimal(1)) if value == value.to_integral_value() and abs(value) < 10**24 else value


def _step(digits: str, factor: int) -> Decimal:
    return Decimal(1).scaleb(-len(digits.partition(".")[2])) * factor


def _from_digits(match: re.Match[str]) -> NumberMatch:
    digits = match["digits"].replace(",", "")
    scale = (match["scale"] or match["tight"] or "").lower()
    end = match.end()
    factor = SCALES.get(scale, 1)
    unit = _CURRENCY_SIGNS.get((match["currency"] or "").lower())
    written = match["unit"]
    unit = unit or (_UNIT_WORDS[re.sub(r"\s+", " ", written.lower())] if written else None)
    if match["per"]:
        per = Decimal(match["per"].replace(",", "")) * SCALES.get((match["perscale"] or "").lower(), 1)
        unit = f"per {per:,}"
    value = _plain(Decimal(digits) * factor) if factor > 1 else Decimal(digits)
    if match["sign"] in {"-", "\N{MINUS SIGN}"}:
        value = -value
    bare = not (match["currency"] or scale or unit or "," in match["digits"] or "." in match["digits"])
    return NumberMatch(match.start(), end, match.group(), value, unit, _step(digits, factor), factor, bare)


def _words_value(words: str) -> Decimal:
    """The value of a spelled number; ``words`` matches ``_WORDS``."""
    text = re.sub(r"[\s-]+", " ", words.lower())
    if text == "half a percent":
        return Decimal("0.5")
    for lead, share in (
        ("half a ", Decimal("0.5")),
        ("a quarter of a ", Decimal("0.25")),
        ("quarter of a ", Decimal("0.25")),
    ):
        if text.startswith(lead):
            return SCALES[text.removeprefix(lead)] * share
    if " and a half " in text:
        first, _, scale = text.partition(" and a half ")
        return (_SMALL[first] + Decimal("0.5")) * SCALES[scale]
    total, current, decimals = Decimal(0), Decimal(0), ""
    after_point = False
    for word in text.split():
        if word in {"a", "an"}:
            current = Decimal(1)
        elif word == "dozen":
            current *= 12
        elif word == "point":
            after_point = True
        elif word in _SMALL and after_point:
            decimals += str(_SMALL[word])
        elif word in _SMALL:
            current += _SMALL[word]
        elif word.removesuffix("s") in SCALES:
            factor = SCALES[word.removesuffix("s")]
            current = (current or Decimal(1)) + Decimal(f"0.{decimals or 0}")
            decimals, after_point = "", False
            if factor == SCALES["hundred"]:
                current *= factor
            else:
                total, current = total + current * factor, Decimal(0)
    return total + current + Decimal(f"0.{decimals or 0}")


def find_numbers(text: str, *, fractions: bool = False) -> list[NumberMatch]:
    """All numbers of ``text`` in order, digits and words; ``fractions`` also reads ``half`` as 50 %."""
    found = [_from_digits(match) for match in _NUMBER.finditer(text)]
    found = [_trimmed(number) for number in found]
    taken = [(number.start, number.end) for number in found]

    def free(match: re.Match[str]) -> bool:
        return all(match.end() <= start or match.start() >= end for start, end in taken)

    for match in _WORDS.finditer(text):
        if free(match):
            unit = _UNIT_WORDS[match["unit"].lower()] if match["unit"] else None
            if match["words"].lower() == "half a percent":
                unit = "%"
            found.append(
                NumberMatch(match.start(), match.end(), match.group(), _plain(_words_value(match["words"])), unit)
            )
            taken.append(match.span())
    if fractions:
        for match in _FRACTION.finditer(text):
            if free(match):
                value = _FRACTIONS[match["fraction"].lower()]
                found.append(NumberMatch(match.start(), match.end(), match.group(), value, "%"))
    return sorted(found, key=lambda number: number.start)


def _trimmed(number: NumberMatch) -> NumberMatch:
    """Without the space that the optional currency sign leaves in front."""
    lead = len(number.text) - len(number.text.lstrip())
    if not lead:
        return number
    return NumberMatch(
        number.start + lead,
        number.end,
        number.text.lstrip(),
        number.value,
        number.unit,
        number.step,
        number.scale,
        number.bare,
    )


def parse_number(text: str) -> Decimal | None:
    """The one number that ``text`` consists of (``"half a million"`` is 500000), or ``None``."""
    found = find_numbers(text.strip())
    if len(found) == 1 and found[0].text.strip() == text.strip():
        return found[0].value
    return None
