"""Whole answers to print and serve, made of figures that the World Bank published (WDI, 2026-07-01)."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

from shared.query.answer import (
    Alternative,
    Answer,
    AnswerStatus,
    Chart,
    Clarification,
    ModelUsage,
    ReadingTried,
    Refusal,
    StageUsage,
    Table,
    Usage,
)
from shared.query.evidence import (
    Claim,
    Computation,
    Disclosure,
    DisclosureKind,
    Failure,
    FailureStatus,
    Operation,
    Receipt,
    RequestMade,
    receipt_id,
    shared_id,
)
from shared.query.identifiers import ClaimId, ComputationId, RunId
from shared.query.quantity import Entity, PlaceKind
from shared.query.readings import EntityMention, MeasureMention, ValueReading
from shared.query.shared_receipts import Rows, SharedReceipt

NOW = datetime(2026, 7, 1, 12, 0, tzinfo=UTC)
GDP_URL = "https://api.worldbank.org/v2/country/IND/indicator/NY.GDP.MKTP.CD?format=json&mrnev=1&per_page=1000"
REAL_URL = GDP_URL.replace("MKTP.CD", "MKTP.KD")
NOMINAL = Decimal("3567551674623.01")
REAL = Decimal("3256200000000")
INDIA = EntityMention(
    text="India", status="resolved", entity=Entity(name="India", kind=PlaceKind.COUNTRY, keys={"iso3": "IND"})
)
READING = ValueReading(entity=INDIA, measure=MeasureMention(text="gdp"))
USAGE = Usage(
    seconds=0.1234,
    model_calls=0,
    tokens=0,
    usd=Decimal(0),
    stages=(StageUsage(stage="execute", reading=0, seconds=0.01, usd=Decimal(0), requests=2),),
    models=(ModelUsage(model="builtin", task="understand", calls=3, tokens=0, usd=Decimal(0), seconds=0.01),),
)


def receipt(
    value: Decimal, *, variable: str, measure: str, url: str, entity: str = "India", index: int = 0
) -> Receipt:
    return Receipt(
        id=receipt_id("s", variable, index),
        source="worldbank",
        publisher="World Bank",
        request=RequestMade(url=url),
        retrieved_at=NOW,
        as_of=date(2026, 7, 1),
        snapshot=True,
        value=value,
        unit="USD",
        currency="USD",
        entity=entity,
        entity_code=entity[:3].upper(),
        period="2023",
        measure=measure,
        variable=variable,
        licence="CC BY 4.0",
        page_url="https://data.worldbank.org/indicator/NY.GDP.MKTP.CD?locations=IN",
    )


def claim(cited: Receipt | Computation, text: str, value: Decimal) -> Claim:
    return Claim(
        id=ClaimId(f"c:{cited.id}"),
        text=text,
        value=value,
        unit="USD",
        entity="India",
        entity_code="IND",
        period="2023",
        measure="GDP",
        evidence=(cited.id,),
    )


NOMINAL_RECEIPT = receipt(NOMINAL, variable="NY.GDP.MKTP.CD", measure="GDP (current US$)", url=GDP_URL)
REAL_RECEIPT = receipt(REAL, variable="NY.GDP.MKTP.KD", measure="GDP (constant 2015 US$)", url=REAL_URL)
RATIO = Computation(
    id=ComputationId("k:1"),
    operation=Operation.RATIO,
    inputs=(NOMINAL_RECEIPT.id, REAL_RECEIPT.id),
    value=Decimal("1.0956"),
    unit=None,
    formula="3567551674623.01 / 3256200000000",
)


def answer(run_id: str = "r1", question: str = "What is India's GDP?", **changes: object) -> Answer:
    """A complete answer with two meanings, a computation, a chart and a disclosure."""
    made = Answer(
        run_id=RunId(run_id),
        question=question,
        asked_at=NOW,
        status=AnswerStatus.COMPLETE,
        reading=READING,
        text="India's GDP was $3,567,551,674,623.01 in 2023 (nominal).",
        claims=(
            claim(NOMINAL_RECEIPT, "Nominal: $3,567,551,674,623.01", NOMINAL),
            claim(REAL_RECEIPT, "Real: $3,256,200,000,000 in 2015 prices", REAL),
            claim(RATIO, "The price level is 1.0956 times that of 2015", Decimal("1.0956")),
        ),
        receipts=(NOMINAL_RECEIPT, REAL_RECEIPT),
        computations=(RATIO,),
        disclosures=(
            Disclosure(kind=DisclosureKind.SNAPSHOT, text="The figures are recorded ones of 2026-07-01."),
        ),
        charts=(
            Chart(
                id="chart",
                title="GDP of India",
                spec={
                    "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
                    "data": {"values": [{"year": "2023", "value": 3567551674623}]},
                    "mark": "bar",
                    "encoding": {
                        "x": {"field": "year", "type": "nominal"},
                        "y": {"field": "value", "type": "quantitative"},
                    },
                },
            ),
        ),
        usage=USAGE,
    )
    return made.model_copy(update=changes)


def clarification() -> Answer:
    options = tuple(
        Alternative(
            id=variable,
            label=label,
            value=value,
            unit="USD",
            period="2023",
            entity="India",
            assumptions={"measure": variable},
        )
        for variable, label, value in (("NY.GDP.MKTP.CD", "nominal", NOMINAL), ("NY.GDP.MKTP.KD", "real", REAL))
    )
    return answer(
        status=AnswerStatus.NEEDS_CLARIFICATION,
        text="GDP can mean several things.",
        claims=(),
        computations=(),
        alternatives=options,
        clarification=Clarification(question="Which GDP do you mean?", options=options),
    )


def refusal() -> Answer:
    return answer(
        status=AnswerStatus.REFUSED,
        text="This cannot be answered here.",
        claims=(),
        receipts=(),
        computations=(),
        charts=(),
        readings_tried=(
            ReadingTried(reading=READING, status=AnswerStatus.UNANSWERED, why="no source holds it"),
            ReadingTried(reading=READING, status=AnswerStatus.REFUSED, why=""),
        ),
        failures=(
            Failure(
                stage="execute",
                source="worldbank",
                slot="s",
                status=FailureStatus.NO_DATA,
                reason="the World Bank reports no value for India in 1950",
            ),
        ),
        refusal=Refusal(
            verdict="not_covered", reason="No mounted source goes back to 1950.", needs="historical accounts"
        ),
    )


def ranking(rows: int = 60) -> Answer:
    receipts = tuple(
        receipt(
            Decimal(1000 - n),
            variable="NY.GDP.MKTP.CD",
            measure="GDP (current US$)",
            url=GDP_URL.replace("IND", "all"),
            entity=f"Land {n}",
            index=n,
        )
        for n in range(rows)
    )
    return answer(
        text="Land 0 comes first.",
        claims=tuple(claim(r, f"{r.entity}: {r.value}", Decimal(str(r.value))) for r in receipts),
        receipts=receipts,
        computations=(),
        table=Table(
            columns=("Rank", "Country", "GDP (current US$)"),
            rows=tuple((str(n + 1), r.entity, None if n == 3 else f"${r.value:,}") for n, r in enumerate(receipts)),
        ),
    )


def population(members: int = 150, *, cited: int = 3) -> Answer:
    """An answer whose figures share a receipt of two requests; its claims are of the last members."""
    shared = SharedReceipt.sealed(
        id=shared_id("s", "NY.GDP.MKTP.CD"),
        source="worldbank",
        publisher="World Bank",
        requests=(RequestMade(url=GDP_URL.replace("IND", "all")), RequestMade(url=f"{GDP_URL}&page=2")),
        retrieved_at=NOW,
        as_of=date(2026, 7, 1),
        snapshot=True,
        unit="USD",
        currency="USD",
        period="2023",
        measure="GDP (current US$)",
        variable="NY.GDP.MKTP.CD",
        licence="CC BY 4.0",
        page_url=None,
        rows=Rows(
            n=tuple(range(members)),
            entity=tuple(f"Land {n}" for n in range(members)),
            entity_code=tuple(f"L{n:03}" for n in range(members)),
            value=tuple(f"{1000 - n}.50" for n in range(members)),
            request=tuple(int(n == 1) for n in range(members)),
        ),
    )
    rows = [shared.receipt(place) for place in range(members - cited, members)]
    count = Computation(
        id=ComputationId("k:count"),
        operation=Operation.COUNT,
        inputs=(shared.id,),
        value=Decimal(members),
        unit=None,
        formula="count of members",
    )
    return answer(
        text="Land 0 comes first.",
        claims=tuple(claim(row, f"{row.entity}: {row.value}", Decimal(str(row.value))) for row in rows),
        receipts=(),
        shared_receipts=(shared,),
        computations=(count,),
        table=None,
    )
