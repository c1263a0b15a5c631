"""Borders of territories that a country's own record leaves out are told."""

from plugins.countryfacts.members import overseas
from shared.text.places import by_code


def test_french_guiana_is_where_france_meets_brazil() -> None:
    france, brazil = by_code("FRA"), by_code("BRA")
    assert france is not None
    assert brazil is not None
    (told,) = overseas(france, ["BEL", "ESP"], other=brazil)
    assert "French Guiana is where it meets Brazil" in told


def test_a_country_without_such_territories_has_no_caveat() -> None:
    poland = by_code("POL")
    assert poland is not None
    assert overseas(poland, ["DEU"]) == []
