"""Values and annotations that stand where a figure would be, with what the Census Bureau says they mean.

An estimate that is one of them is never a number; a margin of error that is one of them has no width of its own.
"""

from __future__ import annotations

from decimal import Decimal

ESTIMATES: dict[int, str] = {
    -666666666: "too few sample observations to compute an estimate (marked “-”)",
    -999999999: "too few sample cases in this area to show an estimate (marked “N”)",
    -888888888: "not applicable or not available here (marked “(X)”)",
    -222222222: "too few sample observations to compute a margin of error (marked “**”)",
    -333333333: "the median lies in an open-ended interval, so it has no margin of error (marked “***”)",
    -555555555: "controlled to an independent estimate, so that it has no sampling error (marked “*****”)",
}
"""Marker values by number; the last three are those of margins of error, and no estimates either."""

CONTROLLED = -555555555
_HIGHEST = max(ESTIMATES)

ANNOTATIONS: dict[str, str] = {
    "-": ESTIMATES[-666666666],
    "N": ESTIMATES[-999999999],
    "(X)": ESTIMATES[-888888888],
    "X": ESTIMATES[-888888888],
    "null": "no estimate is published",
}
"""Annotations of an estimate that say that there is none."""

_INCOME = {"2499": "2,500-", "250001": "250,000+"}
_RENT = {"99": "100-", "2001": "2,000+", "3501": "3,500+"}
_WORTH = {"9999": "10,000-", "1000001": "1,000,000+", "2000001": "2,000,000+"}
_BUILT = {"0": "1939-", "18": "2014+"}
_LATEST = "the latest, open-ended class of years (“2014+” in the vintage 2020)"
"""Which years the last class begins with changes with the vintage; its number does not."""
OPEN_ENDED: dict[str, dict[str, str]] = {
    "B19013_001E": _INCOME,
    "B19113_001E": _INCOME,
    "DP03_0062E": _INCOME,
    "S1901_C01_012E": _INCOME,
    "S1903_C03_001E": _INCOME,
    "B25058_001E": _RENT,
    "B25064_001E": _RENT,
    "DP04_0134E": _RENT,
    "B25077_001E": _WORTH,
    "DP04_0089E": _WORTH,
    "B25035_001E": _BUILT,
    "B25037_001E": _BUILT,
}
"""Numbers that stand for a median in an open-ended interval, by variable, with what is published in their place.

They are just outside of the interval's bound, where no median is ever published; years of construction have codes.
Answers without their annotations have nothing else that tells.
"""

WITHHELD: dict[str, str] = {
    "D": "withheld to avoid disclosing data of individual companies (flag D)",
    "S": "withheld because it does not meet publication standards (flag S)",
    "N": "not available or not comparable (flag N)",
    "X": "not applicable (flag X)",
    "A": "withheld; only a size class of employees, 0 to 19, is told (flag A)",
    "Q": "withheld: revenue is not collected at this level (flag Q)",
}
"""Disclosure flags of business statistics that stand in place of a figure."""

REMARKS: dict[str, str] = {
    "r": "is revised (flag r)",
    "s": "has a sampling error above 40 percent (flag s)",
}
"""Flags that leave the figure."""

NOISES: dict[str, str] = {
    "1": "was changed by less than 2 percent to protect companies (low noise)",
    "2": "was changed by 2 to 5 percent to protect companies (moderate noise)",
    "3": "was changed by 5 percent or more to protect companies (high noise)",
    "G": "was changed by less than 2 percent to protect companies (low noise)",
    "H": "was changed by 2 to 5 percent to protect companies (moderate noise)",
    "J": "was changed by 5 percent or more to protect companies (high noise)",
}
"""How much noise was put into a figure of County Business Patterns, in both spellings."""


def marker(value: Decimal) -> str | None:
    """What a marker value means, or ``None`` for a figure. ``-666666666.0`` is the same marker."""
    if value > _HIGHEST:
        return None
    return ESTIMATES.get(int(value)) if value == value.to_integral_value() else None


def open_ended(variable: str, cell: str) -> str | None:
    """What a number that stands for an open-ended interval says, or ``None`` for a median."""
    published = OPEN_ENDED.get(variable, {}).get(cell.strip().removesuffix(".0"))
    if published == _BUILT["18"]:
        return f"the median lies in {_LATEST} and is published as that only"
    return annotation(published)


def annotation(text: str | None) -> str | None:
    """What an annotation of an estimate says in place of a figure, or ``None`` where it leaves the figure.

    ``250,000+`` and ``2,500-`` are medians in an open-ended interval: a bound, and no median.
    """
    if not text:
        return None
    if text in ANNOTATIONS:
        return ANNOTATIONS[text]
    if text[-1] in "+-" and any(letter.isdigit() for letter in text):
        side = "highest" if text.endswith("+") else "lowest"
        return f"the median lies in the {side}, open-ended interval and is published as “{text}” only"
    return None
