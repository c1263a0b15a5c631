"""The table of every judgment that the program may ask for, with what each one is for and where it is asked.

A row is where a ``Task`` is written and the stage that asks for it; all else stands in the task itself. Rows are
import paths, so that nothing is loaded before it is looked at and no stage comes to import another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from shared.models.builtin import BuiltinRule
from shared.models.tasks import Effort, Task
from shared.query.quantity import Frozen


@dataclass(frozen=True, slots=True)
class TaskRow:
    """Where a task is written (``module:NAME``), the stage that asks for it, and whether the panel judges it."""

    path: str
    stage: str
    panel: bool = False

    @property
    def task(self) -> Task[Any, Any]:
        """The task itself; imports its module."""
        module, _, name = self.path.partition(":")
        found = getattr(import_module(module), name)
        if not isinstance(found, Task):
            raise TypeError(f"{self.path} is no task")
        return found


TASKS: tuple[TaskRow, ...] = (
    TaskRow("functions.understand.task:UNDERSTAND", "understand", panel=True),
    TaskRow("functions.discover.publishers:RESOLVE_PUBLISHERS", "discover"),
    TaskRow("finder_index.rerank_task:RERANK_TABLES", "finder"),
    TaskRow("plugins.choice.tasks:SELECT_DOCUMENTS", "select"),
    TaskRow("plugins.countryfacts.tasks:CHOOSE_FACT", "select"),
    TaskRow("functions.resolve_entities.denotation_task:CHOOSE_DENOTATION", "resolve_entities"),
    TaskRow("plugins.choice.place_task:CHOOSE_PLACE", "resolve_entities"),
    TaskRow("functions.resolve_entities.list_task:LIST_MEMBERS", "resolve_entities", panel=True),
    TaskRow("functions.resolve_attributes.semantics_task:ACCEPT_SEMANTICS", "resolve_attributes"),
    TaskRow("plugins.datacommons.split_tasks:CHOOSE_DIMENSION", "resolve_attributes"),
    TaskRow("plugins.datacommons.split_tasks:CHOOSE_PARTS", "resolve_attributes"),
    TaskRow("functions.combine.tasks:COMPARABLE_FIGURES", "combine"),
    TaskRow("functions.combine.tasks:QUANTITY_ADDS_UP", "combine"),
    TaskRow("functions.present.word_task:WORD_ANSWER", "present"),
)
"""Every task, in the order of the pipeline."""


RULES: tuple[str, ...] = (
    "functions.discover.builtin_rules:BUILTIN_RULES",
    "plugins.choice.builtin_rules:BUILTIN_RULES",
    "plugins.countryfacts.tasks:BUILTIN_RULES",
    "functions.resolve_entities.denotation_task:BUILTIN_RULES",
    "functions.resolve_attributes.semantics_task:BUILTIN_RULES",
    "plugins.datacommons.split_tasks:SPLIT_RULES",
    "functions.combine.builtin_rules:BUILTIN_RULES",
    "functions.present.builtin_rules:BUILTIN_RULES",
)
"""Where the built-in judge's rules are written, for the tasks that they may stand in for."""


def builtin_rules() -> dict[str, BuiltinRule]:
    """The built-in judge's rules of every task, for a program that has all stages in it."""
    found: dict[str, BuiltinRule] = {}
    for path in RULES:
        module, _, name = path.partition(":")
        found |= getattr(import_module(module), name)
    return found


class TaskDescription(Frozen):
    """One judgment for people.

    ``fallback`` says whether the built-in rules may judge when no model can be reached, ``panel`` whether up to
    three models are asked and held against each other.
    """

    name: str
    version: int
    stage: str
    effort: Effort
    panel: bool
    fallback: bool
    purpose: str
    instructions: str

    @property
    def id(self) -> str:
        """Name and version, as they stand in traces."""
        return f"{self.name}.v{self.version}"


def described(rows: Iterable[TaskRow] = TASKS) -> Iterator[TaskDescription]:
    """Each task of the table, described; imports the modules that the tasks are written in."""
    for row in rows:
        task = row.task
        yield TaskDescription(
            name=task.name,
            version=task.version,
            stage=row.stage,
            effort=task.effort,
            panel=row.panel,
            fallback=task.fallback,
            purpose=task.purpose,
            instructions=task.instructions,
        )


HEADINGS = ("task", "stage", "who", "effort", "without a model", "for")


def cells(one: TaskDescription) -> tuple[str, ...]:
    """One task's row under ``HEADINGS``."""
    who = "panel" if one.panel else "one model"
    return one.id, one.stage, who, one.effort, "built-in rules" if one.fallback else "none", one.purpose
