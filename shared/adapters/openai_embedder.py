"""Embeddings from a server that speaks OpenAI's ``POST /embeddings``: any provider, or one of one's own.

``NEURALKG_EMBEDDING_URL`` is the base that ``/embeddings`` is appended to, ``NEURALKG_EMBEDDING_MODEL`` the model's
name, ``NEURALKG_EMBEDDING_DIMENSION`` the length of its vectors, and ``NEURALKG_EMBEDDING_KEY`` the key, if one is
needed. The key is sent and never told.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import httpx

from shared.runtime.errors import ModelUnavailable, UsageError

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
LONGEST_WAIT = 30.0
MOST_CHARACTERS = 8000
"""A text is cut here, as the providers' own limits are in tokens."""


@dataclass(slots=True)
class OpenAIEmbedder:
    """``Embedder`` over an endpoint.

    Each call has ``seconds`` in all, its repetitions included; a passing failure is tried ``attempts`` times,
    after the server's ``Retry-After`` or growing waits of ``wait`` seconds.
    """

    url: str
    name: str
    dimension: int
    key: str = field(default="", repr=False)
    seconds: float = 120.0
    attempts: int = 4
    wait: float = 0.5
    batch: int = 96
    side_by_side: int = 4

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> OpenAIEmbedder | None:
        """The endpoint that the environment names, ``None`` for none. Raises ``UsageError`` for half of one."""
        url = environment.get("NEURALKG_EMBEDDING_URL", "").strip()
        if not url:
            return None
        name = environment.get("NEURALKG_EMBEDDING_MODEL", "").strip()
        dimension = environment.get("NEURALKG_EMBEDDING_DIMENSION", "").strip()
        if not name or not dimension.isdecimal() or not int(dimension):
            raise UsageError(
                "NEURALKG_EMBEDDING_URL also needs NEURALKG_EMBEDDING_MODEL, a name, and "
                f"NEURALKG_EMBEDDING_DIMENSION, the length of its vectors; found {name!r} and {dimension!r}"
            )
        if not url.startswith(("https://", "http://")):
            raise UsageError(f"NEURALKG_EMBEDDING_URL must begin with https:// or http://, found {url!r}")
        return cls(url, name, int(dimension), environment.get("NEURALKG_EMBEDDING_KEY", ""))

    @property
    def model(self) -> str:
        """The model's name at the endpoint."""
        return self.name

    async def embed(self, texts: Sequence[str]) -> NDArray[float32]:
        """Embed ``texts``; shape ``(len(texts), dimension)``, rows of length one.

        Raises ``ModelUnavailable`` when the endpoint does not answer in time, refuses, or answers with what
        are no vectors of these texts.
        """
        import numpy as np  # noqa: PLC0415 - numpy is loaded by those who embed

        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        shares = [list(texts[at : at + self.batch]) for at in range(0, len(texts), self.batch)]
        turns = asyncio.Semaphore(self.side_by_side)
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}

        async def one(share: list[str]) -> NDArray[float32]:
            async with turns:
                return self._vectors(await self._asked(client, share), len(share))

        async with httpx.AsyncClient(headers=headers, timeout=self.seconds) as client:
            try:
                async with asyncio.timeout(self.seconds), asyncio.TaskGroup() as group:
                    tasks = [group.create_task(one(share)) for share in shares]
            except TimeoutError as error:
                raise ModelUnavailable(f"the embedding endpoint did not answer in {self.seconds:g} s") from error
            except ExceptionGroup as failures:
                raise _first(failures) from failures
        return np.concatenate([task.result() for task in tasks])

    async def _asked(self, client: httpx.AsyncClient, texts: list[str]) -> Any:
        body = {
            "model": self.name,
            "input": [text[:MOST_CHARACTERS] or " " for text in texts],
            "encoding_format": "float",
        }
        problem = ""
        for attempt in range(self.attempts):
            wait = min(LONGEST_WAIT, self.wait * 2**attempt)
            try:
                answer = await client.post(f"{self.url.rstrip('/')}/embeddings", json=body)
            except httpx.HTTPError as error:
                problem = f"the embedding endpoint cannot be reached: {type(error).__name__}"
            else:
                if answer.is_success:
                    return _json(answer)
                problem = f"the embedding endpoint answered {answer.status_code}"
                if answer.status_code not in RETRIED:
                    raise ModelUnavailable(f"{problem} for the model {self.name}")
                wait = _asked_wait(answer, wait)
            if attempt + 1 < self.attempts:
                await asyncio.sleep(wait)
        raise ModelUnavailable(f"{problem}, {self.attempts} times")

    def _vectors(self, answer: Any, count: int) -> NDArray[float32]:
        """The vectors in the order of the texts, at length one."""
        import numpy as np  # noqa: PLC0415

        try:
            rows = {int(item["index"]): item["embedding"] for item in answer["data"]}
            found = np.array([rows[place] for place in range(count)], dtype=np.float32)
        except (KeyError, TypeError, ValueError) as error:
            raise ModelUnavailable("the embedding endpoint's answer is not a list of vectors") from error
        if found.shape != (count, self.dimension):
            raise ModelUnavailable(
                f"{self.name} gave vectors of shape {found.shape}, wanted ({count}, {self.dimension}); "
                "NEURALKG_EMBEDDING_DIMENSION must be the length of the model's vectors"
            )
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or not lengths.all():
            raise ModelUnavailable(f"{self.name} gave a vector that is zero or has parts that are no numbers")
        unit: NDArray[float32] = found / lengths
        return unit


def _json(answer: httpx.Response) -> Any:
    try:
        return answer.json()
    except ValueError as error:
        raise ModelUnavailable("the embedding endpoint's answer is not JSON") from error


def _asked_wait(answer: httpx.Response, otherwise: float) -> float:
    try:
        return min(LONGEST_WAIT, max(0.0, float(answer.headers.get("Retry-After", ""))))
    except ValueError:
        return otherwise


def _first(failures: ExceptionGroup[Exception]) -> ModelUnavailable:
    """What went wrong first; anything but a model's failure is a fault of this program and goes on as it is."""
    known, other = failures.split(ModelUnavailable)
    if other is not None or known is None:
        raise failures
    error = known.exceptions[0]
    return error if isinstance(error, ModelUnavailable) else ModelUnavailable(str(error))
