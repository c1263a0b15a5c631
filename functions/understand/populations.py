"""Sets of members in a masked question: "countries in E0", "E0 states", "every county", "each of the E0"."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from functions.understand.names import Named
from functions.understand.nouns import FACTS, KIND, PLURAL, SINGULAR, any_of
from functions.understand.sets import Population, is_container, population_of
from shared.query.quantity import PlaceKind

_ONE = rf"(?:{any_of(SINGULAR)})"
_MANY = rf"(?:{any_of(PLURAL)})"
_IN = (
    r"(?:in|of|within|across|inside|from|located in|situated in|belonging to|that are in|"
    r"that belong to|throughout|on|among|around)"
)
_OF = (
    rf"\s{_IN}\s(?:all\s)?(?:of\s)?(?:the\s)?(?:whole\s|entire\s)?(?:continent of\s|state of\s|"
    rf"country of\s|region of\s)?(?P<in>E\d+)(?!\d|'s)"
)
_QUANT = (
    r"(?P<quant>(?:(?:all|every|each|any|individual|different|"
    r"various)(?:\sof)?(?:\sthe)?(?:\ssingle)?\s|(?:the)\s)*)"
)
_FACT = rf"(?:(?P<fact>{FACTS})\s(?:and\s)?)?"
_THAT = rf"(?:\s(?:that are|which are|who are)\s(?P<late>{FACTS}))?"
# A singular noun is a set only where a choice among its members is asked for.
_CHOSEN = re.compile(
    r"(?:\b(?:which|what|each|every|any|by|per|one|no|single|top(?: 1)?|number one|no\. ?1|"
    r"the only|whose|best|worst)"
    r"|\b(?!(?:for|inter|w|r|t|harv|inv|prot|requ|gu|qu|cont|mod|hon|ch|n|p|l)est\b)[a-z]+est|"
    r"\b(?:most|least)(?: \w+){1,2}|[a-z]+est[ -](?:growing|developing|\w+ed))\s$"
)


@dataclass(frozen=True, slots=True)
class _Form:
    pattern: re.Pattern[str]
    build: Callable[[re.Match[str], tuple[Named, ...]], Population | None]


def _opening(match: re.Match[str]) -> int:
    """Where the noun begins, with the fact that narrows it."""
    return match.start("fact") if match["fact"] else match.start("noun")


def _contained(match: re.Match[str], names: tuple[Named, ...]) -> Population | None:
    noun = match["noun"]
    singular = noun in SINGULAR
    if singular and not (
        _CHOSEN.search(match.string, 0, _opening(match)) or match["quant"].strip() not in {"", "the"}
    ):
        return None
    return population_of(
        noun,
        names[int(match["in"][1:])].mention,
        fact=match["fact"] or match["late"],
        quant=match["quant"],
        singular=singular and not re.search(r"(?:by|per|each|every)\s$", match.string[: match.start("noun")]),
    )


def _attributive(match: re.Match[str], names: tuple[Named, ...]) -> Population | None:
    noun = match["noun"]
    container = names[int(match["in"][1:])].mention
    if noun in {"city", "town"} and container.entity is not None and container.entity.kind is PlaceKind.CITY:
        return None
    if noun == "economy" and not re.search(
        r"\b(?:which|what|each|every|any)\s$", match.string[: match.start("in")]
    ):
        return None
    return population_of(
        noun,
        container,
        fact=match["early"] or match["fact"] or match["late"],
        quant=match["quant"],
        singular=noun in SINGULAR and not re.search(r"each|every", match["quant"]),
    )


def _distributed(match: re.Match[str], names: tuple[Named, ...]) -> Population | None:
    container = names[int(match["in"][1:])].mention
    if not is_container(container):
        return None
    return population_of("countries", container, fact=None, quant="each", singular=False)


_DWELT_IN = re.compile(r"\b(?:live[sd]?|living|resid(?:e|es|ing)|dwell(?:s|ing)?) in $")


def _bare(match: re.Match[str], _names: tuple[Named, ...]) -> Population | None:
    noun = match["noun"]
    singular = noun in SINGULAR
    opens = match.start() == 0 and re.match(r"\s(?:with|that|where|whose|having)\b", match.string[match.end() :])
    chosen = (
        opens or _CHOSEN.search(match.string, 0, _opening(match)) or re.search(r"each|every|any", match["quant"])
    )
    if singular and not chosen:
        return None
    if noun in {"area", "areas"} and re.search(
        r"\b(?:by|in|of|per|surface|land|forest) $", match.string[: match.start()]
    ):
        return None
    if noun == "economies" and re.match(r"\s(?:of|in) (?:the )?E\d", match.string[match.end() :]):
        return None
    if _DWELT_IN.search(match.string[: match.start()]) and KIND[noun] is PlaceKind.CITY and not chosen:
        return None
    if (
        noun
        in {
            "area",
            "areas",
            "region",
            "regions",
            "member",
            "members",
            "place",
            "places",
            "department",
            "departments",
        }
        and not chosen
    ):
        starts = match.start() == 0 or re.search(r"\b(?:in|across|by|per|of)\s$", match.string[: match.start()])
        if not starts or (noun in {"area", "areas"} and match.start() != 0):
            return None
    return population_of(
        noun,
        None,
        fact=match["fact"] or match["late"],
        quant=match["quant"],
        singular=singular and not re.search(r"(?:by|per|each|every)\s$", match.string[: match.start("noun")]),
    )


_FORMS = (
    _Form(re.compile(rf"\b{_QUANT}{_FACT}(?P<noun>{_MANY}|{_ONE}){_THAT}{_OF}"), _contained),
    _Form(
        re.compile(
            rf"\b{_QUANT}(?:(?P<early>{FACTS})\s)?(?P<in>E\d+)(?:'s?)?\s{_FACT}(?P<noun>{_MANY}|{_ONE})\b{_THAT}"
        ),
        _attributive,
    ),
    _Form(re.compile(r"\b(?:each|every|all|any)(?:\sone)?\sof\s(?:the\s)?(?P<in>E\d+)(?!')"), _distributed),
    _Form(
        re.compile(
            rf"\b{_QUANT}{_FACT}(?P<noun>{_MANY}|{_ONE})\b{_THAT}(?:\s(?:in|across|around|"
            rf"of|on|throughout)\s(?:the\s)?(?:whole\s|entire\s)?"
            r"(?:world|globe|planet|earth))?"
        ),
        _bare,
    ),
)
_ARE_MEMBERS = re.compile(
    r"\b(?P<who>countries|nations|states)\s(?:that\s|which\s)?(?:are|is|were)\s(?:the\s|a\s)?(?:full\s|founding\s)?"
    r"members?(?:\sstates|\scountries)?\s(?:of|in)\s"
)
_BEFORE_CHOICE = re.compile(rf"(?P<in>E\d+)'s?\s(?P<how>(?:[a-z0-9-]+\s){{1,4}}?)(?P<noun>{_MANY}|{_ONE})\b")
_LATE_CONTAINER = re.compile(
    r"(?:,\s?|\s)(?:in|within|across|of|for|among|from|throughout|inside|"
    r"around)\s(?:all\s)?(?:of\s)?(?:the\s)?(?:whole\s|entire\s)?(?P<in>E\d+)(?!\d|'s)"
)
_SUPERLATIVE = re.compile(r"est\b|\bmost\b|\bleast\b|\btop\b|\bworst\b|\bbest\b|\bfewest\b|\bbottom\b")
_NAMED_SET = re.compile(r"(?:countries|states|nations|economies|members|member states)$", re.IGNORECASE)


def mask_populations(masked: str, names: tuple[Named, ...]) -> tuple[str, tuple[Population, ...]]:
    """Replace each population by its mark ``G0``, ``G1``...; returns the masked text and the populations."""
    found: list[Population] = []

    def mark(population: Population | None, match: re.Match[str]) -> str:
        if population is None:
            return match.group()
        found.append(population)
        return f"G{len(found) - 1}"

    def choice(match: re.Match[str]) -> str:
        if not _SUPERLATIVE.search(match["how"]):
            return match.group()
        return f"{match['how']}{match['noun']} in {match['in']}"

    masked = _ARE_MEMBERS.sub(r"\g<who> in ", masked)
    masked = _BEFORE_CHOICE.sub(choice, masked)
    masked = _named_sets(masked, names, found)
    masked = _income_within(masked, names, found)
    for form in _FORMS:
        masked = form.pattern.sub(lambda m, form=form: mark(form.build(m, names), m), masked)  # type: ignore[misc]
    if len(found) == 1 and (found[0].mention.container is None or found[0].assumed):
        masked = _late_container(masked, names, found)
    return re.sub(r"\s+", " ", masked).strip(), tuple(found)


_INCOME_WITHIN = re.compile(r"\bG(?P<set>\d+)\s(?:in|of|within|across|from)\s(?:the\s)?(?P<in>E\d+)(?!\d|'s)")


def _income_within(masked: str, names: tuple[Named, ...], found: list[Population]) -> str:
    """As in "High income countries in Asia": one group is the place, the other narrows it."""

    def narrowed(match: re.Match[str]) -> str:
        inner = found[int(match["set"])].mention.container
        outer = names[int(match["in"][1:])].mention
        if inner is None or not inner.label.lower().endswith("income") or not is_container(outer):
            return match.group()
        built = population_of("countries", outer, fact=inner.label.lower(), quant="", singular=False)
        if built is None:
            return match.group()
        found[int(match["set"])] = built
        return f"G{match['set']}"

    return _INCOME_WITHIN.sub(narrowed, masked)


def _named_sets(masked: str, names: tuple[Named, ...], found: list[Population]) -> str:
    """A name that is itself said as a set of members: "the Nordic countries", "the Baltic states"."""
    for index, name in enumerate(names):
        if not (is_container(name.mention) and _NAMED_SET.search(name.mention.text)):
            continue
        built = population_of("countries", name.mention, fact=None, quant="", singular=False)
        if built is None:
            continue
        each = bool(re.search(rf"\b(?:all|every|each)\s(?:of\s)?(?:the\s)?E{index}\b", masked))
        masked, times = re.subn(
            rf"\b(?:(?:all|every|each)\s(?:of\s)?)?(?:the\s)?E{index}\b", f"G{len(found)}", masked, count=1
        )
        if times:
            found.append(Population(mention=built.mention, each=each, named=True))
    return masked


def _late_container(masked: str, names: tuple[Named, ...], found: list[Population]) -> str:
    """As in "The country with the highest X in E0": the container stands away from its members."""
    marks = set(re.findall(r"\bE\d+", masked))
    if len(marks) != 1 or re.search(r"\bborder|\bneighbo|\bthan\b", masked):
        return masked
    at = _LATE_CONTAINER.search(masked)
    if at is None:
        return masked
    container = names[int(at["in"][1:])].mention
    kind = found[0].mention.member
    if kind is PlaceKind.COUNTRY and not is_container(container):
        return masked
    noun = re.sub(r"^(?:" + FACTS + r")\s", "", found[0].mention.text.split(" in ")[0])
    rebuilt = population_of(
        noun if noun in KIND else "countries",
        container,
        fact=found[0].mention.fact_filter,
        quant="",
        singular=found[0].one,
    )
    if rebuilt is None:
        return masked
    found[0] = replace(rebuilt, one=found[0].one, each=found[0].each)
    return masked[: at.start()] + masked[at.end() :]
