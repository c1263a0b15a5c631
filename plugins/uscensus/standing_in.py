"""What answers, under its own name, where the five-year survey has no figure of a population.

Of states and counties the yearly estimates of residents; of congressional districts, which are drawn anew, the
one-year file of the survey.
"""

from __future__ import annotations

from collections.abc import Iterator

from plugins.uscensus.choosing import is_one_year, names_survey
from plugins.uscensus.estimates import PROGRAM, RESIDENTS, TOTALS, residents
from plugins.uscensus.geography import Area
from plugins.uscensus.measures import Address
from shared.query.annotated import Bound, Meaning
from shared.query.discovery import TableDocument

POPULATION = "B01003_001E"
DATASET = "popest/totals"
DISTRICT = "congressional district"


def standing_in(bound: Bound, meaning: Meaning, document: TableDocument, area: Area | None) -> Iterator[Bound]:
    """The bindings to try after one of the survey; none where the question names a file of the survey."""
    if document.variable != POPULATION or area is None or is_one_year(meaning) or names_survey(meaning):
        return
    if area.level.name in TOTALS:
        address = Address(DATASET, PROGRAM, RESIDENTS)
        measure = residents(bound.measure.source).model_copy(update={"meaning": bound.measure.meaning})
        yield bound.model_copy(update={"measure": measure, "locator": address.locator})
    elif area.level.name == DISTRICT:
        address = Address.of(document, one_year=True)
        yield bound.model_copy(update={"locator": address.locator})
