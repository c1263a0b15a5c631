"""What a leaf puts into an index: its stored document, its text to embed, its phrases and its words."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from finder_index.columns import COMPANIONS, Name, name_line
from finder_index.index import ALIAS, MEANING, QUERY, TITLE
from finder_index.leaves import Document, Leaf, read_access, read_leaf
from finder_index.lexical import content, phrase_hash, phrase_key
from finder_index.quantities import quantity_key, split_key

SIDE_BY_SIDE = 5_000
"""From this many leaves on they are read by several processes."""
SHARE = 500
"""Leaves that a process reads at a time."""


@dataclass(frozen=True, slots=True)
class Digest:
    """``line`` is the stored document with its line end; ``phrases`` are (hash, kind, rank), ``words`` hashes.

    ``signature`` is that of ``text`` and of the model that embeds it, 16 bytes; ``key`` is the variable's hash,
    ``name`` the identifier's, ``quantity`` and ``split`` those by which variables of one quantity are looked up.
    """

    file: str
    place: int
    source: str
    variable: str
    key: int
    line: bytes
    text: str
    signature: bytes
    phrases: tuple[tuple[int, int, int], ...]
    words: tuple[int, ...]
    type: str
    tags: tuple[str, ...]
    listed: str
    """The line by which the row is listed."""
    name: int
    quantity: int
    split: int
    companions: tuple[int, ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        """Those of the row: key, both halves of the signature, name, quantity and split."""
        high, low = self.signature[:8], self.signature[8:]
        halves = int.from_bytes(high, "big"), int.from_bytes(low, "big")
        return self.key, *halves, self.name, self.quantity, self.split


def digest(leaf: Leaf, model: str) -> Digest:
    """Digest a leaf for an index of ``model``."""
    entry = leaf.document().model_dump(mode="json", exclude={"score"}) | {"type": leaf.type, "file": leaf.file}
    text = leaf.index_text
    meanings = json.loads(leaf.terms.get("meaningOf", "[]"))
    return Digest(
        file=leaf.file,
        place=leaf.line,
        source=leaf.source,
        variable=leaf.variable,
        key=phrase_hash(leaf.variable),
        line=json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n",
        text=text,
        signature=text_signature(text, model),
        phrases=_phrases(leaf, [(item["term"], int(item["rank"])) for item in meanings]),
        words=_words([leaf.title, *leaf.queries, *leaf.aliases, *(item["term"] for item in meanings)]),
        type=leaf.type,
        tags=leaf.tags,
        listed=name_line(Name(leaf.title, leaf.identifier, leaf.variable, leaf.terms.get("vintage", ""))),
        name=phrase_hash(leaf.identifier),
        quantity=quantity_key(leaf.terms),
        split=split_key(leaf.terms),
        companions=tuple(phrase_hash(leaf.terms[term]) for term in COMPANIONS if leaf.terms.get(term)),
    )


def text_signature(text: str, model: str) -> bytes:
    """What a vector is known by: the text and the model that it was made from."""
    return hashlib.sha256(f"{model}\0{text}".encode()).digest()[:16]


def _phrases(leaf: Leaf, meanings: Iterable[tuple[str, int]]) -> tuple[tuple[int, int, int], ...]:
    found: dict[int, tuple[int, int]] = {}
    phrases = [
        *((query, QUERY, 1) for query in leaf.queries),
        (leaf.title, TITLE, 1),
        (leaf.variable, TITLE, 1),
        *((alias, ALIAS, 1) for alias in leaf.aliases),
        *((term, MEANING, rank) for term, rank in meanings),
    ]
    for text, kind, rank in phrases:
        key = phrase_hash(phrase_key(text))
        # A query is stronger evidence than a meaning of the same phrase, except that the meaning's rank
        # orders the tables among which the phrase is shared.
        found[key] = min(found.get(key, (kind, rank)), (kind, rank))
    return tuple((key, kind, rank) for key, (kind, rank) in found.items())


def _words(texts: Sequence[str]) -> tuple[int, ...]:
    return tuple({phrase_hash(word) for word in content(". ".join(texts))})


def read_digests(corpus: Path, files: Sequence[str], model: str) -> Iterable[Digest]:
    """Read and digest these leaves, in order. Raises ``CorpusInvalid`` at the first that does not parse."""
    if len(files) < SIDE_BY_SIDE:
        yield from _read(corpus, files, model)
        return
    shares = [files[at : at + SHARE] for at in range(0, len(files), SHARE)]
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as workers:
        for found in workers.map(_read, [corpus] * len(shares), shares, [model] * len(shares)):
            yield from found


def _read(corpus: Path, files: Sequence[str], model: str) -> list[Digest]:
    access: dict[Path, Document] = {}
    found = []
    for file in files:
        path = corpus / file
        if path.parent not in access:
            access[path.parent] = read_access(corpus, path.parent)
        found.append(digest(read_leaf(corpus, path, access[path.parent]), model))
    return found
