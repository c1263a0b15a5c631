"""A search for records on a subject."""

from __future__ import annotations

import re

from functions.understand.rules.signals import order_of
from functions.understand.scan import Scan
from shared.query.readings import (
    Reading,
    TopicalReading,
)

_RECORDS = (
    r"papers?|articles?|publications?|studies|study|research(?: papers?| articles?)?|literature|"
    r"preprints?|journal articles?|grants?|grant opportunities|funding opportunities|opportunities"
    r"|scholarships|awards?|funding|clinical trials?|trials?|patents?|records|documents|reports?|"
    r"datasets?|data sets?|projects|filings|contracts"
)
_TOPICAL = re.compile(
    rf"^(?:find|search(?: for)?|look(?:ing)? for|look up|show|list|get|give|i need|need|"
    rf"are there(?: any)?|any|browse|discover|what|which|fetch)?\s?(?:me\s|all\s|some\s|any\s|"
    rf"the\s|recent\s|latest\s|new\s|available\s|open\s|Y\d+\s)*"
    rf"(?P<pre>(?:[A-Za-z0-9-]+\s){{0,4}}?)(?P<what>{_RECORDS})\b(?:\s(?:exist|are there|there are|"
    rf"have been (?:published|written)|were (?:published|written)|is there))?\s?(?:(?:about|on|"
    rf"regarding|concerning|related to|relating to|in|for|mentioning|covering|that (?:discuss|"
    rf"study|mention|cover)|received by|dealing with|into|of)\s(?P<about>.+))?$"
)


_WRITTEN_ABOUT = re.compile(
    r"^(?:what|anything|is there anything|has anything)(?: is| are)?(?: has)?(?: (?:been|was))?(?: recently)"
    r"? (?:published|written|"
    r"researched)(?: recently| lately)? (?:about|on|regarding|concerning)\s"
)
_OF_RESEARCH = re.compile(
    r"\bresearch\b|\bawards? (?:on|about|for|related to)\b|\bfunding opportunit|\bfunding (?:on|about)\b"
)


def topical(scan: Scan) -> Reading | None:
    """A search for records on a subject."""
    text = _WRITTEN_ABOUT.sub("publications about ", scan.masked)
    match = _TOPICAL.match(text)
    if not match or re.match(r"^(?:how|is|does|do|did|who)\b", text):
        return None
    asked = re.match(
        r"^(?:please )?(?:find|search|look(?:ing)?|show|list|get|give|i need|need|any|are there|browse|"
        r"discover|fetch|what|which)\b",
        scan.text.lower(),
    )
    about, pre, what = match["about"], match["pre"].strip(), match["what"]
    if not (asked or about) or not (about or pre):
        return None
    if (
        re.fullmatch(
            r"(?:reports?|records|contracts|projects|awards?|funding|research|study|studies|opportunities|documents|articles?)",
            what,
        )
        and not (re.fullmatch(r"awards?|funding|projects", what) and (pre or about) and _OF_RESEARCH.search(text))
        and not re.match(
            r"^(?:please )?(?:find|search|look(?:ing)?|browse|discover|any|fetch|show|list|recent|latest|"
            r"new|newest)\b",
            scan.text.lower(),
        )
    ):
        return None
    if re.search(
        r"\b(?:number|share|percentage|spending|expenditure|how many|expenditures|budget)\b", text
    ) or order_of(text):
        return None
    words = unmasked(scan, match.group()[match.start("pre") :])
    return TopicalReading(subject=re.sub(r"\s+", " ", words).strip())


def unmasked(scan: Scan, text: str) -> str:
    """``text`` with its marks turned back into words."""

    def words(match: re.Match[str]) -> str:
        kind, index = match.group()[0], int(match.group()[1:])
        if kind == "E":
            return scan.names[index].mention.label
        if kind == "G":
            return scan.populations[index].mention.text
        return scan.times[index].text if kind == "Y" else scan.bounds[index].text

    return re.sub(r"\b[EGYT]\d+\b", words, text)
