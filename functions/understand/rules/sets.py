"""Forms over a set of members: breakdown, aggregate, filtered list, ranking, a value for each."""

from __future__ import annotations

import re
from decimal import Decimal

from functions.understand.measures import is_known, measure, trimmed
from functions.understand.populations import Population
from functions.understand.rules import signals
from functions.understand.rules.pairs import COUNTRIES, bounded_share, members_of
from functions.understand.rules.residue import quantity, without_marks
from functions.understand.scan import Scan, is_group, is_world
from shared.query.quantity import PlaceKind
from shared.query.readings import (
    AggregateOperation,
    AggregateReading,
    BreakdownReading,
    Comparator,
    Condition,
    Direction,
    EntityMention,
    FilteredListReading,
    MeasureMention,
    PopulationMention,
    PopulationValueReading,
    RankingReading,
    Reading,
    Threshold,
)
from shared.runtime.errors import CannotRead

# Breakdown ------------------------------------------------------------------------------------------

_DIMENSIONS: dict[str, str] = {
    r"age(?:[- ]groups?|s|[- ]bands?|[- ]brackets?|[- ]structure)?(?: and (?:sex|gender))?": "age",
    r"sex|gender": "sex",
    r"rac(?:e|ial)(?: (?:and|or) ethnic(?:ity)?)?|racial groups?": "race",
    r"ethnic(?:ity| groups?)?|ethnicities": "ethnicity",
    r"religio(?:n|us)(?: groups?)?|religions|faith": "religion",
    r"language": "language",
    r"sectors?|economic (?:sectors?|activity|activities)|sectoral": "sector",
    r"industr(?:y|ies)": "industry",
    r"(?:fuel|energy|power)[ -](?:types?|sources?|mix)|fuels?|sources?": "source",
    r"(?:income )?quintiles?|(?:income )?deciles?|fifths|tenths|income (?:groups?|brackets?|shares?)": "income quintile",
    r"education(?:al)?(?: levels?| attainment)?|levels? of education": "education level",
    r"occupations?|jobs?|professions?": "occupation",
    r"categor(?:y|ies)|types?|kinds?|components?|parts|item": "category",
    r"urban (?:and|vs|or|/|versus) rural(?: areas?)?|rural (?:and|vs|or|/|versus) urban(?: areas?)?|urban[- ]rural|rural[- ]urban|(?:place of )?residence|urban and in rural areas|cities and (?:in )?(?:rural areas|the countryside|villages)": "urban and rural",
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
    rf"\b(?:by|per|according to|across|among|between|into|for each|in each|for every|over)\s(?:the\s)?(?:different\s|various\s|its\s|each\s|main\s)?(?P<dim>{_ANY_DIMENSION})(?:\sand\s(?:by\s)?(?:{_ANY_DIMENSION}))?(?=$|[\s,.?:;])(?!\s(?:of|in) (?!(?:the )?E|Y))"
)
_SPLIT_NOUN = re.compile(
    r"\b(?:breakdown|break down|broken down|distributions?|distributed|compositions?|composed|make-?up|made up|mix|structure|split(?:s|ted)?|divided|decomposition|disaggregat(?:ed|ion)|pyramid|profile|divide)\b"
)
_LEAD_DIMENSION = re.compile(
    rf"\b(?P<dim>{_ANY_DIMENSION})[ -](?:breakdown|distribution|composition|make-?up|mix|structure|split|pyramid|profile|divide|shares?)\b"
)
_OF_DIMENSION = re.compile(
    rf"\b(?:breakdown|distribution|composition|make-?up|mix|split)\sof\s(?:the\s)?(?P<dim>{_ANY_DIMENSION})s?\b"
)
_TOP_PARTS = re.compile(
    r"\b(?:top|main|major|largest|biggest|leading|most common|most popular|chief|primary|key|greatest|common)?\s?(?:\d+\s)?(?P<what>exports?|imports?|industries|industry|sectors?|jobs|occupations|causes of death|causes|sources of (?P<of>[a-z0-9 ]+)|sources|energy sources|crimes|crops|trading partners|export partners|religions?|ethnic groups|languages|export products|export goods|diseases|fuels|products|types of \w+|kinds of \w+)\b"
)
_TOP_LEAD = re.compile(
    r"\b(?:top|main|major|largest|biggest|leading|most common|most popular|chief|primary|key|greatest|different (?:kinds|types)|what (?:are|were|is|was) the (?:energy )?sources)\b"
)
_BOTH_HALVES = re.compile(
    r"\b(?:share|percentage|proportion|fraction|percent|number|many|much)\b.*\b(?P<a>urban|rural|male|female|men|women)\b(?:\s(?:areas?|population|people))?\s(?:and|vs|or|versus)\s(?:in\s)?(?P<b>rural|urban|female|male|women|men)\b"
)


