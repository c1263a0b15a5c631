"""Data Commons' own charts stand beside the answer's: its documented elements, and links; nothing is loaded."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from functions.ask import facts, pages
from functions.ask.incoming import Incoming
from functions.local.render import render
from functions.local.settings import Settings
from functions.local.wiring import Application, open_application
from shared.query.annotated import AskOptions
from shared.query.answer import Answer, AnswerStatus, Chart

ATTRIBUTES = {
    "datacommons-line": {"header", "variables", "places"},
    "datacommons-bar": {"header", "variables", "places", "date"},
    "datacommons-map": {"header", "variable", "parentPlace", "childPlaceType", "date"},
    "datacommons-ranking": {"header", "variable", "parentPlace", "childPlaceType", "rankingCount"},
}
"""The attributes of each element that its publisher documents and that are set here."""


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[Application]:
    async with open_application(Settings.from_environment({"NEURALKG_HOME": str(tmp_path)})) as opened:
        yield opened


async def asked(app: Application, question: str) -> tuple[Answer, list[Chart]]:
    answer = await app.ask(question, AskOptions(sources=("datacommons",)))
    assert answer.status is AnswerStatus.COMPLETE, answer.text
    found = [chart for chart in answer.charts if chart.kind == "published"]
    for chart in found:
        assert chart.component is not None
        assert set(chart.component.attributes) == ATTRIBUTES[chart.component.element]
        assert chart.component.attributes["header"] == chart.title
        assert chart.component.script == "https://datacommons.org/datacommons.js"
        assert chart.spec == {}
        assert chart.related
        assert chart.evidence
        cited = [answer.cited(one) for one in chart.evidence]
        assert all(one is not None for one in cited)
        variables = chart.component.attributes.get("variables", chart.component.attributes.get("variable", ""))
        assert {getattr(one, "variable", "") for one in cited} & set(variables.split())
    assert [chart.kind for chart in answer.charts] == sorted((c.kind for c in answer.charts), reverse=True)
    return answer, found


async def test_places_that_are_compared_are_drawn_in_one_chart(app: Application) -> None:
    _, (chart,) = await asked(app, "median household income in Texas and California compared")
    assert chart.component is not None
    assert chart.component.element == "datacommons-line"
    assert chart.component.attributes["variables"] == "Median_Income_Household"
    assert chart.component.attributes["places"] == "geoId/48 geoId/06"
    page = urlsplit(chart.component.page_url)
    assert (page.netloc, page.path) == ("datacommons.org", "/tools/timeline")
    assert parse_qs(page.fragment) == {"place": ["geoId/48,geoId/06"], "statsVar": ["Median_Income_Household"]}
    assert len(chart.evidence) == 2


async def test_members_are_drawn_on_a_map_of_the_figures_year_and_as_a_ranking(app: Application) -> None:
    answer, (on_map, ranked) = await asked(app, "What are the 10 most populous counties in the US?")
    assert on_map.component is not None
    assert ranked.component is not None
    (year,) = {claim.period for claim in answer.claims if claim.entity_code}
    within = {"parentPlace": "country/USA", "childPlaceType": "County", "variable": "Count_Person"}
    assert on_map.component.attributes.items() >= {**within, "date": year}.items()
    assert ranked.component.attributes.items() >= {**within, "rankingCount": "10"}.items()
    page = urlsplit(on_map.component.page_url)
    assert page.path == "/tools/map"
    assert parse_qs(page.fragment) == {
        "sv": ["Count_Person"],
        "pd": ["country/USA"],
        "ept": ["County"],
        "dt": [year],
    }
    assert len(on_map.evidence) == 10


async def test_parts_are_drawn_as_bars_of_their_own_variables(app: Application) -> None:
    answer, (chart,) = await asked(app, "What is the age distribution in the USA?")
    assert chart.component is not None
    assert chart.component.element == "datacommons-bar"
    variables = chart.component.attributes["variables"].split()
    assert variables[0] == "Count_Person_Upto5Years"
    assert set(variables) == {one.variable for one in answer.receipts} - {"Count_Person"}
    page = parse_qs(urlsplit(chart.component.page_url).fragment)
    assert page["statsVar"] == ["__".join(variables)]


async def test_a_course_is_drawn_as_a_line_of_its_place(app: Application) -> None:
    _, (chart,) = await asked(app, "How did the population of Travis County change since 2017?")
    assert chart.component is not None
    assert chart.component.attributes["places"] == "geoId/48453"


async def test_a_page_links_to_them_and_loads_nothing_of_the_publishers(app: Application) -> None:
    answer, found = await asked(app, "What are the 10 most populous counties in the US?")
    page = bytes(pages.answered(answer, Incoming(question="q"), (), drawn=True).body).decode()
    # The map and the ranking are on one page of the publisher's.
    ((title, link),) = facts.published(answer)
    assert title == found[0].title
    assert page.count("datacommons.org/tools/map") == 1
    assert "Drawn by the publisher" in page
    assert "<script" not in page
    assert "datacommons.js" not in page
    assert page.count("<img") == sum(chart.kind == "vega-lite" for chart in answer.charts) == 1
    told = [line.text for line in render(answer)]
    assert "Drawn by the publisher" in told
    assert any(link in line for line in told)


async def test_other_publishers_offer_none(app: Application) -> None:
    answer = await app.ask("GDP of France vs Germany in 2022")
    assert {chart.kind for chart in answer.charts} == {"vega-lite"}
