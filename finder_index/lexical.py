"""Words of a phrasing and of a table: tokens, phrase keys, and the qualifiers that tell tables apart."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache

_WORD = re.compile(r"[a-z0-9]+(?:[.'][a-z0-9]+)*|[%$]")
_YEAR = re.compile(r"(?:1[5-9]|20|21)\d\d")
_SPAN = re.compile(
    r"\b(?:(?:in|since|from|to|until|during|between|by|and|for|of)\s+|-\s*)?(?:1[5-9]|20|21)\d\d\b", re.IGNORECASE
)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_DENOMINATOR = re.compile(r"\bper (?:\d[\d,.]*|hundred|thousand|million)\b(?: (?:thousand|million))?(?: [a-z]+)?")
_DANGLING = re.compile(r"(?:[\s,]+(?:in|of|for|at|by|from|since|the|and|during|between))+$", re.IGNORECASE)

STOPWORDS = frozenset(
    (  # noqa: SIM905 - a list of a hundred quoted words cannot be read
        "a about all also an and any are as at be been by can could did do does each find for from get give "
        "had has have how i in into is it its just latest let list long many me more most much my now of on "
        "or our over per please recent recently show since so some than that the their them there these they "
        "this to today up us use was we were what what's when where which who whose why will with would year "
        "years current currently figure figures value values data statistic statistics level levels number "
        "total amount country countries nation nations state's country's world's people's tell know compare "
        "compared between versus vs highest lowest top least largest smallest"
    ).split()
)
"""Words that name no quantity. ``largest`` and its kin order places; they carry weight only in a whole phrase."""

_SPELLINGS = {
    "labour": "labor", "defence": "defense", "enrolment": "enrollment", "programme": "program", "fibre": "fiber",
    "percentage": "share", "%": "share", "proportion": "share", "pct": "share", "percent": "share", "kms": "km",
    "urbanisation": "urbanization", "immunisation": "immunization", "organisation": "organization",
    "fertiliser": "fertilizer", "anaemia": "anemia", "neighbour": "neighbor", "neighbouring": "neighboring",
    "women": "woman", "men": "man",
    "females": "female", "males": "male", "girls": "girl", "boys": "boy", "children": "child", "kids": "child",
    "babies": "baby", "gdp's": "gdp", "carbon-dioxide": "co2", "dollars": "dollar", "gases": "gas",
    "lives": "live", "living": "live", "lived": "live", "died": "die", "dies": "die", "dying": "die",
    "taxes": "tax", "emitted": "emission", "emit": "emission", "exported": "export", "imported": "import",
    "exporting": "export", "importing": "import", "grown": "grow", "growing": "grow", "grew": "grow",
    "murdered": "murder", "killed": "kill", "unemployed": "unemployment",
    "spend": "spending", "spends": "spending", "spent": "spending", "literate": "literacy",
    "petrol": "gasoline", "metre": "meter", "litre": "liter", "kilometre": "kilometer", "centre": "center",
}  # fmt: skip
_COMPOUNDS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), short)
    for pattern, short in (
        (r"\bgross domestic products?\b", "gdp"),
        (r"\bgross national (?:income|product)\b|\bgnp\b", "gni"),
        (r"\bpurchasing[ -]power[ -]parity\b", "ppp"),
        (r"\bcarbon dioxide\b|\bco₂", "co2"),
        (r"\bforeign direct investments?\b", "fdi"),
        (r"\bofficial development assistance\b", "oda"),
        (r"\bresearch (?:and|&) development\b|\br ?& ?d\b", "rd"),
        (r"\bper (?:head|person|inhabitant)\b", "per capita"),
        (r"\bper cent\b", "percent"),
    )
)
"""Long forms and the abbreviation that stands for them."""
_KEEP_S = frozenset({"gas", "gross", "business", "access", "aids", "atlas", "less", "process", "us", "its", "loss"})


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """One form for the spellings and the plural of a word; nothing cleverer, so that no two words collide."""
    if word in _SPELLINGS:
        return _SPELLINGS[word]
    base = word.removesuffix("'s")
    if base not in _KEEP_S and len(base) > 3 and base.endswith("s") and not base.endswith(("ss", "us", "is")):
        base = base[:-3] + "y" if base.endswith("ies") and len(base) > 4 else base[:-1]
    return _SPELLINGS.get(base, base)


def words(text: str) -> list[str]:
    """The stemmed words of a text, in order."""
    return [stem(word) for word in _split(text)]


def content(text: str) -> list[str]:
    """The words that name a quantity, in order; a denominator ("per 1,000 people") names none."""
    return [stem(word) for word in _split(_DENOMINATOR.sub(" ", text.lower())) if _names(word)]


def without_years(text: str) -> str:
    """A phrasing without its years and the prepositions that a removed place or year leaves behind."""
    return _DANGLING.sub("", " ".join(_SPAN.sub(" ", text).split())) or text


def _split(text: str) -> list[str]:
    joined = _THOUSANDS.sub("", text.lower())
    for pattern, short in _COMPOUNDS:
        joined = pattern.sub(short, joined)
    return _WORD.findall(joined.replace("-", " ").replace("/", " "))


def _names(word: str) -> bool:
    return word not in STOPWORDS and not _YEAR.fullmatch(word)


_LEADING = re.compile(
    r"^(?:(?:please|can|could|you|tell|me|show|give|find|list|get|compare|what's|what|which|how|is|are|was|were|do|does"
    r"|did|has|have|the|a|an|much|many|of|current|latest|annual|yearly|total)\s+)+"
)
_TRAILING = re.compile(r"(?:\s+(?:in|of|for|at|by|the|a|an|is|are|was|were|do|does|have|has|there|on|and|to|'s))+$")
_PUNCTUATION = re.compile(r"[?!.,;:\"“”]+(?=\s|$)|[()]")


def phrase_key(text: str) -> str:
    """What two wordings of one phrase share: question words, articles and word endings aside.

    ``"What is the population of"``, ``"total population"`` and ``"population"`` give the same key; a phrase
    made only of such words keeps them.
    """
    plain = " ".join(_PUNCTUATION.sub(" ", _SPAN.sub(" ", text.lower())).split())
    trimmed = _TRAILING.sub("", _LEADING.sub("", plain + " ").strip()) or plain
    return " ".join(word for word in words(trimmed) if word not in {"the", "a", "an", "of", "in", "for"}) or plain


def phrase_hash(key: str) -> int:
    """A 64-bit number for a phrase key, the same on every machine."""
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "big")


_QUALIFIERS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("female", r"\b(female|woman|girl|mother|maternal|women)\b"),
        ("male", r"\b(male|man|boy|men)\b"),
        ("child", r"\b(child|under 5|infant|newborn|neonatal|baby|under five)\b"),
        ("youth", r"\b(youth|young|adolescent|teenage|teen|teenager|15 24|15 19)\b"),
        ("old", r"\b(elderly|65|aging|senior|older)\b"),
        ("rural", r"\b(rural|countryside)\b"),
        ("urban", r"\b(urban|city|slum)\b"),
        ("percapita", r"\bper (capita|person|head|inhabitant|woman|worker|employed)\b|\bper person employed\b"),
        ("share", r"\bpercent\b|\bshare\b|\bratio\b|\brelative to\b"),
        ("growth", r"\b(growth|grow|change)\b"),
        ("ppp", r"\bppp\b|\bpurchasing power\b|\binternational dollar\b"),
        ("primary", r"\bprimary\b"),
        ("secondary", r"\bsecondary\b|\bhigh school\b"),
        ("tertiary", r"\b(tertiary|university|college|higher education)\b"),
        ("export", r"\bexport\b"),
        ("import", r"\bimport\b"),
        ("military", r"\b(military|defense|army|arm|weapon|soldier)\b"),
        ("education", r"\b(education|school|literacy|student|pupil|teacher)\b"),
        ("agriculture", r"\b(agriculture|agricultural|farming|farm|farmland)\b"),
        ("industry", r"\b(industry|industrial)\b"),
        ("service", r"\bservice sector\b|\bin service\b"),
        ("electricity", r"\b(electricity|electric|power|electrical)\b"),
        ("external", r"\b(external|foreign|abroad)\b"),
        ("multidimensional", r"\bmultidimensional\b"),
        ("nonresident", r"\b(nonresident|foreigner)\b"),
        ("gap", r"\b(gap|depth)\b"),
        ("real", r"\breal\b"),
        ("net", r"\bnet\b"),
        ("state", r"\bstate\b"),
    )
)


def qualifiers(text: str) -> frozenset[str]:
    """The qualifiers a text names; they are matched against stemmed words."""
    joined = " ".join(words(text))
    return frozenset(name for name, pattern in _QUALIFIERS if pattern.search(joined))