def breakdown(scan: Scan) -> Reading | None:
    """A quantity split into parts."""
    text = scan.masked
    marks = scan.marks("E")
    if scan.bounds or len(marks) > 1 or (scan.marks("G") and not re.search(r"\bby G\d|income G\d", text)):
        return None
    found = _dimension(text)
    if found is None:
        return _top_parts(scan, text, marks)
    dimension, rest = found
    if not marks:
        raise CannotRead("it names no place whose figure is to be split", ["population of Japan by age group"])
    order = signals.order_of(rest)
    rest = order.rest if order else rest
    wanted = quantity(
        rest,
        _SPLIT_NOUN,
        r"\b(?:how|is|are|the|look like|by|levels?|shares?|percentages?|percent|proportions?|rates?|group(?:s|ed)?|different|various|into|among|across)\b",
    ) or MeasureMention(text=_default_measure(dimension))
    return BreakdownReading(
        entity=scan.name(marks[0]), measure=wanted, dimension=dimension, period=scan.period,
        direction=order.direction if order else None, count=order.count if order else None,
    )  # fmt: skip


_OF_PEOPLE = frozenset(
    {"urban and rural", "age", "sex", "race", "ethnicity", "religion", "language", "marital status"}
)


def _default_measure(dimension: str) -> str:
    return {
        "sector": "gdp", "industry": "employment", "source": "energy", "income quintile": "income share", "occupation": "employment",
        "cause": "deaths", "partner": "exports of goods and services", "product": "exports of goods and services", "land use": "land area",
    }.get(dimension, "population")  # fmt: skip


def _dimension(text: str) -> tuple[str, str] | None:
    """The dimension and the text without the words that name it."""
    halves = _BOTH_HALVES.search(text)
    if halves and halves["a"] != halves["b"]:
        dimension = "urban and rural" if halves["a"] in {"urban", "rural"} else "sex"
        return dimension, text[: halves.start("a")] + " " + text[halves.end("b") :]
    by = _BY_DIMENSION.search(text)
    if by and (not re.search(r"^(?:across|among|between|over)", by.group()) or _SPLIT_NOUN.search(text)):
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


