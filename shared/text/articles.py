"""Names as sentences say them: with the article that they take ("the United States", "the World Bank")."""

from __future__ import annotations

import re

_PLACE = re.compile(
    r"^(?:United |Democratic Republic|Republic of |Netherlands$|Philippines$|Maldives$|Bahamas$|Gambia$|G\d+$)"
    r"|(?: Islands| Republic| Emirates| Union| Community| area| World| States)$"
)
_BODY = re.compile(
    r"(?:Bank|Bureau|Fund|Organization|Commission|Union|[Aa]gency|[Dd]atabase)(?:$| \()"
    r"|^US |^United |^International "
)


def spoken(name: str) -> str:
    """A place as a sentence says it: ``the United States``, ``the world``, ``India``."""
    if name == "World":
        return "the world"
    return f"the {name}" if _PLACE.search(name) else name


def spoken_publisher(name: str) -> str:
    """A publisher as a sentence says it: ``the World Bank``, ``Eurostat``."""
    return f"the {name}" if _BODY.search(name) else name
