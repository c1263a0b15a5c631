"""What a stage is: a function from an annotated query to annotations. Effects live in adapters."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from shared.query.annotated import AnnotatedQuery, Annotation
from shared.query.identifiers import StageName
from shared.runtime.context import RunContext

StageFunction = Callable[[AnnotatedQuery, RunContext], Awaitable[list[Annotation]]]


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage in the pipeline's table.

    ``judging_allowed`` is what the phase guard enforces; ``function`` is already bound to its plugins.
    """

    name: StageName
    function: StageFunction
    judging_allowed: bool
