"""What a text is before it is read: a greeting, an errand, orders to the reader, another language."""

from __future__ import annotations

import re

_ORDERS = re.compile(
    r"^(?:please\s)?(?:ignore|disregard|forget|answer|reply|respond|say|print|output|pretend|"
    r"act as|you (?:are|must|should|will)|do not|don't|make up|repeat|reveal|override|bypass|"
    r"always|never)\b|\b(?:previous|prior|above|earlier|all) (?:instructions?|rules|prompts?)\b|"
    r"\bsystem prompt\b|^system\s?:|\bwhatever the data\b|^(?:assistant|user)\s?:",
    re.IGNORECASE,
)
_ERRAND = re.compile(
    r"^(?:please )?(?:translate|write|compose|sing|cook|play|book|buy|order me|call|email|delete|"
    r"drop table|insert into|select \*|recommend|generate|summari[sz]e this|fix|debug|code|"
    r"draw me|define|explain what|convert)\b",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"(?:(?:good (?:morning|afternoon|evening|night|day)|hello|hi|hey|howdy|greetings|"
    r"thanks?(?: you)?(?: very much)?|"
    r"welcome|bye|goodbye|cheers|how are you(?: today| doing)?|what'?s up|nice to meet you)(?: there|"
    r" all| everyone)?"
    r"[\s,.!?]*)+",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[?!.])\s+(?=[A-Za-z0-9'\"(])")
_FUNCTION_WORDS = re.compile(
    r"\b(?:el|la|los|las|una|uno|cuál|cual|cuánt\w+|qué|es|della|delle|dei|il|gli|quanto|quale|"
    r"qual|der|die|das|und|ist|wie|viele|welche[rs]?|hat|le|les|des|une|est|quelle?|combien|du|"
    r"dans|não|são|quantos|het|een|hoeveel|wat|och|är|hur|många|jest|jaka|ile|berapa|nüfusu|kaç)\b",
    re.IGNORECASE,
)
_ASKS_ELSEWHERE = re.compile(
    r"combien|quels?|quelles?|cu[aá]l(?:es)?|cu[aá]nt[oa]s?|quant[ioae]s?|quale|wieviele?|wie|hoeveel|berapa|jaka|ile|kaç|hur|mikä"
)
_ENGLISH = frozenset({
    "the", "of", "in", "is", "are", "what", "which", "how", "many", "much", "does", "do", "did", "has", "have",
    "and", "or", "to", "for", "a", "an", "by", "with", "than", "who", "where", "was", "were", "more"
})  # fmt: skip


def is_greeting(text: str) -> bool:
    """Whether the whole text greets."""
    return _GREETING.fullmatch(text) is not None


def is_errand(text: str) -> bool:
    """Whether the text wants something done that is no figure and no fact."""
    return _ERRAND.match(text) is not None


def without_orders(text: str) -> str:
    """The sentences that ask, without those that tell the reader what to answer; empty when none asks."""
    sentences = _SENTENCE.split(text)
    kept = [sentence for sentence in sentences if not _ORDERS.search(sentence)]
    return text if len(kept) == len(sentences) else " ".join(kept)


def is_foreign(text: str) -> bool:
    """Whether the text looks like another language than English."""
    letters = [character for character in text if character.isalpha()]
    if not letters:
        return True
    if sum(character > "ɏ" for character in letters) > len(letters) * 0.2:
        return True
    words = re.findall(r"[^\W\d_]+", text.lower())
    if any(_ASKS_ELSEWHERE.fullmatch(word) for word in words) and not any(word in _ENGLISH for word in words):
        return True
    hits = sum(1 for word in words if _FUNCTION_WORDS.fullmatch(word))
    english = sum(1 for word in words if word in _ENGLISH)
    return hits >= 2 and hits > english


def one_sentence(text: str) -> str:
    """Several sentences as one, so that "What is X of A? How does that compare to B?" names both."""
    return re.sub(r"[?!]+\s+", ", ", text)
