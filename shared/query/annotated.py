"""The annotated query: what every stage decided, appended and never overwritten.

``AnnotatedQuery`` is the question, its options and the list of annotations. Its key makes each annotation
idempotent: ``reading.stage.slot.source.n``. Later stages read what earlier ones wrote through the typed
accessors; the presenter and the trace read everything.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from shared.query.discovery import FinderUsage, TableDocument
from shared.query.evidence import (
    Computation,
    Disclosure,
    Failure,
    Measure,
    Observation,
    SourceResponse,
)
from shared.query.identifiers import ComputationId, RunId, SlotId
from shared.query.published import PublishedChart
from shared.query.quantity import Entity, Frozen
from shared.query.readings import PopulationMention, Reading
from shared.query.slots import Slot


class AskOptions(Frozen):
    """What the caller may set beside the question."""

    sources: tuple[str, ...] = ()
    on_ambiguity: Literal["answer", "all", "ask"] = "answer"
    deadline_seconds: float = Field(default=60.0, gt=0, le=900)
    assumptions: dict[str, str] = {}
    """Bindings carried back from a clarification: ``measure`` is a variable, ``entity`` a code."""


# ---- what stages write, one model each ---------------------------------------------------------


class PanelVote(Frozen):
    """What one member of a panel said: a reading's structure, or why it gave none.

    ``dropped`` says why a reading was not kept among the others.
    """

    member: str
    structure: str | None
    error: str | None = None
    dropped: str | None = None


class Understood(Frozen):
    """The readings of a question, best first, and how the panel came to them."""

    kind: Literal["understood"] = "understood"
    readings: tuple[Reading, ...]
    votes: tuple[PanelVote, ...] = ()
    notes: tuple[str, ...] = ()


class SlotsNeeded(Frozen):
    """The slots of a reading."""

    kind: Literal["slots"] = "slots"
    slots: tuple[Slot, ...]


class Discovered(Frozen):
    """The documents that one source has for a slot, best first."""

    kind: Literal["discovered"] = "discovered"
    documents: tuple[TableDocument, ...]
    notes: tuple[str, ...] = ()
    usage: FinderUsage = FinderUsage()


class Meaning(Frozen):
    """One distinct published quantity that a slot's words may denote, with its documents in order."""

    id: str
    label: str
    variable: str
    rank: int
    documents: tuple[TableDocument, ...]


class Selected(Frozen):
    """The documents chosen for a slot; several meanings mean that each is answered and labelled."""

    kind: Literal["selected"] = "selected"
    meanings: tuple[Meaning, ...]
    why: str = ""


class EntityResolved(Frozen):
    """The slot's entity as the source knows it, or its members' expression for a population.

    ``expression`` is the source's own request form for a population (``all``, ``IND;CHN``); ``members`` are
    listed when they are known before the request. ``complete`` says whether the whole population is covered.
    ``sum_of_members`` marks a group that the source has no figure for: ``entity`` is the group, and what is asked
    for are its members' figures, which are added up afterwards. ``listed`` is the set that is asked for instead of
    a group that no source knows the members of: models have listed them, and the source knows each of them.
    """

    kind: Literal["entity_resolved"] = "entity_resolved"
    entity: Entity | None = None
    object: Entity | None = None
    expression: str | None = None
    members: tuple[Entity, ...] = ()
    member_of: str | None = None
    as_of: str | None = None
    complete: bool = True
    sum_of_members: bool = False
    sums_series: bool = False
    """Of such a group the source can give its members' figures over a span, not of one year only."""
    listed: PopulationMention | None = None


class RateBinding(Frozen):
    """A publisher's own official exchange rate: its measure, and where the publisher's plugin finds it."""

    measure: Measure
    locator: dict[str, str]


class Bound(Frozen):
    """A chosen document and a resolved entity made into something that can be requested.

    ``locator`` is the plugin's own address of the data; only its plugin reads it.
    """

    kind: Literal["bound"] = "bound"
    meaning: str
    measure: Measure
    plugin: str
    plugin_version: str
    locator: dict[str, str] = {}
    parts: tuple[Measure, ...] = ()
    """For a breakdown: the categories, whose total is ``measure``."""
    republished: bool = False
    """The source passes on what others publish: it is asked where no original publisher answers."""
    rate: RateBinding | None = None
    """Of an amount in local currency at current prices: what its publisher converts it to US dollars at."""


class PlannedRequest(Frozen):
    """A request to try for a slot. ``order`` 0 is the plan; the rest fall back in turn.

    ``dataset`` is the dataset of the source that the figures must come from, where others of the question do.
    """

    order: int
    bound: Bound
    resolved: EntityResolved
    slot: Slot
    dataset: str | None = None

    @property
    def place(self) -> str | None:
        """The place it is about, by common name and kind: sources know one place by different codes."""
        entity = self.resolved.entity
        return f"{entity.name} ({entity.kind.words})" if entity is not None else None


