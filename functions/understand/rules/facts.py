"""Forms that ask for no figure: records, grants, facts of a place, its neighbours and the members of a group."""

from __future__ import annotations

import re

from functions.understand.measures import trimmed
from functions.understand.populations import FACTS, UNITED_STATES, Population
from functions.understand.rules.residue import without_marks
from functions.understand.rules.signals import order_of
from functions.understand.scan import Scan, is_group
from shared.query.quantity import PlaceKind
from shared.query.readings import (
    EntityMention,
    GrantGraphReading,
    ItemListReading,
    PopulationMention,
    Reading,
    StatusReading,
    TopicalReading,
)
from shared.text.places import by_name

# Grants ---------------------------------------------------------------------------------------------

_GRANT_WORD = re.compile(
    r"\bgrants?\b|\bgrantees?\b|\bgrantmak\w+|\bfunders?\b|\bdonors?\b|\bfund(?:s|ed|ing)?\b|\bphilanthrop\w+|\bdonat\w+|\bfoundations?\b.*\b(?:give|support|back|pay)|\bawards?\b"
)
_RECEIVED = re.compile(
    r"^(?:who|which \w+|what \w+|which G\d+|what G\d+|which|list (?:the )?\w+ that|G\d+)(?: are| is| were)?(?: the)?(?: (?:biggest|largest|main|top))?\s?(?:has |have |had )?(?:funds?|funded|funding|funders? of|gives? (?:money |grants? |most )?to|gave (?:money |grants? )?to|supports?|donates? to|donated to|made grants to|makes? grants to|granted)\s(?:to\s|the\s)*E\d"
    r"|\bfund(?:ed|ing)? (?:by whom|sources?)\b|\bE\d+'s (?:\w+ )?(?:funders|donors)|\b(?:funders|donors) (?:of|to|for|behind) (?:the )?E\d|\b(?:received|receive|receives|got|won) by (?:the )?E\d|\bgrants? (?:to|for) (?:the )?E\d"
    r"|\bE\d+ (?:receive|get|got|received|won)|who (?:is|are) (?:the )?(?:\w+ )?(?:funders|donors)"
)
_MADE = re.compile(
    r"\bdo(?:es)? (?:the )?E\d+ (?:\w+ )?(?:fund|give|support|donate|grant|award|make)|\bdid (?:the )?E\d+ (?:\w+ )?(?:fund|give|support|donate|make|award|grant)|\bgrants? (?:made |given |awarded |paid |issued )?(?:by|of|from) (?:the )?E\d|\bE\d+'s (?:\w+ )?(?:grants|grantees|giving)"
    r"|\b(?:funded|supported|given|made|awarded) by (?:the )?E\d|\bE\d+ (?:grants|grantees|funds|funded)"
)


def grant_graph(scan: Scan) -> Reading | None:
    """Who funds whom."""
    text = scan.masked
    if not _GRANT_WORD.search(text) or re.search(
        r"\b(?:military|mutual|pension|hedge|investment|sovereign|wealth) fund", text
    ):
        return None
    organisations = [mark for mark in scan.marks("E") if not _is_place(scan.name(mark))]
    entity = scan.name(organisations[0]) if organisations else None
    if entity is None:
        unnamed = re.match(
            r"^(?:which|what|who)(?: foundations?| G\d+| charit\w+)? (?:funds?|funded|supports?|donates? to|gives? grants? to) (?:the )?(?P<whom>[a-z][a-z &.-]+)$",
            text,
        )
        if unnamed and not scan.marks("E"):
            return GrantGraphReading(entity=_unknown(scan, unnamed["whom"]), direction="received_by")
        if re.search(
            r"\b(?:largest|biggest|top|main|leading)\s(?:private |public |charitable )?(?:funders|grantmakers|donors|foundations|grantmaking foundations|grant recipients|philanthropic foundations)\b",
            text,
        ) and not scan.marks("E"):
            return GrantGraphReading(entity=None, direction="overview")
        return None
    if _MADE.search(text):
        return GrantGraphReading(entity=entity, direction="made_by")
    if _RECEIVED.search(text):
        return GrantGraphReading(entity=entity, direction="received_by")
    if re.search(r"\bgrants?\b|\bgrantees?\b|\bfunders?\b|\bdonors?\b", text) and len(organisations) == 1:
        return GrantGraphReading(entity=entity, direction="overview")
    return None


