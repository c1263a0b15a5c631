"""Reads ``infra/stages.json``: the one table of functions that Terraform, ``neuralkg up`` and the reports share.

The stages stand in the order of the pipeline. Each row says what its function may use and how its messages are
retried; ``judging_allowed`` is what the phase guard enforces.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, ValidationError, model_validator

from shared.query.identifiers import StageName
from shared.query.quantity import Frozen
from shared.runtime.errors import NeuralKGError

STAGES_FILE = Path(__file__).parents[2] / "infra" / "stages.json"

PIPELINE: tuple[StageName, ...] = tuple(
    map(
        StageName,
        (
            "understand",
            "slots",
            "discover",
            "select",
            "resolve_entities",
            "resolve_attributes",
            "plan",
            "execute",
            "combine",
            "present",
        ),
    )
)
"""The stages of the pipeline in order; the table must list exactly these."""


class StagesInvalid(NeuralKGError):  # noqa: N818 - the name says what is wrong
    """The table of functions cannot be read or breaks a rule; the message names the row and the rule."""


class Retry(Frozen):
    """How a message that was not acknowledged comes again; limits are those of Pub/Sub."""

    min_backoff_seconds: int = Field(ge=0, le=600)
    max_backoff_seconds: int = Field(ge=0, le=600)
    max_attempts: int = Field(ge=5, le=100)

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.min_backoff_seconds > self.max_backoff_seconds:
            raise ValueError("min_backoff_seconds is above max_backoff_seconds")
        return self


class FunctionSetting(Frozen):
    """One function. ``kind`` tells what calls it: a stage's or another topic's messages, HTTP, or a schedule."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]{1,40}$")
    kind: Literal["stage", "http", "topic", "schedule"]
    memory_mb: int = Field(ge=128, le=32768)
    cpu: float = Field(gt=0, le=8)
    concurrency: int = Field(ge=1, le=1000)
    min_instances: int = Field(ge=0, le=1000)
    max_instances: int = Field(ge=1, le=1000)
    timeout_seconds: int = Field(ge=1, le=3600)
    retry: Retry | None = None
    judging_allowed: bool = False
    schedule: str | None = None

    @model_validator(mode="after")
    def _rules(self) -> Self:
        if self.min_instances > self.max_instances:
            raise ValueError("min_instances is above max_instances")
        if self.concurrency > 1 and self.cpu < 1:
            raise ValueError("a concurrency above 1 needs at least one cpu")
        if self.kind in {"stage", "topic"}:
            if self.retry is None:
                raise ValueError("a function behind a topic needs a retry policy")
            # The acknowledgement deadline covers the time-out, and 600 s is the most there is.
            if self.timeout_seconds > 540:
                raise ValueError("a function behind a topic may take 540 s at most")
        if (self.schedule is not None) != (self.kind == "schedule"):
            raise ValueError("a schedule stands exactly with the kind schedule")
        if self.judging_allowed and self.kind != "stage":
            raise ValueError("judging_allowed is for stages")
        return self


class StageTable(Frozen):
    """Every function, the stages first and in the order of the pipeline."""

    version: Literal[1]
    functions: tuple[FunctionSetting, ...]

    @model_validator(mode="after")
    def _rules(self) -> Self:
        names = [function.name for function in self.functions]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"listed twice: {', '.join(twice)}")
        stages = tuple(function.name for function in self.functions if function.kind == "stage")
        if stages != PIPELINE:
            raise ValueError(f"the stages must be, in this order, {', '.join(PIPELINE)}; found {', '.join(stages)}")
        if self.get("execute").judging_allowed:
            raise ValueError("execute may not call models: judging_allowed must be false")
        return self

    @property
    def stages(self) -> tuple[FunctionSetting, ...]:
        """The stages of the pipeline, in order."""
        return tuple(function for function in self.functions if function.kind == "stage")

    def get(self, name: str) -> FunctionSetting:
        """One function's row; raises ``StagesInvalid`` when there is none."""
        for function in self.functions:
            if function.name == name:
                return function
        raise StagesInvalid(
            f"no function is called {name!r}; there are {', '.join(f.name for f in self.functions)}"
        )


def load_stages(path: Path = STAGES_FILE) -> StageTable:
    """Read the table; raises ``StagesInvalid`` naming the file, the row and the rule."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise StagesInvalid(f"the table of functions {path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise StagesInvalid(f"the table of functions {path} is not JSON: {error}") from error
    try:
        return StageTable.model_validate(data)
    except ValidationError as error:
        faults = "; ".join(f"{_where(data, fault['loc'])}: {fault['msg']}" for fault in error.errors())
        raise StagesInvalid(f"the table of functions {path} is not valid: {faults}") from error


def _where(data: object, location: tuple[int | str, ...]) -> str:
    """A fault's place as people name it: ``execute.memory_mb`` rather than ``functions.7.memory_mb``."""
    match location:
        case ("functions", int(row), *rest) if isinstance(data, dict):
            entry = data["functions"][row]
            name = entry.get("name") if isinstance(entry, dict) else None
            return ".".join([str(name or f"row {row + 1}"), *map(str, rest)])
        case ():
            return "the table"
        case _:
            return ".".join(map(str, location))
