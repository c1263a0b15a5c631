"""Takes questions that were asked by message. What cannot be asked is told on the topic of the answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Protocol

from functions.ask.incoming import from_object
from functions.ask.intake import BadInput
from functions.ask.problems import problem_of
from shared.runtime.errors import UsageError
from shared.runtime.messages import REJECTED, Announced, Question

if TYPE_CHECKING:
    from plugins.base import Registry
    from shared.query.annotated import AskOptions
    from shared.query.identifiers import RunId
    from shared.runtime.records import RunRecord

SHOWN_QUESTION = 2_000
"""Characters of a question that its rejection repeats."""


class Submit(Protocol):
    """``RunClient.submit``."""

    async def __call__(
        self,
        question: str,
        options: AskOptions | None = None,
        *,
        run_id: RunId | None = None,
        traceparent: str | None = None,
    ) -> RunRecord:
        """Create the run, or return the one under this id."""


async def submit_question(
    asked: Question,
    *,
    submit: Submit,
    announce: Callable[[Announced], Awaitable[object]],
    registry: Registry,
    deadline_seconds: float,
) -> None:
    """Start the run of a question, once however often its message comes; or announce why not, as HTTP would say.

    Raises what ``submit`` and ``announce`` raise, so that the message comes again.
    """
    try:
        question, options = from_object(dict(asked.body)).checked(registry, deadline_seconds=deadline_seconds)
        run = await submit(question, options, run_id=asked.run_id, traceparent=asked.traceparent)
        if run.question != question:
            raise _taken(asked)
    except UsageError as error:
        told = problem_of(error).as_json()["error"]
        shown = asked.body.get("question")
        await announce(
            Announced(
                asked.run_id,
                REJECTED,
                error=told if isinstance(told, dict) else None,
                question=shown[:SHOWN_QUESTION] if isinstance(shown, str) else None,
            )
        )


def _taken(asked: Question) -> BadInput:
    return BadInput(
        "id_taken",
        f"Another question was asked under this id; its run is {asked.run_id}.",
        allowed="an id for each question",
        do="Send the question under an id of its own, or under none.",
    )
