"""The codes of the UN's SDG database in the words that people search by: its units and the parts of a series."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unit:
    """The unit in the words that searching and choosing know."""

    kind: str
    code: str
    label: str
    statistic: str = "value"
    per: str = ""


UNITS = {
    "PERCENT": Unit("percent", "%", "percent", "share"),
    "PER_POP_U5": Unit("percent", "%", "percent of children under 5", "share"),
    "PER_MARW_20T24Y": Unit("percent", "%", "percent of women aged 20 to 24", "share"),
    "PER_100_POP": Unit("rate", "per 100 people", "per 100 people", "rate", "100 people"),
    "PER_1000_POP": Unit("rate", "per 1,000 people", "per 1,000 people", "rate", "1,000 people"),
    "PER_100000_POP": Unit("rate", "per 100,000 people", "per 100,000 people", "rate", "100,000 people"),
    "PER_1000_LIVE_BIRTHS": Unit(
        "rate", "per 1,000 live births", "per 1,000 live births", "rate", "1,000 live births"
    ),
    "PER_100000_LIVE_BIRTHS": Unit(
        "rate", "per 100,000 live births", "per 100,000 live births", "rate", "100,000 live births"
    ),
    "PER_1000_UNINFECTED_POP": Unit(
        "rate", "per 1,000 uninfected people", "per 1,000 uninfected people", "rate", "1,000 uninfected people"
    ),
    "NUMBER": Unit("count", "number", "number"),
    "NUM_M": Unit("count", "number", "number"),
    "HA_TH": Unit("physical", "hectares", "hectares"),
    "TONNES_M": Unit("physical", "tonnes", "tonnes"),
    "KG_PER_CON_USD": Unit("physical", "kg per $", "kilograms per constant US dollar", "rate", "dollar"),
    "MJ_PER_GDP_CON_PPP_USD": Unit("physical", "MJ per $", "megajoules per constant PPP dollar", "rate", "dollar"),
    "mgr/m^3": Unit("physical", "µg/m³", "micrograms per cubic meter", "rate", "cubic meter"),
    "LTPUREAL": Unit("physical", "litres of pure alcohol", "litres of pure alcohol"),
    "INDEX": Unit("index", "index", "index", "index"),
    "Ratio": Unit("rate", "ratio", "ratio", "ratio"),
    "CON_USD": Unit("currency", "USD", "constant US dollars"),
}


@dataclass(frozen=True, slots=True)
class Part:
    """One value of a dimension: how it is called, its constraint, and how phrases are limited to it."""

    name: str
    constraint: str
    phrases: tuple[str, ...]


PARTS = {
    "Sex=FEMALE": Part("female", "sex=female", ("female {}", "{} among women")),
    "Sex=MALE": Part("male", "sex=male", ("male {}", "{} among men")),
    "Location=RURAL": Part("rural areas", "area=rural", ("rural {}", "{} in rural areas")),
    "Location=URBAN": Part("urban areas", "area=urban", ("urban {}", "{} in urban areas", "{} in cities")),
    "Age=15-24": Part("ages 15 to 24", "age=15-24", ("youth {}", "{} among youth")),
    "Quantile=Q1": Part("poorest fifth", "quantile=poorest", ("{} of the poorest fifth",)),
    "Education level=GRAD23": Part("grades 2 and 3", "level=grades 2 and 3", ("{} in grades 2 and 3",)),
    "Education level=PRIMAR": Part("end of primary school", "level=primary", ("{} in primary school",)),
    "Education level=LOWSEC": Part(
        "end of lower secondary school", "level=lower secondary", ("{} in lower secondary school",)
    ),
    "Type of skill=SKILL_READ": Part("reading", "skill=reading", ("{}, reading",)),
    "Type of skill=SKILL_MATH": Part("mathematics", "skill=mathematics", ("{}, mathematics",)),
    "Type of skill=ARSP": Part(
        "spreadsheet formulas", "skill=spreadsheets", ("people who use spreadsheet formulas",)
    ),
    "Type of skill=CMFL": Part("copying files", "skill=copying files", ("people who can copy or move a file",)),
    "Type of skill=COPA": Part("copy and paste", "skill=copy and paste", ("people who can copy and paste",)),
    "Type of skill=EMAIL": Part("e-mail", "skill=email", ("people who send e-mails with attached files",)),
    "Type of skill=EPRS": Part(
        "electronic presentations", "skill=presentations", ("people who make electronic presentations",)
    ),
    "Type of skill=INST": Part("connecting devices", "skill=devices", ("people who can connect new devices",)),
    "Type of skill=PCPR": Part("programming", "skill=programming", ("people who can write a computer program",)),
    "Type of skill=SOFT": Part("installing software", "skill=software", ("people who can install software",)),
    "Type of skill=TRAF": Part("transferring files", "skill=transfer", ("people who can transfer files",)),
}
