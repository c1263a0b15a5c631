"""Lists of members, and whether a list is the one that was asked for."""

from __future__ import annotations

import re

from functions.combine.outcome import Outcome
from shared.query.evidence import FailureStatus
from shared.query.material import Cell, Served


def listed_members(served: Served, outcome: Outcome) -> list[Cell] | None:
    """The members by name, without those flagged as none; ``None``, with a refusal, for another list.

    None at all is an answer where the source says so itself.
    """
    fact = _untold_fact(served)
    if fact is not None:
        population = served.slot.population
        outcome.refuse(
            FailureStatus.NOT_COVERED,
            f"the list of {population.text if population else 'members'} does not tell which of them are “{fact}”",
        )
        return None
    cells = [cell for cell in served.reported() if cell.observation.flag is not False]
    return sorted(cells, key=lambda cell: _in_order(cell.entity.name))


def _in_order(name: str) -> tuple[int, str]:
    """Names by letter, those that begin with a number by the number: goal 2 before goal 10."""
    number = re.match(r"\d+(?=\s)", name)
    return (int(number[0]) if number else 0, name)


def _untold_fact(served: Served) -> str | None:
    """The fact a population is narrowed by, if nothing that came with the list speaks of it.

    A whole continent must not pass for its landlocked countries because a source knew no narrower list.
    """
    population = served.slot.population
    if population is None or population.fact_filter is None:
        return None
    executed = served.executed
    told = " ".join(
        [
            executed.measure.variable,
            executed.measure.name,
            executed.response.publisher,
            *(disclosure.text for disclosure in executed.disclosures),
        ]
    ).casefold()
    words = [word for word in re.findall(r"[a-z]+", population.fact_filter.casefold()) if len(word) > 2]
    return None if words and all(word.rstrip("s") in told for word in words) else population.fact_filter
