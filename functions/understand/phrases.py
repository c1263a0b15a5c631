"""Frames around a question that carry no meaning of their own: greetings, politeness, contractions."""

from __future__ import annotations

import re

_CONTRACTIONS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"^(?:would|could) you say(?: that)?\b", "is it true that"),
        (r"\b(what|who|where|when|how)'?s\b(?!')|\b(which|that|there|it|here)'s\b", r"\1\2 is"),
        (r"\b(what|who|where|how|which|they|there)'re\b", r"\1 are"),
        (r"\b(i)'d\b", r"\1 would"),
        (r"\b(i)'m\b", r"\1 am"),
        (r"\bcan't\b", "can not"),
        (r"\bwon't\b", "will not"),
        (r"n't\b", " not"),
        (r"\bppl\b", "people"),
        (r"\bavg\.?(?=\s)", "average"),
        (r"\bno\.? of (?=\w+s\b|people)|# of|\bnr\.? of\b|\bnum of\b", "number of "),
        (
            r"\b(north|south) (vs\.?|versus|and|or|to|compared to|compared with) (north|"
            r"south) (korea|sudan)\b",
            r"\1 \4 \2 \3 \4",
        ),
        (r"\b(east|west) (vs\.?|versus|and|or) (east|west) (germany)\b", r"\1 \4 \2 \3 \4"),
        (r"\bpop\.?(?=\s|$)(?! music| culture| star)", "population"),
        (
            r"\b(african|asian|european|american|arab|south american|"
            r"latin american) (land-?locked|island|low[- ]income"
            r"|high[- ]income|developing|coastal) (?=countries|nations|states)",
            r"\2 \1 ",
        ),
        (r"\brelative to (?:the |its |their )?(?:total )?(land area|land|population size)\b", r"as a share of \1"),
        (r"\b(?:number one|no\.? ?1|# ?1)\b", "top 1"),
        (
            r"\s?\b(?:and|but)(?: also)? ((?:less|more|fewer|greater|higher|lower) than|under|over|"
            r"below|above)(?=\s[\d$€£])",
            r", \1",
        ),
        (r"\bper cent\b|\bpct\b", "percent"),
        (
            r"\bversus\b|\bvs\.|\bv\.?(?=\s)|\bcompared (?:to|with)\b|\bin comparison (?:to|with)\b|\bas against\b"
            r"",
            "vs",
        ),
        (r"\bco(?:2|₂)-?e?\b|\bcarbon[- ]dioxide\b", "co2"),
        (r"\bgross domestic product\b", "gdp"),
        (r"\bgross national income\b", "gni"),
    )
)
_LEAD = re.compile(
    r"^(?:"
    r"(?:hi|hello|hey|ok|okay|so|well|yo|dear \w+|q|question|quick question|and|um+|hmm+|"
    r"oh)(?:\s(?:there|all))?\s*[:,.!-]*\s+"
    r"|(?:please|pls|plz|kindly)[, ]+"
    r"|(?:can|could|would|will|might) (?:you|u|i|we|someone|anyone|anybody)(?: please| kindly| perhaps)?"
    r"(?: (?:tell|show|give|get|send|provide|find|explain to|inform|share with|fetch|look up|"
    r"check|see|know|ask|have|help)"
    r"(?: (?:to )?(?:find|know|see|understand))?(?: me| us)?(?: with| out| for)?)?,? "
    r"|(?:i|we)(?: would| do| really| just| also)* (?:want|wanna|like|need|wish|love|am trying|"
    r"am looking|are trying)"
    r"(?: to)?(?: please)?(?: (?:know|see|find out|find|learn|understand|get|have|ask|check|hear|"
    r"be told|look at|look up))?(?: for| about)?,? "
    r"|(?:i|we) (?:am|are|was|were) (?:just |really )?(?:curious|interested|wondering|asking|"
    r"looking)(?: (?:about|in|for|to know|what|how))?,? "
    r"|(?:i|we) (?:was )?wonder(?:ed)?(?: what| how| about)?,? "
    r"|(?:do|would|does) (?:you|u|anyone|anybody|someone) (?:happen to )?(?:know|have|"
    r"remember)(?: any (?:data|figures?|numbers?) on)?,? "
    r"|(?:any idea|just|quickly|let me know|any chance you know|is it possible to (?:know|see)|"
    r"what would you say is|remind me|look up"
    r"|help me (?:find|understand)|for (?:my|a) (?:homework|report|essay|"
    r"school project)[,:]?)(?: of| about| out| on)?,? "
    r"|(?:tell|show|give|get|send|find|fetch|bring) (?:me|us)(?: please)?(?: the (?:data|figures?|"
    r"numbers?|stats|statistics|facts?) (?:on|for|of|about))?,? (?!about\b|more about\b|"
    r"something about\b|everything|a (?:bit|little) (?:more )?about\b|all about\b)"
    r"|(?:display|show|report|state|provide|give|return|output|print|calculate|compute|determine|"
    r"estimate|name)\s(?=(?:the|a|all|how|what|which|E\d|G\d|me)\b)"
    r"|(?:data|figures?|numbers|stats|statistics|information|info)\s(?:on|about|for|regarding) "
    r")"
)
_TAIL = re.compile(
    r"(?:[\s,.;:!?\"'-]+|\s(?:please|pls|plz|thanks|thank you|thx|ty|cheers|then|exactly|anyway|"
    r"roughly|approximately|actually|again)"
    r"|,?\s(?:do you know|can you tell me|any idea|i wonder|right|tell me|yes or no|in numbers|"
    r"in total figures|in dollars|in us dollars|in usd))$"
)
_CHART = re.compile(
    r"^(?:(?:make|draw|plot|produce|create|display|show|generate|see|want)\s(?:me\s)?)?(?:(?:a|"
    r"the|an)\s)?(?:line |time series |bar )?"
    r"(?:graph|chart|plot|map|visuali[sz]e|visuali[sz]ation|timeline|curve|diagram|table|draw|"
    r"line)(?:\s(?:of|for|showing|with|me|how))*\s(?:the\s)?"
)
_AFTERTHOUGHT = re.compile(
    r"\s*\((?:formerly|previously|former|aka|a\.k\.a\.|also|i\.e\.|e\.g\.)[^)]*\)", re.IGNORECASE
)


def expanded(text: str) -> str:
    """``text`` with contractions and common abbreviations written out; case is kept, since names need it."""
    written = _AFTERTHOUGHT.sub("", text.strip())
    for pattern, replacement in _CONTRACTIONS:
        written = pattern.sub(replacement, written)
    return re.sub(r"\s+", " ", written).strip()


def unframed(text: str) -> str:
    """``text`` without greetings, requests and thanks; ``text`` is in lower case."""
    before = None
    while before != text:
        before = text
        text = _TAIL.sub("", text.strip())
        text = _LEAD.sub("", text.lstrip(" ,.;:!?\"'-("), count=1)
    return text.strip()


def without_chart(text: str) -> tuple[str, bool]:
    """``text`` without an opening "graph of", and whether there was one."""
    shortened = _CHART.sub("", text, count=1)
    return (shortened, True) if shortened != text else (text, False)
