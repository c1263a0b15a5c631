"""What Terraform would create is what ``neuralkg up`` creates, what the table says and what the code opens."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from typing import Any

import pytest

from functions.finder.settings import FinderSettings
from functions.hosting.settings import CloudSettings
from functions.local.emulators import PubSub
from shared.adapters.pubsub_clients import open_subscriber
from shared.adapters.pubsub_topology import create_topology
from shared.runtime.settings import STAGES_FILE, StageTable, load_stages
from shared.runtime.topology import DeadLetterPolicy, PullSubscription, PushSubscription, topology
from tests.support.terraform import Created, Resource

ROOT = STAGES_FILE.parents[1]
ENVIRONMENTS = ("dev", "prod")
PROJECT = "neuralkg-test"


@pytest.fixture(params=ENVIRONMENTS)
def environment(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def planned(environment: str, request: pytest.FixtureRequest) -> Created:
    found: Created = request.getfixturevalue(environment)
    return found


@pytest.fixture(scope="module")
def table() -> StageTable:
    return load_stages()


def seconds(text: str) -> int:
    assert text.endswith("s")
    return int(text[:-1])


class Planned:
    """Terraform's subscriptions in the words of ``shared/runtime/topology.py``."""

    def __init__(self, created: Created) -> None:
        self._created = created
        self._topics = {one.values["id"]: one.values["name"] for one in created.of("google_pubsub_topic")}
        self._functions = {
            one.values["service_config"][0]["uri"]: function_of(one)
            for one in created.of("google_cloudfunctions2_function")
        }
        self._accounts = {
            one.values["email"]: one.values["account_id"] for one in created.of("google_service_account")
        }

    def topics(self) -> set[str]:
        return set(self._topics.values())

    def push(self) -> set[PushSubscription]:
        return {self._push(one.values) for one in self._subscriptions() if one.values["push_config"]}

    def pull(self) -> set[PullSubscription]:
        return {
            PullSubscription(
                name=one.values["name"],
                topic=self._topics[one.values["topic"]],
                ack_deadline_seconds=one.values["ack_deadline_seconds"],
                retention_seconds=seconds(one.values["message_retention_duration"]),
            )
            for one in self._subscriptions()
            if not one.values["push_config"]
        }

    def _subscriptions(self) -> list[Resource]:
        return self._created.of("google_pubsub_subscription")

    def _push(self, values: Mapping[str, Any]) -> PushSubscription:
        config, retry = values["push_config"][0], values["retry_policy"][0]
        audience = config["oidc_token"][0]["audience"]
        letter = values["dead_letter_policy"][0] if values["dead_letter_policy"] else None
        return PushSubscription(
            name=values["name"],
            topic=self._topics[values["topic"]],
            function=self._functions[audience],
            path=config["push_endpoint"].removeprefix(audience),
            ack_deadline_seconds=values["ack_deadline_seconds"],
            min_backoff_seconds=seconds(retry["minimum_backoff"]),
            max_backoff_seconds=seconds(retry["maximum_backoff"]),
            retention_seconds=seconds(values["message_retention_duration"]),
            service_account=self._accounts[config["oidc_token"][0]["service_account_email"]],
            dead_letter=letter
            and DeadLetterPolicy(
                topic=self._topics[letter["dead_letter_topic"]], max_attempts=letter["max_delivery_attempts"]
            ),
        )


def function_of(resource: Resource) -> str:
    """The function's name in the table."""
    source = resource.values["build_config"][0]["environment_variables"]["GOOGLE_FUNCTION_SOURCE"]
    return str(source).split("/")[1]


def variables_of(created: Created) -> dict[str, dict[str, str]]:
    """Each function's environment, with an address where the platform gives one."""
    found = {}
    for one in created.of("google_cloudfunctions2_function"):
        variables = dict(one.values["service_config"][0]["environment_variables"])
        if "NEURALKG_FINDER_URL" in variables:
            variables["NEURALKG_FINDER_URL"] = "https://finder-abc-ew.a.run.app"
        found[function_of(one)] = variables
    return found


