"""The pages: a question form, an answer with its sources, a run under way. Plain HTML, no script.

Everything that came from outside is escaped by ``_e``; an address becomes a link only when it is an http one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from starlette.responses import HTMLResponse, Response

from functions.ask import facts
from functions.ask.intake import MAX_QUESTION, ON_AMBIGUITY

if TYPE_CHECKING:
    from starlette.requests import Request

    from functions.ask.incoming import Incoming
    from functions.ask.problems import Problem
    from shared.query.annotated import ProgressEvent
    from shared.query.answer import Answer, Table
    from shared.query.evidence import Receipt
    from shared.runtime.records import RunRecord

EXAMPLES = (
    "What is India's GDP?",
    "Which country has the highest life expectancy?",
    "How did the population of Kenya change since 2000?",
    "Which countries border India?",
)
MAX_ROWS = 300
MAX_FIGURES = 20
_STYLE = Path(__file__).with_name("style.css")
_SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_MENU = " ".join(
    f'<a href="{path}">{words}</a>'
    for path, words in (
        ("/understanding", "How questions are understood"),
        ("/costs", "What it costs"),
        ("/usage", "Usage"),
    )
)
_MEANINGS = {
    "answer": "the likeliest meaning first",
    "all": "every meaning",
    "ask": "ask me back",
}
_STATUS = {
    "complete": "Answered",
    "partial": "Answered in part",
    "unanswered": "No answer",
    "needs_clarification": "Which do you mean?",
    "refused": "Cannot be answered",
    "failed": "The system failed",
    "cancelled": "Cancelled",
}


def form(sources: Sequence[str]) -> Response:
    """The empty question form, with examples."""
    examples = _list(f'<a href="/?{_e(urlencode({"q": q}))}">{_e(q)}</a>' for q in EXAMPLES)
    body = f"<h1>Ask a question</h1>{_form(None, sources)}<section><h2>For example</h2>{examples}</section>"
    return _page("NeuralKG", body)


def refused(problem: Problem, given: Incoming, sources: Sequence[str]) -> Response:
    """The form again, and what was wrong with what it was given."""
    allowed = problem.allowed
    words = ", ".join(map(str, allowed)) if isinstance(allowed, list | tuple) else allowed
    said = "".join(
        f"<p>{_e(text)}</p>"
        for text in (problem.message, f"Allowed: {words}" if words is not None else None, problem.do)
        if text
    )
    head = "<h1>This could not be asked</h1>"
    body = f'{head}{_form(given, sources)}<section role="alert" class="problem">{said}</section>'
    return _page("NeuralKG", body, status=problem.status)


def running(run: RunRecord, events: Sequence[tuple[int, ProgressEvent]]) -> Response:
    """The progress of a run that has no answer yet; the page loads itself again."""
    lines = _list(_e(event.text) for _, event in events)
    state = "Under way" if run.status.value == "running" else "Ended without an answer"
    body = f'<section><h1>{_e(run.question)}</h1><p role="status">{state}.</p>{lines}</section>'
    refresh = '<meta http-equiv="refresh" content="2">' if run.status.value == "running" else ""
    return _page(run.question, body, head=refresh)


def answered(answer: Answer, given: Incoming, sources: Sequence[str], *, drawn: bool) -> Response:
    """An answer with everything needed to check it."""
    labels = facts.labels(answer)
    parts = (
        _form(given, sources),
        _headline(answer),
        _section("Which do you mean?", _choices(answer)),
        _charts(answer) if drawn else "",
        _section("Drawn by the publisher", _published(answer)),
        _section("Figures", _table(answer.table)),
        _section("What is claimed", _claims(answer, labels)),
        _section("Sources", "".join(_receipt(group, labels) for group in facts.receipt_groups(answer))),
        _section(
            "Worked out", _list(_labelled(labels[c.id], facts.computation(c, labels)) for c in answer.computations)
        ),
        _section("Other meanings", _list(_e(facts.alternative(option)) for option in facts.unoffered(answer))),
        _section("Please note", _list(map(_e, facts.disclosures(answer)))),
        _section("What did not work", _list(map(_e, facts.failures(answer)))),
        _section("Readings tried", _list(map(_e, facts.readings(answer)))),
        _footer(answer),
    )
    return _page(answer.question, "".join(parts), twin=f"/runs/{answer.run_id}.json")


def plain(title: str, body: str, *, broad: bool = False) -> Response:
    """A page of its own; ``body`` is HTML, with everything that came from outside escaped.

    A ``broad`` page takes the width of the screen, for tables of many columns.
    """
    return _page(title, body, broad=broad)


def svg(drawing: bytes) -> Response:
    """A drawn chart; its own policy lets it carry the styles that it was drawn with, and nothing else."""
    return Response(drawing, media_type="image/svg+xml", headers={"Content-Security-Policy": _SVG_POLICY})


async def stylesheet(_: Request) -> Response:
    """The style of every page."""
    return Response(_STYLE.read_bytes(), media_type="text/css", headers={"Cache-Control": "max-age=3600"})


# ---- parts ---------------------------------------------------------------------------------------


def _form(given: Incoming | None, sources: Sequence[str]) -> str:
    question = given.question if given else ""
    chosen = given.sources[0] if given and given.sources else ""
    ambiguity = given.on_ambiguity if given else "answer"
    offered = "".join(_option(name, name, chosen=name == chosen) for name in sources)
    meanings = "".join(_option(key, _MEANINGS[key], chosen=key == ambiguity) for key in ON_AMBIGUITY)
    return f"""<form action="/" method="get" role="search">