def _is_place(mention: EntityMention) -> bool:
    kinds = {entity.kind for entity in (mention.candidates or (mention.entity,)) if entity}
    return not kinds & {PlaceKind.ORGANIZATION, PlaceKind.COMPANY}


def _unknown(scan: Scan, words: str) -> EntityMention:
    at = scan.text.lower().find(words)
    return EntityMention(text=scan.text[at : at + len(words)] if at >= 0 else words, status="unknown")


# Records --------------------------------------------------------------------------------------------

_RECORDS = (
    r"papers?|articles?|publications?|studies|study|research(?: papers?| articles?)?|literature|preprints?|journal articles?|grants?|grant opportunities|funding opportunities|opportunities"
    r"|scholarships|awards?|clinical trials?|trials?|patents?|records|documents|reports?|datasets?|data sets?|projects|filings|contracts"
)
_TOPICAL = re.compile(
    rf"^(?:find|search(?: for)?|look(?:ing)? for|look up|show|list|get|give|i need|need|are there(?: any)?|any|browse|discover|what|which|fetch)?\s?(?:me\s|all\s|some\s|any\s|the\s|recent\s|latest\s|new\s|available\s|open\s|Y\d+\s)*"
    rf"(?P<pre>(?:[a-z0-9-]+\s){{0,4}}?)(?P<what>{_RECORDS})\b(?:\s(?:exist|are there|there are|have been (?:published|written)|were (?:published|written)|is there))?\s?(?:(?:about|on|regarding|concerning|related to|relating to|in|for|mentioning|covering|that (?:discuss|study|mention|cover)|received by|dealing with|into|of)\s(?P<about>.+))?$"
)


def topical(scan: Scan) -> Reading | None:
    """A search for records on a subject."""
    text = scan.masked
    match = _TOPICAL.match(text)
    if not match or re.match(r"^(?:how|is|does|do|did|who)\b", text):
        return None
    asked = re.match(
        r"^(?:find|search|look|show|list|get|give|i need|need|any|are there|browse|discover|fetch|what|which)\b",
        text,
    )
    about, pre, what = match["about"], match["pre"].strip(), match["what"]
    if not (asked or about) or not (about or pre):
        return None
    if re.fullmatch(
        r"(?:reports?|records|contracts|projects|awards?|research|study|studies|opportunities|documents|articles?)",
        what,
    ) and not re.match(r"^(?:find|search|look|browse|discover|any|fetch)", text):
        return None
    if re.search(
        r"\b(?:number|share|percentage|spending|expenditure|how many|expenditures|budget)\b", text
    ) or order_of(text):
        return None
    words = unmasked(scan, f"{pre} {what} {'on ' + about if about else ''}")
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


# Facts ----------------------------------------------------------------------------------------------

_FACT_NOUNS = {
    r"capital(?: cit(?:y|ies))?|seat of government": "capital",
    r"(?:official |national |local )?(?:currency|money|legal tender)(?: code| name)?": "currency",
    r"(?:official |national |main |primary |native |spoken )*languages?(?: spoken)?(?: people speak)?|people speak|languages? (?:do )?(?:people )?(?:speak|spoken)": "official language",
    r"continents?": "continent",
    r"(?:world |geographic(?:al)? |wb |sub-?)?regions?": "region",
    r"income (?:group|level|class|classification|category|status)": "income group",
    r"(?:iso|country|alpha-[23]|iso[ -]?[23]|iso 3166(?: alpha-[23])?|iso3|iso2)[ -]codes?": "country code",
    r"(?:calling|dialing|dialling|phone|telephone|area|international calling|international dialing)[ -]codes?": "calling code",
    r"(?:internet |web |top[- ]level |country code )*(?:domain|tld)s?": "internet domain",
    r"(?:current )?(?:president|prime minister|leader|head of (?:state|government)|king|queen|monarch|ruler|governor|chancellor|mayor|ceo)": "leader",
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
    r"\b(?:use[sd]?|using|spoken|speaks?|belongs? to|located|lies?|situated|called|found|named|have|people|do they|they|which|what|part|the)\b"
)


def fact(scan: Scan) -> Reading | None:
    """A fact about one place: its capital, its currency, the continent it is in."""
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


