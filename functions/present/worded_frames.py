"""What surrounds the figures and names of a sentence must be what the claims are of.

A figure may be a claim's and be told as something else: a place's own figure as a rise, a mean as the figure of a
group, a share the wrong way round, a count without its condition. Each rule here is one such way.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from functions.present.worded_evidence import OTHER, Lexicon
from functions.present.worded_figures import tokens
from functions.present.worded_letters import plainly
from functions.present.worded_sentence import Sentence, Taken
from functions.present.worded_words import AVERAGES, GAPS, MOVES, NEARNESS, NEWEST, OPERATIONS, REPORTING, SET_WORDS

_OF_MONEY = frozenset({"us", "$", "international", "lcu", "prices", "price"})
_BEFORE_PUBLISHER = frozenset({"to", "by", "from", "source", "sources", ":", "see"})
_OF_A_GROUP = frozenset({"ranking", "filtered_list", "aggregate", "population_value", "item_list"})
_NO_TIME = frozenset({"was", "were", "had", "been"})
_BEHIND_PUBLISHER = frozenset({"data", "figure", "figures", "number", "numbers", "value", "values", "list"})


def frame_fault(sentence: Sentence, known: Lexicon, taken: Taken) -> str | None:
    """Why the sentence tells its claims as something that they are not, or ``None``."""
    for rule in _RULES:
        reason = rule(sentence, known, taken)
        if reason is not None:
            return reason
    return None


def text_fault(sentences: list[Sentence], known: Lexicon) -> str | None:
    """Why the sentences together leave out what their figures need, or ``None``."""
    plain = plainly(known.evidence.plain)
    dated = any(year in plain for year in known.years)
    if dated and not any(one.mentions("year") for one in sentences):
        return "no year is said"
    if known.evidence.type in _OF_A_GROUP and known.evidence.others and not _group_named(sentences, known):
        return "the group is not named"
    words = sentences[0].words if sentences else ()
    if any(word.text == "?" for word in words) and "?" not in plain:
        return "the answer asks something"
    return None


def _group_named(sentences: list[Sentence], known: Lexicon) -> bool:
    """Whether the text names the group of the question, as the question or the claims call it."""
    if any(one.key == OTHER for sentence in sentences for one in sentence.mentions("entity")):
        return True
    groups = [claim.entity for claim in known.evidence.claims if claim.entity and not claim.one]
    text = "".join(sentence.close for sentence in sentences)
    return any(_close(name) in text for name in (*groups, *known.evidence.names) if _is_group(name, known))


def _is_group(name: str, known: Lexicon) -> bool:
    """Whether a name is neither a publisher's nor a member's, and tells no condition."""
    members = {claim.key for claim in known.evidence.claims}
    bounds = [_close(bound.text) for bound in known.evidence.bounds]
    told = name in known.evidence.publishers or name.casefold() in members
    return not told and not any(bound in _close(name) for bound in bounds)


def _newest(sentence: Sentence, known: Lexicon, taken: Taken) -> str | None:
    """No claim says that there is no newer figure."""
    del taken
    said = {token.word for token in known.read(plainly(known.evidence.plain))[0] if not token.masked}
    for position in range(sentence.first, sentence.last + 1):
        word = sentence.word(position)
        if word in NEWEST - said and not (word == "current" and sentence.word(position + 1) in _OF_MONEY):
            return f"no claim says that a figure is the “{word}”"
    return None


def _attributed(sentence: Sentence, known: Lexicon, taken: Taken) -> str | None:
    """What is said to come from somebody comes from a publisher, who is nothing else in the sentence."""
    del taken
    publishers = {plainly(one).casefold() for one in known.evidence.publishers}
    words = {token.word for one in publishers for token in tokens(one)}
    for position in range(sentence.first, sentence.last + 1):
        token = sentence.words[position]
        if token.masked and token.word in publishers and not _as_publisher(position, sentence):
            return "a publisher is told as something else"
        if sentence.word(position) == "by" and sentence.word(position - 1) != "followed":
            after = position + (2 if sentence.word(position + 1) == "the" else 1)
            if any(one.first == after for one in sentence.mentions("entity")):
                return "what is claimed is said to be done by somebody"
        said = (sentence.word(position), sentence.word(position + 1))
        if said != ("according", "to") and not (said[1] == "by" and said[0] in REPORTING):
            continue
        after = position + 2
        if sentence.word(after) == "the" and after < sentence.last:
            after += 1
        whom = sentence.words[after] if after <= sentence.last else None
        whole = publishers | {one.removeprefix("the ") for one in publishers}
        if whom is None or whom.word not in whole | (set() if whom.masked else words):
            return "the figures are said to come from another than their publisher"
    return None


def _as_publisher(position: int, sentence: Sentence) -> bool:
    """Whether a publisher's name stands where one publishes something."""
    before = sentence.word(position - 1)
    if before == "the":
        before = sentence.word(position - 2)
    inside = position < sentence.last
    after = sentence.word(position + 1)
    if sentence.possessed(position):
        return after in _BEHIND_PUBLISHER
    return before in _BEFORE_PUBLISHER or (inside and (after in REPORTING | _BEHIND_PUBLISHER))