class Planned(Frozen):
    """The requests of one slot and meaning, in the order they are tried, and why in that order.

    Of ``tier`` 1 are meanings that are only asked for where those of tier 0 give nothing.
    """

    kind: Literal["planned"] = "planned"
    meaning: str
    requests: tuple[PlannedRequest, ...]
    decisions: tuple[str, ...] = ()
    tier: int = 0

    @property
    def place(self) -> str | None:
        """Which place the figure is of, where the slot's name means several and each is asked for."""
        request = next(iter(self.requests), None)
        if request is None or request.slot.shared_key is not None:
            return None
        mention = request.slot.entity
        return request.place if mention is not None and mention.status == "ambiguous" else None


class Executed(Frozen):
    """What a source returned for one slot and meaning, verified against its request.

    For a value slot ``observations`` has one cell; for a series, its cells in time order; for a population,
    one cell a member; for members, one cell a member with ``flag`` true; for categories, the parts with the
    whole in ``total`` and, where each part is a variable of its own, its measure in ``parts`` beside its name
    in ``categories`` and the publisher's page of it in ``part_pages``. Parts that are published as percentages
    have no ``total``: the whole is 100% by definition, and ``whole`` says of what ("the total population").
    Figures of groups that make up no whole say why in ``apart``; their ``total`` is then the figure of all.
    ``incomplete`` names members or periods that were asked for and not reported. ``sum_of`` is the group whose
    members the observations of a value slot are of: the source has no figure for the group itself. ``empty`` is
    the source's own statement that a members slot has no members, made of whom or what the list is about; only
    with it may ``observations`` be empty. A list that could not be had is ``Unanswerable`` and never this.
    ``rate`` is the official exchange rate of the country and year of an amount in local currency, where it may have
    to be converted, and ``no_rate`` why there is none. ``charts`` are what the source itself would draw of this.
    """

    kind: Literal["executed"] = "executed"
    meaning: str
    measure: Measure
    response: SourceResponse
    observations: tuple[Observation, ...]
    categories: tuple[str, ...] = ()
    parts: tuple[Measure, ...] = ()
    part_pages: tuple[str, ...] = ()
    total: Observation | None = None
    whole: str | None = None
    apart: str = ""
    sum_of: Entity | None = None
    empty: Observation | None = None
    incomplete: tuple[str, ...] = ()
    disclosures: tuple[Disclosure, ...] = ()
    rate: Executed | None = None
    no_rate: str = ""
    charts: tuple[PublishedChart, ...] = ()

    @property
    def year(self) -> int | None:
        """The one calendar year of all figures, or ``None`` when they have several or none."""
        years = {cell.period.calendar_year for cell in self.observations if cell.missing is None}
        return next(iter(years)) if len(years) == 1 else None


class ResultRow(Frozen):
    """One row of a result: which observation, with what was computed beside it."""

    slot: SlotId
    meaning: str
    index: int
    """Position among the executed observations of that slot and meaning; -1 for its total."""
    computations: tuple[ComputationId, ...] = ()
    rank: int | None = None


GROUP_TOTAL = "group_total"
"""The result that adds a group's members up: an intermediate one, written for the slot that it fills."""
CONVERTED = "converted"
"""The result that brings a slot's amount to US dollars: an intermediate one too."""


class Combined(Frozen):
    """What combine made of the slots for one meaning.

    ``result`` names the kind of result (``ranking``, ``ratio``...); the presenter checks it against what the
    query type promises. ``GROUP_TOTAL`` and ``CONVERTED`` are no results of a query but the figure of one of
    its slots. ``rows`` refer to executed observations in the order to present; computations cite receipts by
    ``receipt_id`` before they are written.
    """

    kind: Literal["combined"] = "combined"
    meaning: str
    result: str
    computations: tuple[Computation, ...] = ()
    rows: tuple[ResultRow, ...] = ()
    verdict: bool | None = None
    """The answer to a yes-or-no question or a status."""
    matched: int | None = None
    """How many members met every condition, of ``tested``."""
    tested: int | None = None


class Worded(Frozen):
    """How an answer's sentences came about. ``by`` is the model that was asked, if one was.

    ``taken`` tells that the sentences are the model's, which rest on the claims ``rests_on``; else the built-in
    ones stand, for the reason ``why``. What was refused is no part of it, but ``why`` may quote from it.
    """

    text: str
    by: str | None = None
    taken: bool = False
    rests_on: tuple[str, ...] = ()
    why: str = ""


