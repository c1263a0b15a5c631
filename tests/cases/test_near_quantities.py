"""A quantity is answered by itself or refused, and never by its neighbour: a rate for a number, a stock for a flow.

``near_quantities.tsv`` has a question a line and the publishers' variables that are the quantity it asks for, ``-``
where nobody who is mounted publishes it. What is held against them is what every source binds to the question,
whether or not a figure is recorded for it. The half that is marked ``held`` was written before the rules were.
"""

from __future__ import annotations

import csv
from pathlib import Path

from functions.ask.intake import checked_question
from functions.local.settings import Settings
from functions.local.wiring import Application, open_application
from shared.query.annotated import AskOptions, Bound

TABLE = Path(__file__).with_name("near_quantities.tsv")
NONE = "-"


async def bound(question: str, app: Application) -> set[str]:
    """The first quantity that each source takes a question to be about, in any of its readings."""
    answer = await app.ask(checked_question(question), AskOptions())
    first: dict[tuple[str, str], str] = {}
    for annotation in await app.store.annotations(answer.run_id):
        if isinstance(annotation.payload, Bound):
            reading = str(annotation.key).partition(".")[0]
            first.setdefault((reading, annotation.payload.plugin), annotation.payload.measure.variable)
    return set(first.values()) or {NONE}


async def test_every_source_takes_a_question_for_what_it_asks_or_for_nothing(tmp_path: Path) -> None:
    with TABLE.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    wrong = []
    async with open_application(Settings.from_environment({"NEURALKG_HOME": str(tmp_path)})) as app:
        for row in rows:
            taken = await bound(row["question"], app)
            if not taken <= set(row["variables"].split()):
                wrong.append((row["question"], row["variables"], sorted(taken)))
    assert wrong == []
    assert len(rows) >= 150
    assert sum(row["split"] == "held" for row in rows) * 2 >= len(rows)
