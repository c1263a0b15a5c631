"""The check of a worded answer: every figure, name and comparison in it must be one of the claims.

It is strict: a sentence with a word that it does not know is refused, as the program's own wording then stands and
nothing is lost. The reasons never go into an answer, since they quote what was refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from functions.present import worded_figures
from functions.present.worded_binding import Mention
from functions.present.worded_claims import Evidence
from functions.present.worded_evidence import Lexicon, lexicon
from functions.present.worded_figures import Figure, Token, UnreadError
from functions.present.worded_frames import frame_fault, text_fault
from functions.present.worded_letters import plainly, strange
from functions.present.worded_matching import match
from functions.present.worded_relations import relation_fault
from functions.present.worded_sentence import Sentence
from functions.present.worded_words import NEGATIONS, PLAIN, RELATIONS, ROMAN, SET_WORDS, VAGUE

_ENDS = frozenset(".!?;")
_BORDERS = frozenset({"border", "borders", "bordering"})
_SAYS_NOTHING = frozenset({"yes", "no", "according", "to", "the", "a", "an", "it"})


def fault(text: str, evidence: Evidence, *, cited: frozenset[str]) -> str | None:
    """Why ``text`` may not stand as an answer resting on the ``cited`` claims, or ``None``."""
    known = lexicon(evidence, cited)
    reason = strange(text, known.marks)
    if reason is not None:
        return reason
    words, mentions = known.read(plainly(text))
    try:
        found = worded_figures.figures(words)
    except UnreadError as error:
        return f"“{error}” is no figure that can be read"
    reason = (
        _verdict_fault(words, evidence)
        or _vocabulary_fault(words, found, known)
        or _status_fault(words, known)
        or _part_of_a_name(words, found, mentions, known)
        or _subject_fault(plainly(text).casefold(), evidence)
    )
    if reason is not None:
        return reason
    carried: dict[str, str | None] = {"entity": None, "measure": None, "year": None}
    told: frozenset[str] = frozenset()
    sentences = list(_sentences(words, found, mentions))
    for sentence in sentences:
        sentence.told = told
        reason, taken = match(sentence, known, carried)
        if reason is None:
            reason = relation_fault(sentence, known, taken) or frame_fault(sentence, known, taken)
        if reason is not None:
            return reason
        told |= {one.key for one in sentence.mentions("entity")}
        carried |= {kind: last for kind in carried if (last := sentence.last_named(kind)) is not None}
    return text_fault(sentences, known)


def _sentences(
    words: Sequence[Token], found: Sequence[Figure], mentions: Sequence[tuple[str, Mention]]
) -> Iterable[Sentence]:
    """The text sentence by sentence; a full stop within a number or a name ends none."""
    first = 0
    for position, word in enumerate(words):
        last = position == len(words) - 1
        ends = not word.masked and word.text in _ENDS and _begins_anew(words, position + 1)
        if not (last or ends):
            continue
        inside = range(first, position + 1)
        yield Sentence(
            words=words,
            first=first,
            last=position,
            figures=tuple(one for one in found if one.first in inside),
            named=tuple((kind, one) for kind, one in mentions if one.first in inside),
        )
        first = position + 1


def _begins_anew(words: Sequence[Token], position: int) -> bool:
    """Whether a token may begin a sentence: it stands apart, and is no word in small letters ("sq. km")."""
    if position >= len(words):
        return True
    word = words[position]
    return words[position - 1].end < word.start and (word.masked or not word.text[0].islower())


def _verdict_fault(words: Sequence[Token], evidence: Evidence) -> str | None:
    """Yes and no stand first and are the claimed verdict; other words of denial only follow a no."""
    verdicts = {claim.value for claim in evidence.claims if isinstance(claim.value, bool)}
    judged = evidence.type in {"yes_no", "status"} and bool(verdicts)
    first = words[0].word if words and not words[0].masked else ""
    if judged:
        if len(verdicts) > 1:
            return "the claims have several verdicts"
        right = "yes" if verdicts == {True} else "no"
        if first != right:
            return "the answer does not begin with the claimed verdict"
    for position, word in enumerate(words):
        if word.masked or (judged and position == 0):
            continue
        if word.word in {"yes", "no"}:
            return "a yes or no stands where none is claimed"
        if word.word in NEGATIONS and not (judged and first == "no" and word.word == "not"):
            return f"“{word.word}” denies what is claimed"
    return None


def _status_fault(words: Sequence[Token], known: Lexicon) -> str | None:
    """A membership or another yes or no about one place is said in the program's words, in their order."""
    evidence = known.evidence
    if evidence.type != "status" or not any(isinstance(claim.value, bool) for claim in evidence.claims):
        return None
    if _content(words, known) != _content(known.read(plainly(evidence.plain))[0], known):
        return "what is or is not so is told in other words"
    return None