def _top_parts(scan: Scan, text: str, marks: list[str]) -> Reading | None:
    parts = _TOP_PARTS.search(text)
    if (
        not parts
        or len(marks) != 1
        or scan.marks("G")
        or not _TOP_LEAD.search(text)
        or re.match(r"^how (?:much|many)\b", text)
    ):
        return None
    if trimmed(
        re.sub(
            r"\b(?:top|main|major|largest|biggest|leading|most|common|popular|chief|primary|key|greatest|different)\b|\d+",
            " ",
            without_marks(text.replace(parts["what"], " ")),
        )
    ):
        return None
    what = parts["what"]
    order = signals.order_of(text)
    count = order.count if order else None
    if parts["of"] or what.endswith("sources") or what == "sources":
        named = quantity(parts["of"] or ("energy" if "energy" in what else "")) or MeasureMention(text="energy")
        dimension = "source"
    else:
        dimension, text_measure = {
            "export": ("product", "exports of goods and services"), "import": ("product", "imports of goods and services"), "industr": ("industry", "gdp"),
            "sector": ("sector", "gdp"), "job": ("occupation", "employment"), "occupation": ("occupation", "employment"), "cause": ("cause", "deaths"),
            "crime": ("type of crime", "crimes"), "crop": ("crop", "crop production"), "trading": ("partner", "trade"), "religion": ("religion", "population"),
            "ethnic": ("ethnicity", "population"), "language": ("language", "population"), "disease": ("disease", "disease prevalence"), "fuel": ("source", "energy"),
            "product": ("product", "exports of goods and services"),
        }.get(next((key for key in ("export", "import", "industr", "sector", "job", "occupation", "cause", "crime", "crop", "trading", "religion", "ethnic", "language", "disease", "fuel", "product") if what.startswith(key)), ""), ("category", ""))  # fmt: skip
        if not text_measure:
            kinds = re.match(r"(?:types|kinds) of (\w+)", what)
            if not kinds:
                return None
            text_measure = kinds[1]
        if what.startswith("export partner"):
            dimension = "partner"
        named = measure(text_measure) or MeasureMention(text=text_measure)
    return BreakdownReading(
        entity=scan.name(marks[0]), measure=named, dimension=dimension, period=scan.period,
        direction=order.direction if order else Direction.HIGHEST, count=count,
    )  # fmt: skip


# Aggregate ------------------------------------------------------------------------------------------

_OPERATIONS: tuple[tuple[str, AggregateOperation], ...] = (
    (
        r"\b(?:total|combined|aggregate|sum(?:med)?(?: total)?|together|altogether|collective|cumulative|add(?:ed)? up|joint)\b",
        AggregateOperation.SUM,
    ),
    (r"\b(?:averages?|mean|avg|arithmetic mean|averaged)\b", AggregateOperation.MEAN),
    (r"\bmedian\b", AggregateOperation.MEDIAN),
)
_COUNTED = re.compile(
    r"^(?:(?:so|and|in|of)\s)?(?:(?:tell|give|show)(?: me)?\s)?(?:(?:how many|number of|the number of|total number of|the total number of|count(?: of| the| how many)?(?: number of)?|what (?:is|was) the (?:total )?number of|how much)\s)(?:of\s)?(?:the\s|all\s|different\s|these\s)*(?P<set>G\d+)\b"
)
_OPERATION_NOUN = r"\b(?:of|for|what|is|was|the|sum|total|combined|aggregate|collective|cumulative|together|altogether|average|mean|median|avg|averaged|simple|unweighted|arithmetic|typical|overall|add up|added up|summed|joint)\b"


def aggregate(scan: Scan) -> Reading | None:
    """One figure over a population: how many members, their total, their mean or median."""
    text = scan.masked
    groups, marks = scan.marks("G"), scan.marks("E")
    counted = _COUNTED.match(text)
    if counted:
        return _count(scan, text, counted["set"])
    if (
        scan.bounds
        or signals.order_of(text)
        and not re.search(r"^(?:what|the|average|mean|median|total|combined)", text)
    ):
        return None
    operation = next((operation for pattern, operation in _OPERATIONS if re.search(pattern, text)), None)
    if operation is None:
        return None
    listed = tuple(scan.name(mark) for mark in marks)
    if groups and len(groups) == 1:
        population = scan.population(groups[0])
        if (
            population.each
            and operation is not AggregateOperation.MEDIAN
            and not re.search(r"\b(?:across|of|over|among|for|in) (?:all |the )*G\d", text)
        ):
            return None
        if re.search(r"\bby G\d|\beach\b", text) or population.each and "every" in scan.text.lower().split():
            return None
        of = population.mention
    elif not groups and len(marks) == 1 and is_group(listed[0]) and not is_world(listed[0]):
        of = members_of(listed[0])
        if operation is AggregateOperation.MEDIAN and re.search(
            r"\bmedian (?:age|income|household|wage|salary|wealth)\b", text
        ):
            return None
        if operation is AggregateOperation.MEAN and re.search(
            r"\baverage (?:age|income|household|wage|salary|temperature|person|woman|number of|years|annual|price|hours|iq|size|height|family)\b",
            text,
        ):
            return None
    elif (
        not groups
        and len(marks) >= 2
        and operation is AggregateOperation.SUM
        and re.search(r"\b(?:total|combined|sum|together|altogether|joint|add)", text)
        or (
            not groups
            and len(marks) >= 2
            and operation is not AggregateOperation.SUM
            and re.search(rf"\b(?:average|mean|median)\b.*\b(?:of|across|for|in|over)\b", text)
            and not re.search(r"\bvs\b|\bcompar", text)
        )
    ):
        if any(is_group(name) for name in listed) and len(marks) == 1:
            return None
        of = PopulationMention(
            member=_kind_of(listed), text=" and ".join(name.label for name in listed), listed=listed
        )
    else:
        return None
    wanted = quantity(text, _OPERATION_NOUN)
    if wanted is None:
        return None
    return AggregateReading(operation=operation, population=of, measure=wanted, period=scan.period)


