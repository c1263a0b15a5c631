"""Several sentences around one question: the one that asks is read, the others only lend it a place."""

from __future__ import annotations

import re

from shared.query.quantity import PlaceKind
from shared.text.places import PlaceMatch, find_mentions

_END = re.compile(r"(?<=[?!.])\s+(?=[A-Za-z0-9'\"(])")
_ABBREVIATED = re.compile(
    r"(?:^|[\s(.])(?:[A-Za-z]|vs|no|st|approx|avg|pop|nr|dr|mr|mrs|ms|e\.g|i\.e|etc|est)\.$", re.I
)
_ASKS = re.compile(
    r"^(?:(?:and|so|but|now|ok(?:ay)?|well|please|pls|hi|hello|hey|also|then)[\s,]+)*(?:what|which|who|whose|where|when|"
    r"how|why|is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|give|show|list|tell|find|compare|"
    r"rank|sort|order|name|calculate|compute|plot|chart|graph|draw|display|subtract|divide|search|look|count|check|"
    r"in which|in what|of (?:the|these|all|those)|for (?:each|every|all)|by (?:how|what))\b",
    re.IGNORECASE,
)
_STATES = re.compile(
    r"\b(?:i|i'm|i've|we|we're|my|our|he|she|they|someone|everyone|somebody|people)\b.*\s\w+|"
    r"\b(?:is|are|was|were|has|have|had|says?|said|told|thinks?|claims?|heard|keeps?|seems?|looks?|wants?|needs?|"
    r"reads?|went|goes|comes?|lives?|matters?)\b",
    re.IGNORECASE,
)
_TURN = re.compile(
    r"^(?P<before>.+?)[,;:]?\s(?:(?:and|but|so|because|since|as)\s)?(?:i\s(?:was|am|would|do|really|just|"
    r"have been|want|"
    r"need|wonder|wondered|'?d)|i'm|i'd|we(?:'d| want| need| would|'re)|could you|can you|would you|please)"
    r"(?:\s(?:just|really|also|been))*\s?(?:wondering|curious|want(?:ed)? to (?:know|see|find out)|"
    r"need(?:ed)? to know|"
    r"like to (?:know|see)|love to know|to know|asking|interested in|tell me|give me|show me|know)?"
    r"(?:\s(?:about|to know|that))?[,:]?\s(?P<ask>(?:what|which|who|where|how|its|their|the|whether|about|"
    r"if)\b.+)$",
    re.IGNORECASE,
)
_ABOUT_ONESELF = re.compile(
    r"^(?:so |well |ok(?:ay)? |hi,? |hello,? )*(?:i|i'm|i am|we|we're|my|our|since|because|as) ?\b(?!.*\?.)",
    re.IGNORECASE,
)
_MEANT = re.compile(r"^(?:i mean|that is|in other words|what i mean)\b", re.IGNORECASE)
_COUNTRY_MEANT = re.compile(
    r"\b(?P<name>Georgia|georgia)\b[,\s]*\(?\s?(?:(?:i mean )?the (?:country|nation|republic)\b(?:,? "
    r"?(?:and )?not (?:the )?"
    r"(?:US |U\.S\. |American )?state)?|(?:and )?not the (?:US |U\.S\. |American )?state)(?: of Georgia)?\s?\)?",
)
_BOTH = re.compile(
    r"\b(?:(?:these|those|the) two(?: (?:countries|places|nations|states))?|both(?: (?:of (?:them|these|"
    r"those)|(?:of (?:the|"
    r"these|those) )?(?:countries|places|nations|states)))?|the two(?: of them)?|them|each(?: of them| "
    r"country)?)\b",
    re.IGNORECASE,
)
_OWNED = re.compile(
    r"\b(?:its|their|(?:the|this|that) (?:country|nation|place|island|state|city|continent|region)'s)\b",
    re.IGNORECASE,
)
_THERE = re.compile(
    r"\b(?:over there|out there|down there|(?<!are )(?<!is )(?<!were )(?<!was )there(?!(?:'s| is| are| was| "
    r"were)\b)|"
    r"(?:in|of) (?:(?:the|this|that) (?:country|nation|place|island|state|city|continent|region)|it))\b",
    re.IGNORECASE,
)
_ITSELF = re.compile(
    r"\b(?:it|that (?:country|nation|place)|this (?:country|nation|place)|the country)\b", re.IGNORECASE
)
_NEVER = frozenset({PlaceKind.ORGANIZATION, PlaceKind.COMPANY})


def asking(text: str) -> tuple[str, tuple[str, ...]]:
    """The part of ``text`` that asks, its pronouns replaced by the place told beside it, and what was assumed."""
    plain = _COUNTRY_MEANT.sub(r"the country of \g<name>,", text)
    plain = re.sub(r",(?=\s*[,.?!]|$)", "", plain)
    kept, context = _parted(plain)
    if not context:
        return plain, ()
    return _placed(kept, context)


def _sentences(text: str) -> list[str]:
    found: list[str] = []
    for piece in _END.split(text):
        if found and _ABBREVIATED.search(found[-1]):
            found[-1] += f" {piece}"
        else:
            found.append(piece)
    return found


def _parted(text: str) -> tuple[str, str]:
    """What asks and what only states; nothing states in a text that has no asking sentence."""
    sentences = _sentences(text)
    asks = [s.endswith("?") or bool(_ASKS.match(s)) for s in sentences]
    if len(sentences) > 1 and any(asks):
        kept: list[str] = []
        told: list[str] = []
        for sentence, ask in zip(sentences, asks, strict=True):
            again = bool(kept) and bool(_MEANT.match(sentence))
            states = not ask and bool(_STATES.search(sentence))
            (told if states or again else kept).append(sentence)
        if kept and told:
            inner, more = _turned(" ".join(kept))
            return inner, " ".join([*told, more])
    return _turned(text)


def _turned(text: str) -> tuple[str, str]:
    """A sentence that first tells about the asker and then asks: "I write about X and want to know Y"."""
    turn = _TURN.match(text) if _ABOUT_ONESELF.match(text) else None
    if turn is None or len(turn["before"].split()) < 3:
        return text, ""
    return turn["ask"], turn["before"]


def _placed(kept: str, context: str) -> tuple[str, tuple[str, ...]]:
    places = _places(context)
    if _places(kept) or not places:
        return kept, ()
    names = list(dict.fromkeys(_named(context, place) for place in places))
    if len(names) > 1:
        listed = f"{', '.join(names[:-1])} and {names[-1]}"
        put, times = _BOTH.subn(listed, kept, count=1)
        return (put, (_note(listed),)) if times else (kept, ())
    name = names[0]
    for pattern, words in ((_OWNED, f"{name}'s"), (_THERE, f"in {name}"), (_ITSELF, name)):
        put, times = pattern.subn(words, kept, count=1)
        if times:
            return put, (_note(name),)
    body = kept.rstrip(" ?.!")
    return f"{body} in {name}{kept[len(body) :]}", (_note(name),)


def _places(text: str) -> list[PlaceMatch]:
    return [m for m in find_mentions(text) if m.entity is None or m.entity.kind not in _NEVER]


def _named(context: str, place: PlaceMatch) -> str:
    said = context[place.start : place.end]
    if context[: place.start].endswith("the country of "):
        return f"the country of {said}"
    return place.entity.name if place.entity is not None and place.form == "adjective" else said


def _note(name: str) -> str:
    return f"took {name} from the words around the question"
