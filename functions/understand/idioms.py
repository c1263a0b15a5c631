"""How people speak of quantities, and the words by which quantities are published.

Every table is ordered: the first form that matches wins. The forms see a phrase in lower case from which
names, times, bounds and the form of the question are gone.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import groupby
from pathlib import Path

FORMS = Path(__file__).parent / "words" / "forms.tsv"


@lru_cache(maxsize=1)
def whole() -> tuple[tuple[re.Pattern[str], str], ...]:
    """A form that a whole phrase has and the quantity it asks for, in the order of the table."""
    rows = [line.split("\t") for line in FORMS.read_text("utf-8").splitlines()[1:] if line]
    return tuple(
        (re.compile("|".join(f"(?:{form})" for _, form in group)), quantity)
        for quantity, group in groupby(rows, key=lambda row: row[0])
    )


# Rewrites inside a phrase that no whole form caught.
INSIDE: tuple[tuple[str, str], ...] = (
    (
        r"\b(?:per|a|for each|for every|by) (?:head|person|inhabitant|citizen|resident|individual)\b|"
        r"\bper[- ]capita\b|\bp\.?c\.?$|\beach person\b|\bthe average person\b(?! live| earn| make)",
        "per capita",
    ),
    (
        r"\bas (?:a )?(?:share|percentage|percent|proportion|fraction|part|%) of (?:the |its |their |"
        r"total )*",
        "% of ",
    ),
    (r"\bin (?:percent|% |relation) of (?:the |its |their )?", "% of "),
    (
        r"\brelative to (?:the |its |their )?gdp\b|\bto gdp ratio\b|\bto[- ]gdp\b|"
        r"\bin percent of gdp\b|\bpercentage of gdp\b",
        "% of gdp",
    ),
    (
        r"\bmilitary (?:spending|spenders?|budget|outlays)\b|\bdefen[cs]e (?:spending|spenders?|"
        r"budget|expenditures?)\b|\b(?:spend(?:s|ing)?|spent) on (?:its |their |the )?(?:military|"
        r"defen[cs]e|army|armed forces)\b",
        "military expenditure",
    ),
    (
        r"\b(?:spend(?:s|ing)?|spent) on (?:its |their |the )?(?:health ?care|health)\b|"
        r"\bhealth ?care (?:spending|expenditures?)\b|\bhealth (?:spending|spenders?)\b",
        "health expenditure",
    ),
    (
        r"\b(?:spend(?:s|ing)?|spent) on (?:its |their |the )?(?:education|schools|schooling)\b|"
        r"\beducation (?:spending|spenders?)\b",
        "education expenditure",
    ),
    (
        r"\b(?:spend(?:s|ing)?|spent) on (?:its |their |the )?(?:research and development|research|"
        r"r ?(?:&|and) ?d)\b|\b(?:research and development|research|r ?(?:&|and) ?d) (?:spending|"
        r"spenders?)\b",
        "research and development expenditure",
    ),
    (r"\b(?:spend(?:s|ing)?|spent) on\b", "expenditure on"),
    (r"\b(emit(?:s|ted)?|produce[sd]?) co2\b|\bco2 (?:emitters?|emitted|polluters?)\b", "co2 emissions"),
    (
        r"\bgreen ?house gas(?:s?es)?\b(?! emissions)(?: emitters?| emitted| polluters?)?",
        "greenhouse gas emissions",
    ),
    (r"\bgreen ?house gas(?:s?es)? emissions\b", "greenhouse gas emissions"),
    (
        r"\belectricity (?:use[sd]?|usage|consumed)\b|\b(?:use[sd]?|consumes?|consumed) electricity\b",
        "electric power consumption",
    ),
    (r"\benergy (?:use[sd]?|usage|consumed)\b|\b(?:use[sd]?|consumes?|consumed) energy\b", "energy use"),
    (r"\b(\w+) (producers?|produced|produces)\b", r"\1 production"),
    (r"\b(\w+) (exporters?|exported)\b", r"\1 exports"),
    (r"\b(\w+) (importers?|imported)\b", r"\1 imports"),
    (r"\b(\w+) (consumers?|consumed)\b", r"\1 consumption"),
    (r"\b(\w+) (emitters?|emitted|polluters?)\b", r"\1 emissions"),
    (r"^(?:produces?|produced|producing|grows|grow) (?:the )?(\w+)$", r"\1 production"),
    (r"^(?:exports?|exported|exporting) (?:the )?(\w+)$", r"\1 exports"),
    (r"^(?:imports?|imported|importing) (?:the )?(\w+)$", r"\1 imports"),
    (r"^(?:consumes?|consumed|consuming) (?:the )?(\w+)$", r"\1 consumption"),
    (r"^(?:emits?|emitted|emitting) (?:the )?(\w+)$", r"\1 emissions"),
)

# After "share of", "percentage of", "how much of": what the share is of and what it is.
SHARED: tuple[tuple[str, str], ...] = (
    (
        r"(?:women|females?) (?:in|within|among|of) (?:the )?(?:total )?(?:labou?r force|work ?force)",
        "labor force, female (% of total labor force)",
    ),
    (
        r"(?:the )?(?:population|people|households|citizens|inhabitants|it)?\s?(?:that |who )?(?:has|"
        r"have|had|with|get|gets)?\s?(?:access to )?(?:electricity|power|electric power)",
        "access to electricity",
    ),
    (
        r"(?:the )?(?:population|people|households|citizens|inhabitants|it)?\s?(?:that |who )?(?:has|"
        r"have|had|with|get|gets)?\s?(?:access to )?(?:the )?internet(?: access)?",
        "internet users",
    ),
    (
        r"(?:the )?(?:population|people|households|citizens|inhabitants|it)?\s?(?:that |who )?(?:has|"
        r"have|had|with|get|gets)?\s?(?:access to )?(?:clean |safe |basic )*(?:drinking )?water",
        "access to drinking water",
    ),
    (
        r"(?:the )?(?:total |whole |entire )?(?:land|land area|territory|country|area|surface|"
        r"it)? ?(?:is |are |was )?(?:covered (?:by|in|with) )?(?:forests?|woods|woodland|trees|"
        r"forested)(?: land)?|forest cover(?:age)?|forest area",
        "forest area (% of land area)",
    ),
    (
        r"(?:the )?(?:total |whole |entire )?(?:land|land area|territory|country|area|"
        r"surface)? ?(?:is |are |was )?(?:used for |devoted to |covered (?:by|in|"
        r"with) )?(?:agricultural(?: land)?|farmland|farming|agriculture)",
        "agricultural land (% of land area)",
    ),
    (
        r"(?:the )?(?:total |whole |entire )?(?:land|land area|territory|area)? ?(?:is |are |"
        r"was )?arable(?: land)?",
        "arable land (% of land area)",
    ),
)

ADJECTIVES: dict[str, tuple[str, bool]] = {
    # A comparative or superlative and the quantity it orders by; False turns the direction round.
    "rich": ("gdp per capita", True),
    "wealthy": ("gdp per capita", True),
    "prosperous": ("gdp per capita", True),
    "affluent": ("gdp per capita", True),
    "poor": ("gdp per capita", False),
    "impoverished": ("gdp per capita", False),
    "populous": ("population", True),
    "populated": ("population", True),
    "peopled": ("population", True),
    "crowded": ("population density", True),
    "dense": ("population density", True),
    "densely populated": ("population density", True),
    "densely-populated": ("population density", True),
    "sparsely populated": ("population density", False),
    "sparsely-populated": ("population density", False),
    "thinly populated": ("population density", False),
    "sparse": ("population density", False),
    "forested": ("forest area (% of land area)", True),
    "wooded": ("forest area (% of land area)", True),
    "urban": ("urban population (% of total population)", True),
    "urbanised": ("urban population (% of total population)", True),
    "urbanized": ("urban population (% of total population)", True),
    "rural": ("rural population (% of total population)", True),
    "unequal": ("gini index", True),
    "equal": ("gini index", False),
    "polluted": ("pm2.5 air pollution", True),
    "polluting": ("co2 emissions", True),
    "indebted": ("central government debt (% of gdp)", True),
    "literate": ("literacy rate", True),
    "illiterate": ("literacy rate", False),
    "educated": ("educational attainment", True),
    "fertile": ("fertility rate", True),
    "corrupt": ("control of corruption", False),
    "electrified": ("access to electricity", True),
    "connected": ("internet users", True),
    "obese": ("obesity prevalence", True),
    "fat": ("obesity prevalence", True),
    "long-lived": ("life expectancy", True),
    "visited": ("international tourist arrivals", True),
    "dangerous": ("intentional homicides", True),
    "violent": ("intentional homicides", True),
    "safe": ("intentional homicides", False),
    "militarized": ("military expenditure (% of gdp)", True),
}

# Words that say which end is bad: "worst" turns to the high end of these and to the low end of all others.
BURDENS = re.compile(
    r"pollution|pm2|mortality|death|unemploy|inflation|poverty|crime|homicide|murder|suicide|"
    r"emission|debt|hunger|undernourish"
    r"|malnutri|disease|incidence|prevalence|obesity|inequality|gini|corruption|smok|tobacco|hiv|"
    r"malaria|tuberculosis|diabetes"
    r"|deforestation|illitera|drop-?out|deficit|stunting|wasting|anemia|slum|jobless|famine|"
    r"burglar|theft|larceny|asthma|traffic|homeless"
)


@lru_cache(maxsize=1)
def known() -> frozenset[str]:
    """The quantities that the table names."""
    return frozenset(quantity for _, quantity in whole())


ASPECTS = re.compile(
    r"(?:the )?(?:overall |general |current |state of (?:the )?|situation of (?:the )?|"
    r"condition of (?:the )?)*(?P<aspect>econom(?:y|ic situation|ic conditions?|ics|ically)|life|"
    r"econom(?:y|ic) (?:and|&) \w+|health|public health|health ?care|health system|environment"
    r"|environmental (?:situation|conditions?)|climate|climate change|education|education system|"
    r"schooling|schools|agriculture|farming|energy|trade|foreign trade|demograph(?:y|ics?)|people|"
    r"population and society|society"
    r"|infrastructure|tourism|public finances?|finances?|development|human development|"
    r"gender(?: equality)?|women|technology|science|industry|labou?r market|job market|jobs|"
    r"employment situation"
    r"|living conditions|quality of life|well-?being|health and well-?being|sustainability|"
    r"social conditions|financial sector|nature|biodiversity|sanitation|transport(?:ation)?|"
    r"business|government|governance|security|culture|geography|statistics|"
    r"basic facts|key facts|facts|key figures|figures|indicators|key indicators|profile|"
    r"country profile|overview|situation|progress|wealth and poverty|maternal health|child health|"
    r"mental health|agricultural output|impacts? of climate change|economic development|"
    r"economic power|womens economic power)"
    r"(?: sector| situation| conditions?| system| in general| overall| these days| like| look(?:s|"
    r"ing)? like| doing| faring| going| profile| overview| performing| performance| health|"
    r" statistics| data| indicators| figures| stats)*"
)
