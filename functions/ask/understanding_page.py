"""The page ``/understanding``: tables without a script, of what ``understanding`` gives."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape

from starlette.responses import Response

from functions.ask import pages
from functions.ask.understanding import Choice, RunUnderstood, Understanding

LONGEST = 2000
"""Characters of a text that is shown; all of it stands in the JSON."""


def page(found: Understanding) -> Response:
    """The page; everything that came from outside is escaped."""
    body = _of_run(found.run) if found.run is not None else _intro()
    body += _panel(found) + _tasks(found)
    return pages.plain("How questions are understood", body, broad=True)


def _intro() -> str:
    return (
        "<h1>How questions are understood</h1><p>Models choose among what they are offered; figures, units, "
        "arithmetic and status are made by code. A run's own readings are shown by "
        "<code>/understanding?run=</code> and its id, and are linked from its answer. "
        '<a href="/api/understanding">as JSON</a></p>'
    )


def _of_run(run: RunUnderstood) -> str:
    name = _e(run.run_id)
    head = (
        f'<h1>{_e(run.question)}</h1><p class="choices"><a href="/runs/{name}">the answer</a> '
        f'<a href="/api/understanding?run={name}">as JSON</a> <a href="/understanding">all questions</a></p>'
        f"<p>{_e(run.agreement)}</p>"
    )
    members = [
        (one.name, "chosen" if one.chosen else "not chosen", one.structure or "none", one.why or "")
        for one in run.members
    ]
    readings = [
        (
            str(one.place),
            one.type.replace("_", " "),
            "answered with" if one.chosen else one.status,
            one.why,
            json.dumps(one.fields, ensure_ascii=False),
        )
        for one in run.readings
    ]
    asked = [
        (
            one.stage,
            _reading(one.reading),
            one.task,
            one.model,
            f"{one.calls:,}",
            f"{one.tokens:,}",
            f"${one.usd:f}",
            f"{one.seconds:.3f}",
        )
        for one in run.asked
    ]
    return (
        head
        + _table("Who read it", ("member", "vote", "structure", "why not"), members)
        + _table("Readings", ("place", "type", "how it ended", "why", "reading"), readings)
        + _list("Assumed", run.notes)
        + _table(
            "What was chosen",
            ("stage", "reading", "what", "by", "offered", "chosen", "why", "seconds"),
            list(map(_choice, run.choices)),
        )
        + _table(
            "Who was asked",
            ("stage", "reading", "task", "model", "calls", "tokens", "dollars", "seconds"),
            asked,
            figures=frozenset({4, 5, 6, 7}),
        )
        + _worded(run)
    )


def _choice(one: Choice) -> tuple[str, ...]:
    seconds = "" if one.seconds is None else f"{one.seconds:.3f}"
    offered, chosen = "; ".join(one.offered), "; ".join(one.chosen)
    return one.stage, _reading(one.reading), one.what, one.by, offered, chosen, one.why, seconds


def _reading(number: int) -> str:
    return "all" if number < 0 else str(number + 1)


def _worded(run: RunUnderstood) -> str:
    if run.worded is None:
        return ""
    by = run.worded.by or "the built-in rules"
    said = (
        f"The answer's sentences are those of {by}; each figure in them is a claim's."
        if run.worded.taken
        else f"{by} was asked to word the answer; the built-in wording stands: {run.worded.why}"
    )
    return f"<section><h2>Wording</h2><p>{_e(said)}</p></section>"


def _panel(found: Understanding) -> str:
    panel, limits = found.panel, found.limits
    rules = (
        f"Up to {panel.members} models read a question; the first {panel.asked_together} are asked together.",
        f"{panel.agreeing} readings of one structure settle it; else the next member is asked. "
        "When all differ, the simpler type comes first.",
        f"Once one has answered, the others have until {panel.deadline_seconds:g} s after the start.",
        f"Up to {panel.readings_kept} readings about the same subject are kept and tried in turn.",
        f"A run makes at most {limits.model_calls} calls, for at most ${limits.usd} and "
        f"{limits.model_seconds:g} s of model time.",
        f"One judgment may take {limits.judgment_seconds:g} s. A reply that breaks its contract is asked for "
        "once more, and then fails visibly.",
    )
    return _list("The panel and the limits", rules)


def _tasks(found: Understanding) -> str:
    rows = [
        (
            one.name,
            str(one.version),
            one.stage,
            one.purpose,
            one.effort,
            "panel" if one.panel else "one model",
            "built-in rules" if one.fallback else "none",
        )
        for one in found.tasks
    ]
    heads = ("task", "version", "stage", "for", "effort", "who", "without a model")
    prompts = "".join(
        f"<details><summary>What {_e(one.name)} is told</summary><pre>{_e(one.instructions)}</pre></details>"
        for one in found.tasks
    )
    return _table("Judgments that a model may be asked for", heads, rows) + prompts


def _table(
    title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], *, figures: frozenset[int] = frozenset()
) -> str:
    if not rows:
        return ""
    head = "".join(f'<th scope="col">{_e(name)}</th>' for name in heads)
    body = "".join(
        f"<tr>{''.join(_cell(text, figure=n in figures) for n, text in enumerate(row))}</tr>" for row in rows
    )
    return (
        f"<section><h2>{_e(title)}</h2>"
        f'<div class="wide" tabindex="0" role="region" aria-label="{_e(title)}">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div></section>"
    )


def _cell(text: str, *, figure: bool) -> str:
    kind = ' class="figure"' if figure else ""
    return f"<td{kind}>{_e(_short(text))}</td>"


def _list(title: str, items: Iterable[str]) -> str:
    found = "".join(f"<li>{_e(_short(item))}</li>" for item in items)
    return f"<section><h2>{_e(title)}</h2><ul>{found}</ul></section>" if found else ""


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _e(text: str) -> str:
    return escape(text, quote=True)