def _gaps(sentence: Sentence, known: Lexicon, taken: Taken) -> str | None:
    """A difference or a change is only spoken of where one is claimed."""
    del taken
    if any(claim.gap for claim in known.evidence.claims) or _spoken(GAPS, known):
        return None
    return "no difference and no change is claimed" if sentence.said & GAPS else None


def _sets(sentence: Sentence, known: Lexicon, taken: Taken) -> str | None:
    """Kinds of places that no claim is of are only said of those that are counted."""
    del taken
    counted = {one.last + 1 for one in sentence.figures if one.kind == "amount"}
    groups = [claim.entity or "" for claim in known.evidence.claims if not claim.one]
    own = {token.word for text in (*known.evidence.names, *groups) for token in tokens(plainly(text))}
    for position in range(sentence.first, sentence.last + 1):
        word = sentence.word(position)
        if word in SET_WORDS - own and position not in counted:
            return f"no claim is of “{word}”"
    return None


def _nearness(sentence: Sentence, known: Lexicon, taken: Taken) -> str | None:
    """A word of nearness is said of a figure, right before it."""
    del known, taken
    begins = {one.first - (1 if one.signed else 0) for one in sentence.figures}
    for position in range(sentence.first, sentence.last + 1):
        if sentence.word(position) in NEARNESS and position + 1 not in begins:
            return f"“{sentence.word(position)}” is said of no figure"
    return None


def _operations(sentence: Sentence, known: Lexicon, taken: Taken) -> str | None:
    """A total, mean or median is said as what it is."""
    del known
    spelt = {word for n in range(sentence.first, sentence.last + 1) for word in sentence.words[n].word.split()}
    for claim in taken.claims:
        measure = claim.measure or ""
        own = next((words for lead, words in OPERATIONS.items() if measure.startswith(lead)), None)
        if own is None:
            continue
        if not spelt & own:
            return f"a {measure.partition(' ')[0]} is told as a figure of its own"
        others = frozenset().union(*(words for words in OPERATIONS.values() if words != own))
        if own is AVERAGES and sentence.said & (others - own):
            return f"a {measure.partition(' ')[0]} is told as another"
    return None


def _conditions(sentence: Sentence, known: Lexicon, taken: Taken) -> str | None:
    """How many there are is said with every condition that was set, and a condition is said of somebody."""
    met = {n for n, limit in enumerate(known.evidence.bounds) if _close(limit.text) in sentence.close}
    for n, limit in enumerate(known.evidence.bounds):
        if any(one.value in {limit.value, limit.upper} for one in sentence.figures):
            met.add(n)
    if any(claim.counts for claim in taken.claims) and len(met) < len(known.evidence.bounds):
        return "a count is told without its condition"
    about = {one.key for one in sentence.mentions("entity")} - {OTHER}
    nobody = not about and not taken.claims and not sentence.resumes
    if met and nobody and known.evidence.type in {"filtered_list", "aggregate"}:
        return "a condition is said of nobody"
    return None


