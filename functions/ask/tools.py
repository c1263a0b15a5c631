"""What the face offers over the Model Context Protocol: one tool, which asks a question."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, get_args

from functions.ask.intake import MAX_DEADLINE, MAX_QUESTION, OnAmbiguity
from functions.hosting.mcp import Call, McpFace, Tool

INSTRUCTIONS = (
    "Answers questions about published statistics. Every number in an answer comes from a publisher's response, "
    "named in receipts, or from arithmetic over such numbers, shown in computations."
)
DESCRIPTION = (
    "Ask one question in plain words, such as 'What is the population of Kenya?'. The answer has a status, a "
    "sentence, claims with value, unit, place and period, the receipt behind each claim with the request that was "
    "sent (many figures of one request share a receipt, one of them cited as its id, a colon and the row's n), "
    "disclosures of what was assumed, and failures with their reasons. Where the status is "
    "needs_clarification, ask again with the assumptions of one of the options."
)
SCHEMA = {
    "type": "object",
    "properties": {
        "question": {"type": "string", "minLength": 1, "maxLength": MAX_QUESTION},
        "sources": {
            "type": "array",
            "items": {"type": "string"},
            "description": "ask only these publishers; the answer is refused where they do not carry it",
        },
        "on_ambiguity": {
            "type": "string",
            "enum": list(get_args(OnAmbiguity)),
            "description": "answer the likeliest meaning, all meanings, or ask back",
        },
        "deadline_seconds": {"type": "number", "exclusiveMinimum": 0, "maximum": MAX_DEADLINE},
        "assumptions": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "as the alternatives of an earlier answer give them",
        },
    },
    "required": ["question"],
}


def face(ask: Callable[[Call], Awaitable[tuple[dict[str, Any], bool]]], *, max_body: int) -> McpFace:
    """The address ``/mcp`` over a function that answers a call with an answer object, or a problem."""
    return McpFace(
        [Tool("ask", "Ask a question about published statistics", DESCRIPTION, SCHEMA, ask)],
        name="neuralkg",
        title="NeuralKG",
        instructions=INSTRUCTIONS,
        max_body=max_body,
        streamed=True,
    )