def _kind_of(listed: tuple[EntityMention, ...]) -> PlaceKind:
    first = listed[0].entity
    return first.kind if first else PlaceKind.COUNTRY


def _count(scan: Scan, text: str, mark: str) -> Reading | None:
    population = scan.population(mark)
    of = population.mention
    others = scan.marks("E")
    if scan.bounds:
        return AggregateReading(
            operation=AggregateOperation.COUNT,
            population=_within(scan, of),
            conditions=conditions(scan, _COUNTED.sub(" ", text)),
            period=scan.period,
        )
    rest = trimmed(
        re.sub(
            r"\b(?:are|is|there|exist|total|altogether|have|has|does|belong|part|members?|located|there are|do|make up|states|countries|counties|cities|currently|in|on|world|recogni[sz]ed|independent|officially)\b",
            " ",
            without_marks(_COUNTED.sub(" ", text)),
        )
    )
    border = re.search(r"\bborder\w*|\bneighbou?r\w*|\bnext to|\badjacent|\bsurround\w*|\badjoin\w*", text)
    if border and len(others) == 1:
        return AggregateReading(
            operation=AggregateOperation.COUNT,
            population=PopulationMention(member=of.member, text=f"{of.text} that border {scan.name(others[0]).label}", container=scan.name(others[0]), fact_filter="borders"),
        )  # fmt: skip
    if rest:
        return None
    if len(others) == 1 and of.container is None:
        of = (
            of.model_copy(
                update={"container": scan.name(others[0]), "text": f"{of.text} in {scan.name(others[0]).label}"}
            )
            if not is_world(scan.name(others[0]))
            else of
        )
    return AggregateReading(operation=AggregateOperation.COUNT, population=of, period=scan.period)


def _within(scan: Scan, of: PopulationMention) -> PopulationMention:
    others = [scan.name(mark) for mark in scan.marks("E")]
    if len(others) == 1 and of.container is None and is_group(others[0]) and not is_world(others[0]):
        return of.model_copy(update={"container": others[0], "text": f"{of.text} in {others[0].label}"})
    return of


# Filtered list --------------------------------------------------------------------------------------

_SETLESS = re.compile(r"^(?:in which|which|who|where|what|whose|list|those|places|anywhere|name)\b")
_FILTER_FORM = r"\b(?:with|that|which|whose|where|who|had|have|has|having|were|was|are|is|a|an|the|in|there|list|of|all|name|give|show|find|spent|spends|spend|their|its|get|got|see|saw|experienced|reached|rose|exceeded|lives?|lived|people in it|places|less|more|also|but|both|and|at the same time|not)\b"


