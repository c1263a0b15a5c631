"""Words and phrases that name one thing, as tables: what is written, and the form in which it is compared."""

from __future__ import annotations

import re

PHRASES: tuple[tuple[str, str], ...] = (
    # Short forms.
    (r"\b(?:govt|gov)\b", "government"),
    (r"\bpop\b", "population"),
    (r"\bunemp\b", "unemployment"),
    (r"\blfpr?\b", "labor force participation"),
    (r"\b(?:mkt|market) cap\b", "market capitalization"),
    (r"\blife exp\b", "life expectancy"),
    (r"\bext debt\b", "external debt"),
    (r"\bst debt\b", "short term debt"),
    (r"\btech coop\b", "technical cooperation"),
    (r"\bexcl\b", "excluding"),
    (r"\bbiz\b", "firm"),
    (r"\bidps\b", "internally displaced people"),
    (r"\bhosp\b", "hospital"),
    (r"\bsubs\b", "subscriptions"),
    (r"\bhigher ed\b", "tertiary"),
    (r"\bmfg\b", "manufacturing"),
    (r"\bagri\b", "agriculture"),
    (r"\bpov\b", "poverty"),
    (r"\b(?:va)\b", "value added"),
    (r"\bu5s?\b", "under5"),
    (r"\bfx rate\b", "exchange rate"),
    (r"\blpi\b", "logistics performance index"),
    (r"\bgrade (?:1|one)\b", "first grade"),
    (r"\b4th\b", "fourth"), (r"\b3rd\b", "third"), (r"\b2nd\b", "second"), (r"\b1st\b", "first"),
    (r"\bquintile\b|\bfifth of (?:the )?(?:people|population)\b", "20"),
    (r"(?<=gdp) pc\b|(?<=gni) pc\b", "per capita"),
    (r"\bhow many (?:millions?|thousands?|billions?)(?: of)?\b", "how many"),
    (r"\bstart up\b|\bstart ups?\b", "startup"),
    (r"\bfresh water\b", "freshwater"),
    (r"\b(?:relative to|for|in relation to) (?:its|the|their) populations?\b|\brelative to population\b", ""),
    (r"\b(?:labour|labor|job) market\b", "labor force"),
    (r"\beconomically active\b", "labor force"),
    (r"\bnatural gas\b", "naturalgas"),
    (r"\b(\d+(?:\.\d\d)?) ?(?:us )?dollars? (?=a day|per day|daily)", r"$\1 "),
    (r"\$(\d+)(?![\d.,])(?= ?(?:a|per)? ?(?:day|poverty|line|$))", r"$\1.00"),
    (r"\b(?:(?:liv(?:e|es|ing) )?(?:on )?(?:below|under|less than)|on)\s+(?=\$\d\.\d\d)", "poverty "),
    (r"\byears? olds?\b", ""),
    (r"\bcountry (?:people|folk|dwellers)\b", "rural"),
    (r"\bof (?:the )?(?:national|total|all) income\b", "of income"),
    (r"\bb40\b", "lowest 40"),
    (r"\bnot (?:in|at|going to|go to|attending|attend) school\b", "outofschool"),
    # Units.
    (r"\b(?:current )?(?:us ?dollars?|usd|us ?\$|dollars?)(?!\w)", "usd"),
    (r"\b(?:km2|sq\.? ?km|sq\.? ?kilomet(?:er|re)s?|square ?km|square kilomet(?:er|re)s?)(?!\w)", "sqkm"),
    (r"\bkg ha\b|\bkg per ha\b", "kilogram per hectare"),
    (r"\b(?:ha|hectares?)\b", "hectare"),
    (r"\bkgoe\b", "kilogram oil equivalent"),
    (r"\b(?:kg|kilos?|kilograms?)\b", "kilogram"),
    (r"\b(?:tons?|tonnes?|metric tons?)\b", "tonne"),
    (r"\bkilotons?\b|\bkt\b", "kiloton"),
    (r"\b(?:bn|billion) cubic met(?:er|re)s\b|\bbcm\b", "cubicmeter"),
    (r"\bcubic met(?:er|re)s\b|\bm3\b", "cubicmeter"),
    (r"\bkwh\b|\bkilowatt hours?\b", "kwh"),
    # Forms of a figure.
    (r"\bpart time\b", "parttime"), (r"\bfull time\b", "fulltime"),
    (r"\b(?:part|portion)s? of\b", "share of"),
    (r"\bper (?:person|head|inhabitant|citizen|resident)\b|\ba head\b", "per capita"),
    (r"\bpercentage points?\b", ""),
    (r"(?<=\d) ?(?:percent|per cent|pct|%)", ""),
    (r"\bshares\b(?! of)", "stock"),
    (r"\b(?:percents?|per cent|percentages?|proportions?|fractions?|shares?|pct)\b|%", "share"),
    (r"\b(?:relative to|in relation to|how much of)\b", "share of"),
    (r"\bto (?=(?:gdp|gni|reserves|assets)\b)", "share of "),
    (r"\b(?:grow|grows|grew|grown|growing|increases?|increased|increasing|rise|rises|rising|rose|changed?|changes)\b",
     "growth"),
    # Accounts of a nation.
    (r"\bgross domestic products?\b|\beconomic output\b|\bsize of (?:the|its|their) econom(?:y|ies)\b", "gdp"),
    (r"\beconomic growth\b|\bgrowth (?:rate )?of (?:the|its) economy\b", "gdp growth"),
    (r"\bgross national (?:income|product)\b|\bgnp\b", "gni"),
    (r"\bforeign direct investments?\b|\bforeign investments?\b|\binward investments?\b", "fdi"),
    (r"\bpurchasing power parity\b|\binternational (?:dollars?|\$)", "ppp"),
    (r"\bpoverty headcount(?: ratio)?\b", "poverty rate"),
    (r"\b(?:people|population|persons|living|live|lives) (?:living )?(?:in|below the national|under the national"
     r"|below the|under the) poverty(?: lines?)?\b", "people poverty"),
    (r"\b(?:official development assistance|development assistance|(?:foreign|development|overseas) aid|oda)\b",
     "aid"),
    (r"\bforeign exchange\b|\bforex\b|\bfx\b", "foreign currency"),
    (r"\b(?:national|public|sovereign|state|central government) debt\b", "government debt"),
    (r"\bstock (?:market|exchange)s?\b|\bequity market\b", "stockmarket"),
    (r"\bresearch (?:and|&) development\b|\br ?& ?d\b|\br and d\b", "rd"),
    # Places and ages.
    (r"\b(?:largest|biggest|primate) cit(?:y|ies)\b", "largestcity"),
    (r"\b(?:countryside|rural areas?|villages?|villagers)\b", "rural"),
    (r"\b(?:cities|city|towns?|urban areas?)\b", "urban"),
    (r"\b(?:children |kids |child |people )?(?:under|below|younger than|less than|before)(?: the)?(?: age)?(?: of)?"
     r" ?(?:five|5)s?\b(?! ?(?:met|m\b|share|years of|minutes|\.))(?: years?(?: of age| old)?)?"
     r"|\bunder ?fives\b|\bbefore their fifth birthday\b", "under5"),
        (r"\bbab(?:y|ies)(?: are| were| being| get)? born\b", "birth"),
    (r"\b(?:newborns?|neonates?|newborn babies|(?:in the )?first (?:month|28 days)(?: of life)?)\b", "neonatal"),
    (r"\b(?:infants?|baby|babies|before (?:the )?age (?:of )?(?:one|1)|under (?:one|1)(?: year(?: of age| old)?)?"
     r"|before their first birthday|in the first year of life)\b", "infant"),
    (r"\b(?:ages?|aged)? ?15 (?:to |and )?19\b(?: years old)?", "teen"),
    (r"\b(?:teens?|teenagers?|teenaged?|adolescents?)\b", "teen"),
    (r"\b(?:ages?|aged)? ?15 (?:to |and )?24\b(?: years old)?", "youth"),
    (r"\b(?:youths?|young people|young adults?|young)\b", "youth"),
    (r"\b(?:ages?|aged|between)? ?15 (?:to |and )?64\b(?: years old)?|\bworking age\b", "workingage"),
    (r"\b(?:ages?|aged)? ?0 (?:to )?14\b(?: years old)?|\b(?:children |people )?(?:under|below|younger than)"
     r"(?: the age of)? (?:15|fifteen)\b", "under15"),
    (r"\b(?:ages?|aged)? ?65 (?:years )?(?:and|or) (?:above|over|older|up|more)\b|\b(?:ages?|aged)? ?65 ?\+"
     r"|\b(?:over|above|older than|past)(?: the)?(?: age)?(?: of)? ?(?:65s?|sixty five)\b", "old65"),
    (r"\b(?:elderly|old people|older people|older adults?|older persons|seniors?(?! manage)|pensioners?|retirees)\b"
     r"(?: people| citizens?)?|\bsenior citizens?\b", "old65"),
    (r"\b(?:ages?|aged)? ?15 (?:years )?(?:and|or) (?:above|over|older)\b|\b15 ?\+", "adult"),
    # People.
    (r"\b(?:women|woman|girls?|females?)\b", "female"),
    (r"\b(?:men|man|boys?|males?)\b", "male"),
    (r"\b(?:immigrants?|foreign born|international migrants?|migrants?)\b", "migrant"),
    (r"\b(?:unemployed|jobless|joblessness|out of work|out of a job|without (?:a |any )?(?:jobs?|work))\b",
     "unemployment"),
    (r"\bwork ?forces?\b|\blabour forces?\b", "labor force"),
    (r"\blabour\b", "labor"),
    (r"\b(female|male)\s+population\s+(?=share\s+of\s+(?:the |total )?\s*labor force\b)", r"\1"),
    (r"\b(?:soldiers?|troops|armed forces)\b", "military personnel"),
    (r"\b(?:defence|defense|army|armies)\b", "military"),
    (r"\b(?:parliamentary|parliaments|legislatures?|members of parliament|mps|lawmakers|legislators)\b",
     "parliament"),
    # Health.
    (r"\b(?:die|dies|died|dying|dead|deaths?|fatalit(?:y|ies)|killed)\b", "mortality"),
    (r"\b(?:murders?|murdered|homicides?|killings?)\b", "homicide"),
    (r"\bfemicides?\b", "female homicide"),
    (r"\b(?:road traffic(?: injur(?:y|ies)| accidents?| crash(?:es)?)?|(?:road|traffic|car|vehicle) (?:accidents?"
     r"|crash(?:es)?|injur(?:y|ies)|collisions?)|on the roads?|traffic(?= mortality)|road(?= mortality))",
     "roadtraffic"),
    (r"\bdiphtheria(?:,? (?:and )?pertussis)?(?:,? (?:and )?tetanus)?\b|\bdtp3?\b|\bdpt3\b", "dpt"),
    (r"\bhiv ?/? ?aids\b|\baids\b", "hiv"),
    (r"\btb\b", "tuberculosis"),
    (r"\bbirth control\b|\bfamily planning\b", "contraception"),
    (r"\b(?:hungry|hunger|undernourished|undernutrition)\b", "undernourishment"),
    # School.
    (r"\bout of school\b", "outofschool"),
    (r"\b(?:pre ?primary|pre ?schools?|kindergartens?|nursery(?: school)?)\b", "preprimary"),
    (r"\b(?:elementary|grade) schools?\b", "primary school"),
    (r"\bhigh schools?\b", "secondary school"),
    (r"\b(?:universit(?:y|ies)|colleges?|higher education)\b", "tertiary"),
    # Nature, energy, things.
    (r"\bcarbon (?:emissions?|footprint|output)\b", "co2 emission"),
    (r"\bcarbon dioxide\b", "co2"),
    (r"\b(?:at risk of|facing|threatened (?:by|with)|in danger of) extinction\b", "threatened"),
    (r"\bgreenhouse gas(?:es)?\b|\bghg\b", "greenhouse"),
    (r"\bpm ?2\.5\b|\bfine particles?\b|\bfine particulate(?: matter)?\b", "pm2.5"),
    (r"\belectric(?:al)? power\b|\bpower\b", "electricity"),
    (r"\btree cover\b|\bforested (?:area|land)\b", "forest area"),
    (r"\bfarm ?lands?\b", "agriculture land"),
    (r"\b(?:cell ?phones?|mobile ?phones?|mobile cellular|cellular(?: phones?)?)\b", "mobile"),
    (r"\b(?:land ?lines?|fixed telephones?(?: lines?)?|fixed lines?|telephone lines?)\b", "fixedphone"),
    (r"\b(?:automated teller machines?|cash machines?|cashpoints?|atms)\b", "atm"),
    (r"\bintellectual property\b", "ip"),
    (r"\bhigh technology\b", "high tech"),
)  # fmt: skip
"""Patterns over lower-case text without hyphens, applied in order; what they leave matches none of them again."""

