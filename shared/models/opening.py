"""Makes the judges that the settings name: the one place that knows every provider, each imported when needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared.models.prices import FREE, PriceTable

if TYPE_CHECKING:
    from shared.models.prices import Price
    from shared.models.providers.chat import ChatModel
    from shared.models.providers.wire import Wire
    from shared.models.settings import ModelSettings
    from shared.models.tasks import Judge

MOST_CONNECTIONS = 32


@dataclass(frozen=True, slots=True)
class OpenModels:
    """The judges that are models: the ``panel`` reads questions, ``judges`` make all other judgments."""

    panel: tuple[Judge, ...] = ()
    judges: tuple[Judge, ...] = ()


async def open_models(settings: ModelSettings, stack: AsyncExitStack) -> OpenModels:
    """The judges, whose connections close with ``stack``; none when no provider is set.

    Nothing is sent before a judgment is asked for. Raises ``UsageError`` for a price table that cannot be read.
    """
    if not settings.asked:
        return OpenModels()
    import httpx  # noqa: PLC0415 - only those who ask models load it

    from shared.models.model_judge import ModelJudge  # noqa: PLC0415
    from shared.models.providers.wire import Wire, hush  # noqa: PLC0415

    hush()
    client = await stack.enter_async_context(
        httpx.AsyncClient(limits=httpx.Limits(max_connections=MOST_CONNECTIONS))
    )
    wire = Wire(settings.url, client, _headers(settings), settings.key_variable)
    table = PriceTable.read(settings.prices)
    made: dict[str, Judge] = {}
    for name in (*(settings.models or ("",)), settings.judge):
        if name not in made:
            made[name] = ModelJudge(
                PROVIDED[settings.provider](wire, name, settings),
                price_of(name, table, settings),
                seconds=settings.seconds,
                effort=settings.effort,
            )
    panel = tuple(made[name] for name in settings.models or ("",))
    return OpenModels(panel=panel, judges=(made.get(settings.judge, panel[0]),))


def price_of(name: str, table: PriceTable, settings: ModelSettings) -> Price:
    """What a model is reserved for and settled at: its price, nothing on one's own server, else the dearest."""
    return table.get(name) or (FREE if settings.free else table.dearest)


def _headers(settings: ModelSettings) -> Mapping[str, str]:
    if settings.provider == "anthropic":
        from shared.models.providers.anthropic import VERSION  # noqa: PLC0415

        return {"anthropic-version": VERSION, **({"x-api-key": settings.key} if settings.key else {})}
    return {"Authorization": f"Bearer {settings.key}"} if settings.key else {}


def _openai(wire: Wire, name: str, settings: ModelSettings) -> ChatModel:
    from shared.models.providers.openai import OpenAIChat  # noqa: PLC0415

    return OpenAIChat(wire, name, own=settings.own)


def _openrouter(wire: Wire, name: str, settings: ModelSettings) -> ChatModel:
    del settings
    from shared.models.providers.openrouter import OpenRouterChat  # noqa: PLC0415

    return OpenRouterChat(wire, name)


def _anthropic(wire: Wire, name: str, settings: ModelSettings) -> ChatModel:
    del settings
    from shared.models.providers.anthropic import AnthropicChat  # noqa: PLC0415

    return AnthropicChat(wire, name)


def _ollama(wire: Wire, name: str, settings: ModelSettings) -> ChatModel:
    del settings
    from shared.models.providers.ollama import OllamaChat  # noqa: PLC0415

    return OllamaChat(wire, name)


PROVIDED: Mapping[str, Callable[[Wire, str, ModelSettings], ChatModel]] = {
    "openrouter": _openrouter,
    "openai": _openai,
    "anthropic": _anthropic,
    "ollama": _ollama,
}
"""How each provider's models are made."""
