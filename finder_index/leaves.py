"""Read a corpus of Open Knowledge Format leaves, strictly: a file that does not parse stops the build.

A corpus is a folder ``sources/<source>/`` for each source, with one ``_access.md`` (how the source is
asked) and one leaf for each (variable, source) pair. Nothing of a leaf is dropped in silence.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from finder_index.lexical import content
from finder_index.signature import ACCESS_FILE, RESERVED_FILES, corpus_signature
from shared.query.discovery import TableDocument
from shared.runtime.errors import CorpusInvalid

PREFIX = "okf:"

_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Leaf:
    """One table of one source. ``file`` is relative to the corpus; ``terms`` has the access terms merged in."""

    file: str
    source: str
    variable: str
    type: str
    title: str
    description: str
    queries: tuple[str, ...]
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    terms: Mapping[str, str]
    scope: str
    publisher_domain: str
    body: str = field(repr=False)
    line: int = 1
    """The line of the file that names the variable."""

    @property
    def identifier(self) -> str:
        """The leaf's URN, ``urn:air:<publisher>:okf:<source>.<leaf>``."""
        return f"urn:air:{self.publisher_domain}:okf:{self.source}.{Path(self.file).stem}"

    @property
    def index_text(self) -> str:
        """What is embedded: title, queries, whom it describes, description.

        A query that only says again what stands before it is left out: it moves no vector and costs its time.
        """
        said = set(content(self.title))
        telling = []
        for query in self.queries:
            named = set(content(query))
            if not named <= said:
                telling.append(query)
                said |= named
        return ". ".join([self.title, *telling, f"Describes {self.scope}", self.description])

    def document(self) -> TableDocument:
        """The leaf as a search returns it."""
        return TableDocument(
            identifier=self.identifier,
            source=self.source,
            variable=self.variable,
            title=self.title,
            description=self.description,
            queries=self.queries,
            tags=self.tags,
            terms=dict(self.terms),
        )


@dataclass(frozen=True, slots=True)
class Corpus:
    """All leaves in order of file, and the sha256 over every file of the corpus."""

    leaves: tuple[Leaf, ...]
    signature: str


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed file. ``lines`` maps a front-matter key to its line, counted from 1."""

    file: str
    front: dict[str, Any]
    lines: dict[str, int]
    body: str

    def fail(self, key: str, problem: str) -> CorpusInvalid:
        """The error to raise for what is wrong with a key, with file and line."""
        return CorpusInvalid(f"{self.file}:{self.lines.get(key, 1)}: {problem}")

    def text(self, key: str, *, required: bool = False) -> str:
        """A text; empty when it is absent. Raises ``CorpusInvalid``."""
        value = self.front.get(key, "")
        if not isinstance(value, str):
            raise self.fail(key, f"{key} must be text, found {type(value).__name__}")
        if required and not value.strip():
            raise self.fail(key, f"{key} is required")
        return value

    def texts(self, key: str, *, required: bool = False) -> tuple[str, ...]:
        """A list of texts. Raises ``CorpusInvalid``."""
        value = self.front.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) and item.strip() for item in value):
            raise self.fail(key, f"{key} must be a list of texts")
        if required and not value:
            raise self.fail(key, f"{key} is required and must list at least one text")
        return tuple(value)

    def terms(self) -> dict[str, str]:
        """The ``okf:`` terms as text; lists of texts are joined by commas, lists of mappings are JSON."""
        return {key.removeprefix(PREFIX): self._term(key) for key in self.front if key.startswith(PREFIX)}

    def _term(self, key: str) -> str:
        match self.front[key]:
            case str() as text if text.strip():
                return text
            case list() as items if items and all(isinstance(item, str) and item.strip() for item in items):
                if odd := next((item for item in items if "," in item), None):
                    raise self.fail(key, f"{key} is joined by commas, so {odd!r} may not hold one")
                return ",".join(items)
            case list() as items if items and all(
                isinstance(item, dict) and all(isinstance(part, str) for part in (*item, *item.values()))
                for item in items
            ):
                return json.dumps(items, ensure_ascii=False)
        raise self.fail(key, f"{key} must be text, a list of texts or a list of mappings of texts")


def read_corpus(corpus: Path) -> Corpus:
    """Read and check every leaf under ``corpus/sources``.

    Raises ``CorpusInvalid`` whose message begins with ``file:line`` at the first document that does not
    parse, lacks what is required, or names a variable of its source a second time.
    """
    sources = corpus / "sources"
    if not sources.is_dir():
        raise CorpusInvalid(f"{corpus.name}: there is no sources folder in the corpus")
    leaves: list[Leaf] = []
    for folder in sorted(path for path in sources.iterdir() if path.is_dir()):
        leaves += _read_source(corpus, folder)
    return Corpus(tuple(leaves), corpus_signature(corpus))


def _read_source(corpus: Path, folder: Path) -> list[Leaf]:
    access = read_access(corpus, folder)
    leaves: list[Leaf] = []
    seen: dict[str, str] = {}
    for path in sorted(folder.glob("*.md")):
        if path.name == ACCESS_FILE or path.name in RESERVED_FILES:
            continue
        leaf = read_leaf(corpus, path, access)
        if leaf.variable in seen:
            raise described_twice(leaf, seen[leaf.variable])
        seen[leaf.variable] = leaf.file
        leaves.append(leaf)
    return leaves


def read_access(corpus: Path, folder: Path) -> Document:
    """The access document of a source's folder. Raises ``CorpusInvalid``."""
    path = folder / ACCESS_FILE
    if not path.exists():
        raise CorpusInvalid(f"{path.relative_to(corpus).as_posix()}:1: the source has no access document")
    access = _parse(corpus, path)
    if access.text("okf:source", required=True) != folder.name:
        raise access.fail("okf:source", f"okf:source must be the folder's name, {folder.name!r}")
    for key in ("okf:scope", "okf:publisherDomain", "okf:publisher", "okf:licence"):
        access.text(key, required=True)
    access.texts("okf:operations", required=True)
    return access


