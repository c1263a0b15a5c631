"""``neuralkg report``: what the questions cost, and how each stage kept up."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from functions.local import guard, screen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from functions.local.layout import Line
    from functions.reports.sections import Section
    from shared.accounting.ledger import Ledger
    from shared.accounting.window import Window

group = typer.Typer(
    help="Report what the questions cost, and how each stage kept up.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Since = Annotated[
    str | None,
    typer.Option(
        metavar="24h|7d|DATE", help="From when: a span back from now, a date or a time.", show_default="24h"
    ),
]
Until = Annotated[
    str | None, typer.Option(metavar="1h|DATE", help="Until when; a date counts whole.", show_default="now")
]
Archive = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Read the usage records of this archive (gs://bucket, s3://bucket or a folder) as a cloud keeps them, "
        "not the runs answered here.",
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the report as JSON, and nothing else.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print its tables as CSV, and nothing else.")]


@group.command()
def billing(
    *,
    since: Since = None,
    until: Until = None,
    archive: Archive = None,
    bill: Annotated[
        Path | None,
        typer.Option(help="Hold it against this billing export, JSON as BigQuery writes it.", show_default=False),
    ] = None,
    label: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE", help="With --bill, compare rows with this label only.", show_default=False
        ),
    ] = None,
    json: AsJson = False,
    csv: AsCsv = False,
) -> None:
    """Dollars by function, model, type of question and price, with what is free and what stands by itself."""
    guard.run(lambda: _billing(since, until, archive, bill, label or [], as_json=json, as_csv=csv))


async def _billing(
    since: str | None,
    until: str | None,
    archive: str | None,
    bill: Path | None,
    labels: list[str],
    *,
    as_json: bool,
    as_csv: bool,
) -> int:
    from functions.reports.sections import bill_sections, billing_sections
    from shared.accounting.bill import read_bill
    from shared.accounting.billing import billing as work_out
    from shared.accounting.prices import load_prices
    from shared.accounting.reconcile import reconcile
    from shared.runtime.settings import load_stages

    _one_form(as_json=as_json, as_csv=as_csv)
    wanted, prices = _labels(labels, bill), load_prices()
    report = work_out(await _ledger(_window(since, until), archive), load_stages(), prices)
    found = reconcile(read_bill(bill), report, prices, labels=wanted) if bill is not None else None
    if as_json:
        whole = report.model_dump(mode="json") | ({"bill": found.model_dump(mode="json")} if found else {})
        _put_json(whole)
        return 0
    sections = [*billing_sections(report, prices), *(bill_sections(found) if found else ())]
    _print(sections, as_csv=as_csv)
    return 0


@group.command()
def scaling(
    *,
    since: Since = None,
    until: Until = None,
    archive: Archive = None,
    simulate: Annotated[
        str | None,
        typer.Option(metavar="RATE", help="Plan for this rate, such as 50/s or 1000000/day.", show_default=False),
    ] = None,
    latency: Annotated[
        float | None,
        typer.Option(
            min=0.001, metavar="SECONDS", help="With --simulate, the p95 that is wished for.", show_default=False
        ),
    ] = None,
    model_limit: Annotated[
        str | None,
        typer.Option(
            metavar="RATE",
            help="With --simulate, the calls that a model provider takes, such as 500/min.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="With --simulate, another course of chance.")] = 1,
    json: AsJson = False,
    csv: AsCsv = False,
) -> None:
    """Arrivals, times, waits, cold starts and failures by stage, what binds first, and what a rate would need."""
    wish = Wish(simulate, latency, model_limit, seed)
    guard.run(lambda: _scaling(since, until, archive, wish, as_json=json, as_csv=csv))


@group.command()
def sums(
    *,
    archive: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The archive, as gs://bucket, s3://bucket or a folder.")
    ],
    since: Annotated[
        str | None,
        typer.Option(metavar="7d|DATE", help="From when.", show_default="as far as records may still come"),
    ] = None,
    until: Until = None,
) -> None:
    """Add up an archive's usage records, as the reports function does every hour: reports over many rest on it."""
    guard.run(lambda: _sums(archive, since, until))


