"""The tools around infra/terraform: the carried schema, the checks, the program's archive."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import zipfile
from pathlib import Path

import pytest

from functions.archive import archiving
from tests.support.terraform import INFRA, Created, copied, initialised, terraform
from tests.support.terraform_rules import ALERTS
from tools.terraform_schema import SCHEMA, reduced, schemas_of, used

ROOT = INFRA.parent


def test_the_carried_schema_has_the_kinds_that_are_used_and_no_other() -> None:
    schemas = schemas_of(json.loads(gzip.decompress(SCHEMA.read_bytes())))
    wanted = used()
    assert set(schemas["resource_schemas"]) == wanted["resource"]
    assert set(schemas["data_source_schemas"]) == wanted["data"]


def test_terraform_reads_back_the_schema_that_is_carried(tmp_path: Path) -> None:
    folder = initialised(copied(tmp_path) / "terraform" / "modules" / "environment")
    done = terraform(folder, "providers", "schema", "-json")
    assert done.returncode == 0, done.stderr
    read = schemas_of(reduced(json.loads(done.stdout), used()))["resource_schemas"]
    carried = schemas_of(json.loads(gzip.decompress(SCHEMA.read_bytes())))["resource_schemas"]
    for name, one in carried.items():
        assert set(read[name]["block"]["attributes"]) == set(one["block"]["attributes"])
        assert set(read[name]["block"].get("block_types", {})) == set(one["block"]["block_types"])
    bucket = read["google_storage_bucket"]["block"]
    assert bucket["attributes"]["location"] == {
        "type": "string",
        "required": True,
        "description_kind": "plain",
    }
    assert bucket["block_types"]["versioning"]["max_items"] == 1


def test_the_check_says_how_to_get_terraform_where_there_is_none(tmp_path: Path) -> None:
    for tool in ("bash", "dirname"):
        found = next(path for path in ("/bin", "/usr/bin") if os.access(f"{path}/{tool}", os.X_OK))
        (tmp_path / tool).symlink_to(f"{found}/{tool}")
    done = subprocess.run(
        [ROOT / "tools" / "terraform_check.sh"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "https://developer.hashicorp.com/terraform/install" in done.stderr


def test_the_files_are_formatted() -> None:
    done = terraform(INFRA / "terraform", "fmt", "-check", "-recursive")
    assert (done.returncode, done.stdout) == (0, "")


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("archive")
    both = (folder / "one.zip", folder / "two.zip")
    for archive in both:
        done = subprocess.run(
            [ROOT / "tools" / "terraform_source.sh", archive], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    return both


def test_the_programs_archive_has_what_the_platform_installs(archives: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(archives[0]) as archive:
        names = set(archive.namelist())
        wanted = archive.read("requirements.txt").decode().splitlines()
    assert wanted == ["--constraint requirements/ci.txt", "functions-framework", ".[gcp,s3]"]
    assert {"pyproject.toml", "README.md", "LICENSE", "requirements/ci.txt", "infra/stages.json"} <= names
    for path in ROOT.glob("functions/*/main.py"):
        assert f"functions/{path.parent.name}/main.py" in names
    assert not [name for name in names if name.startswith(("tests/", "docs/", "infra/terraform"))]


def test_the_same_commit_gives_the_same_archive(archives: tuple[Path, Path]) -> None:
    assert archives[0].read_bytes() == archives[1].read_bytes()


def test_what_an_answer_costs_is_measured_where_it_is_told_and_judged_by_its_mean(dev: Created) -> None:
    (metric,) = (one for one in dev.of("google_logging_metric") if one.values["name"].endswith("/answer-usd"))
    assert f'jsonPayload.logger="{archiving.__name__}"' in metric.values["filter"]
    assert metric.values["value_extractor"] == "EXTRACT(jsonPayload.usd)"
    assert metric.values["metric_descriptor"][0]["value_type"] == "DISTRIBUTION"
    (alert,) = (
        one
        for one in dev.of("google_monitoring_alert_policy")
        if one.values["user_labels"]["alert"] == "answer-usd"
    )
    (condition,) = alert.values["conditions"][0]["condition_threshold"]
    (over,) = condition["aggregations"]
    assert metric.values["name"] in condition["filter"]
    assert (condition["threshold_value"], over["alignment_period"]) == (0.05, "3600s")
    assert over["cross_series_reducer"] == "REDUCE_MEAN"
    (dashboard,) = dev.of("google_monitoring_dashboard")
    assert f"user/{metric.values['name']}" in dashboard.values["dashboard_json"]


def test_the_guide_tells_what_each_alert_means(dev: Created) -> None:
    guide = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    section = guide.partition("## What each alert means")[2].partition("\n## ")[0]
    made = {one.values["user_labels"]["alert"] for one in dev.of("google_monitoring_alert_policy")}
    assert set(re.findall(r"^\| `([a-z0-9-]+)` \|", section, re.M)) == made == ALERTS
