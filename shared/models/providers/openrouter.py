"""OpenRouter: OpenAI's format with a choice of providers for each model, and the charge in each reply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shared.models.providers.chat import ChatRequest
from shared.models.providers.openai import OpenAIChat

PREFERENCES: dict[str, Any] = {
    "sort": "throughput",
    "preferred_min_throughput": {"p90": 40},
    "preferred_max_latency": {"p90": 5},
    "require_parameters": True,
}
"""The fastest provider first; one below 40 tokens/s or above 5 s for 9 of 10 requests is tried last."""


@dataclass(slots=True)
class OpenRouterChat(OpenAIChat):
    """``ChatModel`` over OpenRouter."""

    def extras(self, request: ChatRequest) -> dict[str, Any]:
        """Preferences of providers, and the reasoning effort in OpenRouter's own words."""
        preferences = dict(PREFERENCES)
        if "provider" in self.left_out:
            # No provider knows every parameter: those that do not know one pass over it.
            del preferences["require_parameters"]
        reasoning = {"effort": request.effort, "exclude": True}
        return {"temperature": 0, "reasoning": reasoning, "routing": preferences}

    def body(self, request: ChatRequest) -> dict[str, Any]:
        """The request as it is sent."""
        # By the dataclass's slots, super() without arguments would name the class before it was remade.
        body = OpenAIChat.body(self, request)
        body["provider"] = body.pop("routing")
        return body