def filtered_list(scan: Scan) -> Reading | None:
    """The members of a population that meet conditions."""
    text = scan.masked
    groups, marks = scan.marks("G"), scan.marks("E")
    if not scan.bounds or re.match(r"^(?:is|are|does|do|did|was|were|has|have|had)\s(?!there)", text):
        return None
    if groups:
        of = _within(scan, scan.population(groups[0]).mention)
    elif _SETLESS.match(text) and (not marks or is_group(scan.name(marks[0]))):
        of = members_of(scan.name(marks[0])) if marks else COUNTRIES
    elif (
        len(marks) == 1
        and is_group(scan.name(marks[0]))
        and re.match(r"^(?:the\s)?E\d+ (?:with|where|that|whose)\b", text)
    ):
        of = members_of(scan.name(marks[0]))
    else:
        return None
    exhaustive = not re.match(r"^(?:some|an example|examples? of|any|a few|one)\b", text)
    return FilteredListReading(
        population=of, conditions=conditions(scan, text), period=scan.period, exhaustive=exhaustive
    )


_UNIT_MEASURES = {"people": "population", "sq. km": "surface area", "hectares": "surface area"}


def conditions(scan: Scan, text: str) -> tuple[Condition, ...]:
    """The conditions of a filter; one measure for each bound, the last measure serving bounds without one.

    Raises ``CannotRead`` when a bound has no measure or two bounds of one measure exclude each other.
    """
    body = re.sub(r"\b(?:which|what|list|all|name|in|of)?\s?(?:the\s)?G\d+\b", " ", text, count=1)
    pieces = re.split(r"(?<=T\d)\s?(?:,\s?(?:and\s|but\s)?|\sand\s|\sbut\s)|\s(?:and|but)\s(?=.*\bT\d)", body)
    pieces = _rejoined(pieces)
    found: list[Condition] = []
    pending: list[Threshold] = []
    last: MeasureMention | None = None
    for piece in pieces:
        bounds = [scan.bounds[int(number)] for number in re.findall(r"\bT(\d+)\b", piece)]
        wanted = condition_measure(piece, bounds)
        if wanted is None and last is not None and bounds:
            wanted = last
        if wanted is None:
            pending += bounds
            continue
        last = wanted
        found += [Condition(measure=wanted, threshold=bound) for bound in (*pending, *bounds)]
        pending = []
    if pending and not found:
        raise CannotRead(
            f"it holds “{pending[0].text}” against no quantity that I can tell",
            ["countries with a population over 100 million", "Which countries have inflation above 10%?"],
        )
    if not found:
        raise CannotRead("it states no condition that I can tell", ["countries with a population over 100 million"])
    found += [Condition(measure=found[-1].measure, threshold=bound) for bound in pending]
    _require_possible(found)
    return tuple(found)


def _rejoined(pieces: list[str]) -> list[str]:
    """Pieces without a bound belong to their neighbour ("trade and growth over T0")."""
    joined: list[str] = []
    carry = ""
    for piece in pieces:
        whole = f"{carry} and {piece}" if carry else piece
        if re.search(r"\bT\d", whole):
            joined.append(whole)
            carry = ""
        else:
            carry = whole
    if carry and joined:
        joined[-1] = f"{joined[-1]} and {carry}"
    return joined


def condition_measure(piece: str, bounds: list[Threshold]) -> MeasureMention | None:
    """The measure that one condition is about."""
    if bounds:
        shared = bounded_share(piece, bounds[0])
        if shared is not None:
            return shared
    wanted = quantity(piece, _FILTER_FORM, r"\b(?:T\d+ (?:of|in|people|for)\b)")
    if wanted is None:
        wanted = quantity(re.sub(r"\bT\d+\b", " ", piece), _FILTER_FORM)
    if wanted is None and bounds and bounds[0].unit in _UNIT_MEASURES:
        wanted = MeasureMention(text=_UNIT_MEASURES[bounds[0].unit])
    adjective = re.search(r"\b(?:richer|poorer|larger|bigger|smaller)\b", piece)
    if wanted is None and adjective and bounds:
        wanted = measure("gdp per capita" if adjective.group() in {"richer", "poorer"} else "area")
    return wanted


