"""Which files make a corpus, and one hash over all of them; what a process needs to trust a built index."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

ACCESS_FILE = "_access.md"
RESERVED_FILES = frozenset({"index.md", "log.md"})
"""Names that the Open Knowledge Format keeps for listings and histories."""


def documents(corpus: Path) -> list[Path]:
    """Every leaf and access document, sorted."""
    return sorted(path for path in (corpus / "sources").glob("*/*.md") if path.name not in RESERVED_FILES)


def fingerprints(corpus: Path) -> dict[str, bytes]:
    """A digest of each document's bytes, by its path in the corpus, in order."""
    return {
        path.relative_to(corpus).as_posix(): hashlib.blake2b(path.read_bytes(), digest_size=16).digest()
        for path in documents(corpus)
    }


def signature_of(prints: Mapping[str, bytes]) -> str:
    """A sha256 over the names and bytes of all documents; equal only for equal corpora."""
    digest = hashlib.sha256()
    for name, fingerprint in prints.items():
        digest.update(name.encode() + b"\0" + fingerprint)
    return digest.hexdigest()


def corpus_signature(corpus: Path) -> str:
    """The signature of the corpus in a folder, which is read whole for it."""
    return signature_of(fingerprints(corpus))


def wording_signature() -> str:
    """A sha256 over the rules by which leaves were read into an index; other rules, other arrays."""
    digest = hashlib.sha256()
    for name in ("leaves.py", "lexical.py", "digest.py", "columns.py", "quantities.py"):
        digest.update((Path(__file__).parent / name).read_bytes())
    return digest.hexdigest()
