"""The real emulators, each started once for all tests that ask for it; a missing one fails those tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from functions.local.emulators import S3, CloudStorage, Firestore, PubSub


@pytest.fixture(scope="session")
def firestore_emulator() -> Iterator[Firestore]:
    with Firestore() as emulator:
        yield emulator


@pytest.fixture(scope="session")
def pubsub_emulator() -> Iterator[PubSub]:
    with PubSub() as emulator:
        yield emulator


@pytest.fixture(scope="session")
def storage_emulator() -> Iterator[CloudStorage]:
    with CloudStorage() as emulator:
        yield emulator


@pytest.fixture(scope="session")
def s3_emulator() -> Iterator[S3]:
    with S3() as emulator:
        yield emulator
