"""Emulators start, answer, stop and leave nothing; what is missing says how to get it."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from functions.local import emulators
from functions.local.emulators import CloudStorage, EmulatorFailed, EmulatorMissing, Firestore, PubSub


def test_an_emulator_answers_while_it_runs_and_is_gone_afterwards():
    with CloudStorage() as storage:
        pid, address = storage.pid, (storage.host, storage.port)
        socket.create_connection(address, 2).close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(address, 2)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_missing_java_is_told_with_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setenv("CLOUDSDK_ROOT_DIR", str(tmp_path))
    monkeypatch.setattr(emulators.shutil, "which", lambda _: None)
    with pytest.raises(EmulatorMissing, match="install a Java 17"):
        Firestore().start()


def test_a_missing_component_is_told_with_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setenv("CLOUDSDK_ROOT_DIR", str(tmp_path))
    with pytest.raises(EmulatorMissing, match="gcloud components install"):
        PubSub().start()


def test_a_missing_cloud_sdk_is_told_with_how_to_get_it(monkeypatch):
    monkeypatch.delenv("CLOUDSDK_ROOT_DIR", raising=False)
    monkeypatch.setattr(emulators.shutil, "which", lambda name: "java" if name == "java" else None)
    with pytest.raises(EmulatorMissing, match="Google Cloud CLI"):
        PubSub().start()


def test_an_emulator_that_dies_tells_its_last_words(monkeypatch):
    class Dying(CloudStorage):
        def command(self, folder: Path) -> list[str]:
            return ["/bin/sh", "-c", "echo no port is free; exit 3"]

    with pytest.raises(EmulatorFailed, match="no port is free"):
        Dying().start()
