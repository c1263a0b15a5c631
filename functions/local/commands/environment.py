"""``neuralkg environment``: the names of one environment in the cloud, out of what Terraform made."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from functions.local import guard, screen


def environment(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="What `terraform output -json` printed; - reads it here.")
    ],
    *,
    json: Annotated[bool, typer.Option("--json", help="Print the variables as JSON, not for a shell.")] = False,
) -> None:
    """Print the variables by which the program finds an environment that Terraform made, for a shell to take."""
    guard.leave(lambda: _environment(file, as_json=json))


def _environment(file: Path, *, as_json: bool) -> int:
    import json
    import shlex

    from functions.local.outputs import environment_of

    found = environment_of(_read(file), str(file))
    if as_json:
        screen.put(json.dumps(found, indent=2))
    else:
        screen.put("\n".join(f"export {name}={shlex.quote(value)}" for name, value in found.items()))
    return 0


def _read(file: Path) -> str:
    import sys

    from shared.runtime.errors import UsageError

    try:
        return sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not text; write it anew with terraform output -json") from error
