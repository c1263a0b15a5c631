"""The invariants of a question's life, through the whole embedded pipeline."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from functions.local.settings import Settings
from functions.local.wiring import Application, open_application
from shared.query.annotated import Annotation, AskOptions
from shared.query.answer import Answer, AnswerStatus
from shared.runtime.http import HttpRequest, HttpResponse

ONE_OF_EACH_SLOT_KIND = (
    "What is India's population?",  # value
    "How did life expectancy in Japan change since 2000?",  # series
    "Which countries have the highest population?",  # population
    "Which countries border India?",  # members
    "What is the capital of France?",  # fact
    "What is the urban and rural population of Kenya?",  # categories
)


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[Application]:
    async with open_application(Settings.from_environment({"NEURALKG_HOME": str(tmp_path)})) as opened:
        yield opened


async def annotations(app: Application, answer: Answer) -> list[Annotation]:
    return await app.store.annotations(answer.run_id)


@pytest.mark.parametrize("source", ["worldbank", "countryfacts"])
async def test_a_request_restricted_to_named_sources_never_reaches_another_source(
    app: Application, source: str
) -> None:
    for question in ONE_OF_EACH_SLOT_KIND:
        answer = await app.ask(question, AskOptions(sources=(source,)))
        assert {receipt.source for receipt in answer.figures()} <= {source}, question
        written = {a.source for a in await annotations(app, answer) if a.source is not None}
        assert written <= {source}, question


async def test_each_kind_of_slot_is_answered_by_the_source_that_publishes_it(app: Application) -> None:
    for question in ONE_OF_EACH_SLOT_KIND:
        answer = await app.ask(question)
        assert answer.status is AnswerStatus.COMPLETE, (question, answer.text)


async def test_a_named_source_that_cannot_be_honoured_stops_the_other_readings(app: Application) -> None:
    answer = await app.ask("What is India's GDP according to the IMF?")
    assert answer.status in {AnswerStatus.UNANSWERED, AnswerStatus.REFUSED}
    assert answer.receipts == ()
    assert any("IMF" in failure.reason for failure in answer.failures)
    assert len(answer.readings_tried) == 1


async def test_every_citation_of_every_claim_is_carried_by_the_answer(app: Application) -> None:
    for question in (*ONE_OF_EACH_SLOT_KIND, "What is India's GDP?", "Compare GDP of France and Germany in 2022"):
        answer = await app.ask(question)
        for claim in answer.claims:
            assert all(answer.cited(one) is not None for one in claim.evidence), question
            assert claim.evidence, question
        for computation in answer.computations:
            assert all(answer.cited(one) is not None for one in computation.inputs), question


async def test_a_requested_year_is_the_year_of_every_figure(app: Application) -> None:
    answer = await app.ask("What was India's GDP in 2010?")
    assert {receipt.period for receipt in answer.receipts} == {"2010"}
    nothing = await app.ask("What was India's GDP in 1950?")
    assert nothing.status is not AnswerStatus.COMPLETE
    assert nothing.receipts == ()


async def test_figures_are_requested_in_execution_and_every_request_is_counted(tmp_path: Path) -> None:
    class Watched:
        def __init__(self) -> None:
            self.urls: list[str] = []

        async def send(self, request: HttpRequest, *, deadline: object) -> HttpResponse:
            self.urls.append(request.full_url)
            from plugins.worldbank.snapshot.responder import WorldBankResponder

            return WorldBankResponder().respond(request)

    transport = Watched()
    settings = Settings.from_environment({"NEURALKG_HOME": str(tmp_path)})
    async with open_application(settings, transport=transport) as app:
        answer = await app.ask("What was Japan's population in 2010?")
    assert answer.status is AnswerStatus.COMPLETE
    requests_by_stage = {stage.stage: stage.requests for stage in answer.usage.stages if stage.requests}
    figures = [url for url in transport.urls if "/indicator/" in url]
    assert 0 < len(figures) <= requests_by_stage["execute"]
    assert sum(requests_by_stage.values()) == len(transport.urls)


async def test_every_figure_of_the_text_is_a_claims_figure(app: Application) -> None:
    from shared.text.figures import find_figures

    for question in ONE_OF_EACH_SLOT_KIND:
        answer = await app.ask(question)
        known = [claim.value for claim in answer.claims]
        periods = {claim.period for claim in answer.claims}
        for figure in find_figures(answer.text):
            shown = any(not isinstance(v, (bool, str, type(None))) and figure.shows(v) for v in known)
            assert shown or str(figure.value) in periods or figure.value == len(answer.claims), (question, figure)


async def test_a_clarified_measure_binds_only_the_slot_whose_words_it_is_a_meaning_of(app: Application) -> None:
    options = AskOptions(assumptions={"measure": "NY.GDP.PCAP.PP.CD"})
    question = "correlation between GDP per capita and life expectancy across countries in 2019"
    answer = await app.ask(question, options)
    variables = {receipt.variable for receipt in answer.figures()}
    assert variables == {"NY.GDP.PCAP.PP.CD", "SP.DYN.LE00.IN"}
    single = await app.ask("What is India's GDP?", AskOptions(assumptions={"measure": "NY.GDP.MKTP.KD.ZG"}))
    assert {receipt.variable for receipt in single.receipts} == {"NY.GDP.MKTP.KD.ZG"}