<label for="q">Your question</label>
<div class="ask"><input id="q" name="q" type="search" value="{_e(question)}" maxlength="{MAX_QUESTION}" required
 autocomplete="off"><button>Ask</button></div>
<p class="choices"><label for="source">Source</label>
<select id="source" name="source"><option value="">all</option>{offered}</select>
<label for="on_ambiguity">If it can mean several things</label>
<select id="on_ambiguity" name="on_ambiguity">{meanings}</select></p></form>"""


def _option(value: str, label: str, *, chosen: bool) -> str:
    return f'<option value="{_e(value)}"{" selected" if chosen else ""}>{_e(label)}</option>'


def _headline(answer: Answer) -> str:
    paragraphs = "".join(f"<p>{_e(text)}</p>" for text in answer.text.splitlines() if text.strip())
    if answer.refusal is not None:
        for text in (answer.refusal.reason, answer.refusal.needs and f"What it would take: {answer.refusal.needs}"):
            if text and text not in answer.text:
                paragraphs += f"<p>{_e(text)}</p>"
    return (
        f'<section class="answer {_e(answer.status.value)}"><h1>{_e(answer.question)}</h1>'
        f'<p class="status">{_e(_STATUS[answer.status.value])}</p>{paragraphs}</section>'
    )


def _choices(answer: Answer) -> str:
    if answer.clarification is None:
        return ""
    items = []
    for option in answer.clarification.options:
        chosen = [("q", answer.question), *(("assume", f"{k}={v}") for k, v in option.assumptions.items())]
        items.append(f'<a href="/?{_e(urlencode(chosen))}">{_e(facts.alternative(option))}</a>')
    return f"<p>{_e(answer.clarification.question)}</p>{_list(items)}"


def _charts(answer: Answer) -> str:
    figures = (
        f'<figure><img src="/runs/{_e(answer.run_id)}/charts/{n}.svg" alt="{_e(chart.description or chart.title)}">'
        f"<figcaption>{_e(chart.title)}</figcaption></figure>"
        for n, chart in enumerate(answer.charts)
        if chart.kind == "vega-lite"
    )
    return "".join(figures)


def _published(answer: Answer) -> str:
    """Links to the publishers' own charts. None of their scripts is loaded: following a link is the consent."""
    return _list(
        f'<a href="{_e(link)}" rel="noopener noreferrer">{_e(title)}</a>' for title, link in facts.published(answer)
    )


