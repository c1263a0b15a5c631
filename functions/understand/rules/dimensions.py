"""The dimension by which a question splits a quantity, and the words that name it."""

from __future__ import annotations

import re

from shared.runtime.errors import CannotRead

_DIMENSIONS: dict[str, str] = {
    r"age(?:[- ]groups?|s|[- ]bands?|[- ]brackets?|[- ]structure)?": "age",
    r"sex|gender": "sex",
    r"rac(?:e|ial)(?: (?:and|or) ethnic(?:ity)?)?|racial groups?": "race",
    r"ethnic(?:ity| groups?)?|ethnicities": "ethnicity",
    r"religio(?:n|us)(?: groups?)?|religions|faith": "religion",
    r"language": "language",
    r"sectors?|economic (?:sectors?|activity|activities)|sectoral": "sector",
    r"industr(?:y|ies)": "industry",
    r"(?:fuel|energy|power)[ -](?:types?|sources?|mix)|fuels?|sources?": "source",
    r"(?:income )?quintiles?|(?:income )?deciles?|fifths|tenths|income (?:groups?|brackets?|"
    r"shares?)": "income quintile",
    r"education(?:al)?(?: levels?| attainment)?|levels? of education": "education level",
    r"occupations?|jobs?|professions?": "occupation",
    r"categor(?:y|ies)|types?|kinds?|components?|parts|item": "category",
    r"urban (?:and|vs|or|/|versus) rural(?: areas?)?|rural (?:and|vs|or|/|"
    r"versus) urban(?: areas?)?|urban[- ]rural|rural[- ]urban|(?:place of )?residence|"
    r"urban and in rural areas|cities and (?:in )?(?:rural areas|the countryside|villages)": "urban and rural",
    r"causes?(?: of death)?": "cause",
    r"(?:trading |export |import )?partners?|destinations?|country of origin": "partner",
    r"products?|commodit(?:y|ies)|goods": "product",
    r"expenditure(?: type)?|function|use|end use": "use",
    r"mode(?: of transport)?|transport mode": "mode",
    r"marital status": "marital status",
    r"household (?:size|type)": "household type",
    r"land use|land cover": "land use",
    r"gas|gases|ghg": "gas",
}
_DIMENSION = [(re.compile(pattern), name) for pattern, name in _DIMENSIONS.items()]
_ANY_DIMENSION = "|".join(sorted(_DIMENSIONS, key=len, reverse=True))
_BY_DIMENSION = re.compile(
    rf"\b(?:by|per|according to|across|among|between|into|for each|in each|for every|"
    rf"over)\s(?:the\s)?(?:different\s|various\s|its\s|each\s|"
    rf"main\s)?(?P<dim>{_ANY_DIMENSION})(?:,?\s(?:and|by|then by|"
    rf"and then by)\s(?:by\s)?(?P<also>{_ANY_DIMENSION}))?(?=$|"
    rf"[\s,.?:;])(?!\s(?:of|in) (?!(?:the )?E|Y))"
)
SPLIT_NOUN = re.compile(
    r"\b(?:breakdown|break down|broken down|distributions?|distributed|compositions?|composed|"
    r"make-?up|made up|mix|structure|split(?:s|ted)?|divided|decomposition|disaggregat(?:ed|ion)|"
    r"pyramid|profile|divide)\b"
)
_LEAD_DIMENSION = re.compile(
    rf"\b(?P<dim>{_ANY_DIMENSION})[ -](?:breakdown|distribution|composition|make-?up|mix|structure|"
    rf"split|pyramid|profile|divide|shares?)\b"
)
_OF_DIMENSION = re.compile(
    rf"\b(?:breakdown|distribution|composition|make-?up|mix|split)\sof\s(?:the\s)?(?P<dim>{_ANY_DIMENSION})s?\b"
)
TOP_LEAD = re.compile(
    r"\b(?:top|main|major|largest|biggest|leading|most common|most popular|chief|primary|key|"
    r"greatest|different (?:kinds|types)|what (?:are|were|is|was) the (?:energy )?sources)\b"
)
_BOTH_HALVES = re.compile(
    r"\b(?:share|percentage|proportion|fraction|percent|number|many|much)\b.*\b(?P<a>urban|rural|"
    r"male|female|men|women)\b(?:\s(?:areas?|population|people))?\s(?:and|vs|or|"
    r"versus)\s(?:what (?:share|percentage|percent|proportion) (?:is|are|lives?|"
    r"live in)\s)?(?:in\s)?(?P<b>rural|urban|female|male|women|men)\b"
)
_BOTH_NAMED = re.compile(
    r"^(?:what (?:is|are|was|were) )?(?:the )?(?P<a>urban|rural|male|female|men|women)\s(?:and|vs|"
    r"or|/|&)\s(?P<b>rural|urban|female|male|women|men)(?:\s(?:populations?|people|shares?|"
    r"inhabitants))?\b(?=$|\s(?:of|in|for)\b|\sE|\sY)"
)
_MIX = re.compile(
    r"\b(?P<what>energy|electricity|power|fuel|generation|electricity generation|power generation)\smix\b"
)
_THREE_SECTORS = re.compile(
    r"\b(?:agriculture|industry|manufacturing|services)(?:,\s(?:and\s)?|\sand\s)(?:agriculture|"
    r"industry|manufacturing|services)"
    r"(?:(?:,\s(?:and\s)?|\sand\s)(?:agriculture|industry|manufacturing|services))?\b(?!\sexports|\simports)"
)
_MAKE_UP = re.compile(
    r"\b(?P<dim>sectors|industries|age groups|ethnic groups|religions|sources|"
    r"fuels)\s(?:that\s)?(?:make up|makes up|contribute(?:s)? to|form|compose|constitute|drive|"
    r"dominate)\b"
)
_AGE_CLASSES = re.compile(
    r"\b(?:between |into |among |of |by )?(?:the )?(?:young(?:er)?(?: people)?|children|kids|youths?|"
    r"under[- ]15s?),? (?:and )?"
    r"(?:the )?(?:(?:people of )?working[- ]ages?(?: people| adults| population)?|adults|middle[- ]aged)"
    r"(?:,? (?:and |& )?(?:the )?(?:elderly|old(?:er)?(?: people| adults)?|seniors|pensioners|retired|"
    r"retirees|over[- ]65s))\b"
)
_EACH_FIFTH = re.compile(
    r"\b(?:(?:of|by|for|to|going to|held by|goes to|earned by) )?(?:each|every) (?:income )?(?:fifth|"
    r"quintile)\b(?: of)?"
)
_TENTHS = re.compile(r"\b(?:deciles?|tenths|percentile(?!s? ranks?))")
_INCOME_SPREAD = re.compile(
    r"^(?:(?:what|how) (?:is|was|does) )?(?:the )?(?:distribution of (?:household |"
    r"national )?(?:income|consumption)|"
    r"(?:household |national )?income (?:is |was )?(?:distribution|distributed|spread|shares?)(?: look like)?)"
    r"(?=$|\s(?:in|of|for|among|across|within|E\d|Y\d))|^(?:what (?:is|"
    r"was) )?(?:the )?E\d+(?:'s)? income distribution\b|"
    r"^how (?:is|was) (?:household |national )?income (?:distributed|spread|shared|divided)\b"
)
_CAUSES = re.compile(
    r"\bcauses? of deaths?\b|^(?:what|how) do (?:most )?people (?:in (?:the )?E\d+ )?(?:usually |"
    r"mostly )?die (?:of|from)\b|"
    r"^what kills (?:the )?(?:most )?(?:the )?(?:people|men|women)\b|"
    r"^what do (?:the )?(?:men|women) die (?:of|from)\b|"
    r"^what (?:diseases|illnesses) (?:kill|do people die (?:of|from))\b(?: (?:most |the most )?people)?"
)


