"""The rules hold for both environments, and each mistake that they are for is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.terraform import Created, copied, created, initialised, terraform
from tests.support.terraform_rules import RULES, faults

MODULES = Path("terraform") / "modules"


def changed(infra: Path, file: str, before: str, after: str) -> None:
    path = infra / MODULES / file
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1, f"{before!r} stands {text.count(before)} times in {file}"
    path.write_text(text.replace(before, after), encoding="utf-8")


def block(infra: Path, file: str, opening: str) -> str:
    """A whole block of a file, from its first line to the brace that closes it."""
    text = (infra / MODULES / file).read_text(encoding="utf-8")
    start = text.index(opening)
    return text[start : text.index("\n}\n", start) + 3]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_both_environments_keep_to_the_rules(rule: Callable[..., object], dev: Created, prod: Created) -> None:
    assert list(rule(dev)) + list(rule(prod)) == []


@pytest.fixture(scope="module")
def spoilt(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What the rules tell of a tree with several mistakes in it, each of another kind."""
    infra = copied(tmp_path_factory.mktemp("spoilt"))
    changed(infra, "bucket/main.tf", '"enforced"', '"inherited"')
    changed(
        infra,
        "messaging/main.tf",
        'each.key == "dead-letters" ? []',
        'contains(["dead-letters", "slots"], each.key) ? []',
    )
    changed(
        infra,
        "messaging/iam.tf",
        block(infra, "messaging/iam.tf", 'resource "google_pubsub_subscription_iam_binding" "given_up"'),
        "",
    )
    changed(infra, "stage_function/main.tf", "concat([var.pusher], ", "concat([], ")
    changed(infra, "http_function/main.tf", "concat(var.invokers,", 'concat(var.invokers, ["allUsers"],')
    changed(
        infra,
        "source/main.tf",
        "labels        = var.labels\n  force_destroy",
        "labels        = {}\n  force_destroy",
    )
    return faults(created(infra, "dev"))


@pytest.mark.parametrize(
    "told",
    [
        "module.environment.module.archive.module.bucket.google_storage_bucket.this may be opened to the public",
        'google_pubsub_subscription.push["slots"] has no dead letter',
        "Pub/Sub may not take what is given up from neuralkg-dev-understand",
        'google_pubsub_subscription.push["execute"] may not call neuralkg-dev-execute',
        "module.ask.module.function.google_cloud_run_v2_service_iam_binding.invoker lets everybody in",
        "module.source.module.bucket.google_storage_bucket.this has no label of its environment",
    ],
)
def test_each_mistake_is_told(spoilt: list[str], told: str) -> None:
    assert any(told in fault for fault in spoilt), "\n".join(spoilt)


def test_a_wrong_argument_is_told_before_anything_is_planned(tmp_path: Path) -> None:
    infra = copied(tmp_path)
    changed(infra, "function/main.tf", "min_instance_count ", "min_instances ")
    done = terraform(initialised(infra / "terraform" / "environments" / "dev"), "validate", "-no-color")
    assert done.returncode == 1
    assert 'An argument named "min_instances" is not expected here' in done.stderr


def test_a_missing_argument_is_told_before_anything_is_planned(tmp_path: Path) -> None:
    infra = copied(tmp_path)
    changed(infra, "messaging/main.tf", "  topic    = google_pubsub_topic.this[each.key].id\n", "")
    done = terraform(initialised(infra / "terraform" / "environments" / "dev"), "validate", "-no-color")
    assert done.returncode == 1
    assert 'The argument "topic" is required' in done.stderr


def test_a_missing_variable_is_named(tmp_path: Path) -> None:
    folder = copied(tmp_path) / "terraform" / "environments" / "dev"
    test = folder / "tests" / "whole.tftest.hcl"
    lines = test.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if not line.lstrip().startswith("project_id")]
    assert len(kept) == len(lines) - 1
    test.write_text("".join(kept), encoding="utf-8")
    done = terraform(initialised(folder), "test", "-no-color")
    assert done.returncode == 1
    assert "project_id" in done.stderr
    assert "No value for required variable" in done.stderr


def test_two_environments_of_one_project_share_nothing(dev: Created, prod: Created) -> None:
    def names(of: Created) -> set[tuple[str, str]]:
        told = ("name", "account_id", "secret_id", "repository_id")
        kinds = {
            "google_project_service",  # shared on purpose, and left on when one environment goes
            "google_storage_bucket_object",  # within a bucket
            "google_firestore_field",  # within a database
        }
        return {
            (one.type, str(one.values[key]))
            for one in of.resources
            if one.type not in kinds
            for key in told
            if key in one.values
        }

    assert len(names(dev)) > 80
    shared = {(kind, name) for kind, name in names(dev) & names(prod)}
    assert shared == set()
