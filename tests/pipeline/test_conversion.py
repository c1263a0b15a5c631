"""Amounts in local currency are held against others in US dollars, at the publisher's official rate of their year.

The rates are the carried ones. The amounts in local currency are the Philippine Statistics Authority's GDP at
current prices (million pesos, national accounts of 2026, which the World Bank passes on as NY.GDP.MKTP.CN) and,
where the US dollar is the local currency, the carried GDP in US dollars itself.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from functions.combine.builtin_rules import BUILTIN_RULES as COMBINING
from functions.combine.stage import combine
from functions.discover.stage import discover
from functions.execute.stage import execute
from functions.local.settings import Settings
from functions.local.wiring import Application, open_application
from functions.plan.stage import plan
from functions.present.stage import present
from functions.resolve_attributes.stage import resolve_attributes
from functions.resolve_entities.stage import resolve_entities
from functions.select.stage import select
from functions.slots.stage import slots
from plugins.base import Registry
from plugins.choice.builtin_rules import BUILTIN_RULES as CHOOSING
from plugins.mounted import recorded_figures
from plugins.worldbank.plugin import WorldBankPlugin
from plugins.worldbank.snapshot.figures import value_table
from plugins.worldbank.snapshot.responder import WorldBankResponder
from shared.adapters.snapshot_transport import SnapshotTransport
from shared.models.builtin import BuiltinJudge
from shared.query.annotated import AnnotatedQuery, Annotation, AskOptions, Executed, Planned, Presented, Understood
from shared.query.answer import Answer, AnswerStatus
from shared.query.discovery import FinderReply, FinderRequest, TableDocument
from shared.query.evidence import Operation
from shared.query.identifiers import RunId
from shared.query.quantity import PlaceKind
from shared.query.readings import (
    ComparisonReading,
    DifferenceReading,
    EntityMention,
    MeasureMention,
    PeriodAsked,
    PeriodKindAsked,
    PopulationMention,
    RankingReading,
    RatioReading,
    Reading,
    YesNoReading,
)
from shared.runtime.context import RunContext
from shared.runtime.deadline import Deadline
from shared.runtime.http import HttpRequest, HttpResponse
from shared.runtime.phase import Phase
from shared.runtime.stage import StageFunction
from shared.text.places import by_name

PESOS = {2015: 13944157, 2019: 19517863, 2021: 19410614, 2022: 22028276, 2023: 24313563}
"""GDP of the Philippines at current prices, in million pesos."""
DOLLARIZED = ("USA", "ECU", "PAN")
LOCAL, DOLLAR, CONSTANT = "NY.GDP.MKTP.CN", "NY.GDP.MKTP.CD", "NY.GDP.MKTP.KN"
TITLES = {LOCAL: "GDP (current LCU)", CONSTANT: "GDP (constant LCU)", DOLLAR: "GDP (current US$)"}


def published(indicator: str, code: str, year: int) -> Decimal:
    return Decimal(value_table(indicator).cells(code)[year])


def amounts() -> dict[tuple[str, int], str]:
    """What the publisher gives in local currency, by country and year."""
    found = {("PHL", year): f"{millions}000000" for year, millions in PESOS.items()}
    found |= {(code, year): str(published(DOLLAR, code, year)) for code in DOLLARIZED for year in PESOS}
    # What no rate applies to: amounts before a change of currency, and of a year without a rate.
    return found | {("HRV", 2022): "67600000000", ("VEN", 2022): "1000000", ("LBR", 2022): "4000000000"}


class WithLocalCurrency:
    """The recorded figures, and beside them a series in local currency in the API's wire form."""

    hosts = WorldBankResponder.hosts

    def __init__(self) -> None:
        self.recorded = WorldBankResponder()
        self.asked: list[str] = []

    def respond(self, request: HttpRequest) -> HttpResponse:
        self.asked.append(request.full_url)
        parts = [part for part in urlsplit(request.url).path.split("/") if part]
        if len(parts) < 5 or parts[-1] not in {LOCAL, CONSTANT}:
            return self.recorded.respond(request)
        codes, years = parts[2].split(";"), dict(request.params).get("date", "1960:2025").split(":")
        rows = [
            {
                "indicator": {"id": parts[-1], "value": TITLES[parts[-1]]},
                "country": {"id": code[:2], "value": code},
                "countryiso3code": code,
                "date": str(year),
                "value": int(value) if "." not in value else float(value),
                "unit": "",
                "obs_status": "",
                "decimal": 0,
            }
            for (code, year), value in sorted(amounts().items(), key=lambda item: -item[0][1])
            if code in codes and int(years[0]) <= year <= int(years[-1])
        ]
        head = {
            "page": 1, "pages": 1, "per_page": 1000, "total": len(rows), "sourceid": "2",
            "sourcename": "World Development Indicators", "lastupdated": "2026-07-01",
        }  # fmt: skip
        return HttpResponse(
            status=200,
            body=json.dumps([head, rows]).encode(),
            retrieved_at=datetime(2026, 7, 2, tzinfo=UTC),
            headers={"content-type": "application/json"},
        )