def _quotients(sentence: Sentence, known: Lexicon, taken: Taken) -> str | None:
    """Of what is divided, what stands above comes before what stands below."""
    for claim, (_, last) in zip(taken.claims, taken.spans, strict=True):
        measure = claim.measure or ""
        if measure.startswith(("ratio of ", "share of ")) and not claim.one:
            entity = (claim.entity or "").casefold()
            places = {key: f" {entity} ".find(f" {key} ") for key in known.entities}
            order = sorted((key for key, at in places.items() if at >= 0), key=lambda key: places[key])
            named = [one.key for one in sentence.mentions("entity") if one.key in order]
            after = next((one.key for one in sentence.mentions("entity") if one.first > last), None)
            if sentence.word(last + 1) == "of" and after != order[-1]:
                return "a quotient is told the other way round"
        else:
            parts = next((measure.split(by) for by in (", ratio to ", ", share of ") if by in measure), None)
            if parts is None:
                continue
            order = [plainly(part).casefold() for part in parts]
            named = [one.key for one in sentence.mentions("measure") if one.key in order]
            if not named:
                continue
        if list(dict.fromkeys(named))[: len(order)] != order[: max(len(set(named)), 1)]:
            return "a quotient is told the other way round"
    return None


def _following(sentence: Sentence, known: Lexicon, taken: Taken) -> str | None:
    """Who follows whom is the order of the claims."""
    del taken
    if not sentence.said & {"followed", "then"}:
        return None
    places = [known.entities.index(one.key) for one in sentence.mentions("entity") if one.key in known.entities]
    if known.evidence.order is None or places != sorted(places):
        return "the claims have another order"
    return None


def _moving(sentence: Sentence, known: Lexicon, taken: Taken) -> str | None:
    """Whether two quantities move together is said in the very words for it."""
    del taken
    if known.evidence.type != "correlation" or not sentence.said & MOVES:
        return None
    found = re.search(r"(?:hardly )?move\b[a-z ]*", plainly(known.evidence.plain).casefold())
    if found is None or _close(found[0]) not in sentence.close:
        return "how two quantities move is told in other words"
    return None


def _facts(sentence: Sentence, known: Lexicon, taken: Taken) -> str | None:
    """A fact is said of whom it is about, and of no time that it is not of."""
    del taken
    stated = {plainly(claim.value).casefold() for claim in known.cited if isinstance(claim.value, str)}
    for fact in sentence.mentions("fact"):
        before = sentence.word(fact.first - 1)
        if fact.key in stated and (sentence.possessed(fact.last) or before in {"of", "in"}):
            return "a fact is told the other way round"
    if stated and not known.years and sentence.said & _NO_TIME and not _spoken(_NO_TIME, known):
        return "a fact is told as of the past"
    return None


def _close(text: str) -> str:
    return plainly(text).casefold().replace(" ", "")


def _spoken(words: frozenset[str], known: Lexicon) -> bool:
    """Whether the program's own wording has one of the words."""
    return any(token.word in words for token in tokens(plainly(known.evidence.plain)))


def _bordering(sentence: Sentence, known: Lexicon, taken: Taken) -> str | None:
    """Who borders is whom the list is of."""
    del taken
    if known.evidence.type != "item_list":
        return None
    listed = {claim.key for claim in known.evidence.claims if claim.one}
    for position in range(sentence.first, sentence.last + 1):
        if sentence.word(position) != "borders":
            continue
        before = [one.key for one in sentence.mentions("entity") if one.last < position]
        if before and before[-1] in listed:
            return "the list is not said of whom the claims say it"
    return None


def _of_its_whole(sentence: Sentence, known: Lexicon, taken: Taken) -> str | None:
    """A share is not said to be of the quantity whose share it is."""
    del known, taken
    measures = {one.first for one in sentence.mentions("measure")}
    for figure in sentence.figures:
        after = figure.last + 1
        if sentence.word(after) != "of":
            continue
        after += 2 if sentence.word(after + 1) == "the" else 1
        if after in measures and figure.unit == "%":
            return "a share is said of another whole than its own"
    return None


_RULES: tuple[Callable[[Sentence, Lexicon, Taken], str | None], ...] = (
    _newest,
    _attributed,
    _gaps,
    _sets,
    _nearness,
    _operations,
    _conditions,
    _quotients,
    _following,
    _moving,
    _facts,
    _bordering,
    _of_its_whole,
)