async def _sums(address: str, since: str | None, until: str | None) -> int:
    from shared.accounting.added_up import Adder
    from shared.accounting.prices import load_prices
    from shared.adapters.archives import open_archive
    from shared.runtime.context import utc_now
    from shared.runtime.settings import load_stages

    window = _window(since, until) if since or until else None
    archive = open_archive(address)
    try:
        done = await Adder(archive, load_stages(), load_prices()).add(now=utc_now(), window=window)
    finally:
        await archive.close()
    screen.put(f"{done:,} records added up")
    return 0


@dataclass(frozen=True, slots=True)
class Wish:
    """What a plan is asked for, as it was typed."""

    rate: str | None
    latency: float | None
    model_limit: str | None
    seed: int


async def _scaling(
    since: str | None, until: str | None, archive: str | None, wish: Wish, *, as_json: bool, as_csv: bool
) -> int:
    from functions.reports.scaling_sections import plan_sections, scaling_sections
    from shared.accounting.forecast import parsed_rate
    from shared.accounting.scaling import scaling as work_out
    from shared.runtime.errors import UsageError
    from shared.runtime.settings import load_stages

    _one_form(as_json=as_json, as_csv=as_csv)
    if wish.rate is None and (wish.latency is not None or wish.model_limit is not None):
        raise UsageError(
            "--latency and --model-limit belong to a plan; name its rate with --simulate, such as 50/s"
        )
    rate = parsed_rate(wish.rate) if wish.rate is not None else None
    model_calls = parsed_rate(wish.model_limit) if wish.model_limit is not None else None
    table, ledger = load_stages(), await _ledger(_window(since, until), archive)
    report = work_out(ledger, table)
    plan = None
    if rate is not None:
        from shared.accounting.forecast import Forecaster
        from shared.accounting.limits import load_limits
        from shared.accounting.prices import load_prices

        planner = Forecaster(ledger, load_prices(), load_limits(), model_calls=model_calls, seed=wish.seed)
        plan = planner.plan(table, rate, target_seconds=wish.latency)
    if as_json:
        _put_json(report.model_dump(mode="json") | ({"plan": plan.model_dump(mode="json")} if plan else {}))
        return 0
    _print([*scaling_sections(report), *(plan_sections(plan) if plan else ())], as_csv=as_csv)
    return 0


def _window(since: str | None, until: str | None) -> Window:
    from shared.accounting.window import window
    from shared.runtime.context import utc_now

    return window(since, until, now=utc_now())


async def _ledger(window: Window, archive: str | None) -> Ledger:
    from functions.local.usage import archived_ledger, own_ledger

    if archive is not None:
        return await archived_ledger(archive, window)
    from functions.local.settings import Settings

    return await own_ledger(Settings.from_environment(), window)


def _labels(given: list[str], bill: Path | None) -> dict[str, str]:
    from shared.runtime.errors import UsageError

    if given and bill is None:
        raise UsageError("--label chooses rows of a billing export; name the export with --bill")
    pairs = [text.partition("=") for text in given]
    wrong = next((text for text, (key, sign, _) in zip(given, pairs, strict=True) if not (key and sign)), None)
    if wrong is not None:
        raise UsageError(f"--label is {wrong[:80]!r}; it must be KEY=VALUE, such as environment=dev")
    return {key: value for key, _, value in pairs}


def _one_form(*, as_json: bool, as_csv: bool) -> None:
    from shared.runtime.errors import UsageError

    if as_json and as_csv:
        raise UsageError("--json and --csv cannot both be asked for")


def _put_json(whole: object) -> None:
    import json

    screen.put(json.dumps(whole, indent=2, ensure_ascii=False))


def _print(sections: Iterable[Section], *, as_csv: bool) -> None:
    if as_csv:
        from functions.reports.tabular import as_csv as written

        screen.put(written(sections).removesuffix("\n"))
        return
    screen.show(_lines(sections, screen.width()))


def _lines(sections: Iterable[Section], width: int) -> Iterator[Line]:
    from functions.local.layout import Line, table, wrapped
    from functions.reports.sections import shown

    for n, section in enumerate(sections):
        if n:
            yield Line()
        for text in wrapped(section.title, width):
            yield Line(text, "heading")
        kinds = [kind for _, kind in section.columns]
        rows = [[shown(cell, kind) for cell, kind in zip(row, kinds, strict=True)] for row in section.rows]
        if rows:
            yield from table([title for title, _ in section.columns], rows, width)
        else:
            yield Line("  nothing")
        for note in section.notes:
            yield from (Line(text, "dim") for text in wrapped(note, width, first="  "))