class Presented(Frozen):
    """How one reading ended: its answer, kept so that the best of several readings can be chosen."""

    kind: Literal["presented"] = "presented"
    answer: dict[str, Any]
    """The answer as JSON (its usage and trace are filled in when the run ends)."""
    status: str
    why: str = ""
    worded: Worded | None = None
    """How the sentences came about, where a model was asked for them."""


class Failed(Frozen):
    """A failure, shown to the reader.

    ``final`` says that no other reading may be tried after this one: a named source that cannot be honoured,
    a spent budget, time that is up.
    """

    kind: Literal["failed"] = "failed"
    failure: Failure
    final: bool = False


class Noted(Frozen):
    """A disclosure made by any stage."""

    kind: Literal["noted"] = "noted"
    disclosure: Disclosure


class Judged(Frozen):
    """A language model's judgment: by place of the reply, what was offered and which of it was named.

    What rules judge stands in their stage's own annotations. ``why`` is why no reply was accepted.
    """

    kind: Literal["judged"] = "judged"
    task: str
    by: str
    offered: dict[str, tuple[str, ...]] = {}
    chosen: dict[str, tuple[str, ...]] = {}
    accepted: bool = True
    why: str = ""
    seconds: float = 0.0


class Spilled(Frozen):
    """Stands in the store for a payload too large for a document. ``blob`` is the archive's name for it.

    The runner writes and resolves it; no stage ever sees one.
    """

    kind: Literal["spilled"] = "spilled"
    of: str
    """The kind of the payload that it stands for."""
    blob: str
    sha256: str
    bytes: int


Payload = Annotated[
    Understood
    | SlotsNeeded
    | Discovered
    | Selected
    | EntityResolved
    | Bound
    | Planned
    | Executed
    | Combined
    | Presented
    | Failed
    | Noted
    | Judged
    | Spilled,
    Field(discriminator="kind"),
]

P = TypeVar("P", bound=Frozen)


class Annotation(Frozen):
    """One decision. ``reading`` is the index of the reading it belongs to; understanding itself has -1."""

    reading: int
    stage: str
    slot: SlotId | None = None
    source: str | None = None
    n: int = 0
    payload: Payload

    @property
    def key(self) -> str:
        """``reading.stage.slot.source.n``: the same decision made again has the same key."""
        return f"{self.reading}.{self.stage}.{self.slot or '-'}.{self.source or '-'}.{self.n}"


class AnnotatedQuery(BaseModel):
    """The state that flows through the stages."""

    model_config = ConfigDict(extra="forbid")

    run_id: RunId
    question: str
    asked_at: datetime
    options: AskOptions = AskOptions()
    reading: int = -1
    """Index of the reading now being worked on; -1 while the question is being understood."""
    annotations: list[Annotation] = []

    def append(self, new: Iterable[Annotation]) -> None:
        """Append annotations; one whose key is there already is the same decision and is left out."""
        known = {annotation.key for annotation in self.annotations}
        for annotation in new:
            if annotation.key not in known:
                known.add(annotation.key)
                self.annotations.append(annotation)

    def understood(self) -> Understood | None:
        """What the question was read as, once it has been."""
        return next((a.payload for a in self.annotations if isinstance(a.payload, Understood)), None)

    def current_reading(self) -> Reading:
        """The reading now being worked on."""
        understood = self.understood()
        if understood is None or not 0 <= self.reading < len(understood.readings):
            raise LookupError(f"run {self.run_id} has no reading {self.reading}")
        return understood.readings[self.reading]

    def slots(self) -> tuple[Slot, ...]:
        """The slots of the current reading."""
        return next((p.slots for _, p in self.of(SlotsNeeded)), ())

    def of(
        self, payload: type[P], *, slot: SlotId | None = None, source: str | None = None
    ) -> list[tuple[Annotation, P]]:
        """The current reading's annotations with this payload, oldest first, for one slot or source if named."""
        return [
            (a, a.payload)
            for a in self.annotations
            if a.reading == self.reading
            and isinstance(a.payload, payload)
            and (slot is None or a.slot == slot)
            and (source is None or a.source == source)
        ]

    def failures(self) -> list[Failure]:
        """Every failure of the current reading and of understanding."""
        return [
            a.payload.failure
            for a in self.annotations
            if isinstance(a.payload, Failed) and a.reading in {self.reading, -1}
        ]

    def disclosures(self) -> list[Disclosure]:
        """Every disclosure noted for the current reading and by understanding."""
        return [
            a.payload.disclosure
            for a in self.annotations
            if isinstance(a.payload, Noted) and a.reading in {self.reading, -1}
        ]


class ProgressEvent(Frozen):
    """One line of progress: worded so that it claims no more than was established."""

    stage: str
    text: str
    at: datetime
    reading: int = -1
    kind: Literal["progress", "answer", "charts", "error", "watched", "left"] = "progress"
    """``watched`` and ``left`` tell of a client who follows the run at another instance than the one it asked."""