def _require_possible(found: list[Condition]) -> None:
    """Refuse bounds on one measure that no figure can meet."""
    lows: dict[str, tuple[Decimal, bool]] = {}
    highs: dict[str, tuple[Decimal, bool]] = {}
    for condition in found:
        name, bound = condition.measure.text, condition.threshold
        low, high = _interval(bound)
        if low is not None:
            lows[name] = max(lows.get(name, low), low)
        if high is not None:
            highs[name] = min(highs.get(name, high), high)
    for name, low in lows.items():
        high = highs.get(name)
        if high is not None and (low[0] > high[0] or (low[0] == high[0] and (low[1] or high[1]))):
            raise CannotRead(
                f"its conditions on {name} contradict each other: no figure can be {_said(found, name)} at once",
                ["countries with unemployment between 2% and 5%"],
            )


def _said(found: list[Condition], name: str) -> str:
    return " and ".join(condition.threshold.text for condition in found if condition.measure.text == name)


def _interval(bound: Threshold) -> tuple[tuple[Decimal, bool] | None, tuple[Decimal, bool] | None]:
    value = bound.value
    match bound.comparator:
        case Comparator.GREATER:
            return (value, True), None
        case Comparator.AT_LEAST:
            return (value, False), None
        case Comparator.LESS:
            return None, (value, True)
        case Comparator.AT_MOST:
            return None, (value, False)
        case Comparator.EQUAL:
            return (value, False), (value, False)
        case Comparator.BETWEEN:
            return (value, False), (bound.upper if bound.upper is not None else value, False)


# Ranking --------------------------------------------------------------------------------------------

_AGENT = re.compile(
    r"\b(?P<what>(?:[a-z0-9-]+\s){0,3}?[a-z0-9-]+)?\s?\b(?P<agent>emitters?|spenders?|producers?|exporters?|importers?|consumers?|polluters?|growers?|recipients?|users|borrowers?|debtors?|donors?|investors?|performers?)\b"
)
_AGENT_NOUNS = {
    "emitter": "emissions", "spender": "expenditure", "producer": "production", "exporter": "exports", "importer": "imports", "consumer": "consumption",
    "polluter": "emissions", "grower": "production", "recipient": "received", "user": "use", "borrower": "debt", "debtor": "debt",
}  # fmt: skip
_RANK_FORM = r"\b(?:which|what|who|where|has|have|had|is|are|was|were|the|with|list|show|of|name|that|whose|by|in terms of|based on|according to|measured by|countries|number of|level of|levels of|amount of|rank(?:ed|ing)?|places?|table|find|their|people's|does|do|did|there|overall|some|experienced?|seen?|ones?|rates? of)\b"
_COUNT_BEFORE = re.compile(
    r"\b(?P<n>\d{1,3}|" + "|".join(sorted(signals.NUMBERS, key=len, reverse=True)) + r")\s(?=G\d)"
)
_CHANGE_NOUN = re.compile(
    r"^(?:reduction|increase|decrease|growth|decline|drop|rise|fall|improvement|change|gain|loss|progress)s?$"
)
_BY_SHARE = re.compile(
    r"\b(?:by|as|in) (?:a |the )?(?:share|percentage|percent|proportion|%) of (?:the |their |its |total )?(?P<base>land|population|gdp|territory|area)(?: area)?\b"
)
_BARE_SIZE = re.compile(r"\b(?:largest|biggest|smallest|tiniest|greatest|big|small|large)\b")


def ranking(scan: Scan) -> Reading | None:
    """The first or last members of a population by a measure."""
    found = rankings(scan)
    return found[0] if found else None


