"""What a cloud function reads from its environment, and how a value that cannot be used is told."""

from __future__ import annotations

import pytest

from functions.hosting.settings import CloudSettings, SettingInvalid
from functions.hosting.wiring import pushers

WHOLE = {
    "GOOGLE_CLOUD_PROJECT": "my-project-1",
    "NEURALKG_ENVIRONMENT": "prod",
    "NEURALKG_ARCHIVE": "gs://my-bucket/kept",
    "NEURALKG_FIRESTORE_DATABASE": "runs",
    "NEURALKG_FINDER_URL": "https://finder-abc.a.run.app/",
    "NEURALKG_INDEX": "gs://my-bucket/index",
    "NEURALKG_LIVE": "yes",
    "NEURALKG_CONCURRENCY": "9",
    "NEURALKG_RATE": "30",
    "NEURALKG_PROXIES": "2",
    "NEURALKG_PRIVATE": "1",
    "NEURALKG_DEADLINE": "45.5",
    "NEURALKG_LOG": "WARNING",
    "OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318",
}


def test_every_setting_is_read():
    assert CloudSettings.from_environment(WHOLE) == CloudSettings(
        environment="prod",
        project_id="my-project-1",
        archive_address="gs://my-bucket/kept",
        database="runs",
        finder="https://finder-abc.a.run.app",
        index="gs://my-bucket/index",
        live=True,
        concurrency=9,
        per_minute=30,
        proxies=2,
        private=True,
        deadline_seconds=45.5,
        log_level="warning",
        traced=True,
    )


def test_what_is_unset_or_empty_has_its_default():
    assert CloudSettings.from_environment({"NEURALKG_LIVE": " ", "NEURALKG_ENVIRONMENT": ""}) == CloudSettings()


def test_in_the_cloud_the_platforms_front_tells_the_clients_address():
    assert CloudSettings.from_environment({"K_SERVICE": "ask"}).proxies == 1
    assert CloudSettings.from_environment({"K_SERVICE": "ask", "NEURALKG_PROXIES": "0"}).proxies == 0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GOOGLE_CLOUD_PROJECT", "No Project"),
        ("NEURALKG_ENVIRONMENT", "Prod"),
        ("NEURALKG_ENVIRONMENT", "a" * 17),
        ("NEURALKG_ARCHIVE", "ftp://bucket/a"),
        ("NEURALKG_ARCHIVE", "gs://B"),
        ("NEURALKG_FIRESTORE_DATABASE", "x"),
        ("NEURALKG_FINDER_URL", "http://finder.example.org"),
        ("NEURALKG_FINDER_URL", "https://"),
        ("NEURALKG_INDEX", "http://bucket/index"),
        ("NEURALKG_LIVE", "perhaps"),
        ("NEURALKG_CONCURRENCY", "0"),
        ("NEURALKG_CONCURRENCY", "65"),
        ("NEURALKG_RATE", "-1"),
        ("NEURALKG_PROXIES", "11"),
        ("NEURALKG_DEADLINE", "0"),
        ("NEURALKG_DEADLINE", "nan"),
        ("NEURALKG_DEADLINE", "901"),
        ("NEURALKG_LOG", "loud"),
    ],
)
def test_a_value_that_cannot_be_used_is_told_with_what_is_allowed(name, value):
    with pytest.raises(SettingInvalid) as caught:
        CloudSettings.from_environment({**WHOLE, name: value})
    assert caught.value.name == name
    assert str(caught.value).startswith(f"{name} is {value!r}; allowed is ")


def test_a_password_in_an_address_is_refused_and_not_repeated():
    with pytest.raises(SettingInvalid) as caught:
        CloudSettings.from_environment({"NEURALKG_FINDER_URL": "https://user:hunter2@finder.example.org"})
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("need", "name"),
    [("project", "GOOGLE_CLOUD_PROJECT"), ("archive", "NEURALKG_ARCHIVE"), ("finder_url", "NEURALKG_FINDER_URL")],
)
def test_what_is_missing_is_told_when_it_is_needed(need, name):
    settings = CloudSettings.from_environment({})
    with pytest.raises(SettingInvalid, match=f"{name} is not set; allowed is "):
        getattr(settings, need)


def test_a_key_in_the_environment_is_no_part_of_the_settings():
    settings = CloudSettings.from_environment({**WHOLE, "AWS_SECRET_ACCESS_KEY": "hunter2"})
    assert "hunter2" not in repr(settings)


def test_pushes_are_proved_by_their_token_unless_the_platform_has_done_so(monkeypatch):
    monkeypatch.delenv("PUBSUB_EMULATOR_HOST", raising=False)
    project = {"GOOGLE_CLOUD_PROJECT": "my-project-1"}
    assert pushers(CloudSettings.from_environment(project)) is not None
    assert pushers(CloudSettings.from_environment(project | {"NEURALKG_PRIVATE": "1"})) is None
