# Each push carries a token of this account, and nothing else uses it.
resource "google_service_account" "push" {
  project      = var.project_id
  account_id   = var.push_account
  display_name = "${var.prefix}: pushes messages to the functions"
}

# Pub/Sub makes the tokens of the pushing account, takes what is given up from its subscription, and publishes it among the
# dead letters. Without the last two, messages are retried for ever and no dead letter is made.
resource "google_service_account_iam_binding" "tokens" {
  service_account_id = google_service_account.push.name
  role               = "roles/iam.serviceAccountTokenCreator"
  members            = [local.agent]
}

resource "google_pubsub_subscription_iam_binding" "given_up" {
  for_each     = { for key, push in google_pubsub_subscription.push : key => push.name if key != "dead-letters" }
  project      = var.project_id
  subscription = each.value
  role         = "roles/pubsub.subscriber"
  members      = [local.agent]
}

resource "google_pubsub_topic_iam_binding" "publisher" {
  for_each = local.publishers
  project  = var.project_id
  topic    = google_pubsub_topic.this[each.key].name
  role     = "roles/pubsub.publisher"
  members  = each.value
}

resource "google_pubsub_subscription_iam_binding" "readers" {
  for_each = {
    for key, members in { "answers" = var.askers, "dead-letters-kept" = var.operators } : key => members if length(members) > 0
  }
  project      = var.project_id
  subscription = google_pubsub_subscription.pull[each.key].name
  role         = "roles/pubsub.subscriber"
  members      = each.value
}
