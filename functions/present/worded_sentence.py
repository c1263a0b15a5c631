"""One sentence of a worded answer: its tokens, its figures and the names in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from functions.present.worded_binding import Mention
from functions.present.worded_claims import Told
from functions.present.worded_figures import Figure, Token
from functions.present.worded_words import PRONOUNS

_POSSESSIVE = 2
"""Characters between a name in the possessive and the next word, at least: an apostrophe and a space."""


@dataclass(slots=True)
class Sentence:
    """A sentence: its tokens from ``first`` to ``last``, its figures and names; years are added as found."""

    words: Sequence[Token]
    first: int
    last: int
    figures: tuple[Figure, ...]
    named: tuple[tuple[str, Mention], ...]
    told: frozenset[str] = frozenset()
    """The entities that sentences before it have named."""
    years: list[Mention] = field(default_factory=list)

    def mentions(self, kind: str) -> list[Mention]:
        """Its names of a kind (``entity``, ``measure``, ``fact``, ``year``), in order."""
        found = [one for name, one in self.named if name == kind]
        return sorted([*found, *self.years], key=lambda one: one.first) if kind == "year" else found

    def last_named(self, kind: str) -> str | None:
        """What it names last of a kind."""
        found = self.mentions(kind)
        return found[-1].key if found else None

    def word(self, position: int) -> str:
        """The word of a token; nothing for a name, and outside of the sentence."""
        inside = self.first <= position <= self.last
        return self.words[position].word if inside and not self.words[position].masked else ""

    @property
    def said(self) -> set[str]:
        """All its words but names."""
        return {self.word(position) for position in range(self.first, self.last + 1)}

    def possessed(self, position: int) -> bool:
        """Whether the name that is a token has the ending of a possessive, which is no token by itself."""
        after = position + 1
        token = self.words[position]
        apart = after < len(self.words) and self.words[after].start - token.end >= _POSSESSIVE
        return token.masked and apart

    @property
    def close(self) -> str:
        """The sentence in lower case without its spaces, to look for phrases in."""
        return "".join(self.words[n].word for n in range(self.first, self.last + 1)).replace(" ", "")

    @property
    def resumes(self) -> bool:
        """Whether it goes on about what the text spoke of before."""
        return self.word(self.first) in PRONOUNS


@dataclass(slots=True)
class Taken:
    """What a sentence's figures turned out to be, and which tokens said on which side of a figure a value lies."""

    claims: list[Told] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    """The first and last token of the figure or fact of each of ``claims``."""
    tokens: set[int] = field(default_factory=set)
