"""The ``neuralkg`` command.

Exit codes: 0 a complete or partial answer, 3 unanswered or refused, 4 a clarification is needed, 2 bad usage,
1 the system failed or the run was cancelled, 130 interrupted.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from functions.local import guard, screen
from functions.local.commands import (
    ask,
    doctor,
    environment,
    evaluate,
    find,
    index,
    letters,
    report,
    runs,
    serve,
    tasks,
    up,
)

EPILOG = (
    "Exit codes: 0 answered, wholly or in part; 3 unanswered or refused; 4 a clarification is needed; "
    "2 bad usage; 1 the system failed or the run was cancelled; 130 interrupted."
)

app = typer.Typer(
    name="neuralkg",
    help="Ask a question in plain words; get an answer whose every number points at its published source.",
    epilog=EPILOG,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it so
    if wanted:
        from importlib import metadata

        screen.put(f"neuralkg {metadata.version('neuralkg')}")
        raise typer.Exit


@app.callback()
def common(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Ask a question in plain words; get an answer whose every number points at its published source."""


app.command("ask")(ask.ask)
app.command("submit")(runs.submit)
app.command("find")(find.find)
app.command("serve")(serve.serve)
app.command("up")(up.up)
app.command("eval")(evaluate.evaluate)
app.command("doctor")(doctor.doctor)
app.command("environment")(environment.environment)
app.command("tasks")(tasks.tasks)
app.add_typer(runs.group, name="run")
app.add_typer(index.group, name="index")
app.add_typer(letters.group, name="letters")
app.add_typer(report.group, name="report")


def main() -> None:
    """Run the command line."""
    screen.prepare()
    try:
        app()
    except KeyboardInterrupt:
        screen.tell(guard.CANCELLED.said)
        sys.exit(guard.CANCELLED.exit_code)


if __name__ == "__main__":
    main()
