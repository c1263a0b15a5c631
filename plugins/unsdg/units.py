"""The publisher's codes of units, with the multiplier that some have in them."""

from __future__ import annotations

from typing import Literal

from shared.query.discovery import TableDocument
from shared.query.quantity import Unit, UnitKind

_PRICES: dict[str, Literal["current", "constant"]] = {"CON": "constant", "CU": "current"}


def _percent(label: str = "percent") -> Unit:
    return Unit(kind=UnitKind.PERCENT, code="%", label=label)


def _per(per: str) -> Unit:
    return Unit(kind=UnitKind.RATE, code=f"per {per}", label=f"per {per}", per=per)


def _dollars(prices: str) -> Unit:
    basis = _PRICES[prices]
    return Unit(kind=UnitKind.CURRENCY, code="USD", label=f"{basis} US dollars", currency="USD", price_basis=basis)


def _physical(code: str, label: str = "", *, per: str | None = None) -> Unit:
    return Unit(kind=UnitKind.PHYSICAL, code=code, label=label or code, per=per)


def _count(code: str, label: str = "") -> Unit:
    return Unit(kind=UnitKind.COUNT, code=code, label=label or code)


UNITS: dict[str, Unit] = {
    "PERCENT": _percent(),
    "PER_POP_U5": _percent("percent of children under 5"),
    "PER_MARW_20T24Y": _percent("percent of women aged 20 to 24"),
    "PER_100_POP": _per("100 people"),
    "PER_1000_POP": _per("1,000 people"),
    "PER_10000_POP": _per("10,000 people"),
    "PER_100000_POP": _per("100,000 people"),
    "PER_1000000_POP": _per("1,000,000 people"),
    "PER_100000_EMP": _per("100,000 employees"),
    "PER_1000_LIVE_BIRTHS": _per("1,000 live births"),
    "PER_100000_LIVE_BIRTHS": _per("100,000 live births"),
    "PER_1000_UNINFECTED_POP": _per("1,000 uninfected people"),
    "NUMBER": _count("number"),
    "NUM_TH": _count("number"),
    "NUM_M": _count("number"),
    "HA_TH": _physical("hectares"),
    "KMSQ": _physical("sq. km", "square kilometers"),
    "TONNES": _physical("tonnes"),
    "METONS": _physical("tonnes"),
    "TONNES_M": _physical("tonnes"),
    "T_PER_HA": _physical("tonnes per hectare", per="hectare"),
    "KG": _physical("kg", "kilograms"),
    "KG_PER_CON_USD": _physical("kg per $", "kilograms per constant US dollar", per="dollar"),
    "MJ_PER_GDP_CON_PPP_USD": _physical("MJ per $", "megajoules per constant PPP dollar of GDP", per="dollar"),
    "MGR/M^3": _physical("µg/m³", "micrograms per cubic meter", per="cubic meter"),
    "LTPUREAL": _physical("litres of pure alcohol"),
    "W_PER_CAPITA": _physical("watts per person", per="person"),
    "M_M3_PER_YR": _physical("cubic meters", "cubic meters a year"),
    "INDEX": Unit(kind=UnitKind.INDEX, code="index", label="index"),
    "SCORE": Unit(kind=UnitKind.INDEX, code="score", label="score"),
    "RATIO": Unit(kind=UnitKind.RATE, code="ratio", label="ratio"),
    "CON_USD": _dollars("CON"),
    "CON_USD_M": _dollars("CON"),
    "CU_USD": _dollars("CU"),
    "CU_USD_M": _dollars("CU"),
    "CU_USD_B": _dollars("CU"),
}
"""Units by code in capitals."""

MULTIPLIERS = {
    "NUM_TH": 1_000,
    "NUM_M": 1_000_000,
    "HA_TH": 1_000,
    "TONNES_M": 1_000_000,
    "M_M3_PER_YR": 1_000_000,
    "CON_USD_M": 1_000_000,
    "CU_USD_M": 1_000_000,
    "CU_USD_B": 1_000_000_000,
}
"""What a figure is multiplied by to be in its plain unit."""
EXTENTS = frozenset({"HA_TH", "KMSQ", "TONNES", "METONS", "TONNES_M", "KG"})
"""Physical units whose amounts add up over members."""


def unit_of(document: TableDocument) -> Unit:
    """The unit of a document: by the publisher's code if it has that, else by its own terms."""
    known = UNITS.get(document.terms.get("unitCode", "").upper())
    if known is not None:
        return known
    terms = document.terms
    kind = terms.get("unitKind", "none")
    return Unit(
        kind=UnitKind(kind) if kind in set(UnitKind) else UnitKind.NONE,
        code=terms.get("unit", ""),
        label=terms.get("unitLabel") or terms.get("unit", ""),
        currency="USD" if kind == UnitKind.CURRENCY and terms.get("unit") == "USD" else None,
        per=terms.get("per") or None,
    )


def multiplier(code: str) -> int:
    """What a figure of a unit of the publisher's is multiplied by to be in plain units."""
    return MULTIPLIERS.get(code.upper(), 1)
