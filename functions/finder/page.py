"""The search page and the page of counters: plain HTML, no script. What came from outside is escaped by ``_e``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from starlette.responses import HTMLResponse, Response

from functions.finder.documents import path_of
from functions.finder.entries import publisher
from functions.finder.settings import MAX_QUERY
from shared.query.discovery import FinderReply, TableDocument

if TYPE_CHECKING:
    from starlette.requests import Request

    from functions.finder.faults import Fault

EXAMPLES = (
    "median household income",
    "gdp india",
    "unemployment rate",
    "adults with diabetes",
    "co2 emissions per person",
)
_STYLE = Path(__file__).with_name("style.css")
_TERMS = (
    "unitLabel",
    "unit",
    "populationType",
    "statType",
    "constraints",
    "firstYear",
    "latest",
    "places",
    "licence",
)


_HEAD = "<h1>Find published tables</h1>"


def form_page(sources: Sequence[str], entries: int) -> Response:
    """The empty form, with examples."""
    examples = "".join(f'<li><a href="/?{_e(urlencode({"q": q}))}">{_e(q)}</a></li>' for q in EXAMPLES)
    body = f"<p>{entries:,} published tables of {len(sources)} sources.</p><h2>For example</h2><ul>{examples}</ul>"
    return _page("Find published tables", _HEAD + _form("", "", sources) + body)


def result_page(query: str, source: str, reply: FinderReply, sources: Sequence[str]) -> Response:
    """The tables that were found, and what was not looked at."""
    found = "".join(_result(document) for document in reply.results)
    if not reply.results:
        best = "" if reply.top_score is None else f" The best that was looked at had {reply.top_score:g} of 100."
        found = f'<p role="status">No table describes this.{_e(best)}</p>'
    said = "".join(f"<li>{_e(note)}</li>" for note in reply.notes)
    scale = "relevance, 0 to 100" if reply.score_scale == "rerank" else "likeness of meaning, 0 to 100"
    body = (
        f'<section aria-label="Tables">{found}</section><section><h2>About this search</h2><ul>{said}'
        f"<li>scores: {scale}</li><li>widening {_e(reply.widening)}</li>"
        f"<li>{reply.usage.seconds:.3f} s, {reply.usage.model_calls} model calls, ${_e(reply.usage.usd)}</li>"
        "</ul></section>"
    )
    return _page(f"{query}: published tables", _HEAD + _form(query, source, sources) + body)


def refused_page(query: str, source: str, fault: Fault, sources: Sequence[str]) -> Response:
    """The form again, and what was wrong."""
    texts = (fault.message, fault.do)
    said = "".join(f"<p>{_e(text)}</p>" for text in texts if text)
    body = _HEAD + _form(query, source, sources) + f'<section role="alert" class="problem">{said}</section>'
    headers = {"Retry-After": str(fault.retry_after)} if fault.retry_after else {}
    return _page("Find published tables", body, status=fault.status, headers=headers)


def stats_page(summary: Mapping[str, Any]) -> Response:
    """The counters as tables."""
    parts = "".join(_counters(name, value) for name, value in summary.items())
    return _page("Counters of the finder", f"<h1>Counters</h1>{parts}")


def _counters(name: str, value: object) -> str:
    if not isinstance(value, Mapping):
        return f"<p>{_e(name)}: {_e(value)}</p>"
    rows = "".join(
        f'<tr><th scope="row">{_e(key)}</th><td>{_e(_flat(item))}</td></tr>' for key, item in value.items()
    )
    named = f'tabindex="0" role="region" aria-label="{_e(name)}"'
    return f'<h2>{_e(name)}</h2><div class="wide" {named}><table>{rows}</table></div>'


def _flat(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_flat(item)}" for key, item in value.items()) or "none"
    return "none" if value is None else str(value)


async def stylesheet(_: Request) -> Response:
    """The style of every page."""
    return Response(_STYLE.read_bytes(), media_type="text/css", headers={"Cache-Control": "max-age=3600"})


def _form(query: str, source: str, sources: Sequence[str]) -> str:
    offered = "".join(
        f'<option value="{_e(name)}"{" selected" if name == source else ""}>{_e(name)}</option>' for name in sources
    )
    return (
        '<form method="get" action="/" role="search"><label for="q">Which quantity?</label><div class="ask">'
        f'<input id="q" name="q" type="search" maxlength="{MAX_QUERY}" required value="{_e(query)}">'
        '<button>Find</button></div><div class="choices"><label for="source">of</label>'
        f'<select id="source" name="source"><option value="">every source</option>{offered}</select></div></form>'
    )


def _result(document: TableDocument) -> str:
    path = path_of(document)
    terms = "; ".join(f"{key} {document.terms[key]}" for key in _TERMS if document.terms.get(key))
    return (
        f'<article><h2><a href="/okf/file?path={_e(quote(path))}">{_e(document.title)}</a> '
        f'<span class="score">{document.score:g}</span></h2><p>{_e(document.description)}</p>'
        f'<p class="more">{_e(document.source)}, {_e(publisher(document))} · <code>{_e(document.variable)}</code>'
        f"{' · ' + _e(terms) if terms else ''} · "
        f'<a href="/agents/entry?{_e(urlencode({"id": document.identifier}))}">JSON</a>'
        "</p></article>"
    )


def _page(title: str, body: str, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return HTMLResponse(
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{_e(title)}</title><link rel="stylesheet" href="/style.css">'
        '<link rel="ard" href="/.well-known/ard.json">'
        '<link rel="ai-catalog" href="/.well-known/ai-catalog.json"></head>'
        '<body><header><a href="/">Finder</a><span>published tables by what they measure</span></header>'
        f'<main>{body}</main><footer><a href="/stats">counters</a> · <a href="/publishers">publishers</a> · '
        '<a href="/.well-known/ard.json">for programs</a></footer></body></html>',
        status_code=status,
        headers={"Cache-Control": "no-store", **(headers or {})},
    )


def _e(value: object) -> str:
    return escape(str(value), quote=True)