def _table(table: Table | None) -> str:
    if table is None or not table.rows:
        return ""
    head = "".join(f'<th scope="col">{_e(column)}</th>' for column in table.columns)
    shown = table.rows[:MAX_ROWS]
    figures = facts.figure_columns(table.columns, shown)
    rows = "".join(
        f"<tr>{''.join(_cell(cell, figure=i in figures) for i, cell in enumerate(row))}</tr>" for row in shown
    )
    body = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f'<div class="wide" tabindex="0" role="region" aria-label="Figures">{body}</div>' + _more(
        len(table.rows) - MAX_ROWS, "rows"
    )


def _cell(text: str | None, *, figure: bool) -> str:
    if text is None:
        return '<td class="missing">n/a</td>'
    return f'<td class="figure">{_e(facts.thousands(text))}</td>' if figure else f"<td>{_e(text)}</td>"


def _claims(answer: Answer, labels: dict[str, str]) -> str:
    if answer.table is not None and len(answer.claims) > MAX_FIGURES:
        return ""
    items = (
        f"{_e(claim.text)} {' '.join(_reference(label) for label in facts.cited(claim.evidence, labels))}"
        for claim in answer.claims[:MAX_ROWS]
    )
    return _list(items) + _more(len(answer.claims) - MAX_ROWS, "claims")


def _receipt(group: Sequence[Receipt], labels: dict[str, str]) -> str:
    head = group[0]
    request = f"{head.request.method} {head.request.url}" + (f"\n{head.request.body}" if head.request.body else "")
    figures = _list(map(_e, facts.receipt_figures(group, MAX_FIGURES)))
    page = f"<p>{_link(head.page_url, 'The publisher’s page')}</p>" if head.page_url else ""  # noqa: RUF001
    return (
        f'<article id="e{_e(labels[head.id])}"><h3>[{_e(labels[head.id])}] {_e(head.publisher)}: {_e(head.measure)}'
        f" <code>{_e(head.variable)}</code></h3>{figures}{_more(len(group) - MAX_FIGURES, 'figures')}"
        f"<p>The exact request:</p><pre>{_e(request)}</pre>{page}<p>{_e(facts.standing(head))}</p></article>"
    )


def _footer(answer: Answer) -> str:
    run = _e(answer.run_id)
    return (
        f"<footer><p>Cost and time: {_e(facts.cost(answer.usage))}</p>"
        f'<p><a href="/runs/{run}">Link to this answer</a> · <a href="/runs/{run}.json">as JSON</a> · '
        f'<a href="/understanding?run={run}">how it was understood</a> · '
        f'<a href="/api/runs/{run}/trace">how it was made</a></p></footer>'
    )


def _labelled(label: str, text: str) -> str:
    return f'<span id="e{_e(label)}">[{_e(label)}] {_e(text)}</span>'


def _reference(label: str) -> str:
    return f'<a href="#e{_e(label)}">[{_e(label)}]</a>'


def _link(address: str, words: str) -> str:
    if not address.startswith(("https://", "http://")):
        return _e(address)
    return f'<a href="{_e(address)}" rel="noreferrer">{_e(words)}</a>'


def _more(left: int, what: str) -> str:
    return f'<p class="more">and {left:,} more {what} in the JSON</p>' if left > 0 else ""


def _section(title: str, body: str) -> str:
    return f"<section><h2>{_e(title)}</h2>{body}</section>" if body else ""


def _list(items: Iterable[str]) -> str:
    found = "".join(f"<li>{item}</li>" for item in items)
    return f"<ul>{found}</ul>" if found else ""


def _e(text: str) -> str:
    return escape(text, quote=True)


def _page(
    title: str, body: str, *, status: int = 200, head: str = "", twin: str | None = None, broad: bool = False
) -> Response:
    alternate = f'<link rel="alternate" type="application/json" href="{_e(twin)}">' if twin else ""
    breadth = ' class="broad"' if broad else ""
    return HTMLResponse(
        f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{_e(title)}</title><link rel="stylesheet" href="/style.css">{alternate}{head}</head>
<body{breadth}><header><a href="/">NeuralKG</a>
<span>Every number points at its published source.</span>
<nav aria-label="Pages">{_MENU}</nav></header>
<main>{body}</main></body></html>
""",
        status_code=status,
        headers={"Cache-Control": "no-store"},
    )
