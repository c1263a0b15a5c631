"""Which files make a corpus, and one hash over all of them; what a process needs to trust a built index."""

from __future__ import annotations

import hashlib
from pathlib import Path

ACCESS_FILE = "_access.md"
RESERVED_FILES = frozenset({"index.md", "log.md"})
"""Names that the Open Knowledge Format keeps for listings and histories."""


def documents(corpus: Path) -> list[Path]:
    """Every leaf and access document, sorted."""
    return sorted(path for path in (corpus / "sources").glob("*/*.md") if path.name not in RESERVED_FILES)


def corpus_signature(corpus: Path) -> str:
    """A sha256 over the names and bytes of all documents; equal only for equal corpora."""
    digest = hashlib.sha256()
    for path in documents(corpus):
        data = path.read_bytes()
        digest.update(f"{path.relative_to(corpus).as_posix()}\0{len(data)}\0".encode())
        digest.update(data)
    return digest.hexdigest()


def wording_signature() -> str:
    """A sha256 over the rules by which phrases and words were read into an index; other rules, other arrays."""
    return hashlib.sha256((Path(__file__).parent / "lexical.py").read_bytes()).hexdigest()
