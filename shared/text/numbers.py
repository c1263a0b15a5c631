"""Numbers and thresholds as people write them: ``$100 million``, ``1.5bn``, ``five percent``, ``over 2,000``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from shared.query.readings import Comparator, Threshold

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
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
} | {
    word: (index + 2) * 10
    for index, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split())
}
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
_NUMBER = re.compile(
    rf"(?P<sign>(?<![\w.,)])[-−+])?(?P<currency>{_any_of(_CURRENCY_SIGNS)})?\s?(?<![\w.])(?<!\d,)(?P<digits>{_DIGITS})"
    rf"(?:{_SCALE})?(?:{_UNIT})?(?:{_PER})?",
    re.IGNORECASE,
)
_WORD = _any_of([*_SMALL, *_LONG_SCALES, *(f"{scale}s" for scale in _LONG_SCALES)])
_HALF_SCALE = rf"half an?\s(?:{_any_of(_LONG_SCALES)})|(?:a )?quarter of an?\s(?:{_any_of(_LONG_SCALES)})"
_WORDS = re.compile(
    rf"(?<![\w-])(?P<words>{_HALF_SCALE}|half a percent|(?:(?:{_any_of(_SMALL)})\sand a half\s(?:{_any_of(_LONG_SCALES)}))"
    rf"|an?\s(?:dozen|(?:{_any_of(_LONG_SCALES)}))(?:[\s-](?:and\s)?(?:{_WORD}))*"
    rf"|(?:{_any_of(_SMALL)})(?:[\s-](?:and\s)?(?:point\s)?(?:{_WORD}))*)(?![\w])(?:{_UNIT})?",
    re.IGNORECASE,
)
_FRACTION = re.compile(rf"(?<![\w-])(?P<fraction>{_any_of(_FRACTIONS)})(?=\s(?:of|the|its|their)\b|[\s?.!,]*$)", re.IGNORECASE)


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
    if match["sign"] in {"-", "−"}:
        value = -value
    bare = not (match["currency"] or scale or unit or "," in match["digits"] or "." in match["digits"])
    return NumberMatch(match.start(), end, match.group(), value, unit, _step(digits, factor), bare)


def _words_value(words: str) -> Decimal:
    """The value of a spelled number; ``words`` matches ``_WORDS``."""
    text = re.sub(r"[\s-]+", " ", words.lower())
    if text == "half a percent":
        return Decimal("0.5")
    for lead, share in (("half a ", Decimal("0.5")), ("a quarter of a ", Decimal("0.25")), ("quarter of a ", Decimal("0.25"))):
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
            found.append(NumberMatch(match.start(), match.end(), match.group(), _plain(_words_value(match["words"])), unit))
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
        number.start + lead, number.end, number.text.lstrip(), number.value, number.unit, number.step, number.bare
    )


def parse_number(text: str) -> Decimal | None:
    """The one number that ``text`` consists of (``"half a million"`` is 500000), or ``None``."""
    found = find_numbers(text.strip())
    if len(found) == 1 and found[0].text.strip() == text.strip():
        return found[0].value
    return None


# Thresholds ---------------------------------------------------------------------------------------

_BEFORE: tuple[tuple[str, Comparator], ...] = (
    (r"(?:is |are )?(?:greater|more|higher|larger|bigger) than or equal to|no (?:less|fewer|lower) than"
     r"|not (?:less|fewer|lower|below|under)(?: than)?|at (?:the )?(?:very )?least|a minimum of|minimum of|>=|≥|=>|starting at",
     Comparator.AT_LEAST),
    (r"(?:less|lower|fewer|smaller) than or equal to|no (?:more|higher|greater|larger) than"
     r"|not (?:more|higher|greater|larger|above|over)(?: than)?|(?:does|do|did) not exceed|not exceeding|at (?:the )?(?:very )?most"
     r"|a maximum of|maximum of|up to|<=|≤|=<",
     Comparator.AT_MOST),
    (r"(?:greater|more|higher|larger|bigger|better|older|longer) than|over|above|exceeds?|exceeding|exceeded|in excess of|upwards of"
     r"|beyond|surpass(?:es|ed|ing)?|topp(?:ed|ing)|tops|north of|>",
     Comparator.GREATER),
    (r"(?:less|lower|fewer|smaller|worse|younger|shorter) than|under|below|beneath|short of|south of|<",
     Comparator.LESS),
    (r"exactly|equal(?:s|ing)? to|equals|precisely",
     Comparator.EQUAL),
)  # fmt: skip
_AFTER: tuple[tuple[re.Pattern[str], Comparator], ...] = (
    (re.compile(r"\s*(?:or (?:more|higher|greater|above|over|better|larger|older)|and (?:above|over|up|higher|more)|\+|plus\b)", re.I),
     Comparator.AT_LEAST),
    (re.compile(r"\s*(?:or (?:less|lower|fewer|below|under|smaller)|and (?:below|under|less))\b", re.I), Comparator.AT_MOST),
)  # fmt: skip
_HEDGE = r"(?:\s(?:about|around|roughly|approximately|the|some|a total of))?\s?$"
_LEADS = [
    (re.compile(rf"(?:(?<![\w])|(?=[<>≤≥=]))(?P<phrase>{phrase}){_HEDGE}", re.IGNORECASE), comparator)
    for phrase, comparator in _BEFORE
]
_BETWEEN = re.compile(r"(?<!\w)(?:between|from|ranging from|in the range of)\s?$", re.IGNORECASE)
_YEAR = re.compile(r"(?<![\w.,$])(?:19|20)\d\d(?![\w%]|[.,]\d)")
_JOIN = re.compile(r"\s?(?:and|to|-|–)\s?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ThresholdMatch:
    """A threshold and where it stands in the text."""

    start: int
    end: int
    threshold: Threshold


def find_thresholds(text: str) -> list[ThresholdMatch]:
    """All bounds stated in ``text``, in order. Years and spans of years are left to the period parser."""
    numbers = find_numbers(text, fractions=True)
    found: list[ThresholdMatch] = []
    index = 0
    while index < len(numbers):
        number = numbers[index]
        following = numbers[index + 1] if index + 1 < len(numbers) else None
        span = _between(text, number, following) if following else None
        if span:
            found.append(span)
            index += 2
            continue
        bound = _bound(text, number, following, floor=found[-1].end if found else 0)
        if bound:
            found.append(bound)
        index += 1
    return found


def _between(text: str, low: NumberMatch, high: NumberMatch) -> ThresholdMatch | None:
    lead = _BETWEEN.search(text, 0, low.start)
    if not lead or not _JOIN.fullmatch(text, low.end, high.start) or (_is_year(low) and _is_year(high)):
        return None
    if lead.group().lower().startswith("from") and low.unit is None and high.unit is None:
        return None  # "from 3 to 5" tells of a change more often than of a bound
    value = low.value
    if low.step >= 1 and high.value > 0 and low.bare:
        # "between 5 and 10 million": the scale is said once, at the end.
        factor = _scale_of(high)
        value = low.value * factor if low.value * factor <= high.value else low.value
    elif low.unit and low.value < high.value and _scale_of(low) == 1 and low.value * _scale_of(high) <= high.value:
        value = low.value * _scale_of(high)
    lower, upper = sorted((value, high.value))
    start = lead.start()
    threshold = Threshold(
        comparator=Comparator.BETWEEN, value=lower, upper=upper, unit=low.unit or high.unit, text=text[start : high.end]
    )
    return ThresholdMatch(start, high.end, threshold)


def _scale_of(number: NumberMatch) -> int:
    written = re.search(rf"({_any_of(_LONG_SCALES)})s?\b|\d({_any_of(_SHORT_SCALES)})\b", number.text, re.IGNORECASE)
    return SCALES[(written[1] or written[2]).lower()] if written else 1


def _is_year(number: NumberMatch) -> bool:
    return number.bare and number.value == int(number.value) and 1700 <= number.value <= 2200


def _bound(text: str, number: NumberMatch, following: NumberMatch | None, *, floor: int) -> ThresholdMatch | None:
    for pattern, comparator in _AFTER:
        after = pattern.match(text, number.end)
        if after and following and not text[after.end() : following.start].strip():
            continue  # "over 10 and under 20": the words belong to the next number
        if after and not (_is_year(number) and "plus" not in after.group()):
            return _bounded(text, number.start, after.end(), number, comparator)
    for pattern, comparator in _LEADS:
        lead = pattern.search(text, max(floor, number.start - 60), number.start)
        if lead is None:
            continue
        if number.unit == "years" and lead["phrase"].lower() == "over" and number.value <= 30:
            return None  # "over 10 years" is a span of time
        if _is_year(number) and lead["phrase"].lower().endswith("than") and len(_YEAR.findall(text)) > 1:
            return None  # "in 2020 higher than 2019" compares years
        return _bounded(text, lead.start("phrase"), number.end, number, comparator)
    return None


def _bounded(text: str, start: int, end: int, number: NumberMatch, comparator: Comparator) -> ThresholdMatch:
    threshold = Threshold(comparator=comparator, value=number.value, unit=number.unit, text=text[start:end])
    return ThresholdMatch(start, end, threshold)