WORDS: dict[str, str] = {
    **dict.fromkeys(("spending", "spend", "spends", "spent", "expenditures", "expense", "expenses", "outlay",
                     "outlays"), "expenditure"),
    **dict.fromkeys(("kid", "kids", "children", "schoolchildren", "schoolchild"), "child"),
    **dict.fromkeys(("pupil", "pupils", "students"), "student"),
    **dict.fromkeys(("company", "companies", "business", "businesses", "enterprise", "enterprises", "corporate"),
                    "firm"),
    **dict.fromkeys(("scientist", "scientists", "researchers"), "researcher"),
    **dict.fromkeys(("emit", "emits", "emitted", "emissions", "emitting"), "emission"),
    **dict.fromkeys(("enrolment", "enrolments", "enrollments", "enrolled", "attendance", "attending"),
                    "enrollment"),
    **dict.fromkeys(("exported", "exporting", "exports"), "export"),
    **dict.fromkeys(("imported", "importing", "imports"), "import"),
    **dict.fromkeys(("usage", "used", "uses", "consumption", "consume", "consumed", "consumes"), "use"),
    **dict.fromkeys(("biggest", "greatest"), "largest"),
    **dict.fromkeys(("mother", "mothers", "mum", "mums", "mom", "moms"), "maternal"),
    "licence": "license", "licences": "license", "litre": "liter", "litres": "liter", "gases": "gas",
    **dict.fromkeys(("work", "works", "workplace"), "employment"),
    **dict.fromkeys(("receive", "receives"), "received"), **dict.fromkeys(("taken", "takes", "took"), "take"),
    **dict.fromkeys(("pay", "pays", "paying"), "paid"),
    **dict.fromkeys(("bottom",), "lowest"), **dict.fromkeys(("top",), "highest"),
    **dict.fromkeys(("traveling", "travelling", "travels"), "travel"),
    **dict.fromkeys(("expecting", "expectant", "pregnancy", "pregnancies"), "pregnant"),
    **dict.fromkeys(("residents", "resident"), "population"),
    **dict.fromkeys(("trafic",), "traffic"),
    **dict.fromkeys(("lent", "lend", "lends", "lenders", "lender"), "lending"),
    **dict.fromkeys(("foreigners", "foreigner"), "foreign"),
    **dict.fromkeys(("completing", "completed", "complete", "completes", "finish", "finishes", "finishing",
                     "finished"), "completion"),
    **dict.fromkeys(("borrows", "borrowed", "borrow"), "borrowing"),
    **dict.fromkeys(("weapon", "weapons"), "arm"),
    "petrol": "gasoline",
    **dict.fromkeys(("literate",), "literacy"),
    **dict.fromkeys(("farming", "farm", "farmer", "farmers"), "agriculture"),
    "farms": "holding",
    **dict.fromkeys(("displacement", "displacements"), "displaced"),
    **dict.fromkeys(("educational", "educating"), "education"),
    **dict.fromkeys(("births", "born"), "birth"),
    **dict.fromkeys(("renewables",), "renewable"),
    **dict.fromkeys(("endangered",), "threatened"),
    **dict.fromkeys(("earnings", "earned", "proceeds"), "receipt"),
    **dict.fromkeys(("telecom", "telecoms", "telecommunication", "telecommunications"), "telecom"),
    **dict.fromkeys(("worker", "workers", "employee", "employees", "employed", "jobs", "job", "working"),
                    "employment"),
    **dict.fromkeys(("salaried", "wages", "salaries", "salary"), "wage"),
    **dict.fromkeys(("sick", "infected", "infection", "infections"), "infection"),
    **dict.fromkeys(("wealthiest", "richest", "rich"), "highest"),
    **dict.fromkeys(("poorest",), "lowest"),
    **dict.fromkeys(("metre", "metres", "meters"), "meter"),
    **dict.fromkeys(("dwellers", "dweller", "inhabitants", "inhabitant", "population", "populations"),
                    "population"),
}  # fmt: skip
"""Single words and the word that they are compared as."""

