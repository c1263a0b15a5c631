"""The options that several commands share, and the question with its options as they were typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from functions.local.settings import Settings
    from plugins.base import Registry
    from shared.query.annotated import AskOptions

Question = Annotated[list[str], typer.Argument(help="The question, in plain words.", show_default=False)]
Source = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="Answer from this source only; may be given again.", show_default=False),
]
Found = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="Find tables of this source only; may be given again.", show_default=False),
]
Ambiguity = Annotated[
    str,
    typer.Option(
        metavar="answer|all|ask",
        help="What to do with an ambiguous question: answer the likeliest meaning first, answer all, or ask back.",
    ),
]
Assume = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KEY=VALUE",
        help="Settle an ambiguity, as a clarification's options list it; may be given again.",
        show_default=False,
    ),
]
Deadline = Annotated[
    str | None, typer.Option(metavar="SECONDS", help="How long the answer may take.", show_default="60")
]
Provider = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Who runs the language models: builtin (none), openrouter, openai, anthropic or ollama.",
        show_default="NEURALKG_PROVIDER, else builtin",
    ),
]
BaseUrl = Annotated[
    str | None,
    typer.Option(metavar="URL", help="The models' server, as http://127.0.0.1:8080.", show_default=False),
]
Model = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="A model to ask; one to three may be given.", show_default=False),
]


@dataclass(frozen=True, slots=True)
class ModelsAsked:
    """Which models a command line names; each option stands for its variable."""

    provider: str | None
    base_url: str | None
    models: list[str] | None

    def over(self, environment: Mapping[str, str]) -> Mapping[str, str]:
        """The environment with what was named in place of its own.

        Another provider is asked for its own models at its own address, unless these are named too.
        """
        named = {
            "NEURALKG_PROVIDER": self.provider,
            "NEURALKG_MODEL_URL": self.base_url if self.base_url or not self.provider else "",
            "NEURALKG_MODELS": ",".join(self.models) if self.models else ("" if self.provider else None),
        }
        return {**environment, **{name: value for name, value in named.items() if value is not None}}


@dataclass(frozen=True, slots=True)
class Checked:
    """A question that can be asked; its sources are checked once the mounted ones are known."""

    question: str
    on_ambiguity: str
    deadline: float
    assumptions: dict[str, str]
    sources: tuple[str, ...]

    def options(self, registry: Registry) -> AskOptions:
        """The options as stages read them; raises ``UnknownSource``."""
        from functions.ask.intake import checked_options

        return checked_options(
            sources=self.sources,
            on_ambiguity=self.on_ambiguity,
            deadline=self.deadline,
            assumptions=self.assumptions,
            registry=registry,
        )


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and its options as they were typed."""

    words: list[str]
    sources: list[str] | None
    on_ambiguity: str
    assume: list[str] | None
    deadline: str | None

    def checked(self, settings: Settings) -> Checked:
        """Check everything that can be checked before anything is opened; raises ``BadInput``."""
        from functions.ask import intake

        return Checked(
            question=intake.checked_question(" ".join(self.words)),
            on_ambiguity=intake.checked_ambiguity(self.on_ambiguity),
            deadline=settings.deadline_seconds if self.deadline is None else intake.checked_deadline(self.deadline),
            assumptions=intake.checked_assumptions(self.assume or ()),
            sources=tuple(self.sources or ()),
        )
