"""``neuralkg submit`` and ``neuralkg run``: questions answered apart from whoever asked them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from functions.local import guard, screen
from functions.local.commands import options

if TYPE_CHECKING:
    from functions.local.layout import Line
    from shared.query.answer import Answer
    from shared.runtime.records import RunRecord

group = typer.Typer(
    help="Look at runs: list, show, watch, cancel, trace.", no_args_is_help=True, rich_markup_mode=None
)
Id = Annotated[str, typer.Argument(metavar="RUN_ID", help="As `submit` printed it.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, and nothing else.")]


def submit(
    question: options.Question,
    *,
    source: options.Source = None,
    on_ambiguity: options.Ambiguity = "answer",
    assume: options.Assume = None,
    deadline: options.Deadline = None,
) -> None:
    """Start a question in the background and print its run id."""
    asked = options.Asked(question, source, on_ambiguity, assume, deadline)

    def work() -> int:
        from functions.local.background import start
        from functions.local.settings import Settings

        settings = Settings.from_environment()
        run_id = start(asked.checked(settings), settings)
        screen.put(run_id)
        return 0

    guard.leave(work)


@group.command("list")
def listing(
    *, count: Annotated[int, typer.Option(min=1, max=500, help="How many.")] = 20, json: AsJson = False
) -> None:
    """List the newest runs."""
    guard.run(lambda: _list(count, as_json=json))


@group.command()
def show(run_id: Id, *, json: AsJson = False) -> None:
    """Print a run's answer, or where it stands. The exit code is the answer's: 1 for a cancelled run."""
    guard.run(lambda: _show(run_id, as_json=json))


@group.command()
def watch(run_id: Id, *, json: AsJson = False) -> None:
    """Follow a run's progress until it ends, then print its answer."""
    guard.run(lambda: _watch(run_id, as_json=json))


@group.command()
def cancel(run_id: Id) -> None:
    """Stop a run; it ends at its next stage."""
    guard.run(lambda: _cancel(run_id))


@group.command()
def trace(run_id: Id) -> None:
    """Print a run's trace as JSON: every annotation, event and cost, in order."""
    guard.run(lambda: _trace(run_id))


async def _list(count: int, *, as_json: bool) -> int:
    import json

    from functions.local.settings import Settings
    from functions.local.stored import open_store

    async with open_store(Settings.from_environment()) as store:
        runs = await store.recent(limit=count)
    if as_json:
        screen.put(json.dumps([_summary(run) for run in runs], indent=2, ensure_ascii=False))
        return 0
    from functions.local.layout import Line, safe

    lines = [
        Line(f"{r.run_id}  {r.created_at:%Y-%m-%d %H:%M}  {_standing(r):<19}  {safe(r.question)}") for r in runs
    ]
    screen.show(lines or [Line("No question has been asked here yet.")])
    return 0


async def _show(run_id: str, *, as_json: bool) -> int:
    import json

    from functions.local.settings import Settings
    from functions.local.stored import open_store, stored_answer
    from shared.query.identifiers import RunId

    settings = Settings.from_environment()
    async with open_store(settings) as store:
        run = await store.get(RunId(run_id))
    answer = await stored_answer(run, settings)
    if answer is not None:
        return _print_answer(answer, as_json=as_json)
    if as_json:
        screen.put(json.dumps(_summary(run), indent=2, ensure_ascii=False))
    else:
        screen.show(_where(run))
    return 0


async def _watch(run_id: str, *, as_json: bool) -> int:
    from functions.local.settings import Settings
    from functions.local.stored import follow, open_store, stored_answer
    from shared.query.identifiers import RunId

    settings = Settings.from_environment()
    async with open_store(settings) as store:
        async for event in follow(store, RunId(run_id)):
            screen.progress(event.text)
        run = await store.get(RunId(run_id))
    answer = await stored_answer(run, settings)
    if answer is None:
        from functions.local.layout import Line

        screen.show([Line(f"The run {run.run_id} was cancelled before it had an answer.")])
        return 1
    return _print_answer(answer, as_json=as_json)


async def _cancel(run_id: str) -> int:
    from functions.local.settings import Settings
    from functions.local.stored import open_store
    from shared.query.identifiers import RunId
    from shared.runtime.records import RunStatus

    async with open_store(Settings.from_environment()) as store:
        run = await store.request_cancel(RunId(run_id))
    if run.status is RunStatus.RUNNING:
        screen.put(f"The run {run.run_id} is flagged; it stops at its next stage.")
    else:
        screen.put(f"The run {run.run_id} had already ended; nothing was changed.")
    return 0


async def _trace(run_id: str) -> int:
    from functions.local.settings import Settings
    from functions.local.stored import open_store, trace_text
    from shared.query.identifiers import RunId

    settings = Settings.from_environment()
    async with open_store(settings) as store:
        screen.put(await trace_text(store, RunId(run_id), settings))
    return 0


def _print_answer(answer: Answer, *, as_json: bool) -> int:
    from functions.local.render import render
    from shared.query.answer import EXIT_CODES

    if as_json:
        screen.put(answer.to_json())
    else:
        screen.show(render(answer, width=screen.width()))
    return EXIT_CODES[answer.status]


def _standing(run: RunRecord) -> str:
    if run.answer is not None:
        return str(run.answer.get("status", run.status.value))
    return "cancelling" if run.cancel_requested and run.status.value == "running" else run.status.value


def _summary(run: RunRecord) -> dict[str, object]:
    return {
        "run_id": run.run_id,
        "question": run.question,
        "status": _standing(run),
        "stage": run.cursor_stage,
        "created_at": run.created_at.isoformat(),
        "deadline_at": run.deadline_at.isoformat(),
    }


def _where(run: RunRecord) -> list[Line]:
    from functions.local.layout import Line, safe

    return [
        Line(safe(run.question), "heading"),
        Line(f"The run {run.run_id} is {_standing(run)}, at the stage {run.cursor_stage.replace('_', ' ')}."),
        Line(f"`neuralkg run watch {run.run_id}` follows it.", "dim"),
    ]
