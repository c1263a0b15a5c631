"""What stands for the ports that a function does not open."""

# ruff: noqa: ARG002 - the ports' own signatures

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from shared.runtime.errors import NeuralKGError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import float32
    from numpy.typing import NDArray

    from shared.query.discovery import Family, FamilySplit, FinderReply, FinderRequest, TableDocument
    from shared.runtime.deadline import Deadline
    from shared.runtime.http import HttpRequest, HttpResponse


class NotWired(NeuralKGError):  # noqa: N818 - the name says what is wrong
    """A stage asked for a port that its function does not open: a fault of its ``main.py``."""


class Unopened:
    """Stands for the ports that a function does not open; asking it raises ``NotWired``."""

    model, dimension = "none", 0

    def __init__(self, function: str) -> None:
        self._function = function

    async def send(self, request: HttpRequest, *, deadline: Deadline) -> HttpResponse:
        """As a transport."""
        self._refuse("transport")

    async def search(self, request: FinderRequest, *, deadline: Deadline) -> FinderReply:
        """As a finder."""
        self._refuse("finder")

    async def by_variable(self, variable: str) -> tuple[TableDocument, ...]:
        """As a finder."""
        self._refuse("finder")

    async def splits(self, family: Family) -> tuple[FamilySplit, ...]:
        """As a finder."""
        self._refuse("finder")

    async def split_by(self, family: Family, dimensions: Sequence[str]) -> tuple[TableDocument, ...]:
        """As a finder."""
        self._refuse("finder")

    async def embed(self, texts: Sequence[str]) -> NDArray[float32]:
        """As an embedder."""
        self._refuse("embedder")

    def _refuse(self, port: str) -> NoReturn:
        raise NotWired(f"the function {self._function} opens no {port}; its main.py must ask for one")
