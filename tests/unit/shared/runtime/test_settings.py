import json

import pytest

from shared.runtime.settings import PIPELINE, STAGES_FILE, StagesInvalid, load_stages


@pytest.fixture
def table(tmp_path):
    """The shipped table as plain data, and how to read it back after a change."""
    data = json.loads(STAGES_FILE.read_text(encoding="utf-8"))

    def read():
        path = tmp_path / "stages.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        return load_stages(path)

    return data, {row["name"]: row for row in data["functions"]}, read


def test_the_shipped_table_lists_the_pipeline_in_order_and_the_other_functions():
    loaded = load_stages()
    assert tuple(stage.name for stage in loaded.stages) == PIPELINE
    assert {f.name for f in loaded.functions} - set(PIPELINE) == {"ask", "finder", "archive", "sweep", "reports"}


def test_models_judge_only_where_the_pipeline_lets_them():
    judging = {stage.name for stage in load_stages().stages if stage.judging_allowed}
    assert {row.name for row in load_stages().stages} - judging == {"slots", "plan", "execute"}


def test_every_stage_can_be_acknowledged_within_its_deadline():
    assert all(stage.timeout_seconds <= 540 and stage.retry for stage in load_stages().stages)


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        ("execute", {"judging_allowed": True}, "execute may not call models"),
        ("execute", {"memory_mb": 12}, "execute.memory_mb"),
        ("execute", {"memory_mb": "lots"}, "execute.memory_mb"),
        ("execute", {"colour": "red"}, "execute.colour"),
        ("execute", {"timeout_seconds": 541}, "540 s at most"),
        ("execute", {"retry": None}, "needs a retry policy"),
        ("execute", {"min_instances": 30}, "min_instances is above max_instances"),
        ("execute", {"cpu": 0.5}, "needs at least one cpu"),
        ("execute", {"name": "understand"}, "listed twice: understand"),
        ("execute", {"kind": "http", "judging_allowed": False}, "the stages must be, in this order"),
        ("sweep", {"schedule": None}, "a schedule stands exactly with the kind schedule"),
        ("ask", {"judging_allowed": True}, "judging_allowed is for stages"),
    ],
)
def test_a_row_that_breaks_a_rule_is_named_with_the_rule(table, name, change, told):
    _, rows, read = table
    rows[name].update(change)
    with pytest.raises(StagesInvalid, match=told):
        read()


def test_a_retry_policy_is_held_to_the_limits_of_pubsub(table):
    _, rows, read = table
    rows["plan"]["retry"] = {"min_backoff_seconds": 10, "max_backoff_seconds": 5, "max_attempts": 6}
    with pytest.raises(StagesInvalid, match=r"plan\.retry: .*above max_backoff"):
        read()


def test_stages_out_of_order_are_refused(table):
    data, _, read = table
    data["functions"][1:3] = reversed(data["functions"][1:3])
    with pytest.raises(StagesInvalid, match="in this order, understand, slots, discover"):
        read()


def test_a_table_that_is_missing_or_not_json_is_said(tmp_path):
    with pytest.raises(StagesInvalid, match="cannot be read: No such file"):
        load_stages(tmp_path / "none.json")
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    with pytest.raises(StagesInvalid, match="is not JSON"):
        load_stages(tmp_path / "bad.json")


def test_an_unknown_function_is_refused_with_the_known_ones():
    with pytest.raises(StagesInvalid, match="'explode'; there are understand, slots"):
        load_stages().get("explode")
