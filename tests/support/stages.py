"""A scripted plugin and finder for tests of single stages: they hold no rules, only what a test gives them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from typing import ClassVar

from functions.hosting.task_table import builtin_rules
from plugins.base import Publisher
from shared.models.builtin import BuiltinJudge
from shared.query.annotated import (
    AnnotatedQuery,
    Annotation,
    AskOptions,
    Bound,
    EntityResolved,
    Executed,
    Meaning,
    PlannedRequest,
    Selected,
    Understood,
)
from shared.query.discovery import FinderReply, FinderRequest, TableDocument
from shared.query.evidence import Measure, Observation, RequestMade, SourceResponse, Unanswerable
from shared.query.identifiers import RunId
from shared.query.quantity import Entity, Period, PlaceKind, Unit, UnitKind
from shared.query.readings import EntityMention, Reading
from shared.query.slots import Slot, SlotKind
from shared.runtime.context import RunContext
from shared.runtime.deadline import Deadline

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PEOPLE = Unit(kind=UnitKind.COUNT, code="people", label="people")


def country(name: str, iso3: str) -> Entity:
    return Entity(name=name, kind=PlaceKind.COUNTRY, keys={"iso3": iso3})


def mention(entity: Entity) -> EntityMention:
    return EntityMention(text=entity.name, status="resolved", entity=entity)


INDIA, CHINA = country("India", "IND"), country("China", "CHN")


def document(variable: str, source: str = "scripted") -> TableDocument:
    return TableDocument(
        identifier=f"urn:air:test:okf:{source}.{variable}",
        source=source,
        variable=variable,
        title=variable,
        description=variable,
    )


class ScriptedFinder:
    """Returns the given documents for every search and remembers what was asked."""

    def __init__(self, documents: Sequence[TableDocument]) -> None:
        self.documents = tuple(documents)
        self.asked: list[FinderRequest] = []

    async def search(self, request: FinderRequest, *, deadline: Deadline) -> FinderReply:
        self.asked.append(request)
        found = tuple(d for d in self.documents if not request.sources or d.source in request.sources)
        return FinderReply(results=found, score_scale="rerank", eligibility="match" if found else "no_match")

    async def by_variable(self, variable: str) -> tuple[TableDocument, ...]:
        return tuple(d for d in self.documents if d.variable == variable)


def response(source: str = "scripted") -> SourceResponse:
    return SourceResponse(
        source=source,
        publisher="Scripted",
        requests=(RequestMade(url="https://scripted.example/v1"),),
        retrieved_at=NOW,
        as_of=date(2026, 1, 1),
        snapshot=True,
        licence="CC0",
    )


Answering = Callable[[PlannedRequest], Executed | Unanswerable]


class ScriptedPlugin:
    """Chooses every document, resolves what was read, and executes by the test's own function."""

    name: ClassVar[str] = "scripted"
    version: ClassVar[str] = "1"
    publisher: ClassVar[Publisher] = Publisher(
        name="Scripted", aliases=("the scripted office",), licence="CC0", home="https://scripted.example"
    )
    slot_kinds: ClassVar[frozenset[SlotKind]] = frozenset(SlotKind)
    hosts: ClassVar[frozenset[str]] = frozenset({"scripted.example"})

    def __init__(self, answering: Answering) -> None:
        self.answering = answering
        self.executed: list[PlannedRequest] = []

    def beyond(self, slot: Slot) -> Unanswerable | None:
        return None

    async def choose(
        self, slot: Slot, documents: Sequence[TableDocument], *, question: str, context: RunContext
    ) -> Selected | Unanswerable:
        return Selected(
            meanings=tuple(
                Meaning(id=d.variable, label=d.title, variable=d.variable, rank=n, documents=(d,))
                for n, d in enumerate(documents, start=1)
            )
        )

    async def resolve(
        self, slot: Slot, selected: Selected, *, question: str, context: RunContext
    ) -> EntityResolved | Unanswerable:
        return EntityResolved(entity=slot.entity.entity if slot.entity else None)

    async def bind(
        self, slot: Slot, selected: Selected, resolved: EntityResolved, *, context: RunContext
    ) -> list[Bound] | Unanswerable:
        return [
            Bound(
                meaning=meaning.id,
                measure=Measure(source=self.name, variable=meaning.variable, name=meaning.label, unit=PEOPLE),
                plugin=self.name,
                plugin_version="1",
            )
            for meaning in selected.meanings
        ]

    async def execute(self, planned: PlannedRequest, *, context: RunContext) -> Executed | Unanswerable:
        self.executed.append(planned)
        return self.answering(planned)


def returned(planned: PlannedRequest, *cells: tuple[Entity, int, str]) -> Executed:
    """What the scripted publisher returned: entity, year and value of each cell."""
    return Executed(
        meaning=planned.bound.meaning,
        measure=planned.bound.measure,
        response=response(),
        observations=tuple(
            Observation(entity=entity, period=Period.year(year), value=value) for entity, year, value in cells
        ),
    )


class _Unused:
    def __getattr__(self, name: str) -> object:
        raise AssertionError(f"{name} must not be used here")


def context(finder: ScriptedFinder | None = None, options: AskOptions | None = None) -> RunContext:
    """A context whose ports fail the test when a stage uses one that it should not; the built-in judge judges."""
    return RunContext(
        options=options or AskOptions(),
        deadline=Deadline.after(10),
        transport=_Unused(),
        finder=finder or _Unused(),
        embedder=_Unused(),
        judges=(BuiltinJudge(builtin_rules()),),
        panel=(),
        say=lambda text: None,
    )


def query(reading: Reading, question: str = "a question", **options: object) -> AnnotatedQuery:
    """A query that has been understood as ``reading``."""
    asked = AnnotatedQuery(
        run_id=RunId("r1"), question=question, asked_at=NOW, options=AskOptions(**options), reading=0
    )
    asked.append([Annotation(reading=-1, stage="understand", payload=Understood(readings=(reading,)))])
    return asked