def dimension_of(text: str) -> tuple[str, str] | None:
    """The dimension and the text without the words that name it."""
    causes = _CAUSES.search(text)
    if causes and not TOP_LEAD.search(text) and not re.search(r"^(?:how (?:many|much)|share|number)\b", text):
        return "cause", text[: causes.start()] + " " + text[causes.end() :]
    if _INCOME_SPREAD.match(text) and not re.search(r"\b\d+ ?(?:pct|%|percent)", text):
        return "income quintile", text
    for name, pattern in (("age", _AGE_CLASSES), ("income quintile", _EACH_FIFTH)):
        classes = pattern.search(text)
        if classes:
            return name, text[: classes.start()] + " " + text[classes.end() :]
    halves = _BOTH_HALVES.search(text) or _BOTH_NAMED.search(text)
    if halves and halves["a"] != halves["b"]:
        dimension = "urban and rural" if halves["a"] in {"urban", "rural"} else "sex"
        return dimension, text[: halves.start("a")] + " " + text[halves.end("b") :]
    mix = _MIX.search(text)
    if mix:
        return "source", f"{text[: mix.start()]} {mix['what']} {text[mix.end() :]}"
    sectors = _THREE_SECTORS.search(text)
    if sectors:
        return "sector", text[: sectors.start()] + " " + text[sectors.end() :]
    parts = _MAKE_UP.search(text)
    if parts:
        return _dimension_name(parts["dim"]), text[: parts.start()] + " " + text[parts.end() :]
    by = _BY_DIMENSION.search(text)
    if by and (not re.search(r"^(?:across|among|between|over)", by.group()) or SPLIT_NOUN.search(text)):
        return _dimension_name(by["dim"]), text[: by.start()] + " " + text[by.end() :]
    for pattern in (_LEAD_DIMENSION, _OF_DIMENSION):
        match = pattern.search(text)
        if match:
            return _dimension_name(match["dim"]), text[: match.start()] + " " + text[match.end() :]
    if re.search(r"\b(?:breakdown|break down|broken down)\b", text):
        kind = re.search(r"\bdemographic\b", text)
        return ("age" if kind else "category"), text
    if re.search(
        r"\b(?:composition|make-?up|structure|mix) of (?:the )?(?:economy|gdp|E\d+'s (?:gdp|economy))", text
    ) or re.search(r"\bE\d+'s? (?:gdp|economic) (?:composition|structure|mix)", text):
        return "sector", text
    if re.search(r"\bpopulation (?:pyramid|structure|composition)\b", text):
        return "age", text
    return None


def _dimension_name(words: str) -> str:
    return next(name for pattern, name in _DIMENSION if pattern.fullmatch(words))


def further_dimension(text: str) -> str | None:
    """The second dimension of "by age and sex", which a split by one dimension leaves out, or ``None``."""
    by = _BY_DIMENSION.search(text)
    return _dimension_name(by["also"]) if by and by["also"] else None


def refuse_finer(text: str) -> None:
    """Tenths are no fifths: a finer split than the published one is not answered by it."""
    found = _TENTHS.search(text)
    if found and (found.group() != "percentile" or re.search(r"\b(?:incomes?|consumption|wealth)\b", text)):
        raise CannotRead(
            "it asks for a split of income into tenths, and I know the split into fifths",
            ["income distribution by fifths in Brazil", "income share held by the highest 10% in Brazil"],
        )
