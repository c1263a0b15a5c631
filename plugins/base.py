"""What a publisher's plugin is: five questions that the stages ask it, in the order of the pipeline.

=====================  =======================================================================================
stage                  question
=====================  =======================================================================================
select                 ``beyond``: can you have nothing of this kind of place?
                       ``choose``: which of these documents describe the quantity, and as which meanings?
resolve_entities       ``resolve``: which entity or population of yours is meant?
resolve_attributes     ``bind``: make a document and an entity into something that can be requested.
plan                   (nothing: code orders what was bound)
execute                ``execute``: send the requests and return verified observations. (no judgments)
present                (nothing: what ``execute`` returned tells its page, its licence and its own charts)
=====================  =======================================================================================

A plugin speaks its publisher's true API through ``RunContext.send`` and never learns what carries its requests.
It answers ``Unanswerable`` where it cannot serve, with the true reason, and never guesses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Protocol

from shared.query.annotated import Bound, EntityResolved, Executed, PlannedRequest, Selected
from shared.query.discovery import TableDocument
from shared.query.evidence import Unanswerable
from shared.query.quantity import Frozen
from shared.query.slots import Slot, SlotKind
from shared.runtime.context import RunContext


class Publisher(Frozen):
    """Who publishes, how people name them, and on what terms the figures may be used."""

    name: str
    aliases: tuple[str, ...]
    """Names that a question may use ("World Bank", "WDI"); matched without regard to case."""
    licence: str
    home: str


class SourcePlugin(Protocol):
    """One publisher. ``name`` is the source's name in the finder, in ``--source`` and on receipts."""

    name: ClassVar[str]
    version: ClassVar[str]
    publisher: ClassVar[Publisher]
    slot_kinds: ClassVar[frozenset[SlotKind]]
    hosts: ClassVar[frozenset[str]]
    """The only hosts this plugin may send requests to."""

    def beyond(self, slot: Slot) -> Unanswerable | None:
        """Why this source has nothing of the slot's place, where the kind of place alone tells; else ``None``.

        Nothing is chosen among its documents then, which spares a judgment. ``resolve`` says the same.
        """

    async def choose(
        self, slot: Slot, documents: Sequence[TableDocument], *, question: str, context: RunContext
    ) -> Selected | Unanswerable:
        """Choose among the offered documents; several meanings when the term denotes several quantities.

        Only offered documents may be returned. Judgments are allowed.
        """

    async def resolve(
        self, slot: Slot, selected: Selected, *, question: str, context: RunContext
    ) -> EntityResolved | Unanswerable:
        """Resolve the slot's entity, or its population into the source's own request form."""

    async def bind(
        self, slot: Slot, selected: Selected, resolved: EntityResolved, *, context: RunContext
    ) -> list[Bound] | Unanswerable:
        """One binding for each meaning that can be requested; for a categories slot, a planned split."""

    async def execute(self, planned: PlannedRequest, *, context: RunContext) -> Executed | Unanswerable:
        """Send the planned requests and read the answer; every cell is verified against what was asked.

        No judgment and no resolution may happen here. An explicit year is the year returned, or the request
        is unanswerable. ``planned.slot.period`` says what to return: for ``latest`` the newest reported cell.
        """


class Registry:
    """The mounted plugins, by source name."""

    def __init__(self, plugins: Sequence[SourcePlugin]) -> None:
        self._plugins = {plugin.name: plugin for plugin in plugins}

    def __iter__(self) -> Iterator[SourcePlugin]:
        return iter(self._plugins.values())

    def names(self) -> list[str]:
        """The source names, sorted."""
        return sorted(self._plugins)

    def __getitem__(self, name: str) -> SourcePlugin:
        return self._plugins[name]

    def get(self, name: str) -> SourcePlugin | None:
        """The plugin of a source, or ``None``."""
        return self._plugins.get(name)

    def serving(self, kind: SlotKind) -> list[SourcePlugin]:
        """The plugins that can serve a slot of this kind."""
        return [plugin for plugin in self._plugins.values() if kind in plugin.slot_kinds]

    def named(self, text: str) -> SourcePlugin | None:
        """The plugin whose name or alias is ``text``, without regard to case."""
        wanted = text.strip().casefold()
        for plugin in self._plugins.values():
            if wanted in {plugin.name.casefold(), plugin.publisher.name.casefold()} | {
                alias.casefold() for alias in plugin.publisher.aliases
            }:
                return plugin
        return None
