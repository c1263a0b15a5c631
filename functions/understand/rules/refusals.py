"""Questions that no reading holds: their words would be lost, so they are refused with the nearest form."""

from __future__ import annotations

import re

from functions.understand.nouns import FACTS
from functions.understand.scan import Scan
from shared.runtime.errors import CannotRead

_COMPARES = re.compile(
    r"\b(?:compar\w*|ratio|relative|vs|differ\w*|gap|than|higher|more|divided|correlat\w*|between .+ and)\b"
)
_FLOW = (
    r"(?:exports?|exported|exporting|imports?|imported|importing|remittances?|loans?|lending|lends?|lent|tourists?|"
    r"migrants?|immigrants?|emigrants?|migration|immigration|emigration|refugees?|foreign aid|development aid)"
)
_TWO_WAYS = re.compile(
    rf"\b{_FLOW}\b(?:\s(?!(?:is|are|was|were|has|per)\b)[a-z]+){{0,4}}?(?:\s(?:the\s)?E\d+(?:'s)?)?(?:\s(?:of|in)\s(?:the\s)?E\d+)?"
    r"(?:\s[a-z]+){0,3}?\s(?:to|from|into)\s(?:the\s)?(?P<other>[EG]\d+)\b"
)
_TRADE = re.compile(
    r"\b(?:trade|trading|commerce)\b(?: (?:balance|deficit|surplus|volume|flows?))?(?: of (?:the )?E\d+)?\s"
    r"(?:between (?:the )?E\d+ and (?:the )?E\d+|with (?:the )?[EG]\d+)"
)
_OWED = re.compile(r"\b(?:owe[sd]?|owing|owed)\b.*\b(?:E\d+)\b")
_GOODS = re.compile(
    r"^what (?:else )?(?:goods |products |things )?(?:does|do|did) (?:the )?E\d+ (?:mainly |mostly )?"
    r"(?P<does>export|import|produce|manufacture|sell|buy|grow)(?: (?:to|from) [EG]\d+)?[\s?.]*$"
)
_DIASPORA = re.compile(
    r"^(?:how many|number of|the number of) people in E(?P<a>\d+) (?:live|living|lived|reside|are living|work|"
    r"study)\w* in (?:the )?E(?!(?P=a)\b)\d+"
)
_SEA = r"(?:coast|coastline|access to|outlet|sea\b|sea access|ocean|land border)"
_NONE = re.compile(
    rf"\b(?:(?:have|has|had|with|having|got|maintain|where there is|there is)\s(?:no|zero|not any|hardly "
    rf"any|not got any)\s"
    rf"(?!{_SEA}|more than|less than|fewer than)|without (?:an? |any )?(?!{_SEA})(?=[a-z])|"
    r"lacks?\s(?!a coast|access to the sea)|lacking\s)"
)
_NOT = re.compile(
    r"(?:\b[GE]\d+\s(?:that |which |who )?(?:are|is|do|does|did|were|was|have|has|had|can)\s(?:still )"
    r"?not\b(?! only)|"
    r"\bnot (?:a |an )?(?:members?|part|in|belonging|located|within)\b|\bnon[- ]E\d+|\boutside (?:of )"
    r"?(?:the )?E\d+)"
)
_WHO_NOT = re.compile(
    r"^(?:what|how many|how much|the |share|percentage|percent|number|proportion|fraction)\b.*\b(?:who|that|"
    r"people|population|"
    r"adults|women|men|children|girls|boys|households|E\d+)\b.*\b(?:are|is|do|does|can|have|has|were|was|did) not\b"
)
_SETS = re.compile(r"^(?:in )?(?:which|what|who|list|name|show|all|find|give)\b|\bG\d+\b")
_MOST_BORDERS = re.compile(
    r"\b(?:most|fewest|least|highest number of|largest number of|maximum number of|how many) (?:land |"
    r"international )*"
    r"(?:borders?|neighbou?rs|neighbou?ring|bordering|border)\b|\bborders? the (?:most|fewest)\b"
)
_BORDER = re.compile(r"\b(?:border(?:s|ed|ing)?|neighbou?r(?:s|ing)?|adjacent|adjoin\w*|touch(?:es)?)\b")


def refuse_lost_words(scan: Scan) -> None:
    """Raises ``CannotRead`` for what would be answered as something else: flows, negations, joint borders."""
    text = scan.masked
    marks, groups = scan.marks("E"), scan.marks("G")
    name = scan.name(marks[0]).label if marks else "Kenya"
    flow = _OWED.search(text) or _DIASPORA.search(text)
    if not flow and not _COMPARES.search(text.replace("between", "with", 1)):
        flow = _TWO_WAYS.search(text) or _TRADE.search(text)
        if flow and len(marks) + len(groups) == 1 and not re.search(r"\b(?:ex|im)port|\btrade\b", flow.group()):
            flow = None  # What comes into one place from everywhere is a total of that place.
    if flow and marks and not re.search(r"\bgrants?\b|\bdistance\b", text):
        raise CannotRead(
            "it asks what goes from one place to another, and I know the totals of each place",
            [f"exports of {name}", f"external debt of {name}"],
        )
    if marks and (goods := _GOODS.match(text)):
        raise CannotRead(
            f"it asks what goods {name} {goods['does']}s, and I know amounts and not the goods",
            [f"exports of {name}", f"imports of {name}"],
        )
    if _WHO_NOT.search(text) and not scan.bounds and not groups:
        raise CannotRead(
            "it asks for those to whom something does not apply, and I know the figures of those to whom it does",
            [f"literacy rate of {name}", f"access to electricity in {name}"],
        )
    if not _SETS.search(text):
        return
    if (_NONE.search(text) and not scan.bounds) or (
        _NOT.search(text) and not re.match(r"^(?:is|are|does|do)\b", text)
    ):
        if re.search(rf"\bnot (?:a |an )?(?:{FACTS})\b", text) and not groups:
            return
        raise CannotRead(
            "it asks for those that have or are not something, and I can list those that have or are",
            ["Which countries are in NATO?", "Which countries have unemployment below 3%?"],
        )
    if groups and not scan.bounds and _MOST_BORDERS.search(text) and not re.match(r"^how many G\d", text):
        raise CannotRead(
            "it asks to order places by how many borders they have, and I know the neighbours of each",
            [f"Which countries border {name}?", f"How many countries border {name}?"],
        )
    if groups and len(marks) > 1 and _BORDER.search(text) and re.match(r"^(?:which|what|list|name|G\d)", text):
        other = scan.name(marks[1]).label
        raise CannotRead(
            "it asks for the neighbours of several places at once, and I know the neighbours of each",
            [f"Which countries border {name}?", f"Which countries border {other}?"],
        )