_BORDER = (
    r"(?:border(?:s|ed|ing)?|neighbou?r(?:s|ing|ed)?|adjoin(?:s|ing)?|abut(?:s|ting)?|touch(?:es|ing)?|surround(?:s|ing)?|adjacent to|next to|next door to|contiguous (?:to|with)"
    r"|(?:(?:ha(?:ve|s)|share[s]?|sharing|shared) )(?:a |any |its |their |the )?(?:common |land |shared |international |direct )*(?:borders?|frontiers?|boundar(?:y|ies))(?: with)?|neighbou?rs? (?:of|to|with)|on the border (?:of|with)|in contact with)"
)
_IS_BORDER = re.compile(
    rf"^(?:is|are|do|does|did|was|were)\s(?:the\s)?(?P<a>E\d+)(?:\sand\s(?:the\s)?E\d+)?\s(?:directly\s|a\s|an?\s(?:immediate|direct)\s)?(?:{_BORDER}|neighbou?rs?|share (?:a )?(?:common |land )*border|border each other|neighbou?ring countries)"
    rf"(?:\s(?:by|with|of|on|to|country of|state of|each other))*(?:\s(?:the\s)?(?P<b>E\d+))?"
)
_MEMBER = re.compile(
    r"^(?:is|are|was|were|does|has|did|do)\s(?:the\s)?(?P<a>E\d+)\s(?:currently\s|still\s|already\s|also\s|yet\s|now\s|not\s)*(?:(?:a|an|one|part)\s(?:of\s)?(?:the\s)?)?(?:(?:full|founding|permanent|current|official)\s)?"
    r"(?:member(?:\s(?:state|country|nation))?\s(?:of|in)|members of|part of|in|within|inside|belongs? to|belong to|joined|join|located in|situated in|among(?:st)?|counted in|one of|G\d+ of)\s(?:the\s)?(?:continent of\s)?(?P<b>E\d+|G\d+)"
    r"(?:\s(?:member|members|bloc|group|alliance|union|zone|area|continent|country|region))?$"
)
_PROPERTY = re.compile(
    rf"^(?:is|are|was)\s(?:the\s)?(?P<a>E\d+)\s(?:currently\s|considered\s|classified\s|regarded\s|counted\s|categori[sz]ed\s|really\s|still\s|a\s|an\s|as\s|to be\s|among\s|one of\s|the\s)*"
    rf"(?P<what>{FACTS}|democracy|republic|(?:constitutional |absolute )?monarchy|kingdom|island|archipelago|transcontinental|(?:sovereign |independent |recogni[sz]ed )?(?:country|nation|state|city|continent|planet|company|nonprofit|charity|federation|territory|colony|superpower|tax haven|microstate|city[- ]state)|nuclear (?:power|state)|communist|socialist|tax[- ]exempt|501\(c\)\(3\)|publicly traded|a member|un member)"
    r"(?:\s(?:countr(?:y|ies)|econom(?:y|ies)|nations?|states?|organi[sz]ation|G\d+|company|members?))?(?:\s(?:by|according to|under|per|in|of)\s.+)?$"
)


def status(scan: Scan) -> Reading | None:
    """Whether a place has a property, is a member of a group, or borders another."""
    text = scan.masked
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
    prop = _PROPERTY.match(_with_facts(scan, text))
    if prop:
        what = re.sub(r"^land-?locked$", "landlocked", prop["what"]).replace("-income", " income")
        income = _income_named(what)
        if income is not None:
            return StatusReading(entity=scan.name(prop["a"]), attribute="member", object=income)
        return StatusReading(entity=scan.name(prop["a"]), attribute=what)
    return _income_group(scan, text)