def test_topics_and_subscriptions_are_those_of_the_topology(
    planned: Created, environment: str, table: StageTable
) -> None:
    wanted, found = topology(table, environment), Planned(planned)
    assert found.topics() == set(wanted.topics)
    assert found.push() == set(wanted.push)
    assert found.pull() == set(wanted.pull)


def test_no_subscription_expires(planned: Created) -> None:
    # An empty block would be the platform's default of 31 days.
    for one in planned.of("google_pubsub_subscription"):
        assert one.values["expiration_policy"] == [{"ttl": ""}], one.address


async def test_they_are_those_that_up_makes_on_the_emulator(
    dev: Created, table: StageTable, pubsub_emulator: PubSub
) -> None:
    endpoints = {row.name: f"http://{row.name.replace('_', '-')}.test" for row in table.functions}
    await create_topology(topology(table, "dev"), PROJECT, endpoints=endpoints, emulator=pubsub_emulator.address)
    subscriber = await open_subscriber(pubsub_emulator.address)
    try:
        listed = await subscriber.list_subscriptions(request={"project": f"projects/{PROJECT}"})
        made = {one.name.rpartition("/")[2]: one async for one in listed}
    finally:
        await subscriber.transport.close()
    planned = {one.name: one for one in (*Planned(dev).push(), *Planned(dev).pull())}
    assert made.keys() == planned.keys()
    for name, wanted in planned.items():
        found = made[name]
        assert found.topic == f"projects/{PROJECT}/topics/{wanted.topic}"
        assert found.ack_deadline_seconds == wanted.ack_deadline_seconds
        assert found.message_retention_duration.total_seconds() == wanted.retention_seconds
        if isinstance(wanted, PullSubscription):
            assert not found.push_config.push_endpoint
            continue
        assert found.push_config.push_endpoint == endpoints[wanted.function] + wanted.path
        assert found.retry_policy.minimum_backoff.total_seconds() == wanted.min_backoff_seconds
        assert found.retry_policy.maximum_backoff.total_seconds() == wanted.max_backoff_seconds
        letter = found.dead_letter_policy
        if wanted.dead_letter is None:
            assert not letter.dead_letter_topic
        else:
            assert letter.dead_letter_topic == f"projects/{PROJECT}/topics/{wanted.dead_letter.topic}"
            assert letter.max_delivery_attempts == wanted.dead_letter.max_attempts


def test_functions_are_those_of_the_table_and_of_the_code(
    planned: Created, environment: str, table: StageTable
) -> None:
    found = {function_of(one): one.values for one in planned.of("google_cloudfunctions2_function")}
    code = {path.parent.name for path in ROOT.glob("functions/*/main.py")}
    assert set(found) == {row.name for row in table.functions} == code
    for row in table.functions:
        values = found[row.name]
        service, build = values["service_config"][0], values["build_config"][0]
        assert values["name"] == f"neuralkg-{environment}-{row.name.replace('_', '-')}"
        assert service["available_memory"] == f"{row.memory_mb}Mi"
        assert float(service["available_cpu"]) == row.cpu
        assert service["max_instance_request_concurrency"] == row.concurrency
        assert (service["min_instance_count"], service["max_instance_count"]) == (
            row.min_instances,
            row.max_instances,
        )
        assert service["timeout_seconds"] == row.timeout_seconds
        source = ROOT / build["environment_variables"]["GOOGLE_FUNCTION_SOURCE"]
        assert f"{build['entry_point']} = " in source.read_text(encoding="utf-8")


def test_scheduled_functions_are_called_by_the_tables_schedules(planned: Created, table: StageTable) -> None:
    jobs = {one.values["name"].rpartition("-")[2]: one.values for one in planned.of("google_cloud_scheduler_job")}
    assert set(jobs) == {"sweep", "reports"}
    assert jobs["sweep"]["schedule"] == table.get("sweep").schedule
    assert jobs["sweep"]["http_target"][0]["http_method"] == "POST"
    assert jobs["reports"]["http_target"][0]["uri"].endswith("/sums")


