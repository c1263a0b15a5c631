"""Forms that say a plain thing in an unusual order, put plainly before anything else is read.

``reworded`` sees the question as written, ``plainly`` the masked text.
"""

from __future__ import annotations

import re

_SET_NOUN = (
    r"(?=\s(?:countr(?:y|ies)|nations?|states?|econom(?:y|ies)|members?|"
    r"republics?)\b)"
)
_ADJACENT = r"(?:side by side|next to (?:each other|one another)|(?:beside|alongside) (?:each other|one another))"

_WRITTEN: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        # Bounds told at length.
        (r"\brang(?:e|es|ed|ing) (?:from|between) ([$\d][\w.,%]*) (?:to|and) (?=[$\d])", r"between \1 and "),
        (r"\bupto\b", "up to"),
        (r"\b(in|of|for|across|within) the (?-i:state) of (?!palestine\b|israel\b)(?=\w)", r"\1 "),
        # Short forms of chat.
        (r"\bhh (?=income|size)", "household "),
        (r"\bw/\s?(?=\w)", "with "),
        (r"\bpov\b(?= (?:gap|rate|line))", "poverty"),
        (r"^no (?:chart|graph|plot|map|table|frills|explanation)s? (?:needed|required|please)?\s?[:,;-]\s?", ""),
        (r"\bhalf (?:a|of a) (million|billion|trillion)\b", r"0.5 \1"),
        (r"\b(?:a )?quarter (?:of )?(?:a )?(million|billion|trillion)\b", r"0.25 \1"),
        (r"\b(?:half a|a half|half of a) century ago\b", "50 years ago"),
        (r"\ba quarter(?: of a|-)? ?century ago\b", "25 years ago"),
        (r"\b65 (?:(?:or|and) (?:over|older|above|more|up)|plus)\b", "65 and older"),
        (r"\b(Iceland|New Zealand|Greenland|Luxembourg|Liechtenstein)ers\b", r"people in \1"),
        # What the answer is for, before the question; a question of opinion before the one of figures.
        (
            r"^for (?:a|an|my|our|the) (?:[a-z]+[ -]){0,3}"
            r"(?:quiz|essay|article|report|class|homework|bet|project)[:,] ",
            "",
        ),
        (r"^(?:do|does|are|is) [a-z]+er (?:countries|nations|states) [^?,]*[?,] (?=correlate\b)", ""),
        (r"\bsince the turn of the (?:millennium|century)\b", "since 2000"),
        (
            r"\b(?:carried|bore|shouldered|posted|recorded|registered|boasted) "
            r"(?=the (?:\w+est|least|most|best|worst)\b)",
            "had ",
        ),
        # The number of members told with the group that has as many.
        (r"\b(?:five (?=nordic)|three (?=baltic|benelux)|four (?=visegrad)|(?:seven|7) (?=g7))", ""),
        # Memberships and coasts asked both ways.
        (r"^([^:,?-]+?)\s?[:-]\s?(?:an? )?([^,?]+?) member(?: state)?,? yes or no\b", r"is \1 a member of \2"),
        (
            r"\blandlocked(?: (?:country|nation|state))?,? or (?:does (?:it|she) have|has it|is it on) "
            r"(?:an? |any |the )?(?:coast(?:line)?|access to the sea|sea access)\b",
            "landlocked",
        ),
        (
            r"^(?:the )?(?:bordering|neighbou?ring|adjacent) (countries|states|nations) (?:of|to) ",
            r"countries bordering ",
        ),
        # Who gives and who is given to.
        (r"\bbankroll(s|ed|ing)?\b", r"fund\1"),
        (
            r"^who(?: all)? (?:has |have )?(?:got|gets?|received?|receives|took|takes) "
            r"(?:money|cash|funds|funding|grants) "
            r"from (.+?)\s?\??$",
            r"who has \1 funded",
        ),
        # Plain talk of published quantities.
        (r"\bbirths (?=(?:per|for each|for every|to each) (?:woman|mother)\b)", "children "),
        (
            r"\b(?:city|urban|town) (?:dwellers|folk|people) (vs\.?|versus|and|against) "
            r"(?:country|rural) (?:dwellers|folk|people)\b",
            r"urban population \1 rural population",
        ),
        (
            r"^what (?:did|do) (?:the )?people die (?:of|from) (in .+?),? by (?:broad )?cause(?: group)?s?\b",
            r"deaths by cause \1",
        ),
        (
            r"\bwom[ea]n'?s'? share of (?:the )?"
            r"(?:parliamentary seats|seats in (?:the )?(?:national )?parliament)\b",
            "share of women in parliament",
        ),
        (r",? (population|area|gdp)-?wise\b", r" by \1"),
        (
            r"^how (?:does|do) (.+?) (?:generate|produce|make) (?:its |their )?(?:electricity|power)\s?\??$",
            r"electricity mix of \1",
        ),
        (
            r"^how is (?:the )?(?:electricity|power) (?:generated|produced|made) in (.+?)\s?\??$",
            r"electricity mix of \1",
        ),
        (
            r"^(?:the )?correlation(?: coeff(?:icient)?)?\.?: (.+?) (?:x|\u00d7|vs\.?|with|and) ",
            r"correlation between \1 and ",
        ),
        (
            r"^(?:what is )?(?:the )?(?:statistical )?(relationship|correlation|association) "
            r"((?:across|among) .+?) (between .+? and .+?)( in \d{4})?\s?\??$",
            r"\1 \3 \2\4",
        ),
        (r"\b(baltic) republics\b", r"\1 states"),
        (r"\b(?:taken|added|put) together\b", "combined"),
        (r"\b(?:split|broken) (?:it )?(?:down )?(?:by|into) agriculture, industry,? and services\b", "by sector"),
        (r"^where (?:did|do) (.+?) (?:women|females) work\b", r"female employment of \1"),
        (
            r"\burban population (?:vs\.?|versus|and|against) rural population (in .+?),? "
            r"as a (?:split|breakdown) of (?:the )?population\b",
            r"breakdown of population into urban and rural \1",
        ),
        # Two that share a name.
        (r"\b(?:the two|both) koreas\b", "South Korea and North Korea"),
        (r"\b(?:the two|both) sudans\b", "Sudan and South Sudan"),
        (r"\b(?:the two|both) congos\b", "DR Congo and Republic of the Congo"),
        # The subject first, then what is asked of it: "Serbia - is it in the EU?".
        (r"^(?:the )?([^,?:-]+?)\s?(?:-|:|,)\s?(is|does|has|was|did) (?:it|the country|that) (.+)$", r"\2 \1 \3"),
        (
            r"^(.+?)\s?[-:,]\s?which (?:ones |countries )?(?:are they|are these|are those|is it)\s?\??$",
            r"which are the \1",
        ),
        (r"\b(?:lands|realms) (bordering|neighbou?ring|adjacent to|next to|that border)\b", r"countries \1"),
        (r"\bpart of the (nordic|baltic|visegrad|benelux) (countries|states|nations)\b", r"in the \1 \2"),
        (
            r"\b(countries|nations|states) (?:that have|which have|with|having) no (?:coast(?:line)?|"
            r"(?:access|outlet) to "
            r"the (?:sea|ocean)|sea access)\b",
            r"landlocked \1",
        ),
        (
            r"\bha(?:ve|s) no (?:coast(?:line)?|(?:access|outlet) to the (?:sea|ocean)|sea access)"
            r"\b",
            "are landlocked",
        ),
        # Parts of the working people.
        (r"\b(share (?:of|held by|going to) (?:the )?)top (?=(?:10|20) ?(?:%|percent))", r"\1richest "),
        (
            r"\b(?:female|women'?s?|women as a) (?:%|share|percentage|percent|proportion) (?:of|in) (?:the )"
            r"?(?:total )?"
            r"(?:labou?r force|work ?force)\b|\b(?:share|percentage|percent|proportion|%) of (?:the )?(?:total )?"
            r"(?:labou?r force|work ?force) (?:that |who )?(?:is |are |was |were )?(?:female|women|made up "
            r"of women)\b",
            "share of women in the labor force",
        ),
        (
            r"\b(?:income|consumption) share (?:of|held by|going to|for|that goes to) (?:the )"
            r"?(?P<end>poorest|bottom|"
            r"lowest|richest|top|highest) (?P<n>10|20) ?(?:%|percent)|\b(?:share|percentage|percent|%) of "
            r"(?:total |"
            r"national |all )?(?:income|consumption) (?:held by|going to|of|that goes to|earned by|received "
            r"by) (?:the )?"
            r"(?P<end2>poorest|bottom|lowest|richest|top|highest) (?P<n2>10|20) ?(?:%|percent)",
            r"income share held by \g<end>\g<end2> \g<n>\g<n2>pct",
        ),
        # Names as indexes write them: "Korea, South".
        (r"\b(Korea|Sudan), (South|North)\b", r"\2 \1"),
        (r"\b(Timor), (East)\b", r"\2 \1"),
        (r"\b(Virginia|Sahara), (West(?:ern)?)\b", r"\2 \1"),
        (r"\b(Carolina|Dakota), (South|North)\b", r"\2 \1"),
        # Adjectives of groups that are known by a longer name.
        (r"\bnordic" + _SET_NOUN, "Nordic"),
        (r"\bbaltic" + _SET_NOUN, "Baltic"),
        (r"\b(?:persian |arabian )?gulf (?:country|nation|state|economy|member)\b", "GCC country"),
        (r"\barab" + _SET_NOUN, "Arab League"),
        (r"\bvisegrad" + _SET_NOUN, "Visegrad"),
        (r"\b(which|what) (nordics|baltics|balkans)\b", r"\1 of the \2"),
        # Figures set beside each other.
        (rf"^(?:please )?(?:put|place|set|lay) (.+?),? {_ADJACENT}", r"\1"),
        (rf",? {_ADJACENT}\b", ""),
        (r"\b(?:next to|alongside|beside|set against) (?=that of\b|those of\b)", "vs "),
        (r"\b(?:alongside|beside) (?=the\b|[A-Z])", "vs "),
        (r"\brelative to ([^,?]+?),? as an? (?:ratio|multiple)\b", r"relative to \1"),
        (r"\bas an? (?:ratio|multiple) (?:to|of|over)\b", "relative to"),
        # One figure taken from another.
        (
            r"^(?:please )?(?:subtract|deduct) (?P<a>.+?) from (?P<b>.+)$|"
            r"^(?:please )?take (?P<c>.+?) (?:away |off )?from (?P<d>.+)$",
            r"difference between \g<b>\g<d> and \g<a>\g<c>",
        ),
        (
            r"^(?:what is |calculate |compute )?(.+?) minus (?=the\b|that of\b|[A-Z])(.+)$",
            r"difference between \1 and \2",
        ),
    )
)
_MASKED: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"^what is life like (health|money|education|environment)-?wise in (?:the )?(E\d+)", r"how is \1 in \2"),
        (r"^(how (?:is|are|were|was)) (?:the )?people in (E\d+) (doing|faring|performing)\b", r"\1 \2 \3"),
        (
            r"^(?:are|were) (?:the )?(?:people in )?(E\d+) or (?:the )?(?:people in )?(E\d+) more likely to have\b"
            r"(?P<what>[^,]+)",
            r"which has higher\g<what>, \1 or \2",
        ),
        (r"\b(of (?:the )?E\d+) next to (?:that of )?(?:the )?(E\d+)(?:'s)?(?=[,?.]|\s[YI]\d|$)", r"\1 vs \2"),
        (
            r"^(?:out )?of (?:the )?(?:whole|total|entire)? ?(E\d+)(?:'s)? population(?P<y> Y\d+)?,? "
            r"(?:what|which) (?:percent(?:age)?|share|part|proportion) (?:lived?|lives|was|is) in (?:the )?(E\d+)",
            r"what share of the \1's population is in \3\g<y>",
        ),
        (
            r"^(how many (?:children|kids|babies) (?:do|does|did|will|would)) (?:the|an?) (?:average|"
            r"typical|ordinary) "
            r"(E\d+)\b",
            r"\1 \2",
        ),
        (
            r"\btop (\d+|ten|five|twenty|three|fifty|hundred) (?=(?!(?:for|inter)est)[a-z]{3,}est\b|most\b|"
            r"least\b)",
            r"\1 ",
        ),
        (
            r"\b(live longer) than (?:the|an?) (?:average|typical|ordinary) (E\d+|person in E\d+)\b",
            r"\1 than \2",
        ),
        (r"^((?:do|does|did) )(?:the|an?) (?:average|typical|ordinary) (E\d+) (live longer)", r"\1people in \2 \3"),
        (r"\bthan (?:the|an?) (?:average|typical|ordinary) (E\d+)\b", r"than \1"),
        (
            r"\b(?:by )?how many (?:years|dollars|people|percentage points|points|children) (did|does|do) (.+?) "
            r"(exceed|surpass|top|beat) (?:that (?:of|in) )?(?:the )?(E\d+)",
            r"by how much \1 \2 \3 \4",
        ),
        (r"\b(life expectancy (?:of|for)) (?:the|an?) (?:average|typical|ordinary) (E\d+)\b", r"\1 \2"),
        (
            r"^(how (?:\w+ ){1,2}(?:is|are|was|were)) (?:the|an?) (?:average|typical|ordinary|normal) "
            r"(E\d+)(?=$|[ ,.?](?!\w+ed\b))",
            r"\1 \2",
        ),
        (
            r"\b(?:the|an?) (?:average|typical|ordinary|normal|median) (E\d+)(?=$|[,.?]|\s(?:Y\d|in|on|per|each|a|"
            r"lives?|earns?|makes?|emits?|uses?|has|have|had|can|expects?|gets?|get|eats?|drinks?|works?|spends?|"
            r"produces?|consumes?|owns?|dies?|reach(?:es)?|is|was|does|did)\b)",
            r"the average person in \1",
        ),
    )
)


def reworded(text: str) -> str:
    """The question as written, with unusual orders of words put plainly."""
    for pattern, replacement in _WRITTEN:
        text = pattern.sub(replacement, text)
    return re.sub(r"\s+", " ", text).strip()


def plainly(masked: str) -> str:
    """The masked question with "the average E0" (a person) read as the place."""
    for pattern, replacement in _MASKED:
        masked = pattern.sub(replacement, masked)
    return masked