def _content(words: Sequence[Token], known: Lexicon) -> list[str]:
    """The words that say something, without who published it."""
    publishers = {plainly(one).casefold() for one in known.evidence.publishers}
    left_out = _SAYS_NOTHING | publishers | {one.removeprefix("the ") for one in publishers}
    return [word.word for word in words if word.word not in left_out and word.text[0].isalnum()]


def _part_of_a_name(
    words: Sequence[Token], found: Sequence[Figure], mentions: Sequence[tuple[str, Mention]], known: Lexicon
) -> str | None:
    """A quantity is named as the claims name it, and not by one word of its name."""
    own = known.measure_words
    inside = {n for figure in found for n in range(figure.first, figure.last + 1)}
    tails = " ".join(claim.tail or "" for claim in known.evidence.claims)
    named = any(kind == "measure" for kind, _ in mentions)
    for position, token in enumerate(words):
        if token.masked or token.word not in own or position in inside:
            continue
        before = {words[n].word for n in range(max(0, position - 2), position)}
        if not (named and "of" in before and token.word in tails.split()):
            return f"“{token.text}” is only a part of a quantity's name"
    return None


def _subject_fault(text: str, evidence: Evidence) -> str | None:
    """Of a list, whose it is: named before those who are listed, or as whom they border or belong to."""
    if evidence.type != "item_list":
        return None
    plain = plainly(evidence.plain).casefold()
    listed = [plainly(claim.entity).casefold() for claim in evidence.claims if claim.entity and claim.one]
    for claim in evidence.claims:
        subject = plainly(claim.entity or "").casefold()
        if claim.one or not subject or subject not in plain:
            continue
        at = text.find(subject)
        first = min((text.find(name) for name in listed if name in text), default=len(text))
        inside = "|in" if f"in {subject}" in plain else ""
        belongs = re.search(rf"\b(?:border|bordering|of|with{inside}) (?:the )?{re.escape(subject)}(?!\w)", text)
        if at < 0 or (at > first and belongs is None):
            return "the list is not said of whom the claims say it"
    return None


def _vocabulary_fault(words: Sequence[Token], found: Sequence[Figure], known: Lexicon) -> str | None:
    """A word of no claim, or one that counts without a number."""
    inside = {n for figure in found for n in range(figure.first, figure.last + 1)}
    for position, token in enumerate(words):
        if token.masked or position in inside or not token.text[0].isalnum():
            continue
        if token.word in VAGUE or ROMAN.fullmatch(token.text):
            return f"“{token.text}” counts without a claimed number"
        stem = token.word.removesuffix("'s")
        borders = token.word in _BORDERS and any(word.startswith("border") for word in known.words)
        fits = (
            borders
            or token.word in PLAIN | RELATIONS | SET_WORDS
            or stem in known.words
            or token.word in known.words
        )
        if not fits and token.word not in {"yes", "no", "not"}:
            return f"“{token.text}” is in no claim"
    return None
