"""A small desk of published figures, to lay out annotated queries as the stages up to execute leave them.

Values are World Bank, World Development Indicators, as of 2026-07-01.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest

from functions.combine.builtin_rules import BUILTIN_RULES
from functions.combine.stage import combine
from functions.present.stage import present
from shared.models.builtin import BuiltinJudge
from shared.query.annotated import (
    AnnotatedQuery,
    Annotation,
    AskOptions,
    Combined,
    EntityResolved,
    Executed,
    Failed,
    Meaning,
    Planned,
    Presented,
    Selected,
    SlotsNeeded,
    Understood,
)
from shared.query.answer import Answer
from shared.query.evidence import Failure, FailureStatus, Measure, Observation, RequestMade, SourceResponse
from shared.query.identifiers import RunId, SlotId
from shared.query.quantity import Entity, Period, PlaceKind, Unit, UnitKind
from shared.query.readings import EntityMention, MeasureMention, PopulationMention
from shared.query.slots import Slot, SlotKind
from shared.runtime.context import RunContext
from shared.runtime.deadline import Deadline

USD = Unit(kind=UnitKind.CURRENCY, code="USD", label="current US$", currency="USD", price_basis="current")
USD_2015 = Unit(
    kind=UnitKind.CURRENCY, code="USD", label="constant 2015 US$", currency="USD", price_basis="constant"
)
PEOPLE = Unit(kind=UnitKind.COUNT, code="people", label="people")
YEARS = Unit(kind=UnitKind.PHYSICAL, code="years", label="years")


def percent(of: str | None = None) -> Unit:
    return Unit(kind=UnitKind.PERCENT, code="%", label="percent", per=of)


def _measure(variable: str, name: str, unit: Unit, *, additive: bool | None) -> Measure:
    return Measure(source="worldbank", variable=variable, name=name, unit=unit, additive=additive)


MEASURES = {
    measure.variable: measure
    for measure in (
        _measure("NY.GDP.MKTP.CD", "GDP (current US$)", USD, additive=True),
        _measure("NY.GDP.MKTP.KD", "GDP (constant 2015 US$)", USD_2015, additive=True),
        _measure("NY.GDP.MKTP.KD.ZG", "GDP growth (annual %)", percent(), additive=False),
        _measure(
            "NY.GDP.PCAP.CD",
            "GDP per capita (current US$)",
            USD.model_copy(update={"per": "person"}),
            additive=False,
        ),
        _measure("SP.POP.TOTL", "Population, total", PEOPLE, additive=True),
        _measure("SP.RUR.TOTL", "Rural population", PEOPLE, additive=True),
        _measure("TX.VAL.MRCH.CD.WT", "Merchandise exports (current US$)", USD, additive=True),
        _measure("NE.EXP.GNFS.ZS", "Exports of goods and services (% of GDP)", percent("GDP"), additive=False),
        _measure(
            "SL.UEM.TOTL.ZS", "Unemployment, total (% of total labor force)", percent("labor force"), additive=False
        ),
        _measure("SP.DYN.LE00.IN", "Life expectancy at birth, total (years)", YEARS, additive=False),
    )
}
NAMES = {
    "IND": "India", "CHN": "China", "USA": "United States", "FRA": "France", "DEU": "Germany", "JPN": "Japan",
    "NPL": "Nepal", "BTN": "Bhutan", "KEN": "Kenya", "NGA": "Nigeria", "ERI": "Eritrea", "WLD": "World",
    "ITA": "Italy", "BRA": "Brazil", "CAN": "Canada", "GBR": "United Kingdom", "CUB": "Cuba", "CHE": "Switzerland",
}  # fmt: skip

Series = dict[str, str | None]


def country(code: str) -> Entity:
    kind = PlaceKind.COUNTRY_GROUP if code == "WLD" else PlaceKind.COUNTRY
    return Entity(name=NAMES[code], kind=kind, keys={"iso3": code})


def mention(code: str) -> EntityMention:
    return EntityMention(text=NAMES[code], status="resolved", entity=country(code))


def measure_mention(text: str = "gdp") -> MeasureMention:
    return MeasureMention(text=text)


def countries(text: str = "countries") -> PopulationMention:
    return PopulationMention(member=PlaceKind.COUNTRY, text=text)


class Desk:
    """Lays out one annotated query for a reading and runs combine and present over it."""

    def __init__(self, reading: Any, *, question: str = "a question", **options: Any) -> None:
        self.query = AnnotatedQuery(
            run_id=RunId("run-1"),
            question=question,
            asked_at=datetime(2026, 7, 2, tzinfo=UTC),
            options=AskOptions(**options),
            reading=0,
        )
        self._write("understand", Understood(readings=(reading,)), reading=-1)
        self.slots: list[Slot] = []
        self.meanings: dict[str, list[str]] = {}
        self.said: list[str] = []
        self._executed: list[Annotation] = []
        self._counts: dict[str, int] = {}

    def _write(self, stage: str, payload: Any, *, slot: str | None = None, n: int = 0, reading: int = 0) -> None:
        self.query.append(
            [
                Annotation(
                    reading=reading, stage=stage, slot=SlotId(slot) if slot else None,
                    source="worldbank" if slot else None, n=n, payload=payload,
                )
            ]
        )  # fmt: skip

    def slot(self, kind: SlotKind, role: str, **fields: Any) -> str:
        """Add a slot; returns its id."""
        slot = Slot(id=SlotId(f"slot:{len(self.slots) + 1}"), kind=kind, role=role, **fields)
        self.slots.append(slot)
        return slot.id

    def figures(
        self,
        slot: str,
        variable: str,
        cells: dict[tuple[str, str], str | None],
        *,
        incomplete: tuple[str, ...] = (),
        measure: Measure | None = None,
        meaning: str | None = None,
        as_of: date = date(2026, 7, 1),
        total: str | None = None,
        categories: tuple[str, ...] = (),
        snapshot: bool = True,
    ) -> None:
        """Execute a slot: ``cells`` maps (country code, year) to the published digits, ``None`` if missing."""
        used = measure or MEASURES[variable]
        observations = tuple(
            Observation(
                entity=country(code),
                period=Period.year(int(year)),
                value=Decimal(digits) if digits is not None else None,
                missing=None if digits is not None else "not reported",
            )
            for (code, year), digits in cells.items()
        )
        whole = observations[0].model_copy(update={"value": Decimal(total)}) if total else None
        self.executed(
            slot,
            Executed(
                meaning=meaning or variable,
                measure=used,
                response=response(as_of=as_of, snapshot=snapshot, source=used.source),
                observations=observations,
                incomplete=incomplete,
                total=whole,
                categories=categories,
            ),
        )

    def executed(self, slot: str, executed: Executed) -> None:
        """Add an execution as it is."""
        self.meanings.setdefault(slot, []).append(executed.meaning)
        n = self._counts.get(slot, 0)
        self._counts[slot] = n + 1
        self._executed.append(
            Annotation(reading=0, stage="execute", slot=SlotId(slot), source="worldbank", n=n, payload=executed)
        )

    def choose(self, slot: str, *variables: str) -> None:
        """Say which meanings were chosen for a slot, when that is more than what was executed."""
        self.meanings[slot] = list(variables)

    def resolve(self, slot: str, resolved: EntityResolved) -> None:
        self._write("resolve_entities", resolved, slot=slot)

    def fail(self, status: FailureStatus, reason: str, *, stage: str = "execute", slot: str | None = None) -> None:
        failure = Failure(stage=stage, source="worldbank", slot=slot, status=status, reason=reason)
        self._write(stage, Failed(failure=failure), slot=slot, n=1000 + len(self.query.annotations))

    def finish(self) -> None:
        """Write what was laid out, once."""
        self._write("slots", SlotsNeeded(slots=tuple(self.slots)))
        for slot, variables in self.meanings.items():
            chosen = dict.fromkeys(variable.partition("@")[0] for variable in variables)
            meanings = tuple(
                Meaning(
                    id=variable, label=MEASURES[variable].name if variable in MEASURES else variable,
                    variable=variable, rank=rank, documents=(),
                )
                for rank, variable in enumerate(chosen)
            )  # fmt: skip
            self._write("select", Selected(meanings=meanings), slot=slot)
            for n, variable in enumerate(dict.fromkeys(variables)):
                self._write("plan", Planned(meaning=variable, requests=()), slot=slot, n=n)
        self.query.append(self._executed)

    def context(self) -> RunContext:
        return RunContext(
            options=self.query.options,
            deadline=Deadline.after(30),
            transport=None,  # type: ignore[arg-type]  # combine and present send nothing
            finder=None,  # type: ignore[arg-type]
            embedder=None,  # type: ignore[arg-type]
            judges=(BuiltinJudge(BUILTIN_RULES),),
            panel=(),
            say=self.said.append,
        )

    async def combined(self, context: RunContext | None = None) -> list[Combined]:
        """Run combine; its results, the first meaning first."""
        self.finish()
        self.query.append(await combine(self.query, context or self.context()))
        return [payload for _, payload in self.query.of(Combined)]

    def reasons(self) -> str:
        """Every failure's reason in one text."""
        return " | ".join(failure.reason for failure in self.query.failures())

    def notes(self) -> str:
        """Every disclosure's text in one text."""
        return " | ".join(disclosure.text for disclosure in self.query.disclosures())

    async def answer(self, context: RunContext | None = None) -> Answer:
        """Run combine and present; the answer, read back from its JSON."""
        await self.combined(context)
        written = await present(self.query, context or self.context())
        payload = written[0].payload
        assert isinstance(payload, Presented)
        return Answer.model_validate(payload.answer)


def response(
    *, as_of: date | None = date(2026, 7, 1), snapshot: bool = True, source: str = "worldbank"
) -> SourceResponse:
    return SourceResponse(
        source=source,
        publisher="World Bank",
        requests=(
            RequestMade(url="https://api.worldbank.org/v2/country/IND/indicator/NY.GDP.MKTP.CD?format=json"),
        ),
        retrieved_at=datetime(2026, 7, 2, tzinfo=UTC),
        as_of=as_of,
        snapshot=snapshot,
        licence="CC BY 4.0",
        page_url="https://data.worldbank.org/indicator/NY.GDP.MKTP.CD",
    )


@pytest.fixture
def desk() -> Callable[..., Desk]:
    """Make a desk for a reading."""
    return Desk


@pytest.fixture
def named() -> Any:
    """Entities, mentions and measures by their codes."""

    class Named:
        mention = staticmethod(mention)
        country = staticmethod(country)
        countries = staticmethod(countries)
        measure = staticmethod(measure_mention)
        response = staticmethod(response)
        measures = MEASURES

    return Named