def rankings(scan: Scan) -> list[Reading]:
    """The ranking and, where its word may order by two quantities, the other one."""
    text = scan.masked
    groups, marks = scan.marks("G"), scan.marks("E")
    if scan.bounds or len(marks) > 1 and not groups:
        return []
    if re.match(r"^where (?:do|does|did) (?:the )?(?:most|majority of)(?: of the)? people live", text) and (
        not marks or is_group(scan.name(marks[0])) or scan.name(marks[0]).entity
    ):
        of = members_of(scan.name(marks[0])) if marks else COUNTRIES
        return [RankingReading(population=of, measure=MeasureMention(text="population"), period=scan.period)]
    counted = _COUNT_BEFORE.search(text)
    if counted:
        text = text[: counted.start()] + text[counted.end() :]
    order = signals.order_of(text)
    plain_by = re.match(r"^(?:list of |list )?(?:all |the )?G\d+ (?:by|in order of) (?P<by>.+)$", text)
    high_low = re.match(
        r"^(?:which |what |list )?G\d+ (?:with|having|that have|have) (?P<end>high|low|large|small|big)\s(?P<by>.+)$",
        text,
    )
    if order is None and high_low:
        order = signals.Order(
            Direction.HIGHEST if high_low["end"] in {"high", "large", "big"} else Direction.LOWEST,
            None,
            None,
            f"{high_low['by']}",
        )
    if (
        order is None
        and plain_by
        and not re.search(r"\bby (?:age|sex|gender|region|continent|sector|year)\b", text)
    ):
        order = signals.Order(Direction.HIGHEST, None, None, plain_by["by"])
    if order is None:
        return []
    population = _ranked_population(scan, text, order, groups, marks)
    if population is None:
        return []
    measures = _ranked_measures(scan, order, population)
    if not measures:
        return []
    singular = population.one or bool(
        re.match(r"^(?:who|where|in which G\d+|what is the (?:richest|poorest|largest|biggest))\b", text)
        and not groups
    )
    count = order.count or (signals.count_of(counted["n"]) if counted else None) or (1 if singular else None)
    readings: list[Reading] = []
    for wanted in measures:
        direction = order.direction
        if order.judged:
            best = not re.search(r"\bworst\b", text)
            direction = signals.judged_direction(direction, wanted.text, best=best)
        if re.search(r"\bair quality\b", text) and not order.judged:
            direction = Direction.LOWEST if direction is Direction.HIGHEST else Direction.HIGHEST
        readings.append(
            RankingReading(
                population=population.mention, measure=wanted, period=scan.period, direction=direction, count=count
            )
        )
    return readings


def _ranked_population(
    scan: Scan, text: str, order: signals.Order, groups: list[str], marks: list[str]
) -> Population | None:
    container = scan.name(marks[0]) if marks else None
    if groups:
        population = scan.population(groups[0])
        if (
            container is not None
            and not is_world(container)
            and population.mention.container is None
            and is_group(container)
        ):
            return Population(mention=_within(scan, population.mention), one=population.one, noun=population.noun)
        return population
    if container is not None:
        if not (
            is_group(container)
            or re.search(r"\bwhere\b|\bE\d+$|\bin (?:the )?E\d|\bof (?:the )?E\d|\bacross (?:the )?E\d", text)
        ):
            return None
        return Population(mention=members_of(container), noun="members")
    named = quantity(order.rest, _RANK_FORM, r"\b(?:on|in the) (?:earth|world|globe|planet)\b")
    if (
        re.match(r"^(?:who|where|in which|which|what nation)\b", text)
        or _AGENT.search(order.rest)
        or (named and is_known(named.text))
        or order.lexeme
    ):
        return Population(mention=COUNTRIES, one=bool(re.match(r"^(?:who|where|which)\b", text)))
    return None


def _refuse_partner(scan: Scan, population: Population, other: EntityMention) -> None:
    raise CannotRead(
        f"it speaks of {population.mention.text} and of {other.label}, and I cannot tell what the second has to do with the first",
        [f"Which {population.mention.text} have the highest population?", f"population of {other.label}"],
    )


