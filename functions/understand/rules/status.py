"""Facts of a place, and whether it has a property."""

from __future__ import annotations

import re

from functions.understand.measures import trimmed
from functions.understand.nouns import FACTS
from functions.understand.rules.residue import without_marks
from functions.understand.scan import Scan, as_asked, is_group
from shared.query.readings import (
    EntityMention,
    PeriodKindAsked,
    Reading,
    StatusReading,
)
from shared.runtime.errors import CannotRead
from shared.text.places import by_name

_FACT_NOUNS = {
    r"capital(?: cit(?:y|ies))?|seat of government": "capital",
    r"(?:official |national |local )?(?:currency|money|legal tender)(?: code| name)?": "currency",
    r"(?:official |national |main |primary |native |"
    r"spoken )*languages?(?: spoken)?(?: people speak)?|people speak|"
    r"languages? (?:do )?(?:people )?(?:speak|spoken)": "official language",
    r"continents?": "continent",
    r"(?:world |geographic(?:al)? |wb |sub-?)?regions?": "region",
    r"income (?:group|level|class|classification|category|status)": "income group",
    r"(?:iso|country|alpha-[23]|iso[ -]?[23]|iso 3166(?: alpha-[23])?|iso3|iso2)[ -]codes?": "country code",
    r"(?:calling|dialing|dialling|phone|telephone|area|international calling|"
    r"international dialing)[ -]codes?": "calling code",
    r"(?:internet |web |top[- ]level |country code )*(?:domain|tld)s?": "internet domain",
    r"(?:current )?(?:president|prime minister|leader|head of (?:state|government)|king|queen|"
    r"monarch|ruler|governor|chancellor|mayor|ceo)": "leader",
    r"time ?zones?": "time zone",
    r"(?:type |form |system )of government|government type": "form of government",
    r"(?:full |official |formal )name": "official name",
    r"national anthem|anthem": "anthem",
    r"flags?(?: colou?rs?)?": "flag",
    r"(?:national|independence) day": "national day",
    r"demonym": "demonym",
    r"(?:largest|biggest) religion|(?:main |official |dominant )religions?": "religion",
}
_FACT = [(re.compile(pattern), attribute) for pattern, attribute in _FACT_NOUNS.items()]
_VERBS = re.compile(
    r"\b(?:use[sd]?|using|spoken|speaks?|belongs? to|located|lies?|situated|called|found|named|"
    r"have|people|do they|they|which|what|part|the)\b"
)


_PLACED_IN = re.compile(
    r"^(?:(?:in|to|into) )?(?:which|what)(?: E\d+)? (?:world |geographic(?:al)? |global )?"
    r"(?P<set>G\d+|income (?:group|class|category|level|bracket))"
    r"(?:(?: (?:does|do|did|has|is|are|was))?(?: the)? E\d+ (?:put|puts|place[sd]?|class(?:ify|es|ed)|"
    r"count[s]?|assign(?:s|ed)?|list[s]?|group[s]?|include[sd]?|sort[s]?|have))?"
    r"(?: (?:is|does|are|was|has))?(?: the)? (?P<a>E\d+)"
    r"(?: (?:in|into|to|under|belongs?(?: to)?|part of|located(?: in)?|fall(?:s)?(?: in(?:to)?| under)?|"
    r"lie(?:s)?(?: in)?|assigned to|put in|classified (?:in|as|under)|found in|situated(?: in)?))?"
    r"(?: (?:by|according to) (?:the )?E\d+)?$"
)


def fact(scan: Scan) -> Reading | None:
    """A fact about one place: its capital, its currency, the continent it is in."""
    placed = _PLACED_IN.match(scan.masked)
    if placed and not scan.bounds:
        group = scan.population(placed["set"]) if placed["set"].startswith("G") else None
        if group is None or (group.noun == "regions" and group.mention.fact_filter is None):
            return StatusReading(entity=scan.name(placed["a"]), attribute="region" if group else "income group")
    marks = scan.marks("E")
    if len(marks) != 1 or scan.bounds or re.match(r"^how (?:many|much)\b", scan.masked):
        return None
    if scan.marks("G") and not re.search(r"\bcapital G\d", scan.masked):
        return None
    rest = trimmed(without_marks(scan.masked))
    attribute = fact_noun(rest) or fact_noun(trimmed(_VERBS.sub(" ", rest)))
    return StatusReading(entity=scan.name(marks[0]), attribute=attribute) if attribute else None


