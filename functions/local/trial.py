"""Three questions through HTTP that show whether a running system answers: a figure, an order, an honest no."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx

SECONDS = 60.0
"""What a question may take here; the first ones of a system that has just started are the slowest."""


@dataclass(frozen=True, slots=True)
class _Trial:
    question: str
    statuses: frozenset[str]
    claims: int
    """The least number of claims, each with its evidence."""


_TRIALS = (
    _Trial("What is India's GDP?", frozenset({"complete"}), 1),
    _Trial("Which five countries have the most people?", frozenset({"complete"}), 5),
    _Trial("What will India's population be in 2035?", frozenset({"unanswered", "refused"}), 0),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one question; ``wrong`` is empty when it was answered as it must be."""

    question: str
    seconds: float
    said: str
    wrong: str = ""


async def trials(address: str) -> AsyncIterator[Outcome]:
    """Ask the questions one after the other at ``{address}/ask``."""
    async with httpx.AsyncClient(base_url=address, timeout=SECONDS + 10, trust_env=False) as client:
        for trial in _TRIALS:
            began = time.monotonic()
            said, wrong = await _ask(client, trial)
            yield Outcome(trial.question, time.monotonic() - began, said, wrong)


async def _ask(client: httpx.AsyncClient, trial: _Trial) -> tuple[str, str]:
    """What the answer says, and what is wrong with it."""
    body = {"question": trial.question, "deadline_seconds": SECONDS}
    try:
        reply = await client.post("/ask", json=body)
    except httpx.TransportError as error:
        return "", f"no reply: {type(error).__name__}"
    try:
        answer: dict[str, Any] = reply.json()
    except ValueError:
        return "", f"HTTP {reply.status_code} without JSON: {reply.text[:200]}"
    if reply.status_code != httpx.codes.OK:
        return "", f"HTTP {reply.status_code}: {reply.text[:300]}"
    text, status = str(answer.get("text", "")), answer.get("status")
    if status not in trial.statuses:
        why = "; ".join(str(failure.get("reason")) for failure in answer.get("failures", ()))
        return text, f"the status is {status}, not {' or '.join(sorted(trial.statuses))}: {why or text}"
    claims = answer.get("claims", ())
    if len(claims) < trial.claims:
        return text, f"{len(claims)} claims, not {trial.claims} or more"
    return text, "a claim without evidence" if any(not claim.get("evidence") for claim in claims) else ""