def _ranked_measures(scan: Scan, order: signals.Order, population: Population) -> list[MeasureMention]:
    rest = order.rest
    grown = signals.grows(rest) or (
        (
            "population growth"
            if re.search(r"\bpopulations?\b", rest) or population.noun not in {"countries", "economies", "members"}
            else "gdp growth"
        )
        if order.growing
        else None
    )
    if grown and (order.growing or re.search(r"\bgrow|\bexpand", rest)):
        return [MeasureMention(text=grown)]
    agent = _AGENT.search(rest)
    if agent:
        rest = (
            rest[: agent.start("agent")]
            + _AGENT_NOUNS.get(agent["agent"].removesuffix("s"), agent["agent"])
            + rest[agent.end("agent") :]
        )
    share = _BY_SHARE.search(rest)
    base = rest[: share.start()] + " " + rest[share.end() :] if share else rest
    wanted = quantity(base, _RANK_FORM, r"\bgrow(?:n|s|th)? the\b")
    if (
        order.lexeme
        and wanted is not None
        and not is_known(wanted.text)
        and trimmed(without_marks(re.sub(_RANK_FORM, " ", base))) in {"place", "places", "people", "world"}
    ):
        wanted = None
    changed = signals.changed_quantity(wanted.text) if wanted else None
    if wanted is not None and _CHANGE_NOUN.match(wanted.text):
        raise CannotRead(
            "it orders by a change and does not say of what",
            ["Which countries have the highest population growth?"],
        )
    if changed:
        growth = signals.growth_of(changed)
        if growth:
            return [MeasureMention(text=growth)]
        raise CannotRead(
            f"it orders by the change of {changed}, and I can order by published figures only",
            [f"Which countries have the highest {changed}?", f"How has {changed} changed in Kenya since 2000?"],
        )
    if wanted is None and order.lexeme:
        wanted = signals.lexeme_measure(order.lexeme)
    elif wanted is not None and signals.is_adjective(wanted.text):
        wanted = signals.lexeme_measure(wanted.text)
    if wanted is not None:
        if share and "(%" not in wanted.text and not wanted.share:
            wanted = MeasureMention(text=f"{wanted.text} (% of {share['base']})", share=True)
        if (
            wanted.text.startswith("forest area")
            and "(%" not in wanted.text
            and not re.search(r"\barea|\bmost forests?\b", scan.masked)
        ):
            wanted = MeasureMention(text="forest area (% of land area)", share=True)
        return [wanted]
    return _sized(scan, population)


def _sized(scan: Scan, population: Population) -> list[MeasureMention]:
    """What "largest" orders by when no quantity is named: the usual sense first."""
    if not _BARE_SIZE.search(scan.masked) and not re.search(r"\btop\b|\brank", scan.masked):
        return []
    area, people = MeasureMention(text="surface area"), MeasureMention(text="population")
    if population.noun == "economies":
        return [MeasureMention(text="gdp")]
    if not _BARE_SIZE.search(scan.masked):
        return []
    if population.mention.member in {PlaceKind.CITY, PlaceKind.US_COUNTY, PlaceKind.PLACE}:
        return [people]
    if population.mention.member in {PlaceKind.COMPANY}:
        return [MeasureMention(text="revenue"), MeasureMention(text="market capitalization")]
    if population.mention.member is PlaceKind.ORGANIZATION:
        return [MeasureMention(text="revenue"), MeasureMention(text="total assets")]
    return [area, people]


# A value for each -----------------------------------------------------------------------------------


def population_value(scan: Scan) -> Reading | None:
    """A measure for every member of a population."""
    text = scan.masked
    groups, marks = scan.marks("G"), scan.marks("E")
    if scan.bounds or len(marks) > 1:
        return None
    if groups:
        population = scan.population(groups[0]).mention
        if marks and population.container is None and not is_world(scan.name(marks[0])):
            population = _within(scan, population)
    elif (
        marks
        and is_group(scan.name(marks[0]))
        and re.search(
            r"\b(?:across|throughout|within|among|around|each|every|for all|country by country|by country|per country|broken down|by member)\b(?! the world)",
            text,
        )
        and (not is_world(scan.name(marks[0])) or re.search(r"by country|per country|country by country", text))
    ):
        population = members_of(scan.name(marks[0]))
    else:
        return None
    wanted = quantity(
        text,
        r"\b(?:across|throughout|within|among|around|each|every|by|per|list|table of|map of|for all|country|compare|comparison|how|what|is|are|do|does|tell me about|about|vary|varies|differ|differs|for|the)\b",
    )
    if wanted is None:
        return None
    adjective = signals.lexeme_measure(wanted.text) if signals.is_adjective(wanted.text) else wanted
    return PopulationValueReading(population=population, measure=adjective, period=scan.period)
