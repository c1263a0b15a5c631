"""Read an indicator's published title into fields: the quantity, its unit, and which part of the people it covers.

World Bank titles follow one grammar: ``quantity, qualifier (unit) (remark)``. What the grammar does not
tell (a plain count has no unit in its title) stands in a table.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from shared.query.quantity import UnitKind


@dataclass(frozen=True, slots=True)
class TitleUnit:
    """A unit as the leaf carries it; ``statistic`` is value, share, growth, rate, index, ratio or flag."""

    kind: UnitKind
    code: str
    label: str
    statistic: str
    per: str = ""
    price_basis: str = ""


@dataclass(frozen=True, slots=True)
class Title:
    """A title taken apart. ``constraints`` maps a dimension (sex, age, area) to the part that is covered."""

    quantity: str
    unit: TitleUnit
    constraints: dict[str, str]
    estimate: str


def _count(code: str) -> TitleUnit:
    return TitleUnit(UnitKind.COUNT, code, code, "value")


def _dollars(label: str, *, per: str = "") -> TitleUnit:
    return TitleUnit(UnitKind.CURRENCY, "USD", label, "value", per=per, price_basis="current")


def _share(whole: str = "") -> TitleUnit:
    return TitleUnit(UnitKind.PERCENT, "%", f"percent of {whole}" if whole else "percent", "share", per=whole)


def _per(per: str, what: str = "") -> TitleUnit:
    label = f"{what} per {per}".strip()
    return TitleUnit(UnitKind.RATE, label, label, "rate", per=per)


def _index(label: str) -> TitleUnit:
    return TitleUnit(UnitKind.INDEX, "index", label, "index")


def _physical(code: str, label: str, *, per: str = "") -> TitleUnit:
    return TitleUnit(UnitKind.PHYSICAL, code, label, "rate" if per else "value", per=per)


PERCENT = _share()
GROWTH = TitleUnit(UnitKind.PERCENT, "%", "percent a year", "growth")
PARITY = TitleUnit(UnitKind.RATE, "ratio", "girls or women per boy or man", "ratio")

_RULES: tuple[tuple[str, TitleUnit], ...] = (
    (r"annual %( change)?", GROWTH),
    (r"% gross", TitleUnit(UnitKind.PERCENT, "%", "percent of the age group, pupils of any age", "share")),
    (r"% net", TitleUnit(UnitKind.PERCENT, "%", "percent of the age group, pupils of that age", "share")),
    (r"%|.*, %", PERCENT),
    (r".*current US\$|current USD", _dollars("current US dollars")),
    (r"current LCU", TitleUnit(UnitKind.CURRENCY, "LCU", "current local currency units", "value",
                               price_basis="current")),
    (r"US\$ per liter", _dollars("US dollars per liter", per="liter")),
    (r"current international \$", TitleUnit(UnitKind.CURRENCY, "international $", "current international dollars",
                                            "value", price_basis="ppp-current")),
    (r"constant 2021 PPP \$", TitleUnit(UnitKind.CURRENCY, "international $", "constant 2021 international dollars",
                                        "value", price_basis="ppp-constant")),
    (r"constant 2021 PPP \$ per kg of oil equivalent",
     TitleUnit(UnitKind.CURRENCY, "international $", "constant 2021 international dollars per kg of oil equivalent",
               "ratio", per="kg of oil equivalent", price_basis="ppp-constant")),
    (r"2021 PPP \$ per day", TitleUnit(UnitKind.CURRENCY, "international $", "2021 international dollars a day",
                                       "value", per="day", price_basis="ppp-constant")),
    (r"MJ/\$2021 PPP GDP", _physical("MJ per $", "megajoules per 2021 international dollar", per="dollar")),
    (r"LCU per US\$, period average", TitleUnit(UnitKind.RATE, "LCU per USD", "local currency units per US dollar",
                                                "rate", per="US dollar")),
    (r"LCU per international \$", TitleUnit(UnitKind.RATE, "LCU per international $",
                                            "local currency units per international dollar", "rate",
                                            per="international dollar")),
    (r"GPI", PARITY),
    (r"\d{4}(-\d{4})? = 100", _index("index")),
    (r"\d=.*|scale .*|Overall average", _index("score")),
    (r"days", _physical("days", "days")),
    (r"hours", _physical("hours", "hours")),
    (r"years", _physical("years", "years")),
    (r"hectares", _physical("hectares", "hectares")),
    (r"hectares per person", _physical("hectares per person", "hectares per person", per="person")),
    (r"sq\. km", _physical("sq. km", "square kilometers")),
    (r"total route-km", _physical("km", "kilometers of route")),
    (r"kg per hectare", _physical("kg per hectare", "kilograms per hectare", per="hectare")),
    (r"kilograms per hectare of arable land", _physical("kg per hectare", "kilograms per hectare", per="hectare")),
    (r"kt of CO2 equivalent", _physical("kt CO2e", "kilotons of CO2 equivalent")),
    (r"thousand metric tons of CO2 equivalent", _physical("kt CO2e", "kilotons of CO2 equivalent")),
    (r"kt", _physical("kt", "kilotons")),
    (r"metric tons per capita", _physical("t per person", "metric tons per person", per="person")),
    (r"kg of oil equivalent per capita", _physical("kg of oil equivalent per person",
                                                   "kilograms of oil equivalent per person", per="person")),
    (r"kWh per capita", _physical("kWh per person", "kilowatt hours per person", per="person")),
    (r"micrograms per cubic meter", _physical("µg/m³", "micrograms per cubic meter", per="cubic meter")),
    (r"billion cubic meters", _physical("billion cubic meters", "billion cubic meters")),
    (r"cubic meters", _physical("cubic meters per person", "cubic meters per person", per="person")),
    (r"number of people", _count("people")),
    (r"number of cases", _count("cases")),
    (r"number", _count("number")),
    (r"TEU: .*", _count("TEU")),
    (r"SIPRI trend indicator values", _count("trend indicator values")),
    (r"births per woman", _per("woman", "births")),
    (r"births per 1,000 women ages 15-19", _per("1,000 women ages 15-19", "births")),
    (r"people per sq\. km of land area", _per("sq. km", "people")),
    (r"average share of deprivations experienced by the poor", PERCENT),
)  # fmt: skip

_BY_CODE: dict[str, TitleUnit] = {
    "CM.MKT.LDOM.NO": _count("companies"),
    "EN.BIR.THRD.NO": _count("species"),
    "EN.FSH.THRD.NO": _count("species"),
    "EN.HPT.THRD.NO": _count("species"),
    "EN.MAM.THRD.NO": _count("species"),
    "EN.URB.LCTY": _count("people"),
    "EN.URB.MCTY": _count("people"),
    "IP.JRN.ARTC.SC": _count("articles"),
    "IP.PAT.NRES": _count("applications"),
    "IP.PAT.RESD": _count("applications"),
    "IP.TMK.NRES": _count("applications"),
    "IP.TMK.RESD": _count("applications"),
    "IP.TMK.TOTL": _count("applications"),
    "IS.AIR.DPRT": _count("departures"),
    "IQ.SCI.OVRL": _index("score"),
    "MS.MIL.TOTL.P1": _count("people"),
    "PA.NUS.PPPC.RF": TitleUnit(UnitKind.RATE, "ratio", "ratio, United States = 1", "ratio"),
    "SE.PRM.ENRL.TC.ZS": _per("teacher", "pupils"),
    "SE.PRM.UNER.FE": _count("children"),
    "SE.PRM.UNER.MA": _count("children"),
    "SG.NOD.CONS": TitleUnit(UnitKind.NONE, "yes/no", "1 for yes, 0 for no", "flag"),
    "SI.POV.GINI": _index("index, 0 for perfect equality and 100 for perfect inequality"),
    "IC.BUS.EASE.XQ": TitleUnit(UnitKind.NONE, "rank", "rank, 1 is the friendliest", "rank"),
    "SL.TLF.TOTL.IN": _count("people"),
    "SM.POP.NETM": _count("people"),
    "SM.POP.REFG": _count("people"),
    "SM.POP.REFG.OR": _count("people"),
    "SM.POP.TOTL": _count("people"),
    "SP.POP.TOTL": _count("people"),
    "SP.RUR.TOTL": _count("people"),
    "SP.URB.TOTL": _count("people"),
}

_CONSTRAINTS: tuple[tuple[str, str, str], ...] = (
    ("sex", "female", r"\b(fe)male\b|\bwom[ae]n\b"),
    ("sex", "male", r"(?<!fe)\bmales?\b(?! and)"),
    ("age", "15-24", r"\byouth\b|ages 15-24"),
    ("age", "0-14", r"ages 0-14"),
    ("age", "15-64", r"ages 15-64"),
    ("age", "65+", r"ages 65"),
    ("age", "7-14", r"ages 7-14"),
    ("age", "0-17", r"ages 0-17"),
    ("age", "0-4", r"children under 5"),
    ("age", "15-19", r"ages 15-19"),
    ("area", "rural", r"\brural\b"),
    ("area", "urban", r"\burban\b"),
)
_TRAILING = re.compile(r"\s*\(((?:[^()]|\([^()]*\))*)\)\s*$")


def read_title(code: str, title: str) -> Title:
    """Take a title apart. Raises ``ValueError`` when no rule knows its unit."""
    quantity = title.strip()
    remarks: list[str] = []
    while match := _TRAILING.search(quantity):
        remarks.insert(0, match[1].strip())
        quantity = quantity[: match.start()].strip()
    units = [unit for remark in remarks if (unit := _unit(remark))]
    unit = _BY_CODE.get(code) or (units[-1] if units else None) or _from_quantity(quantity)
    if unit is None:
        raise ValueError(f"{code}: no rule knows the unit of {title!r}")
    constraints: dict[str, str] = {}
    for dimension, part, pattern in _CONSTRAINTS:
        # Sex and area count only where the quantity itself is limited to them: births per woman are of all.
        if re.search(pattern, title if dimension == "age" else quantity, re.IGNORECASE):
            constraints.setdefault(dimension, part)
    estimate = next((remark for remark in remarks if "estimate" in remark), "").partition(",")[0]
    return Title(quantity, unit, constraints, estimate)


def _unit(remark: str) -> TitleUnit | None:
    for pattern, unit in _RULES:
        if re.fullmatch(pattern, remark):
            return unit
    if match := re.fullmatch(r"(?:.*, )?% (?:of )?(.+)", remark):
        return _share(match[1])
    if match := re.fullmatch(r"(?:.*, )?per (.+)", remark):
        return _per(match[1])
    return None


def _from_quantity(quantity: str) -> TitleUnit | None:
    return PERCENT if re.search(r"share held by|\(%\)", quantity) else None