def fact_noun(text: str) -> str | None:
    """The attribute that a bare noun names, or ``None``."""
    words = re.sub(r"\s+", " ", text).strip()
    return next((attribute for pattern, attribute in _FACT if pattern.fullmatch(words)), None)


BORDER = (
    r"(?:border(?:s|ed|ing)?|neighbou?r(?:s|ing|ed)?|adjoin(?:s|ing)?|abut(?:s|ting)?|touch(?:es|"
    r"ing)?|surround(?:s|ing)?|adjacent to|next to|next door to|contiguous (?:to|with)"
    r"|(?:(?:ha(?:ve|s)|share[s]?|sharing|shared) )(?:a |any |its |their |the )?(?:common |land |"
    r"shared |international |direct )*(?:borders?|frontiers?|boundar(?:y|ies))(?: with)?|"
    r"neighbou?rs? (?:of|to|with)|on the border (?:of|with)|in contact with)"
)
_IS_BORDER = re.compile(
    rf"^(?:is|are|do|does|did|was|"
    rf"were)\s(?:the\s)?(?P<a>E\d+)(?:\sand\s(?:the\s)?E\d+)?\s(?:directly\s|a\s|an?\s(?:immediate|"
    rf"direct)\s)?(?:{BORDER}|neighbou?rs?|share (?:a )?(?:common |land )*border|border each other|"
    rf"neighbou?ring countries)"
    rf"(?:\s(?:by|with|of|on|to|country of|state of|each other))*(?:\s(?:the\s)?(?P<b>E\d+))?"
)
_MEMBER = re.compile(
    r"^(?:is|are|was|were|does|has|did|do)\s(?:people in\s)?(?:the\s)?(?P<a>E\d+)\s(?:currently\s|still\s|"
    r"already\s|also\s|yet\s|now\s|not\s)*(?:(?:a|an|one|part)\s(?:of\s)?(?:the\s)?)?(?:(?:full|"
    r"founding|permanent|current|official)\s)?"
    r"(?:member(?:\s(?:state|country|nation))?\s(?:of|in)|members of|part of|in|within|inside|"
    r"belongs? to|belong to|joined|join|located in|situated in|among(?:st)?|counted in|one of|"
    r"G\d+ of)\s(?:the\s)?(?:continent of\s)?(?P<b>E\d+|G\d+)"
    r"(?:\s(?:member|members|bloc|group|alliance|union|zone|area|continent|country|region))?$"
)
_MEMBER_OF_UNKNOWN = re.compile(
    r"^(?:is|are|was|were|has|did)\s(?:the\s)?(?P<a>E\d+)\s(?:currently\s|still\s|"
    r"already\s)*(?:(?:a\s)?(?:member|part) of|joined|in)\s(?:the\s)?"
    r"(?P<group>(?:[a-z-]+\s){0,3}(?:area|union|zone|alliance|league|commonwealth|bloc|community|"
    r"council|pact|agreement|organi[sz]ation|association|treaty|forum|customs union))$"
)
_PROPERTY = re.compile(
    rf"^(?:is|are|was)\s(?:the\s)?(?P<a>E\d+)\s(?:currently\s|considered\s|classified\s|regarded\s|"
    rf"counted\s|categori[sz]ed\s|really\s|still\s|a\s|an\s|as\s|to be\s|among\s|one of\s|the\s)*"
    rf"(?:coastal or |an island or )?(?P<what>{FACTS}|democracy|republic|(?:constitutional |"
    rf"absolute )?monarchy|kingdom|island|archipelago|transcontinental|(?:sovereign |independent |"
    rf"recogni[sz]ed )?(?:country|nation|state|city|continent|planet|company|nonprofit|charity|"
    rf"federation|territory|colony|superpower|tax haven|microstate|city[- ]state)|nuclear (?:power|"
    rf"state)|communist|socialist|tax[- ]exempt|501\(c\)\(3\)|publicly traded|a member|un member)"
    r"(?:\s(?:countr(?:y|ies)|econom(?:y|ies)|nations?|states?|organi[sz]ation|G\d+|company|"
    r"members?))?(?: or (?:coastal|not|has a coast))?(?:\s(?:by|according to|under|per|in|"
    r"of)\s.+)?$"
)


_COAST = re.compile(
    r"^(?:does|do)\s(?:the\s)?(?P<a>E\d+)\s(?:have|has)\s(?:a\s|any\s)?(?:coast|coastline|"
    r"access to the sea|sea access|access to (?:the )?ocean)$"
)
_UNDATED = re.compile(
    r"^(?:is|are|was|were|does|did|has|do)\s(?:the\s)?E\d+\s(?:already\s|"
    r"still\s)?(?:(?:a\s)?member|part|in|joined|belong\w*|border\w*|landlocked)\b(?:\s(?:of|in|"
    r"to))?(?:\s(?:the\s)?E\d+)?\s(?:in\s)?Y\d+$"
)


