"""Who funds whom."""

from __future__ import annotations

import re

from functions.understand.scan import Scan, as_asked
from functions.understand.sets import is_us
from shared.query.quantity import PlaceKind
from shared.query.readings import (
    EntityMention,
    GrantGraphReading,
    Reading,
)

_GRANT_WORD = re.compile(
    r"\bgrants?\b|\bgrantees?\b|\bgrantmak\w+|\bfunders?\b|\bdonors?\b|\bfund(?:s|ed|ing)?\b|"
    r"\b(?:give[sn]?|gave|giving) (?:\w+ )?(?:money|funds|cash|dollars) to\b|\bmoney to\b|\bphilanthrop\w+|"
    r"\bdonat\w+|\bgrant[ -](?:mak|giv)\w+|"
    r"\b(?:largest|biggest|top|leading|most generous) (?:[\w.]+ ){0,2}foundations\b|"
    r"\bfoundations?\b.*\b(?:give|support|back|pay)"
)
_RECEIVED = re.compile(
    r"^(?:who|which \w+|what \w+|which G\d+|what G\d+|which|list (?:the )?\w+ that|G\d+)(?: are|"
    r" is| were)?(?: the)?(?: (?:biggest|largest|main|top))?\s?(?:has |have |had )?(?:funds?|"
    r"funded|funding|funders? of|gives? (?:money |grants? |most )?to|gave (?:money |grants? )?to|"
    r"supports?|donates? to|donated to|made grants to|makes? grants to|granted)\s(?:to\s|"
    r"the\s)*E\d"
    r"|\bfund(?:ed|ing)? (?:by whom|sources?)\b|\bE\d+'s (?:\w+ )?(?:funders|donors)|\b(?:funders|"
    r"donors) (?:of|to|for|behind) (?:the )?E\d|\b(?:received|receive|receives|got|"
    r"won) by (?:the )?E\d|\bgrants? (?:to|for) (?:the )?E\d"
    r"|\bE\d+ (?:receive|get|got|received|won)|who (?:is|are) (?:the )?(?:\w+ )?(?:funders|donors)"
)
_MADE = re.compile(
    r"\b(?:has|have|had|did|does|do) (?:the )?E\d+ (?:\w+ )?(?:given|give|gave|awarded|funded|donated|"
    r"granted|supported|paid)\b|"
    r"^who (?:has|have|did|does) (?:the )?E\d+ (?:given|give|fund|funded|support|supported)\b|"
    r"\bdo(?:es)? (?:the )?E\d+ (?:\w+ )?(?:fund|give|support|donate|grant|award|make)|"
    r"\bdid (?:the )?E\d+ (?:\w+ )?(?:fund|give|support|donate|make|award|grant)|"
    r"\bgrants? (?:made |given |awarded |paid |issued )?(?:by|of|from) (?:the )?E\d|"
    r"\bE\d+'s (?:\w+ )?(?:grants|grantees|giving)"
    r"|\b(?:funded|supported|given|made|awarded) by (?:the )?E\d|\bE\d+ (?:grants|grantees|funds|funded)"
)


def grant_graph(scan: Scan) -> Reading | None:
    """Who funds whom."""
    text = scan.masked
    if not _GRANT_WORD.search(scan.text.lower()) or re.search(
        r"\b(?:military|mutual|pension|hedge|investment|sovereign|wealth) fund", text
    ):
        return None
    organisations = [mark for mark in scan.marks("E") if not _is_place(scan.name(mark))]
    entity = scan.name(organisations[0]) if organisations else None
    if entity is None:
        unnamed = re.match(
            r"^(?:which|what|who)(?: foundations?| G\d+| charit\w+)? (?:funds?|funded|supports?|"
            r"donates? to|gives? grants? to) (?:the )?(?P<whom>[a-z][a-z &.-]+)$",
            text,
        )
        if unnamed and not scan.marks("E"):
            return GrantGraphReading(entity=as_asked(scan, unnamed["whom"]), direction="received_by")
        if asks_givers(scan):
            return GrantGraphReading(entity=None, direction="overview")
        return None
    if _MADE.search(text):
        return GrantGraphReading(entity=entity, direction="made_by")
    if _RECEIVED.search(text):
        return GrantGraphReading(entity=entity, direction="received_by")
    if re.search(r"\bgrants?\b|\bgrantees?\b|\bfunders?\b|\bdonors?\b", text) and len(organisations) == 1:
        return GrantGraphReading(entity=entity, direction="overview")
    return None


_GIVERS = re.compile(
    r"\b(?:largest|biggest|top|main|leading|most generous|richest)(?: \d+| five| ten)?\s"
    r"(?:private |public |charitable |american |us |philanthropic |grant-?making |E\d+ )*"
    r"(?:funders|grant ?-?makers?|grant ?-?givers?|donors|foundations|grant recipients|"
    r"philanthrop(?:ies|ists)|G\d+)\b|"
    r"^(?:which|what) (?:foundations|G\d+) (?:gives?|gave|grants?|donates?|awards?|makes?) (?:out |"
    r"away )?(?:the )?most\b"
)


def asks_givers(scan: Scan) -> bool:
    """Whether the largest givers or receivers of grants are asked for, and no one giver."""
    if not _GRANT_WORD.search(scan.text.lower()) or not _GIVERS.search(scan.masked):
        return False
    if any(not is_us(scan.name(mark)) for mark in scan.marks("E")):
        return False
    groups = [scan.population(mark) for mark in scan.marks("G")]
    return all(group.noun == "foundations" for group in groups)


def _is_place(mention: EntityMention) -> bool:
    kinds = {entity.kind for entity in (mention.candidates or (mention.entity,)) if entity}
    return not kinds & {PlaceKind.ORGANIZATION, PlaceKind.COMPANY}
