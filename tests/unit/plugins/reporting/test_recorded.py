"""A reason from recorded figures tells how to ask the live service, and from those alone."""

from dataclasses import dataclass
from datetime import date

import pytest

from plugins.reporting.recorded import recorded_figures, recorded_places
from plugins.uscensus.reporting import recorded_note


@dataclass
class Asked:
    snapshot_as_of: date | None


def test_where_recorded_figures_were_asked_it_is_told_how_to_ask_the_live_ones():
    assert "NEURALKG_LIVE=1 asks the live service" in recorded_figures()
    assert recorded_places("towns").startswith(" (asked of recorded places, which are towns; NEURALKG_LIVE=1")


@pytest.mark.parametrize(("as_of", "told"), [(date(2025, 11, 7), recorded_figures()), (None, "")])
def test_only_recorded_figures_of_the_census_are_said_to_be_so(as_of, told):
    assert recorded_note(Asked(as_of)) == told