def status(scan: Scan) -> Reading | None:
    """Whether a place has a property, is a member of a group, or borders another."""
    text = scan.masked
    euro = re.match(
        r"^(?:does|do|did|has|have)\s(?:the\s)?(?P<a>E\d+)\s(?:already\s|still\s)?(?:use|have|"
        r"adopt|adopted)\sthe euro$",
        text,
    )
    area = by_name("Euro area") if euro else None
    if euro and area:
        shared = EntityMention(text="the euro", status="resolved", entity=area)
        return StatusReading(entity=scan.name(euro["a"]), attribute="member", object=shared)
    coast = _COAST.match(text)
    if coast:
        return StatusReading(entity=scan.name(coast["a"]), attribute="landlocked")
    if scan.times and scan.period.kind is not PeriodKindAsked.LATEST and _UNDATED.match(text):
        raise CannotRead(
            "it asks for a fact at another time, and I know facts as they are today",
            [
                "Is Finland in the EU?",
                "Is Nepal landlocked?",
            ],
        )
    border = _IS_BORDER.match(text)
    if border:
        marks = scan.marks("E")
        other = border["b"] or (marks[1] if len(marks) > 1 else None)
        if other:
            return StatusReading(entity=scan.name(border["a"]), attribute="borders", object=scan.name(other))
    member = _MEMBER.match(text)
    if member:
        mark = member["b"]
        group = scan.name(mark) if mark.startswith("E") else scan.population(mark).mention.container
        fact_filter = scan.population(mark).mention.fact_filter if mark.startswith("G") else None
        if fact_filter and not _income_named(fact_filter):
            return StatusReading(entity=scan.name(member["a"]), attribute=fact_filter)
        if group is not None:
            return StatusReading(entity=scan.name(member["a"]), attribute="member", object=group)
    unknown = _MEMBER_OF_UNKNOWN.match(text)
    if unknown and not scan.marks("G") and len(scan.marks("E")) == 1:
        return StatusReading(
            entity=scan.name(unknown["a"]), attribute="member", object=as_asked(scan, unknown["group"])
        )
    prop = _PROPERTY.match(_with_facts(scan, text))
    if prop:
        what = re.sub(r"^land-?locked$", "landlocked", prop["what"]).replace("-income", " income")
        income = _income_named(what)
        if income is not None:
            return StatusReading(entity=scan.name(prop["a"]), attribute="member", object=income)
        return StatusReading(entity=scan.name(prop["a"]), attribute=what)
    return _income_group(scan, text)


def _income_group(scan: Scan, text: str) -> Reading | None:
    """As in "Is E0 a low income country?", where the income group was found as a name or a population."""
    match = re.match(
        r"^(?:is|was|are)\s(?:the\s)?(?P<a>E\d+)\s(?:still\s|currently\s|considered\s|"
        r"classified\s|regarded\s|counted\s|ranked\s|a\s|an\s|as\s|to be\s|among\s|one of\s|"
        r"the\s)*(?P<b>[EG]\d+)(?:\s(?:by|according to|under|per|in)\s.+)?$",
        text,
    )
    if not match:
        return None
    mark = match["b"]
    group = scan.name(mark) if mark.startswith("E") else scan.population(mark).mention.container
    if mark.startswith("G") and scan.population(mark).mention.fact_filter:
        return StatusReading(
            entity=scan.name(match["a"]), attribute=scan.population(mark).mention.fact_filter or ""
        )
    if group is None or not is_group(group):
        return None
    return StatusReading(entity=scan.name(match["a"]), attribute="member", object=group)


def _income_named(what: str) -> EntityMention | None:
    """The group of countries that an income class names."""
    entity = by_name(f"{what} countries") if what.endswith("income") else None
    return EntityMention(text=what, status="resolved", entity=entity) if entity else None


def _with_facts(scan: Scan, text: str) -> str:
    """The masked text with bare populations such as "landlocked country" written out again."""

    def words(match: re.Match[str]) -> str:
        population = scan.population(match.group()).mention
        if population.container is not None and not scan.population(match.group()).assumed:
            return match.group()
        return population.text.replace("countries", "country")

    return re.sub(r"\bG\d+\b", words, text)