def document(variable: str) -> TableDocument:
    basis = {LOCAL: "current", CONSTANT: "constant", DOLLAR: "current"}[variable]
    unit = {"unit": "USD", "unitLabel": "current US dollars"}
    if variable != DOLLAR:
        unit = {"unit": "LCU", "unitLabel": f"{basis} local currency units"}
    return TableDocument(
        identifier=f"urn:air:test:okf:worldbank.{variable}",
        source="worldbank",
        variable=variable,
        title=TITLES[variable],
        description=f"GDP, in {unit['unitLabel']}.",
        queries=("gdp",) if variable == DOLLAR else (f"gdp in {basis} local currency",),
        terms={**unit, "unitKind": "currency", "priceBasis": basis, "statType": "value", "measuredProperty": "GDP"},
    )


WORDS = {"gdp": DOLLAR, "gdp in current local currency": LOCAL, "gdp in constant local currency": CONSTANT}


class Finder:
    """Finds the one table that the words of a measure denote."""

    async def search(self, request: FinderRequest, *, deadline: Deadline) -> FinderReply:
        found = tuple(document(WORDS[text]) for text in request.texts if text in WORDS)
        return FinderReply(results=found, score_scale="rerank", eligibility="match" if found else "no_match")

    async def by_variable(self, variable: str) -> Sequence[TableDocument]:
        return ()


def place(name: str) -> EntityMention:
    return EntityMention(text=name, status="resolved", entity=by_name(name))


def of(words: str) -> MeasureMention:
    return MeasureMention(text=words)


def year(number: int) -> PeriodAsked:
    return PeriodAsked(kind=PeriodKindAsked.YEAR, start=number)


async def ask(
    reading: Reading, *, judges: Sequence[object] | None = None
) -> tuple[Answer, AnnotatedQuery, list[str]]:
    """Run every stage after understanding; the answer, all annotations, and the addresses that were asked."""
    responder = WithLocalCurrency()
    registry = Registry([WorldBankPlugin()])
    query = AnnotatedQuery(
        run_id=RunId("r1"), question="a question", asked_at=datetime(2026, 7, 2, tzinfo=UTC), reading=0
    )
    query.append([Annotation(reading=-1, stage="understand", payload=Understood(readings=(reading,)))])
    stages: dict[str, StageFunction] = {
        "slots": slots,
        "discover": partial(discover, registry=registry),
        "select": partial(select, registry=registry),
        "resolve_entities": partial(resolve_entities, registry=registry),
        "resolve_attributes": partial(resolve_attributes, registry=registry),
        "plan": plan,
        "execute": partial(execute, registry=registry),
        "combine": combine,
        "present": present,
    }
    for name, stage in stages.items():
        context = RunContext(
            options=AskOptions(),
            deadline=Deadline.after(30),
            transport=SnapshotTransport([responder]),
            finder=Finder(),  # type: ignore[arg-type]
            embedder=None,  # type: ignore[arg-type]
            judges=(BuiltinJudge({**CHOOSING, **COMBINING}),) if judges is None else judges,  # type: ignore[arg-type]
            panel=(),
            say=lambda text: None,
            phase=Phase(name, judging_allowed=name not in {"plan", "execute", "present"}),
        )
        query.append(await stage(query, context))
    written = query.of(Presented)[0][1]
    return Answer.model_validate(written.answer), query, responder.asked


def pesos_in_dollars(number: int) -> Decimal:
    return Decimal(PESOS[number]) * 1_000_000 / published("PA.NUS.FCRF", "PHL", number)


def close(value: object, wanted: Decimal) -> bool:
    assert isinstance(value, Decimal)
    return abs(value - wanted) <= abs(wanted) * Decimal("1e-11")


def ratio(top: str, bottom: str, number: int, *, left: str = LOCAL, right: str = DOLLAR) -> RatioReading:
    words = {variable: text for text, variable in WORDS.items()}
    return RatioReading(
        numerator_entity=place(top),
        numerator=of(words[left]),
        denominator_entity=place(bottom),
        denominator=of(words[right]),
        period=year(number),
    )


@pytest.mark.parametrize("number", PESOS)
async def test_a_local_amount_is_divided_by_an_amount_in_dollars(number: int) -> None:
    answer, _, _ = await ask(ratio("Philippines", "United States", number))
    assert answer.status is AnswerStatus.COMPLETE, answer.failures
    (made,) = [one for one in answer.computations if one.operation is Operation.RATIO]
    assert close(made.value, pesos_in_dollars(number) / published(DOLLAR, "USA", number))


