"""The unit that a published indicator title states: ``GDP (current US$)``, ``Unemployment (% of labor force)``.

Titles end in one or more parentheses; the last that names a unit is the one. What a title leaves unsaid
("Population, total") is read from the table of subjects. No title is guessed at: one without a known
form is a plain number with the title's own words as its label.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Literal

from shared.query.quantity import Unit, UnitKind

Build = Callable[[re.Match[str], str], Unit]
Basis = Literal["current", "constant", "ppp-current", "ppp-constant"]

_PAREN = re.compile(r"\(((?:[^()]|\([^()]*\))*)\)")
_PER_HEAD = re.compile(r"\bper (?P<per>capita|person employed|worker|student|household)\b", re.IGNORECASE)


def _per_head(head: str) -> str | None:
    """What the title's own words divide by, before any parenthesis: GDP per capita is per person."""
    match = _PER_HEAD.search(head)
    if match is None:
        return None
    return "person" if match["per"].lower() == "capita" else match["per"].lower()


def _money(code: str, basis: Basis) -> Build:
    def build(match: re.Match[str], head: str) -> Unit:
        groups = match.groupdict()
        per = " per ".join(filter(None, (_per_head(head), groups.get("per"))))
        label = re.sub(r"^(?:BoP|DOD|NFL|includes gold),\s*", "", match.group().strip())
        return Unit(
            kind=UnitKind.CURRENCY,
            code=code,
            label=label,
            currency=code,
            price_basis=basis,
            per=per.strip() or None,
        )

    return build


def _percent(match: re.Match[str], _head: str) -> Unit:
    return Unit(kind=UnitKind.PERCENT, code="%", label=match.group().strip(), per=match.groupdict().get("per"))


def _rate(match: re.Match[str], _head: str) -> Unit:
    per = match["per"].strip()
    subject = match.groupdict().get("subject")
    label = f"{subject} per {per}" if subject else f"per {per}"
    return Unit(kind=UnitKind.RATE, code=label, label=label, per=per)


def _fixed(kind: UnitKind, code: str, *, label: str | None = None, per: str | None = None) -> Build:
    def build(match: re.Match[str], head: str) -> Unit:
        head_per = per or (_per_head(head) if kind is UnitKind.PHYSICAL else None)
        return Unit(kind=kind, code=code, label=label or match.group().strip(), per=head_per)

    return build


def _index(match: re.Match[str], _head: str) -> Unit:
    return Unit(kind=UnitKind.INDEX, code="index", label=match.group().strip())


def _physical(match: re.Match[str], head: str) -> Unit:
    code = _PHYSICAL[re.sub(r"\s+", " ", match["what"].lower())]
    per = match.groupdict().get("per") or _per_head(head)
    per = {"capita": "person", None: None}.get(per, per)
    return Unit(kind=UnitKind.PHYSICAL, code=code, label=match.group().strip(), per=per)


_PHYSICAL = {
    "sq. km": "sq. km", "square kilometers": "sq. km", "km": "km", "total route-km": "km",
    "hectares": "hectares",
    "kt": "kt", "kt of co2 equivalent": "kt", "thousand metric tons of co2 equivalent": "kt",
    "kt of oil equivalent": "kt",
    "mt co2e": "Mt", "mt of co2 equivalent": "Mt", "metric tons": "tonnes", "metric tonnes": "tonnes",
    "tonnes": "tonnes",
    "t co2e": "tonnes", "metric tons of co2 equivalent": "tonnes", "kg": "kg", "kilograms": "kg", "grams": "g",
    "kg of oil equivalent": "kg", "kwh": "kWh", "gwh": "GWh", "tj": "TJ", "mj": "MJ",
    "cubic meters": "cubic meters",
    "billion cubic meters": "billion cubic meters", "micrograms per cubic meter": "µg per cubic meter",
    "millimeters": "mm", "mm": "mm", "mm per year": "mm", "million metric tons": "Mt",
    "million ton-km": "million ton-km",
    "ton-km": "ton-km", "million passenger-km": "million passenger-km", "teu: 20 foot equivalent units": "TEU",
    "days": "days", "hours": "hours", "years": "years", "months": "months", "weeks": "weeks",
    "minutes": "minutes",
    "celsius": "°C", "degrees celsius": "°C",
}  # fmt: skip
_PHYSICAL_WORDS = "|".join(sorted((re.escape(word) for word in _PHYSICAL), key=len, reverse=True))
_DOLLAR = r"(?:US\$|U\.S\. dollars?|US dollars?|USD)"
_PREFIX = r"(?:(?:BoP|DOD|NFL|includes gold|in),?\s)*"