STEMS: tuple[tuple[str, str], ...] = (
    ("immuni", "immunization"), ("vaccin", "immunization"), ("inoculat", "immunization"),
    ("fertilis", "fertilizer"), ("fertiliz", "fertilizer"),
    ("contracepti", "contraception"),
    ("agricultur", "agriculture"), ("industrial", "industry"), ("industries", "industry"),
    ("forested", "forest"), ("woodland", "forest"),
    ("urbanis", "urbanization"), ("urbaniz", "urbanization"),
    ("anaemi", "anemia"), ("anemi", "anemia"),
    ("stunt", "stunting"), ("diabet", "diabetes"), ("tubercul", "tuberculosis"),
    ("electri", "electricity"),
    ("irrigat", "irrigation"), ("remit", "remittance"), ("refugee", "refugee"),
    ("productiv", "productivity"), ("pollut", "pollution"), ("registr", "registration"),
    ("register", "registration"), ("participat", "participation"), ("scientific", "science"),
)  # fmt: skip
"""Beginnings of words that are one word in several endings."""


def _set(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\S+", text))


LIGHT = _set(
    """a an and as at by for from in is it its of on or that the their to with how what which many much do does did
    are was were there have has had number total level levels amount overall rate rates ratio value people country
    countries nation size live living lives annual yearly figure figures data statistic statistics average current
    latest among amongst who whose within be been being per person persons every each one all any this these those
    than into also year years"""
)
"""Words that do not tell one quantity from another."""

SOFT = _set(
    """has have get gets go goes gone make makes take takes come comes face faces put puts see sees large big small
    quickly fast common commonly together whole country's its run runs well good far often long stock stocks
    enough each whom us mean one two officially can could must may might should would will do does
    done being been when while where because if but though too very more most less much rather than they them
    themselves it itself he she his her our own such both other through during between inside outside around
    towards against off over up down out back aside due so need needs needed want wants happen happens occur
    occurs obtain obtained reach reaches begin begins hold held serve serves find finds look keep keeps turn
    turns become becomes tend stand stands pass passes leave set sort goe running facing money person body thing
    way share themselve source sources victim victims already received paid compare compares compared time times
    depend depends newly directly strongly badly actually exactly currently recently prevalence incidence
    coverage frequency extent estimate kind type different various general main official reported estimated
    measured total volume scale citizen citizens"""
)
"""Words that a measure may have although no document says them."""

FORMS = _set("share population capita growth index household area land use")
"""Words that give a quantity's form or whole; a measure of nothing else says nothing about which quantity."""

UNITS = _set("usd sqkm hectare kilogram tonne kiloton cubicmeter kwh kilometer day hour year")
"""Units: a measure that names one is no quantity of another unit."""

TURNING = _set(
    """growth decrease capita share female male youth rural urban ppp real constant index adult primary secondary
    tertiary preprimary gap deficit surplus density import export gdp gni debt infant under5 neonatal maternal
    birth mortality net gross poor public private deflator below above half relative dependency national old65
    teen under15 workingage largestcity none no not without imf highest lowest second third fourth 10 20 40
    median minimum maximum nominal conversion participation displaced renewable threatened protected irrigated
    nonperforming"""
)
"""Words that make another quantity of the one they stand beside: both sides must have them, or neither."""
