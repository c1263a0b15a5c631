"""Slots: the pieces of data that a reading needs, each found, fetched and judged by itself."""

from __future__ import annotations

from enum import StrEnum

from shared.query.identifiers import SlotId
from shared.query.quantity import Frozen
from shared.query.readings import EntityMention, MeasureMention, PeriodAsked, PopulationMention, Threshold
from shared.text.articles import spoken


class SlotKind(StrEnum):
    """What a slot asks a source for."""

    VALUE = "value"
    """One measure of one entity at one time."""
    SERIES = "series"
    """One measure of one entity over a span."""
    POPULATION = "population"
    """A measure for every member of a set."""
    MEMBERS = "members"
    """Only the members of a set or relation."""
    FACT = "fact"
    """A non-numeric property of an entity."""
    CATEGORIES = "categories"
    """The parts that a quantity splits into, with their total."""


FILTER = "filter"
"""The role of a members slot that narrows the populations of the other slots to whomever it lists."""


class Slot(Frozen):
    """One piece of data. ``role`` says what the combine step uses it for (``value``, ``numerator``, ``x``).

    Slots with one ``shared_key`` are about the same attribute and must be served by one field, so that
    their figures are like for like.
    """

    id: SlotId
    kind: SlotKind
    role: str
    measure: MeasureMention | None = None
    entity: EntityMention | None = None
    population: PopulationMention | None = None
    relation: str | None = None
    object: EntityMention | None = None
    dimension: str | None = None
    period: PeriodAsked = PeriodAsked()
    threshold: Threshold | None = None
    shared_key: str | None = None

    @property
    def describes(self) -> str:
        """The slot in words, for messages: ``population of Puerto Rico``, ``exports of countries in Asia``."""
        wanted = self.measure.text if self.measure else (self.relation or "members")
        if self.entity is not None:
            return f"{wanted} of {spoken(self.entity.label)}"
        return f"{wanted} of {self.population.text}" if self.population and self.population.text else wanted
