"""The splits themselves: which indicators are parts of what, and which splits lack parts among the tables."""

from __future__ import annotations

from dataclasses import dataclass

SHARE_WORDS = frozenset({"share", "distribution", "distributed", "composition", "structure", "breakdown", "split"})
"""Words of the form in which a split is asked for; they do not tell one split from another."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a whole: its indicator and what it is called among the parts."""

    indicator: str
    name: str


@dataclass(frozen=True, slots=True)
class Partition:
    """A whole and its parts. ``measures`` and ``dimensions`` are the words that a question uses for them.

    ``whole`` is what the parts make up, in words. ``total`` is the indicator of the published total; without
    one the parts are percentages of the whole, which is 100% by definition and no published figure.
    """

    title: str
    whole: str
    measures: tuple[str, ...]
    dimensions: tuple[str, ...]
    parts: tuple[Part, ...]
    total: str | None = None

    @property
    def indicators(self) -> tuple[str, ...]:
        """Every indicator to request, the total first where there is one."""
        return (*((self.total,) if self.total else ()), *(part.indicator for part in self.parts))

    @property
    def key(self) -> str:
        """The total's indicator, or the parts' indicators as the API joins them."""
        return self.total or ";".join(self.indicators)


@dataclass(frozen=True, slots=True)
class Incomplete:
    """A split of which the tables at hand hold some parts (``held``) and lack others (``lacking``), in words.

    ``indicators_lacking`` are the indicators that would complete it: once they are at hand, it is a partition.
    """

    measures: tuple[str, ...]
    dimensions: tuple[str, ...]
    held: str
    lacking: str
    indicators_lacking: tuple[str, ...] = ()


_PEOPLE = ("population", "people", "inhabitants", "residents", "number of people", "demographic", "demographics")
_RESIDENCE = (
    "urban and rural", "urban or rural", "rural", "urban", "residence", "urbanization", "place of residence",
    "area", "type of area", "urban and rural areas",
)  # fmt: skip
_SECTORS = ("sector", "economic sector", "industry", "economic activity", "sector of the economy", "main sector")
_SCHOOLING = ("study and work", "work and study", "schooling", "school attendance", "attending school", "activity")
_SEX = ("sex", "gender", "male and female", "female and male")
_USE = ("use", "end use", "expenditure", "expenditure type", "function", "component", "category", "type")


def _employment(letters: str, of: str, workers: str, measures: tuple[str, ...]) -> Partition:
    return Partition(
        title=f"Employment of {of} by sector",
        whole=f"the employment of {of}",
        measures=(*measures, f"{workers} workers", f"{workers} jobs", f"working {of}", f"{of} in employment"),
        dimensions=_SECTORS,
        parts=(
            Part(f"SL.AGR.EMPL.{letters}.ZS", "agriculture"),
            Part(f"SL.IND.EMPL.{letters}.ZS", "industry"),
            Part(f"SL.SRV.EMPL.{letters}.ZS", "services"),
        ),
    )


def _working_children(letters: str, of: str, measures: tuple[str, ...]) -> Partition:
    return Partition(
        title=f"{of.capitalize()} in employment by school attendance",
        whole=f"all {of} in employment",
        measures=measures,
        dimensions=_SCHOOLING,
        parts=(
            Part(f"SL.TLF.0714.SW.{letters}ZS", "study and work"),
            Part(f"SL.TLF.0714.WK.{letters}ZS", "work only"),
        ),
    )


