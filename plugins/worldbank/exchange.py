"""The World Bank's official exchange rate, at which an amount in local currency is brought to US dollars.

The amounts of all years are given in the currency that a country has now; the rates of years before a change of
currency are of the former one. Dividing by them would give a wrong number, so those years are refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from plugins.worldbank.answers import answer_value
from plugins.worldbank.asking import Asking
from shared.query.annotated import EntityResolved, Executed, RateBinding
from shared.query.conversion import LOCAL, is_convertible
from shared.query.discovery import TableDocument
from shared.query.evidence import FailureStatus, Measure, Unanswerable
from shared.query.quantity import PlaceKind, Unit, UnitKind
from shared.query.slots import Slot, SlotKind

INDICATOR = "PA.NUS.FCRF"
TITLE = "Official exchange rate (LCU per US$, period average)"
UNIT = Unit(
    kind=UnitKind.RATE,
    code="LCU per USD",
    label="local currency units per US dollar",
    per="US dollar",
)
EURO = "the euro"
DOLLAR = "the US dollar"
CHANGED: dict[str, tuple[int, str]] = {
    **dict.fromkeys(
        ("AUT", "BEL", "DEU", "ESP", "FIN", "FRA", "IRL", "ITA", "LUX", "MAF", "MCO", "NLD", "PRT", "SMR"),
        (1999, EURO),
    ),
    "GRC": (2001, EURO),
    "SVN": (2007, EURO),
    "CYP": (2008, EURO),
    "MLT": (2008, EURO),
    "SVK": (2009, EURO),
    "EST": (2011, EURO),
    "LVA": (2014, EURO),
    "LTU": (2015, EURO),
    "HRV": (2023, EURO),
    "BGR": (2026, EURO),
    "ECU": (2000, DOLLAR),
    "SLV": (2001, DOLLAR),
    "GNQ": (1985, "the CFA franc"),
    "GNB": (1997, "the CFA franc"),
    "ZMB": (1972, "the kwacha of today"),
    "TKM": (2009, "the manat of today"),
}
"""The first year whose rate is of the currency that the amounts are in, and that currency."""
SEVERAL = {"LBR": "Liberia", "ZWE": "Zimbabwe"}
"""Countries with two currencies side by side, whose amounts are not in the one that the rate is of."""


def rate_of(slot: Slot, resolved: EntityResolved, measure: Measure, *, source: str) -> RateBinding | None:
    """The rate that belongs to a bound amount: of one country, in local currency, at current prices."""
    entity = resolved.entity
    if slot.kind is not SlotKind.VALUE or entity is None or resolved.sum_of_members or not is_convertible(measure):
        return None
    if entity.kind is not PlaceKind.COUNTRY:
        return None
    rate = Measure(source=source, variable=INDICATOR, name=TITLE, unit=UNIT, additive=False)
    return RateBinding(measure=rate, locator={"indicator": INDICATOR, "rate": "official"})


def is_rate(locator: dict[str, str]) -> bool:
    """Whether a request is for the rate of a conversion, not for the rate as a figure of its own."""
    return "rate" in locator


def of_many_currencies(slot: Slot, documents: Sequence[TableDocument]) -> Unanswerable | None:
    """Why members are not held side by side in an amount of which each has its own currency."""
    if slot.kind is not SlotKind.POPULATION or not all(one.terms.get("unit") == LOCAL for one in documents):
        return None
    return Unanswerable(
        status=FailureStatus.NOT_COMPARABLE,
        reason=f"{documents[0].title} is in each country's own currency, in which countries cannot be compared",
        needs="the amount in US dollars",
    )


async def answer_rate(asking: Asking) -> Executed | Unanswerable:
    """The rate of the entity's year, if it is of the currency that the entity's amounts are in."""
    iso3, year = asking.entity.keys.get("iso3", ""), asking.period.explicit_year
    since, currency = CHANGED.get(iso3, (0, ""))
    if iso3 in SEVERAL:
        return _of_another(f"{SEVERAL[iso3]} has two currencies, and its amounts are not in the one of the rate")
    if year is not None and year < since:
        return _of_another(
            f"the World Bank's rate of {year} is of the currency that {asking.entity.name} had before {currency}, "
            f"and its amounts of all years are in {currency}"
        )
    return await answer_value(asking)


def _of_another(why: str) -> Unanswerable:
    return Unanswerable(status=FailureStatus.NOT_COMPARABLE, reason=why)