def read_leaf(corpus: Path, path: Path, access: Document) -> Leaf:
    """One leaf of the source that ``access`` describes. Raises ``CorpusInvalid``."""
    return _leaf(_parse(corpus, path), access)


def described_twice(leaf: Leaf, other: str) -> CorpusInvalid:
    """What is wrong when ``leaf`` names a variable that the file ``other`` of its source names already."""
    return CorpusInvalid(f"{leaf.file}:{leaf.line}: {leaf.variable} is already described by {other}")


def _leaf(document: Document, access: Document) -> Leaf:
    terms = {**access.terms(), **document.terms()}
    return Leaf(
        file=document.file,
        source=access.text("okf:source"),
        variable=document.text("okf:variable", required=True),
        type=document.text("type", required=True),
        title=document.text("title", required=True),
        description=document.text("description", required=True),
        queries=document.texts("representativeQueries", required=True),
        aliases=document.texts("okf:aliases"),
        tags=document.texts("tags"),
        terms=terms,
        scope=access.text("okf:scope"),
        publisher_domain=access.text("okf:publisherDomain"),
        body=document.body,
        line=document.lines.get("okf:variable", 1),
    )


def _parse(corpus: Path, path: Path) -> Document:
    file = path.relative_to(corpus).as_posix()
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise CorpusInvalid(f"{file}:1: not UTF-8: {error.reason}") from error
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        raise CorpusInvalid(f"{file}:1: front matter must open with --- on the first line")
    closing = next((number for number, line in enumerate(lines[1:], start=1) if line.rstrip() == "---"), None)
    if closing is None:
        raise CorpusInvalid(f"{file}:1: the front matter is never closed by ---")
    front, keys = _front_matter(file, "\n".join(lines[1:closing]))
    document = Document(file, front, keys, "\n".join(lines[closing + 1 :]).strip())
    document.text("type", required=True)
    document.texts("tags")
    return document


def _front_matter(file: str, head: str) -> tuple[dict[str, Any], dict[str, int]]:
    """Front matter and the line of each key. A key given twice is an error: one value would be lost."""
    loader = _Loader(head)
    try:
        node = loader.get_single_node()
        if not isinstance(node, yaml.MappingNode):
            raise CorpusInvalid(f"{file}:2: front matter must be a mapping of keys to values")
        lines: dict[str, int] = {}
        for key, _ in node.value:
            line = key.start_mark.line + 2
            if not isinstance(key, yaml.ScalarNode):
                raise CorpusInvalid(f"{file}:{line}: a key must be plain text")
            if key.value in lines:
                raise CorpusInvalid(f"{file}:{line}: the key {key.value} is given twice")
            lines[key.value] = line
        front: dict[str, Any] = loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        line = (error.problem_mark.line if error.problem_mark else 0) + 2
        raise CorpusInvalid(f"{file}:{line}: {error.problem or error}") from error
    except (yaml.YAMLError, ValueError) as error:
        raise CorpusInvalid(f"{file}:2: {error}") from error
    finally:
        loader.dispose()
    return front, lines