def _income_group(scan: Scan, text: str) -> Reading | None:
    """ "Is E0 a low income country?", where the income group was found as a name or a population."""
    match = re.match(
        r"^(?:is|was|are)\s(?:the\s)?(?P<a>E\d+)\s(?:still\s|currently\s|considered\s|classified\s|regarded\s|counted\s|ranked\s|a\s|an\s|as\s|to be\s|among\s|one of\s|the\s)*(?P<b>[EG]\d+)(?:\s(?:by|according to|under|per|in)\s.+)?$",
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
    entity = by_name(what) if what.endswith("income") else None
    return EntityMention(text=what, status="resolved", entity=entity) if entity else None


def _with_facts(scan: Scan, text: str) -> str:
    """The masked text with bare populations such as "landlocked country" written out again."""

    def words(match: re.Match[str]) -> str:
        population = scan.population(match.group()).mention
        if population.container is not None and not scan.population(match.group()).assumed:
            return match.group()
        return population.text.replace("countries", "country")

    return re.sub(r"\bG\d+\b", words, text)


# Lists ----------------------------------------------------------------------------------------------

_BORDERS_LIST = re.compile(
    rf"\b{_BORDER}\b|\bneighbou?r(?:s|ing countr(?:y|ies)|ing states?|ing nations?)?\b|\bborder(?:s|ing countries)?\b|\bsurround(?:s|ed|ing)?\b|\bland borders?\b"
)
_BORDER_FORM = re.compile(
    r"\b(?:border(?:s|ed|ing)?|neighbou?r(?:s|ing|ed)?|adjoin\w*|abut\w*|touch(?:es|ing)?|surround\w*|adjacent|next|door|contiguous|share[sd]?|sharing|common|land|shared|international|direct(?:ly)?|frontiers?|boundar(?:y|ies)|immediate|contact"
    r"|list|name|names|all|give|show|tell|full|complete|there|countries|country|states|nations|long|be)\b"
)
_LISTING = re.compile(
    r"\b(?:list(?: of)?|name|enumerate|names of|members?|member states?|member countries|membership|belongs?|part|makes? up|form|forms|comprises?|comprise|constitutes?|include[sd]?|contains?|consists?|all|full|complete|countries|country|states|nations|composed|currently|officially|located|situated|today|exist|found|there|classified|classed|counted|considered|rated|as|joined|use|uses|belonging|lie|lies"
    r"|give|show|tell|display|be|being|group|grouping|bloc|union|alliance|every|each|different|various|other|inside|some|continent|on)\b"
)


def item_list(scan: Scan) -> Reading | None:
    """Neighbours, or the members of a group or a place."""
    text = scan.masked
    if scan.bounds or re.match(r"^(?:is|are|does|do|did|was|were|has|have|how (?:many|much|long|far))\b", text):
        return None
    marks, groups = scan.marks("E"), scan.marks("G")
    if _BORDERS_LIST.search(text) and marks:
        rest = trimmed(_BORDER_FORM.sub(" ", without_marks(text)))
        if not rest and len(marks) == 1:
            return ItemListReading(
                relation="borders", population=_neighbours(scan, marks[0], groups), entity=scan.name(marks[0])
            )
    if order_of(text) or scan.chart and not groups:
        return None
    rest = trimmed(_LISTING.sub(" ", without_marks(text)))
    if rest:
        return None
    if len(groups) == 1:
        return _members(scan, scan.population(groups[0]), marks)
    if len(marks) == 1 and is_group(scan.name(marks[0])) and _asks_members(text):
        return ItemListReading(
            relation="members",
            population=PopulationMention(
                member=PlaceKind.COUNTRY,
                text=f"members of {scan.name(marks[0]).label}",
                container=scan.name(marks[0]),
            ),
        )
    return None


def _asks_members(text: str) -> bool:
    return bool(
        re.search(
            r"\bmembers?(?:hip)?\b|\bwho\b|\bbelong|\bmakes? up\b|\bcompris|\bpart of\b|\blist\b|\bconsists?\b|\binclude",
            text,
        )
    )


def _members(scan: Scan, found: Population, marks: list[str]) -> Reading | None:
    population = found.mention
    if marks and population.container is None:
        container = scan.name(marks[0])
        if len(marks) == 1 and (is_group(container) or population.member is not PlaceKind.COUNTRY):
            population = population.model_copy(
                update={"container": container, "text": f"{population.text} in {container.label}"}
            )
    elif marks:
        return None
    asked = re.search(r"\b(?:which|what|list|all|every|each|name|show|give|members?|who)\b", scan.text.lower())
    if population.container is None and population.fact_filter is None and not asked:
        return None
    return ItemListReading(relation="members", population=population)


def _neighbours(scan: Scan, mark: str, groups: list[str]) -> PopulationMention:
    if groups:
        return scan.population(groups[0]).mention
    entity = scan.name(mark).entity
    if entity is not None and entity.kind is PlaceKind.US_STATE:
        return PopulationMention(
            member=PlaceKind.US_STATE, text="states in the United States", container=UNITED_STATES
        )
    if entity is not None and entity.kind is PlaceKind.US_COUNTY:
        return PopulationMention(
            member=PlaceKind.US_COUNTY, text="counties in the United States", container=UNITED_STATES
        )
    return PopulationMention(member=PlaceKind.COUNTRY, text="countries")
