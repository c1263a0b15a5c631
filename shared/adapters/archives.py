"""Which archive an address means: a folder, a bucket of Cloud Storage or a bucket of S3."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from shared.adapters.object_names import checked_name
from shared.runtime.errors import ArchiveError, UsageError
from shared.runtime.ports import VersionedArchive

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
_FORMS = "gs://bucket/prefix, s3://bucket/prefix or a folder's path"
_BUCKET = re.compile(r"[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]")
"""What both stores allow; names with dots may be longer than others."""


def open_archive(address: str) -> VersionedArchive:
    """The archive at ``gs://bucket[/prefix]``, ``s3://bucket[/prefix]`` or a folder's path.

    Nothing is asked of a store yet. Raises ``UsageError`` for another address, and where the store's client is
    not installed.
    """
    text = address.strip()
    scheme = _SCHEME.match(text)
    if not text:
        raise UsageError(f"the archive's address is empty; it must be {_FORMS}")
    if scheme is None:
        return _folder(text)
    opener = _OPENERS.get(scheme[1].lower())
    rest = text[scheme.end() :]
    if opener is None or not rest.startswith("//"):
        raise UsageError(f"{text!r} is no address of an archive; it must be {_FORMS}")
    bucket, _, prefix = rest[2:].partition("/")
    if not _BUCKET.fullmatch(bucket):
        raise UsageError(f"{text!r} names no bucket: 3 to 222 small letters, digits, dashes, dots and underscores")
    prefix = prefix.rstrip("/")
    try:
        return opener(bucket, checked_name(prefix) if prefix else "")
    except ArchiveError as error:
        raise UsageError(f"{text!r} is no address of an archive: {error}") from error


def is_bucket(address: str) -> bool:
    """Whether an address names a bucket, and not a folder of this machine."""
    scheme = _SCHEME.match(address.strip())
    return scheme is not None and scheme[1].lower() in _OPENERS


def _folder(path: str) -> VersionedArchive:
    from shared.adapters.folder_archive import FolderArchive  # noqa: PLC0415 - only what the address needs

    return FolderArchive(Path(path).expanduser())


def _lacking(scheme: str, package: str, extra: str) -> UsageError:
    return UsageError(
        f"an address {scheme} needs the package {package}, which is not installed; "
        f"run: pip install 'neuralkg[{extra}]', or in a clone: .venv/bin/pip install -e '.[{extra}]'"
    )


def _gcs(bucket: str, prefix: str) -> VersionedArchive:
    try:
        from shared.adapters.gcs_archive import GcsArchive  # noqa: PLC0415
    except ImportError as error:
        raise _lacking("gs://", "google-cloud-storage", "gcp") from error
    return GcsArchive(bucket, prefix)


def _s3(bucket: str, prefix: str) -> VersionedArchive:
    try:
        from shared.adapters.s3_archive import S3Archive  # noqa: PLC0415
    except ImportError as error:
        raise _lacking("s3://", "boto3", "s3") from error
    return S3Archive(bucket, prefix)


_OPENERS: dict[str, Callable[[str, str], VersionedArchive]] = {"gs": _gcs, "s3": _s3}
