"""Catalogs are mounted beside the built-in one under their names, and those that do not fit are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from finder_index.build import build_index
from finder_index.finder import LocalFinder
from finder_index.index import LoadedIndex, load_index
from finder_index.mounts import Mount, mount, mounts_from_environment
from shared.query.discovery import FinderRequest
from shared.runtime.deadline import Deadline
from shared.runtime.errors import IndexDamaged, IndexForeign, UsageError
from tests.support.finder_corpora import CountingEmbedder, make_corpus

BUILT_IN = {"bank": {"A.1": "Interest rate", "A.2": "Exchange rate"}}


async def catalog(root: Path, tables: dict[str, dict[str, str]], **more: object) -> Mount:
    embedder = CountingEmbedder(str(more.get("model", "words-64")))
    extends = [str(more["extends"])] if "extends" in more else []
    make_corpus(root, tables)
    await build_index(root, root / "index", embedder, extends=extends)
    return Mount(root.name, root)


@pytest.fixture
async def first(tmp_path: Path) -> LoadedIndex:
    corpus = make_corpus(tmp_path / "corpus", BUILT_IN)
    await build_index(corpus, tmp_path / "current", CountingEmbedder())
    return load_index(tmp_path / "current")


async def test_a_mounted_catalog_is_searched_with_the_others(first: LoadedIndex, tmp_path: Path) -> None:
    other = await catalog(tmp_path / "open-data", {"census": {"B.1": "Number of people", "A.1": "Interest paid"}})
    index = mount(first, [other])
    finder = LocalFinder(index, CountingEmbedder())
    request = FinderRequest(texts=("number of people",))
    reply = await finder.search(request, deadline=Deadline.after(30))
    assert reply.results[0].identifier == "urn:air:example.org:okf:open-data:census.B.1"
    assert index.entry(3)["file"] == "open-data:sources/census/B.1.md"
    assert (await finder.search(FinderRequest(texts=("interest rate",)), deadline=Deadline.after(30))).results[
        0
    ].identifier == "urn:air:example.org:okf:bank.A.1"
    limited = request.model_copy(update={"texts": ("interest rate",), "catalogs": ("open-data",)})
    reply = await finder.search(limited, deadline=Deadline.after(30))
    assert {document.source for document in reply.results} == {"census"}


async def test_exact_lookups_cover_every_catalog(first: LoadedIndex, tmp_path: Path) -> None:
    other = await catalog(tmp_path / "open-data", {"census": {"A.1": "Interest paid"}})
    finder = LocalFinder(mount(first, [other]), CountingEmbedder())
    assert [document.source for document in await finder.by_variable("A.1")] == ["bank", "census"]
    found = finder.lookups.by_identifier("urn:air:example.org:okf:open-data:census.A.1")
    assert found is not None
    assert found.title == "Interest paid"


async def test_a_catalog_of_another_model_is_refused(first: LoadedIndex, tmp_path: Path) -> None:
    other = await catalog(tmp_path / "foreign", {"census": {"B.1": "People"}}, model="another")
    with pytest.raises(IndexForeign, match="its model is another, not words-64"):
        mount(first, [other])


async def test_a_catalog_of_another_dimension_is_refused(first: LoadedIndex, tmp_path: Path) -> None:
    class Narrow(CountingEmbedder):
        dimension = 32

    root = make_corpus(tmp_path / "narrow", {"census": {"B.1": "People"}})
    await build_index(root, root / "index", Narrow())
    with pytest.raises(IndexForeign, match="its dimension is 32, not 64"):
        mount(first, [Mount("narrow", root)])


async def test_a_source_that_two_catalogs_hold_must_be_declared(first: LoadedIndex, tmp_path: Path) -> None:
    tables = {"bank": {"A.9": "Bank loans"}}
    undeclared = await catalog(tmp_path / "twice", tables)
    with pytest.raises(IndexForeign, match="both hold the source bank"):
        mount(first, [undeclared])
    declared = await catalog(tmp_path / "more", tables, extends="bank")
    index = mount(first, [declared])
    assert index.sources == ["bank"]
    assert index.manifest["sources"] == {"bank": 3}
    assert [index.source(row) for row in range(3)] == ["bank"] * 3


async def test_a_catalog_without_an_index_is_refused(first: LoadedIndex, tmp_path: Path) -> None:
    with pytest.raises(IndexDamaged, match="there is no index"):
        mount(first, [Mount("nowhere", tmp_path / "nowhere")])


def test_the_environment_names_catalogs() -> None:
    assert mounts_from_environment({}) == ()
    found = mounts_from_environment({"ARD_CATALOGS": "open-data=/data/open, local = relative/path ,"})
    assert [(one.name, str(one.root)) for one in found] == [("open-data", "/data/open"), ("local", "relative/path")]


@pytest.mark.parametrize("text", ["open-data", "=x", "a=", "a b=/x", "a=/x,a=/y", "built-in=/x", "../a=/x"])
def test_a_malformed_list_of_catalogs_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="ARD_CATALOGS"):
        mounts_from_environment({"ARD_CATALOGS": text})
