"""A measure for every member of a population."""

from __future__ import annotations

import re

from functions.understand.rules import signals
from functions.understand.rules.membership import members_of, within_named
from functions.understand.rules.residue import quantity
from functions.understand.scan import Scan, is_group, is_world
from shared.query.readings import (
    PopulationValueReading,
    Reading,
    ValueReading,
)


def population_value(scan: Scan) -> Reading | None:
    """A measure for every member of a population."""
    reading = _for_each(scan)
    population = scan.population(scan.marks("G")[0]) if scan.marks("G") else None
    if reading is None or population is None or population.each or not population.named:
        return reading
    container = reading.population.container
    published = container is not None and container.entity is not None and "wb" in container.entity.keys
    if container is not None and published and not _EACH.search(scan.masked):
        return ValueReading(entity=container, measure=reading.measure, period=reading.period)
    return reading


_EACH = re.compile(r"\b(?:by|per|across|list|each|every|table)\b")


def _for_each(scan: Scan) -> PopulationValueReading | None:
    """The reading with its population, whether or not its container is published as a whole."""
    text = scan.masked
    groups, marks = scan.marks("G"), scan.marks("E")
    if scan.bounds or len(marks) > 1 or signals.order_of(text) is not None:
        return None
    if groups:
        population = scan.population(groups[0]).mention
        if marks and population.container is None and not is_world(scan.name(marks[0])):
            population = within_named(scan, population)
    elif (
        marks
        and is_group(scan.name(marks[0]))
        and re.search(
            r"\b(?:across|throughout|within|among|around|each|every|for all|country by country|"
            r"by country|per country|broken down|by member)\b",
            text,
        )
        and not (
            is_world(scan.name(marks[0])) and re.search(r"\b(?:total|combined|global|how many|how much)\b", text)
        )
    ):
        population = members_of(scan.name(marks[0]))
    else:
        return None
    wanted = quantity(
        text,
        r"\b(?:across|throughout|within|among|around|each|every|by|per(?! (?:capita|person|head|"
        r"inhabitant|1|[a-z]+ (?:people|inhabitants)))|list|table of|"
        r"map of|for all|country|compare|comparison|how|what|is|are|do|does|tell me about|about|"
        r"vary|varies|differ|differs|for|the)\b",
    )
    if wanted is None:
        return None
    adjective = signals.lexeme_measure(wanted.text) if signals.is_adjective(wanted.text) else wanted
    return PopulationValueReading(population=population, measure=adjective, period=scan.period)