def test_every_function_can_read_its_environment(planned: Created, environment: str) -> None:
    for name, variables in variables_of(planned).items():
        settings = CloudSettings.from_environment(variables | {"K_SERVICE": name})
        assert (settings.environment, settings.project) == (environment, PROJECT)
        assert settings.database == f"neuralkg-{environment}"
        assert settings.archive == f"gs://{PROJECT}-neuralkg-{environment}-archive"
    finder = FinderSettings.from_environment(variables_of(planned)["finder"])
    assert finder.index == f"gs://{PROJECT}-neuralkg-{environment}-index/index"
    assert finder.daily_limit == 0


def test_the_finder_is_known_to_the_functions_that_ask_it_and_lets_in_no_other(planned: Created) -> None:
    asking = {name for name in variables_of(planned) if needs(name).get("finder")} | {"ask"}
    known = {name for name, variables in variables_of(planned).items() if "NEURALKG_FINDER_URL" in variables}
    assert known == asking
    member = {one.values["email"]: one.values["member"] for one in planned.of("google_service_account")}
    accounts = {
        member[one.values["service_config"][0]["service_account_email"]]: function_of(one)
        for one in planned.of("google_cloudfunctions2_function")
    }
    (binding,) = (
        one
        for one in planned.of("google_cloud_run_v2_service_iam_binding")
        if one.values["name"].endswith("-finder")
    )
    assert {accounts[one] for one in binding.values["members"]} == asking


def test_publishers_are_asked_live_by_the_functions_that_send_requests(planned: Created) -> None:
    sending = {name for name in variables_of(planned) if needs(name).get("recorded")}
    live = {name for name, variables in variables_of(planned).items() if "NEURALKG_LIVE" in variables}
    assert live == sending


def test_only_the_stages_that_may_judge_and_the_finder_have_a_models_key(
    planned: Created, table: StageTable
) -> None:
    judging = {row.name for row in table.functions if row.judging_allowed} | {"finder"}
    keys = {
        function_of(one): {
            secret["key"]: secret["version"]
            for secret in one.values["service_config"][0]["secret_environment_variables"]
        }
        for one in planned.of("google_cloudfunctions2_function")
    }
    assert {name for name, held in keys.items() if held} == judging
    # A key whose secret has no version yet is in no function.
    assert all(keys[name] == {"OPENROUTER_API_KEY": "3"} for name in judging)
    assert {
        one.values["secret_id"].partition("-")[2].partition("-")[2]
        for one in planned.of("google_secret_manager_secret")
    } == {
        "openrouter-api-key",
        "dc-api-key",
    }


def test_fields_are_indexed_and_expire_as_the_table_of_fields_says(planned: Created) -> None:
    wanted = json.loads((ROOT / "infra" / "firestore.json").read_text(encoding="utf-8"))
    found = {
        (one.values["collection"], one.values["field"]): one.values for one in planned.of("google_firestore_field")
    }
    assert len(found) == len(wanted["fields"])
    for field in wanted["fields"]:
        values = found[field["collection"], field["field"]]
        indexes = values["index_config"][0]["indexes"]
        assert [{key: one[key] for key in ("order", "query_scope")} for one in indexes] == field["indexes"]
        assert bool(values["ttl_config"]) is field["ttl"]
    assert [
        {
            "collection": one.values["collection"],
            "query_scope": one.values["query_scope"],
            "fields": [{"field": part["field_path"], "order": part["order"]} for part in one.values["fields"]],
        }
        for one in sorted(planned.of("google_firestore_index"), key=lambda one: one.address)
    ] == wanted["composite_indexes"]


def test_what_is_asked_in_prod_is_kept_from_deletion(dev: Created, prod: Created) -> None:
    def kept(created: Created) -> tuple[str, bool]:
        (database,) = created.of("google_firestore_database")
        (archive,) = (one for one in created.of("google_storage_bucket") if one.values["name"].endswith("-archive"))
        return database.values["delete_protection_state"], not archive.values["force_destroy"]

    assert kept(prod) == ("DELETE_PROTECTION_ENABLED", True)
    assert kept(dev) == ("DELETE_PROTECTION_DISABLED", False)


def needs(function: str) -> Mapping[str, object]:
    """What a stage's main.py says that it opens: the keywords of its ``stage_function(...)``."""
    tree = ast.parse((ROOT / "functions" / function / "main.py").read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "stage_function":
            return {word.arg: ast.unparse(word.value) for word in node.keywords if word.arg}
    return {}