# Read from the first row down; each must match a parenthesis whole.
_IN_PARENTHESES: tuple[tuple[str, Build], ...] = (
    (r"(?:annual )?% (?:change|growth)|annual % change|annual %|annual % growth", _percent),
    (r"(?:[a-z -]+ minus [a-z -]+|median|average), ?%", _percent),
    (r"% of (?P<per>.+)", _percent),
    (r"average share of (?P<per>.+)", _percent),
    (r"%(?: (?:gross|net|ages .+|.*))?", _percent),
    (rf"{_PREFIX}current {_DOLLAR}(?: per (?P<per>.+))?", _money("USD", "current")),
    (rf"constant (?P<base>\d{{4}}) {_DOLLAR}(?: per (?P<per>.+))?", _money("USD", "constant")),
    (rf"{_DOLLAR}(?: per (?P<per>.+))?|{_PREFIX}{_DOLLAR}", _money("USD", "current")),
    (r"current (?:international \$|PPP \$)(?: per (?P<per>.+))?|PPP,? current international \$",
     _money("INT$", "ppp-current")),
    (r"constant (?:\d{4} )?(?:international \$|PPP \$)(?: per (?P<per>.+))?", _money("INT$", "ppp-constant")),
    (r"\d{4} (?:PPP \$|international \$)(?: per (?P<per>.+))?", _money("INT$", "ppp-constant")),
    (r"current LCU", _money("LCU", "current")),
    (r"constant LCU", _money("LCU", "constant")),
    (r"LCU per US\$(?:, (?:period average|end of period))?", _fixed(UnitKind.RATE, "LCU per US$", per="US$")),
    (r"LCU per international \$", _fixed(UnitKind.RATE, "LCU per INT$", per="international $")),
    (r"MJ/\$(?:\d{4} )?PPP GDP", _fixed(UnitKind.RATE, "MJ per PPP $ of GDP", per="PPP $ of GDP")),
    (r"(?P<what>micrograms per cubic meter)", _physical),
    (rf"(?P<what>{_PHYSICAL_WORDS})(?: per (?P<per>.+))?", _physical),
    (r"(?:(?:modeled|national) (?:ILO )?estimates?, )?per (?P<per>(?:\d|million|thousand|hundred).*)", _rate),
    (r"(?P<subject>births|deaths|people|pupils|children|women|men|bed days|cases) per (?P<per>.+)", _rate),
    (r"(?:scale )?\d+ ?(?:-|to) ?\d+|scale .+", _index),
    (r"\d=.+", _index),
    (r"(?:\d{4}(?:-\d{2,4})?) ?= ?100", _index),
    (r"GPI", _fixed(UnitKind.INDEX, "GPI", label="gender parity index")),
    (r"SIPRI trend indicator values", _fixed(UnitKind.INDEX, "TIV", label="SIPRI trend indicator values")),
    (r"number of (?:people|persons|cases|refugees)|people|persons",
     _fixed(UnitKind.COUNT, "people", label="people")),
    (r"number|number of .+", _fixed(UnitKind.COUNT, "number", label="number")),
    (r"Overall average", _index),
    (r"national currency(?: units)?", _money("LCU", "current")),
)  # fmt: skip
_PARENTHESES = [(re.compile(pattern, re.IGNORECASE), build) for pattern, build in _IN_PARENTHESES]

# What a title without a unit in parentheses counts, by its words.
_BY_SUBJECT: tuple[tuple[str, Build], ...] = (
    (r"^(?:intentional homicides|.*\bper 100 sq\. km)\b", lambda _m, head: _per_area(head)),
    (r"\bindex\b|\brating\b|\bscore\b", _fixed(UnitKind.INDEX, "index", label="index")),
    (r"\bincome share\b|\bshare of\b|\bpercentage\b|\bproportion\b", _fixed(UnitKind.PERCENT, "%", label="%")),
    (r"\bpupil-teacher ratio\b", _fixed(UnitKind.RATE,
    "pupils per teacher", label="pupils per teacher", per="teacher")),
    (r"\bratio\b", _fixed(UnitKind.RATE, "ratio", label="ratio")),
    (r"\bpopulation\b|\blabor force\b|\bpersonnel\b|\bmigration\b|\bmigrant stock\b|\brefugees?\b"
     r"|\bchildren out of school\b"
     r"|\badults\b|\bworkers\b|\bdisplaced persons\b|\bpassengers carried\b|\barrivals\b|\bdepartures$"
     r"|\bnumber of (?:people|deaths|infant|under-five)",
     _fixed(UnitKind.COUNT, "people", label="people")),
    (r"\bage at\b|\bduration\b", _fixed(UnitKind.PHYSICAL, "years", label="years")),
)  # fmt: skip
_SUBJECTS = [(re.compile(pattern, re.IGNORECASE), build) for pattern, build in _BY_SUBJECT]
_AREA = re.compile(r"per (?P<per>100 sq\. km[a-z ]*)", re.IGNORECASE)


def _per_area(head: str) -> Unit:
    match = _AREA.search(head)
    per = match["per"] if match else "100,000 people"
    return Unit(kind=UnitKind.RATE, code=f"per {per}", label=f"per {per}", per=per)


@lru_cache(maxsize=4096)
def unit_of_title(title: str) -> Unit:
    """The unit that ``title`` states, or that its subject implies, else a plain number.

    Examples: ``GDP (current US$)`` is ``USD`` at current prices; ``(% of GDP)`` is ``%`` per ``GDP``;
    ``(current international $)`` is ``INT$``, which is not ``USD``; ``Population, total`` is ``people``.
    """
    head = _PAREN.sub(" ", title)
    for written in reversed(_PAREN.findall(title)):
        unit = unit_of_text(written, head=head)
        if unit is not None:
            return unit
    for pattern, build in _SUBJECTS:
        match = pattern.search(head)
        if match:
            return build(match, head)
    return Unit(kind=UnitKind.COUNT, code="number", label="number")


def unit_of_text(text: str, *, head: str = "") -> Unit | None:
    """The unit that a publisher's unit string states (``% of GDP``, ``current US$``), or ``None``.

    ``head`` is the rest of the title, which may say "per capita".
    """
    written = re.sub(r"\s+", " ", text).strip()
    for pattern, build in _PARENTHESES:
        match = pattern.fullmatch(written)
        if match:
            return build(match, head)
    return None
