"""Whether a figure stands where its kind of claim is said: a count before what is counted, and so on."""

from __future__ import annotations

from functions.present.worded_claims import Told
from functions.present.worded_figures import Figure
from functions.present.worded_sentence import Sentence

_SETS = frozenset({"countries", "counties", "states", "members", "places", "cities", "areas"})
_QUOTIENTS = frozenset({"divided", "ratio"})
_COEFFICIENTS = ("pearson", "spearman")


def in_its_role(figure: Figure, claim: Told, sentence: Sentence) -> bool:
    """Whether the sentence says the figure as what the claim is: a count, a coefficient, a quotient or a share.

    A place's own figure must stand in none of these places.
    """
    measure = (claim.measure or "").casefold()
    coefficient = next((name for name in _COEFFICIENTS if measure.startswith(name)), None)
    if coefficient is not None:
        return _last_named(figure, sentence) == coefficient
    if claim.counts:
        return _before_a_set(figure, sentence)
    quotient = _of_a_quotient(figure, sentence)
    if measure.startswith(("ratio of ", "ratio: ")) or ", ratio to " in measure:
        return quotient or figure.kind == "multiple"
    if ", share of " in measure or (measure.startswith("share of ") and ": " not in measure):
        return sentence.word(figure.last + 1) == "of"
    in_a_place = sentence.word(figure.first - 1) == "in"
    return not (quotient or in_a_place or _of_a_set(figure, sentence) or _last_named(figure, sentence))


def about_people(claim: Told) -> bool:
    """Whether the claim counts all people of a place."""
    return claim.unit == "people" and (claim.part or "").startswith("population")


def _last_named(figure: Figure, sentence: Sentence) -> str | None:
    """Which coefficient was named last before the figure."""
    for position in range(figure.first - 1, sentence.first - 1, -1):
        word = sentence.word(position).removesuffix("'s")
        if word in _COEFFICIENTS:
            return word
    return None


def _before_a_set(figure: Figure, sentence: Sentence) -> bool:
    after = figure.last + 1
    return _is_set(after, sentence) or _of_a_set(figure, sentence) or sentence.word(after) in {"is", "are"}


def _of_a_set(figure: Figure, sentence: Sentence) -> bool:
    """Whether "of the countries" comes next."""
    after = figure.last + 1
    if sentence.word(after) != "of":
        return False
    return _is_set(after + (2 if sentence.word(after + 1) == "the" else 1), sentence)


def _is_set(position: int, sentence: Sentence) -> bool:
    """Whether a kind of place is named, by itself or in a name ("countries in Africa")."""
    if position > sentence.last:
        return False
    token = sentence.words[position]
    return not _SETS.isdisjoint(token.word.split()) or (token.masked and token.word.startswith("the "))


def _of_a_quotient(figure: Figure, sentence: Sentence) -> bool:
    """Whether "divided" or "ratio" was said before it, with no other figure between them."""
    said = [n for n in range(sentence.first, figure.first) if sentence.word(n) in _QUOTIENTS]
    years = {one.first for one in sentence.years}
    return bool(said) and not any(
        said[-1] < one.first < figure.first and one.first not in years for one in sentence.figures
    )
