"""``neuralkg up``: the emulators, and every function as a process of its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from functions.local import guard, screen

if TYPE_CHECKING:
    from functions.local.up import Plan, Running


def up(
    *,
    port: Annotated[
        int, typer.Option(min=0, max=65_535, help="The port of the ask function; 0 takes a free one.")
    ] = 8080,
    environment: Annotated[str, typer.Option(help="The short name that all resources carry.")] = "dev",
    check: Annotated[bool, typer.Option("--check", help="Ask three questions through it, and stop.")] = False,
    live: Annotated[
        bool, typer.Option("--live", help="Ask the publishers' live APIs instead of the recorded figures.")
    ] = False,
    logs: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep what the processes print in this folder.", show_default=False),
    ] = None,
) -> None:
    """Run the cloud on this machine until interrupted: emulators, and one process for each function."""
    guard.run(
        lambda: _up(port, environment, live=live, check=check, logs=logs),
        interrupted=guard.Interrupted("stopped", 0),
    )


async def _up(port: int, environment: str, *, live: bool, check: bool, logs: Path | None) -> int:
    import asyncio
    import signal
    from contextlib import suppress

    from functions.local.up import Plan

    plan = Plan(port=port, environment=environment, live=live, logs=logs)
    work = asyncio.ensure_future(_run(plan, check=check))
    # To be ended is to be interrupted: everything is stopped in order.
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, work.cancel)
    try:
        return await work
    except asyncio.CancelledError:
        with suppress(asyncio.CancelledError):
            work.cancel()
            await work
        raise KeyboardInterrupt from None


async def _run(plan: Plan, *, check: bool) -> int:
    import asyncio

    from functions.local.up import running

    async with running(plan, tell=screen.progress) as cloud:
        slowest = max(cloud.took, key=lambda name: cloud.took[name])
        screen.progress(
            f"all {len(cloud.took)} functions answer after {cloud.seconds:.1f} s "
            f"(the slowest, {slowest}, took {cloud.took[slowest]:.1f} s)"
        )
        work: set[asyncio.Task[int]] = {asyncio.create_task(_watch(cloud), name="watch")}
        if check:
            work.add(asyncio.create_task(_check(cloud.front), name="check"))
        else:
            for name, address in cloud.addresses.items():
                screen.put(f"{name:<20}{address}")
            screen.tell(f"NeuralKG listens on {cloud.front}/ (Ctrl-C stops it)")
        try:
            ended, _ = await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
            return next(iter(ended)).result()
        finally:
            for task in work:
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)
            screen.progress("stopping")


async def _watch(cloud: Running) -> int:
    await cloud.watch()
    return 0


async def _check(address: str) -> int:
    from functions.local.trial import trials

    wrong = asked = 0
    async for one in trials(address):
        asked += 1
        wrong += bool(one.wrong)
        screen.put(f"{'!!' if one.wrong else 'ok'}  {one.question}  ({one.seconds:.1f} s)")
        screen.put(f"    {one.wrong or one.said}")
    screen.put(f"{wrong} of {asked} questions went wrong." if wrong else f"All {asked} questions went well.")
    return 1 if wrong else 0
