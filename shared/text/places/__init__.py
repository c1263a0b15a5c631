"""A gazetteer: the countries, groups, US states and counties, cities and organisations that questions name."""

from shared.text.places.lookup import (
    by_code,
    by_name,
    group_as_of,
    group_list_name,
    group_source,
    members,
)
from shared.text.places.mentions import PlaceMatch, find_mentions, strip_places
from shared.text.places.spelling import suggest

__all__ = [
    "PlaceMatch",
    "by_code",
    "by_name",
    "find_mentions",
    "group_as_of",
    "group_list_name",
    "group_source",
    "members",
    "strip_places",
    "suggest",
]