@pytest.mark.parametrize("number", PESOS)
async def test_what_is_converted_is_what_the_publisher_gives_in_dollars_itself(number: int) -> None:
    answer, _, _ = await ask(ratio("Philippines", "United States", number))
    (made,) = [one for one in answer.computations if one.operation is Operation.CONVERT]
    assert isinstance(made.value, Decimal)
    wanted = published(DOLLAR, "PHL", number)
    assert abs(made.value - wanted) < wanted * Decimal("0.0001")


async def test_the_amount_below_may_be_the_one_that_is_converted() -> None:
    answer, _, _ = await ask(ratio("United States", "Philippines", 2022, left=DOLLAR, right=LOCAL))
    (made,) = [one for one in answer.computations if one.operation is Operation.RATIO]
    assert close(made.value, published(DOLLAR, "USA", 2022) / pesos_in_dollars(2022))


async def test_two_countries_own_currencies_are_both_converted() -> None:
    reading = DifferenceReading(
        entities=(place("Philippines"), place("Ecuador")), measure=of("gdp in current local currency"),
        period=year(2022),
    )  # fmt: skip
    answer, _, _ = await ask(reading)
    assert answer.status is AnswerStatus.COMPLETE, answer.failures
    converted = [one for one in answer.computations if one.operation is Operation.CONVERT]
    assert len(converted) == 2
    gap = next(one for one in answer.computations if one.operation is Operation.DIFFERENCE)
    assert close(gap.value, pesos_in_dollars(2022) - published(DOLLAR, "ECU", 2022))
    assert gap.unit == "USD"


async def test_named_countries_are_compared_in_dollars() -> None:
    entities = tuple(place(name) for name in ("Ecuador", "Philippines", "Panama"))
    reading = ComparisonReading(entities=entities, measure=of("gdp in current local currency"), period=year(2021))
    answer, _, _ = await ask(reading)
    assert answer.status is AnswerStatus.COMPLETE, answer.failures
    assert [claim.entity for claim in answer.claims][:3] == ["Philippines", "Ecuador", "Panama"]
    assert {claim.unit for claim in answer.claims} == {"USD"}
    assert close(answer.claims[0].value, pesos_in_dollars(2021))


async def test_a_verdict_is_given_in_dollars() -> None:
    reading = YesNoReading(
        entity=place("Ecuador"), other=place("Philippines"), measure=of("gdp in current local currency"),
        period=year(2019),
    )  # fmt: skip
    answer, _, _ = await ask(reading)
    # In pesos against dollars as they are published it would be no as well, and by a wrong margin.
    assert answer.text.startswith("No")
    margin = next(one for one in answer.computations if one.operation is Operation.DIFFERENCE)
    assert close(margin.value, published(DOLLAR, "ECU", 2019) - pesos_in_dollars(2019))


async def test_the_conversion_cites_the_amount_and_the_rate_each_by_its_own_receipt() -> None:
    answer, _, asked = await ask(ratio("Philippines", "United States", 2022))
    receipts = {str(receipt.id): receipt for receipt in answer.receipts}
    (made,) = [one for one in answer.computations if one.operation is Operation.CONVERT]
    amount, rate = (receipts[cited] for cited in made.inputs)
    assert (amount.variable, amount.unit, amount.value) == (LOCAL, "LCU", Decimal(PESOS[2022]) * 1_000_000)
    assert (rate.variable, rate.entity, rate.period) == ("PA.NUS.FCRF", "Philippines", "2022")
    assert rate.value == published("PA.NUS.FCRF", "PHL", 2022)
    assert "/country/PHL/indicator/PA.NUS.FCRF" in rate.request.url
    assert sum("PA.NUS.FCRF" in url for url in asked) == 1
    assert made.id in {cited for claim in answer.claims for cited in claim.evidence}


async def test_the_answer_says_at_which_rate_of_which_year_it_was_converted() -> None:
    answer, query, _ = await ask(ratio("Philippines", "United States", 2022))
    (told,) = [note.text for note in answer.disclosures if note.kind == "conversion"]
    assert "GDP (current LCU) of Philippines was converted at the official rate of 2022, 54.477785837205" in told
    assert "PA.NUS.FCRF" in told
    decisions = [text for _, planned in query.of(Planned) for text in planned.decisions]
    assert decisions == ["its year's official exchange rate [PA.NUS.FCRF] is asked for, to convert it by"]


