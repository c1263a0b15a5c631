"""``neuralkg eval``: asks labelled questions and counts right answers and wrong numbers."""

from __future__ import annotations

import json as json_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from functions.local import guard, screen

if TYPE_CHECKING:
    from functions.local.evaluate import Judged, Report
    from functions.local.finder_cases import FinderReport


def evaluate(
    file: Annotated[Path, typer.Argument(help="Cases, one JSON object a line.", show_default=False)],
    *,
    json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON, and nothing else.")] = False,
    finder: Annotated[bool, typer.Option("--finder", help="The cases are searches for tables.")] = False,
    index: Annotated[Path | None, typer.Option(help="With --finder, another index than the packaged one.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Run labelled cases; exit code 0 only if none fails."""
    guard.run(lambda: _finder(file, index, as_json=json) if finder else _questions(file, as_json=json, quiet=quiet))


async def _questions(file: Path, *, as_json: bool, quiet: bool) -> int:
    from functions.local.evaluate import evaluate as run_cases
    from functions.local.evaluate import load_questions
    from functions.local.settings import Settings
    from functions.local.wiring import open_application
    from shared.query.annotated import AskOptions
    from shared.query.answer import Answer

    cases = load_questions(file)
    async with open_application(Settings.from_environment()) as app:

        async def ask(question: str, options: AskOptions) -> Answer:
            from functions.ask.intake import checked_question, checked_sources

            sources = checked_sources(options.sources, app.registry)
            return await app.ask(checked_question(question), options.model_copy(update={"sources": sources}))

        report = await run_cases(cases, ask, on_case=None if quiet else _said)
    return _print(report, as_json=as_json)


async def _finder(file: Path, index: Path | None, *, as_json: bool) -> int:
    from finder_index.cli_actions import embedder_of_environment
    from finder_index.finder import LocalFinder
    from functions.local.finder_cases import evaluate_finder, load_searches

    cases = load_searches(file)
    embedder = embedder_of_environment()
    finder = LocalFinder.open(embedder, path=index, corpus=None) if index else LocalFinder.open(embedder)
    return _print(await evaluate_finder(cases, finder), as_json=as_json)


def _said(one: Judged) -> None:
    verdict = "right" if one.verdict.right else f"not right: {'; '.join(one.verdict.why)}"
    screen.progress(f"{one.case.id} ({one.seconds:.2f} s) {verdict}")


def _print(report: Report | FinderReport, *, as_json: bool) -> int:
    if as_json:
        screen.put(json_text.dumps(report.figures(), indent=2, ensure_ascii=False))
    else:
        screen.put(report.text())
    return report.exit_code