PARTITIONS = (
    Partition(
        title="Population, total",
        whole="the total population",
        total="SP.POP.TOTL",
        measures=_PEOPLE,
        dimensions=_RESIDENCE,
        parts=(Part("SP.URB.TOTL", "urban"), Part("SP.RUR.TOTL", "rural")),
    ),
    Partition(
        title="Population by residence",
        whole="the total population",
        measures=_PEOPLE,
        dimensions=_RESIDENCE,
        parts=(Part("SP.URB.TOTL.IN.ZS", "urban"), Part("SP.RUR.TOTL.ZS", "rural")),
    ),
    Partition(
        title="Population by age",
        whole="the total population",
        measures=(*_PEOPLE, "age"),
        dimensions=("age", "ages", "age group", "age bracket", "age band", "age class", "broad age group"),
        parts=(
            Part("SP.POP.0014.TO.ZS", "ages 0-14"),
            Part("SP.POP.1564.TO.ZS", "ages 15-64"),
            Part("SP.POP.65UP.TO.ZS", "ages 65 and above"),
        ),
    ),
    Partition(
        title="Income by fifth of the population",
        whole="all income",
        measures=("income", "household income", "national income", "total income", "income or consumption"),
        dimensions=(
            "income quintile", "quintile", "fifth", "income fifth", "fifth of the population",
            "population quintile", "income", "income group", "income bracket", "household",
        ),
        parts=(
            Part("SI.DST.FRST.20", "lowest fifth"),
            Part("SI.DST.02ND.20", "second fifth"),
            Part("SI.DST.03RD.20", "third fifth"),
            Part("SI.DST.04TH.20", "fourth fifth"),
            Part("SI.DST.05TH.20", "highest fifth"),
        ),
    ),
    Partition(
        title="Deaths by cause",
        whole="all deaths",
        measures=("deaths", "death", "mortality", "number of deaths", "causes of death", "cause"),
        dimensions=("cause", "cause of death", "type of cause", "category of cause", "disease", "group of causes"),
        parts=(
            Part("SH.DTH.COMM.ZS", "communicable diseases and maternal, prenatal and nutrition conditions"),
            Part("SH.DTH.NCOM.ZS", "non-communicable diseases"),
            Part("SH.DTH.INJR.ZS", "injury"),
        ),
    ),
    _employment("FE", "women", "female", ("female employment", "employment of women", "employed women")),
    _employment("MA", "men", "male", ("male employment", "employment of men", "employed men")),
    _working_children("", "children", ("children in employment", "working children", "child labor")),
    _working_children("FE.", "girls", ("girls in employment", "working girls", "girls child labor")),
    _working_children("MA.", "boys", ("boys in employment", "working boys", "boys child labor")),
)  # fmt: skip

INCOMPLETE = (
    Incomplete(
        measures=("gdp", "economy", "economic output", "output", "value added"),
        dimensions=_SECTORS,
        held="agriculture and industry",
        lacking="services",
        indicators_lacking=("NV.SRV.TOTL.ZS",),
    ),
    Incomplete(
        measures=("gdp", "economy", "gdp expenditure"),
        dimensions=_USE,
        held="exports, imports and investment",
        lacking="the consumption of households and government",
        indicators_lacking=("NE.CON.PRVT.ZS", "NE.CON.GOVT.ZS"),
    ),
    Incomplete(
        measures=_PEOPLE,
        dimensions=_SEX,
        held="the female share",
        lacking="the male share",
        indicators_lacking=("SP.POP.TOTL.MA.ZS",),
    ),
    Incomplete(
        measures=("labor force", "workforce", "workers"),
        dimensions=_SEX,
        held="the female share",
        lacking="the male share",
    ),
    Incomplete(
        measures=("employment", "jobs", "workers", "labor force", "workforce", "employed people"),
        dimensions=_SECTORS,
        held="the sectors' shares of women's and of men's employment, each apart,",
        lacking="their shares of all employment",
        indicators_lacking=("SL.AGR.EMPL.ZS", "SL.IND.EMPL.ZS", "SL.SRV.EMPL.ZS"),
    ),
    Incomplete(
        measures=("energy", "energy use", "energy consumption", "energy supply"),
        dimensions=("source", "fuel", "energy source", "type of energy", "type", "energy mix"),
        held="fossil fuels and alternative and nuclear energy",
        lacking="combustible renewables and waste",
        indicators_lacking=("EG.USE.CRNW.ZS",),
    ),
    Incomplete(
        measures=(
            "electricity", "electricity production", "electricity generation", "power", "electricity output",
            "electric power consumption", "electricity consumption", "power generation",
        ),
        dimensions=("source", "fuel", "energy source", "type", "energy mix"),
        held="the renewable share",
        lacking="coal, oil, gas and nuclear power",
        indicators_lacking=("EG.ELC.COAL.ZS", "EG.ELC.NUCL.ZS"),
    ),
    Incomplete(
        measures=("land", "land area", "land use", "area"),
        dimensions=("land use", "use", "type", "land cover", "type of land"),
        held="agricultural land and forest",
        lacking="all other land",
    ),
    Incomplete(
        measures=("exports", "exports of goods and services", "merchandise exports", "exports of goods"),
        dimensions=("product", "type", "commodity", "category", "good"),
        held="fuels and ores and metals",
        lacking="food and manufactures",
        indicators_lacking=("TX.VAL.FOOD.ZS.UN", "TX.VAL.MANF.ZS.UN"),
    ),
    Incomplete(
        measures=("government spending", "government expenditure", "public spending", "government expense"),
        dimensions=_USE,
        held="subsidies and transfers and other expense",
        lacking="wages, goods and services, and interest",
        indicators_lacking=("GC.XPN.COMP.ZS", "GC.XPN.GSRV.ZS", "GC.XPN.INTP.ZS"),
    ),
)  # fmt: skip