@pytest.mark.parametrize(
    ("country", "number", "reason"),
    [
        ("Croatia", 2022, "the currency that Croatia had before the euro"),
        ("Liberia", 2022, "Liberia has two currencies"),
        (
            "Venezuela",
            2022,
            "no figure of Official exchange rate (LCU per US$, period average) for Venezuela in 2022",
        ),
    ],
)
async def test_without_a_rate_of_the_year_nothing_is_composed_and_the_reason_is_given(
    country: str, number: int, reason: str
) -> None:
    answer, _, _ = await ask(ratio(country, "United States", number))
    assert not answer.computations
    assert answer.status in {AnswerStatus.PARTIAL, AnswerStatus.UNANSWERED}
    told = " ".join(failure.reason for failure in answer.failures)
    assert "GDP (current LCU) is not converted: " in told
    assert reason in told


async def test_constant_prices_are_never_converted() -> None:
    answer, _, asked = await ask(ratio("Philippines", "United States", 2022, left=CONSTANT))
    assert not answer.computations
    assert not any("PA.NUS.FCRF" in url for url in asked)
    reading = DifferenceReading(
        entities=(place("Philippines"), place("Ecuador")), measure=of("gdp in constant local currency"),
        period=year(2022),
    )  # fmt: skip
    answer, _, asked = await ask(reading)
    assert not answer.computations
    assert not any("PA.NUS.FCRF" in url for url in asked)
    assert "official exchange rate applies to current prices only" in " ".join(f.reason for f in answer.failures)


async def test_one_countrys_amounts_of_two_years_are_of_one_currency_and_need_no_rate() -> None:
    reading = DifferenceReading(
        entities=(place("Philippines"),), measure=of("gdp in current local currency"),
        period=PeriodAsked(kind=PeriodKindAsked.RANGE, start=2021, end=2022),
    )  # fmt: skip
    answer, _, asked = await ask(reading)
    gap = next(one for one in answer.computations if one.operation is Operation.DIFFERENCE)
    assert (gap.value, gap.unit) == (Decimal(PESOS[2022] - PESOS[2021]) * 1_000_000, "LCU")
    assert not any("PA.NUS.FCRF" in url for url in asked)


async def test_without_a_judgment_nothing_is_converted() -> None:
    class Silent:
        name = "builtin"

        def can(self, task: object) -> bool:
            return getattr(task, "name", "") != "comparable_figures"

        async def ask(
            self, task: object, request: object, context: RunContext, *, hint: str | None = None
        ) -> object:
            return await BuiltinJudge({**CHOOSING, **COMBINING}).ask(task, request, context, hint=hint)  # type: ignore[arg-type,type-var]

    answer, query, _ = await ask(ratio("Philippines", "United States", 2022), judges=(Silent(),))
    assert not answer.computations
    assert query.of(Executed)[0][1].rate is not None


async def test_countries_are_not_ranked_by_amounts_in_as_many_currencies() -> None:
    reading = RankingReading(
        population=PopulationMention(member=PlaceKind.COUNTRY, text="countries"),
        measure=of("gdp in current local currency"),
    )
    answer, _, _ = await ask(reading)
    assert answer.claims == ()
    assert "in each country's own currency" in " ".join(failure.reason for failure in answer.failures)


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[Application]:
    """The whole program, whose World Bank has amounts in local currency."""
    others = [one for one in recorded_figures() if one.hosts != WorldBankResponder.hosts]
    transport = SnapshotTransport([WithLocalCurrency(), *others])
    settings = Settings.from_environment({"NEURALKG_HOME": str(tmp_path)})
    async with open_application(settings, transport=transport) as opened:
        yield opened


async def test_questions_for_local_currency_are_converted_by_the_whole_program(app: Application) -> None:
    answer = await app.ask(
        "GDP of the Philippines in local currency in 2022 divided by GDP of the United States in 2022"
    )
    assert answer.status is AnswerStatus.COMPLETE, answer.failures
    (made,) = [one for one in answer.computations if one.operation is Operation.RATIO]
    assert close(made.value, pesos_in_dollars(2022) / published(DOLLAR, "USA", 2022))
    answer = await app.ask("Compare GDP in local currency of the Philippines and Ecuador in 2022")
    assert answer.status is AnswerStatus.COMPLETE, answer.failures
    assert {claim.unit for claim in answer.claims} == {"USD"}
    assert sum(one.operation is Operation.CONVERT for one in answer.computations) == 2


async def test_without_recorded_amounts_the_true_reason_is_given(tmp_path: Path) -> None:
    async with open_application(Settings.from_environment({"NEURALKG_HOME": str(tmp_path)})) as app:
        answer = await app.ask("What is India's GDP in local currency in 2022?")
    assert answer.claims == ()
    assert "no figures of NY.GDP.MKTP.CN are recorded; the live API may have them" in answer.text
