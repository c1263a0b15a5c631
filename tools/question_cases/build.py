"""Makes labelled cases out of a question's text and the figures that answer it."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from typing import Any

from question_cases.figures import Figures, NoFigure

Case = dict[str, Any]
Claim = dict[str, Any]

TOLERANCE = 1e-6
COMPLETE = ["complete"]
ANSWERED = ["complete", "partial"]
DECLINED = ["unanswered", "refused"]

UNITS = {
    "NY.GDP.MKTP.CD": "USD",
    "NY.GDP.PCAP.CD": "USD",
    "SP.POP.TOTL": "people",
    "SP.DYN.LE00.IN": "years",
    "FP.CPI.TOTL.ZG": "%",
    "NY.GDP.MKTP.KD.ZG": "%",
}
"""Only units whose code is beyond doubt are expected."""

GROUP_NAMES = {
    "WLD": "World",
    "EUU": "European Union",
    "SSF": "Sub-Saharan Africa",
    "LIC": "LIC",
    "HIC": "HIC",
    "LCN": "Latin America & Caribbean",
    "ARB": "Arab World",
    "OED": "OECD members",
    "EMU": "Euro area",
}
"""Aggregates are expected by name or World Bank code, countries by ISO3."""

GROUPS = {
    "G7": ["CAN", "DEU", "FRA", "GBR", "ITA", "JPN", "USA"],
    "EU": [
        "AUT",
        "BEL",
        "BGR",
        "CYP",
        "CZE",
        "DEU",
        "DNK",
        "ESP",
        "EST",
        "FIN",
        "FRA",
        "GRC",
        "HRV",
        "HUN",
        "IRL",
        "ITA",
        "LTU",
        "LUX",
        "LVA",
        "MLT",
        "NLD",
        "POL",
        "PRT",
        "ROU",
        "SVK",
        "SVN",
        "SWE",
    ],
    "Nordic": ["DNK", "FIN", "ISL", "NOR", "SWE"],
    "Benelux": ["BEL", "LUX", "NLD"],
    "Baltic": ["EST", "LTU", "LVA"],
}
"""Memberships that do not change with the year asked or the definition used."""


def plain(value: Decimal) -> str:
    """Digits without an exponent."""
    return format(value, "f")


@dataclass
class Book:
    """Collects cases, group by group; every third case of a group is held out."""

    figures: Figures
    cases: list[Case] = field(default_factory=list)
    _counts: dict[str, int] = field(default_factory=dict)

    def add(
        self,
        group: str,
        question: str,
        *,
        status: list[str] | None = COMPLETE,
        type: str | None = None,  # noqa: A002 - the key's name in the case
        options: dict[str, Any] | None = None,
        origin: str | None = None,
        note: str | None = None,
        **expect: Any,
    ) -> None:
        """Add one case. ``expect`` holds the other keys of the expectation; empty ones are left out."""
        number = self._counts[group] = self._counts.get(group, 0) + 1
        wanted = {"status": status, "type": type, **expect}
        case: Case = {
            "id": f"{group}-{number:03d}",
            "question": question,
            "options": options or {},
            "expect": {key: value for key, value in wanted.items() if value not in (None, [], {})},
            "split": "holdout" if number % 3 == 0 else "dev",
        }
        if not case["options"]:
            del case["options"]
        if origin:
            case["origin"] = origin
        if note:
            case["note"] = note
        self.cases.append(case)

    def claim(self, indicator: str, code: str, year: int | None = None) -> Claim:
        """The expected claim of one published value; the newest year when none is given."""
        if year is None:
            year, value = self.figures.newest(indicator, code)
        else:
            value = self.figures.at(indicator, code, year)
        claim: Claim = {"entity": GROUP_NAMES.get(code, code), "period": str(year), "value": value}
        if indicator in UNITS:
            claim["unit"] = UNITS[indicator]
        return {**claim, "variable": indicator, "rel_tol": TOLERANCE}

    def claims(self, indicator: str, codes: list[str], year: int | None = None) -> list[Claim]:
        """One claim an entity. Without a year all must have the same newest year."""
        made = [self.claim(indicator, code, year) for code in codes]
        if len({claim["period"] for claim in made}) != 1:
            raise NoFigure(f"{indicator}: newest years differ over {codes}: {[c['period'] for c in made]}")
        return made

    def number(self, indicator: str, code: str, year: int | None = None) -> Decimal:
        """A value for arithmetic."""
        figures = self.figures
        return Decimal(figures.newest(indicator, code)[1] if year is None else figures.at(indicator, code, year))

    def everywhere(self) -> list[str]:
        """All economies."""
        return sorted(self.figures.countries)


def computed(value: Decimal | int, *, rel_tol: float = TOLERANCE, **keys: Any) -> Claim:
    """The expected claim of a computation, whose entity and period are open."""
    return {"value": plain(Decimal(value)), **keys, "rel_tol": rel_tol}


def divided(numerator: Decimal, denominator: Decimal) -> Decimal:
    """A quotient of 15 digits."""
    with localcontext() as context:
        context.prec = 15
        return +(numerator / denominator)


def pearson(xs: list[Decimal], ys: list[Decimal]) -> Decimal:
    """The correlation coefficient, to 6 places."""
    with localcontext() as context:
        context.prec = 40
        mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
        covariance = sum(((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)), Decimal(0))
        spread_x = sum(((x - mean_x) ** 2 for x in xs), Decimal(0)).sqrt()
        spread_y = sum(((y - mean_y) ** 2 for y in ys), Decimal(0)).sqrt()
        return (covariance / (spread_x * spread_y)).quantize(Decimal("0.000001"))
