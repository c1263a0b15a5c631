import pytest

from shared.adapters.folder_archive import FolderArchive
from shared.query.annotated import Annotation, Noted, Spilled
from shared.query.evidence import Disclosure, DisclosureKind
from shared.runtime.errors import ArchiveError
from shared.runtime.spill import LIMIT, spill, unspill


def note(text, n=0):
    payload = Noted(disclosure=Disclosure(kind=DisclosureKind.CAVEAT, text=text))
    return Annotation(reading=0, stage="execute", slot="slot:1", source="worldbank", n=n, payload=payload)


@pytest.fixture
def archive(tmp_path):
    return FolderArchive(tmp_path)


async def test_small_payloads_stay_and_large_ones_are_replaced_by_a_reference(archive):
    small, large = note("x" * (LIMIT // 2)), note("é" * LIMIT, n=1)
    stored, bodies = await spill(archive, [small, large])
    assert stored[0] is small
    reference = stored[1].payload
    assert isinstance(reference, Spilled)
    assert reference.of == "noted"
    assert reference.blob == f"blobs/{reference.sha256}"
    assert reference.bytes > LIMIT
    assert stored[1].key == large.key
    assert len(stored[1].model_dump_json()) < 500
    assert list(bodies) == [annotation.model_dump_json() for annotation in stored]
    assert await unspill(archive, stored) == [small, large]


async def test_the_same_payload_is_kept_once(archive):
    await spill(archive, [note("x" * 300_000)])
    await spill(archive, [note("x" * 300_000)])
    assert len([name async for name in archive.list("blobs/")]) == 1


async def test_a_payload_that_was_changed_in_the_archive_is_refused(archive):
    stored, _ = await spill(archive, [note("x" * 300_000)])
    await archive.put(stored[0].payload.blob, b"{}")
    with pytest.raises(ArchiveError, match="not the one that was written"):
        await unspill(archive, stored)


async def test_a_payload_that_is_gone_is_told(archive):
    gone = Spilled(of="noted", blob="blobs/0", sha256="0", bytes=1)
    with pytest.raises(ArchiveError, match="no object called blobs/0"):
        await unspill(archive, [note("x").model_copy(update={"payload": gone})])
