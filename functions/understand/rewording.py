"""Forms that say a plain thing in an unusual order, put plainly before anything else is read.

``reworded`` sees the question as written, ``plainly`` the masked text.
"""

from __future__ import annotations

import re

_SET_NOUN = r"(?=\s(?:countr(?:y|ies)|nations?|states?|econom(?:y|ies)|members?)\b)"
_ADJACENT = r"(?:side by side|next to (?:each other|one another)|(?:beside|alongside) (?:each other|one another))"

_WRITTEN: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
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
        (
            r"^(how many (?:children|kids|babies) (?:do|does|did|will|would)) (?:the|an?) (?:average|"
            r"typical|ordinary) "
            r"(E\d+)\b",
            r"\1 \2",
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
