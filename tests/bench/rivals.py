"""The systems that a user would pick instead, on the same ten steps: LangGraph and DBOS, each on a SQLite file.

Each step adds ``SIZE`` characters that are durable before the next one begins. All files are in WAL mode under the
``synchronous`` setting that is asked for: ours is NORMAL; as they come, LangGraph has WAL and FULL, and DBOS FULL
and the rollback journal, which is slower still. Neither has messages, leases or archived traces, which our run has.
"""

from __future__ import annotations

import operator
import sqlite3
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

from typing_extensions import TypedDict

STEPS = 10
SIZE = 2000

Run = Callable[[], Awaitable[None]]


class State(TypedDict):
    """What LangGraph carries from step to step."""

    notes: Annotated[list[str], operator.add]


def _graph(saver: Any, node: Callable[[str], Any]) -> Any:
    from langgraph.graph import END, START, StateGraph

    graph = StateGraph(State)
    names = [f"step{n}" for n in range(STEPS)]
    for name in names:
        graph.add_node(name, node(name))
    for before, after in zip([START, *names], [*names, END], strict=True):
        graph.add_edge(before, after)
    return graph.compile(checkpointer=saver)


def _input() -> tuple[dict[str, list[str]], dict[str, Any]]:
    return {"notes": []}, {"configurable": {"thread_id": uuid.uuid4().hex}}


@asynccontextmanager
async def langgraph(folder: Path, synchronous: str) -> AsyncIterator[Run]:
    """LangGraph with ``AsyncSqliteSaver``; each checkpoint is written before the next step begins."""
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    def node(name: str) -> Any:
        async def step(state: State) -> dict[str, list[str]]:
            return {"notes": [name[-1] * SIZE]}

        return step

    async with AsyncSqliteSaver.from_conn_string(str(folder / "checkpoints.sqlite3")) as saver:
        await saver.setup()
        await saver.conn.execute(f"PRAGMA synchronous = {synchronous}")
        graph = _graph(saver, node)

        async def run() -> None:
            state = await graph.ainvoke(*_input(), durability="sync")
            assert len(state["notes"]) == STEPS

        yield run


@asynccontextmanager
async def langgraph_blocking(folder: Path, synchronous: str) -> AsyncIterator[Run]:
    """LangGraph with ``SqliteSaver``: it has no asynchronous face and holds the thread for the whole run."""
    from langgraph.checkpoint.sqlite import SqliteSaver

    with SqliteSaver.from_conn_string(str(folder / "checkpoints.sqlite3")) as saver:
        saver.setup()
        saver.conn.execute(f"PRAGMA synchronous = {synchronous}")
        graph = _graph(saver, lambda name: lambda state: {"notes": [name[-1] * SIZE]})

        async def run() -> None:
            state = graph.invoke(*_input(), durability="sync")
            assert len(state["notes"]) == STEPS

        yield run


@asynccontextmanager
async def dbos(folder: Path, synchronous: str) -> AsyncIterator[Run]:
    """DBOS with an asynchronous workflow of ten steps."""
    import sqlalchemy
    from dbos import DBOS

    path = folder / "dbos.sqlite3"

    @sqlalchemy.event.listens_for(sqlalchemy.Engine, "connect")
    def pragmas(connection: sqlite3.Connection, _record: Any) -> None:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA synchronous = {synchronous}")

    DBOS(config={"name": "bench", "system_database_url": f"sqlite:///{path}", "log_level": "ERROR"})

    @DBOS.step()
    async def step(n: int) -> str:
        return str(n) * SIZE

    @DBOS.workflow()
    async def workflow() -> int:
        return sum([len(await step(n)) for n in range(STEPS)])

    DBOS.launch()
    try:

        async def run() -> None:
            assert await workflow() == STEPS * SIZE

        yield run
    finally:
        DBOS.destroy()
        sqlalchemy.event.remove(sqlalchemy.Engine, "connect", pragmas)


RIVALS: tuple[tuple[str, Callable[[Path, str], AbstractAsyncContextManager[Run]], str], ...] = (
    ("LangGraph, AsyncSqliteSaver", langgraph, "NORMAL"),
    ("LangGraph, AsyncSqliteSaver", langgraph, "FULL"),
    ("LangGraph, SqliteSaver", langgraph_blocking, "NORMAL"),
    ("LangGraph, SqliteSaver", langgraph_blocking, "FULL"),
    ("DBOS", dbos, "NORMAL"),
)
"""Each with the setting it is measured under; DBOS can be set up once a process."""
