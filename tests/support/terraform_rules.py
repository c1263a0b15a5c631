"""What every environment must keep to, whatever else is changed; each rule tells what breaks it, by its address."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from tests.support.terraform import Created, Resource

EVERYBODY = frozenset({"allUsers", "allAuthenticatedUsers"})
AGENT = "serviceAccount:service-123456789012@gcp-sa-pubsub.iam.gserviceaccount.com"
ON_THE_PROJECT = frozenset({"roles/datastore.user", "roles/logging.logWriter", "roles/storage.objectViewer"})
"""Roles that are nowhere but on a project, or on buckets whose names the platform makes."""
ALERTS = frozenset(
    {"dead-letters", "oldest-unacked", "given-up", "cold-starts", "error-ratio", "p95", "answer-usd"}
)
LONGEST_ACK = 600

Rule = Callable[[Created], Iterator[str]]


def faults(created: Created) -> list[str]:
    """Everything that breaks a rule."""
    return [fault for rule in RULES for fault in rule(created)]


def closed_buckets(created: Created) -> Iterator[str]:
    for bucket in created.of("google_storage_bucket"):
        values = bucket.values
        if values["public_access_prevention"] != "enforced":
            yield f"{bucket.address} may be opened to the public"
        if not values["uniform_bucket_level_access"]:
            yield f"{bucket.address} has objects with access of their own"
        if not _first(values["versioning"]).get("enabled"):
            yield f"{bucket.address} keeps no versions"
        if not values["lifecycle_rule"]:
            yield f"{bucket.address} keeps what was replaced for ever"


def nobody_is_everybody(created: Created) -> Iterator[str]:
    for one in created.resources:
        members = {*(one.values.get("members") or ()), one.values.get("member")}
        if members & EVERYBODY:
            yield f"{one.address} lets everybody in"


def accounts_of_their_own(created: Created) -> Iterator[str]:
    known = {one.values["email"] for one in created.of("google_service_account")}
    seen: set[str] = set()
    for function in created.of("google_cloudfunctions2_function"):
        email = _service(function)["service_account_email"]
        if email not in known or email in seen:
            yield f"{function.address} has no service account of its own"
        seen.add(email)


def bounded(created: Created) -> Iterator[str]:
    for function in created.of("google_cloudfunctions2_function"):
        if not _service(function)["max_instance_count"]:
            yield f"{function.address} may have any number of instances"
        if function.values["event_trigger"]:
            yield f"{function.address} has an event trigger, whose messages have no dead letter"


def pushes_that_arrive(created: Created) -> Iterator[str]:
    functions = {_service(one)["uri"]: one for one in created.of("google_cloudfunctions2_function")}
    invokers = _members(created, "google_cloud_run_v2_service_iam_binding", "roles/run.invoker", "name")
    member = {one.values["email"]: one.values["member"] for one in created.of("google_service_account")}
    for push in _pushed(created):
        config = _first(push.values["push_config"])
        token = _first(config["oidc_token"])
        function = functions.get(token.get("audience", ""))
        if function is None or not config["push_endpoint"].startswith(f"{token['audience']}/"):
            yield f"{push.address} carries no token for the function that it pushes to"
            continue
        if member.get(token["service_account_email"]) not in invokers.get(function.values["name"], ()):
            yield f"{push.address} may not call {function.values['name']}"
        timeout = _service(function)["timeout_seconds"]
        if push.values["ack_deadline_seconds"] < min(LONGEST_ACK, timeout):
            yield f"{push.address} sends messages again while its function may still be at work"
    for job in created.of("google_cloud_scheduler_job"):
        target = _first(job.values["http_target"])
        token = _first(target["oidc_token"])
        function = functions.get(token.get("audience", ""))
        if function is None or member.get(token["service_account_email"]) not in invokers.get(
            function.values["name"], ()
        ):
            yield f"{job.address} may not call what it calls"


def dead_letters(created: Created) -> Iterator[str]:
    topics = {one.values["id"]: one.values["name"] for one in created.of("google_pubsub_topic")}
    takers = _members(created, "google_pubsub_subscription_iam_binding", "roles/pubsub.subscriber", "subscription")
    publishers = _members(created, "google_pubsub_topic_iam_binding", "roles/pubsub.publisher", "topic")
    last = {
        topics.get(_first(one.values["dead_letter_policy"]).get("dead_letter_topic", ""))
        for one in _pushed(created)
    } - {None}
    if len(last) != 1:
        yield f"dead letters go to {len(last)} topics"
        return
    (letters,) = last
    for push in _pushed(created):
        if topics[push.values["topic"]] == letters:
            continue
        policy = _first(push.values["dead_letter_policy"])
        if topics.get(policy.get("dead_letter_topic", "")) != letters:
            yield f"{push.address} has no dead letter"
        if AGENT not in takers.get(push.values["name"], ()):
            yield f"Pub/Sub may not take what is given up from {push.values['name']}"
    if AGENT not in publishers.get(letters or "", ()):
        yield f"Pub/Sub may not publish to {letters}"
    kept = [one for one in created.of("google_pubsub_subscription") if not one.values["push_config"]]
    if letters not in {topics[one.values["topic"]] for one in kept}:
        yield f"nothing keeps what comes to {letters}"


def pinned_secrets(created: Created) -> Iterator[str]:
    member = {one.values["email"]: one.values["member"] for one in created.of("google_service_account")}
    readers = {
        (one.values["secret_id"], one.values["member"])
        for one in created.of("google_secret_manager_secret_iam_member")
        if one.values["role"] == "roles/secretmanager.secretAccessor"
    }
    for function in created.of("google_cloudfunctions2_function"):
        service = _service(function)
        for secret in service["secret_environment_variables"]:
            if not secret["version"].isdecimal():
                yield f"{function.address} takes whatever version of {secret['secret']} is newest"
            if (secret["secret"], member.get(service["service_account_email"])) not in readers:
                yield f"{function.address} may not read {secret['secret']}"


def permissions_on_resources(created: Created) -> Iterator[str]:
    for grant in created.of("google_project_iam_member"):
        role = grant.values["role"]
        if role not in ON_THE_PROJECT:
            yield f"{grant.address} gives {role} on the whole project"
        elif role != "roles/logging.logWriter" and not grant.values["condition"]:
            yield f"{grant.address} gives {role} on the whole project, without a condition"


def labels(created: Created) -> Iterator[str]:
    for one in created.resources:
        # The labels of a notification channel are its address.
        name = "user_labels" if "user_labels" in one.values else "labels"
        if name in one.values and "environment" not in (one.values[name] or {}):
            yield f"{one.address} has no label of its environment"


def alerts(created: Created) -> Iterator[str]:
    found = created.of("google_monitoring_alert_policy")
    for missing in sorted(ALERTS - {one.values["user_labels"]["alert"] for one in found}):
        yield f"nobody is told of {missing}"
    for alert in found:
        if not alert.values["notification_channels"]:
            yield f"{alert.address} tells nobody"
    for dashboard in created.of("google_monitoring_dashboard"):
        if not json.loads(dashboard.values["dashboard_json"])["mosaicLayout"]["tiles"]:
            yield f"{dashboard.address} shows nothing"


RULES: tuple[Rule, ...] = (
    closed_buckets,
    nobody_is_everybody,
    accounts_of_their_own,
    bounded,
    pushes_that_arrive,
    dead_letters,
    pinned_secrets,
    permissions_on_resources,
    labels,
    alerts,
)


def _pushed(created: Created) -> list[Resource]:
    return [one for one in created.of("google_pubsub_subscription") if one.values["push_config"]]


def _service(function: Resource) -> Any:
    return _first(function.values["service_config"])


def _first(blocks: Any) -> Any:
    return blocks[0] if blocks else {}


def _members(created: Created, kind: str, role: str, on: str) -> dict[str, list[str]]:
    return {one.values[on]: one.values["members"] for one in created.of(kind) if one.values["role"] == role}
