"""``neuralkg doctor``: what is in place, what is missing, and how to get it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from functions.local import guard, screen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from functions.local.checks import Finding
    from functions.local.layout import Line

_MARKS = {"ok": ("ok", "good"), "optional": ("--", "dim"), "bad": ("!!", "bad")}


def doctor(
    *, json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON, and nothing else.")] = False
) -> None:
    """Check this installation: what is missing and how to get it."""
    guard.run(lambda: _doctor(as_json=json))


async def _doctor(*, as_json: bool) -> int:
    import json as json_text
    from dataclasses import asdict

    from functions.local.checks import findings
    from functions.local.settings import Settings

    found = await findings(Settings.from_environment())
    if as_json:
        screen.put(json_text.dumps([asdict(one) for one in found], indent=2, ensure_ascii=False))
    else:
        screen.show(_lines(found, screen.width()))
    return 1 if any(one.state == "bad" for one in found) else 0


def _lines(found: list[Finding], width: int) -> Iterator[Line]:
    from functions.local.layout import Line, wrapped

    for one in found:
        mark, style = _MARKS[one.state]
        for line in wrapped(f"{one.name}: {one.detail}", width, first=f"{mark}  "):
            yield Line(line, style if one.state != "ok" else "")
        if one.do:
            yield from (Line(line, style) for line in wrapped(one.do, width, first="    "))
    bad = sum(one.state == "bad" for one in found)
    yield Line()
    yield Line(f"{bad} thing{'' if bad == 1 else 's'} to put right." if bad else "Everything needed is in place.")
