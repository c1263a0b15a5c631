# Topics and subscriptions, the same that shared/runtime/topology.py works out of the table of functions. The push
# subscriptions are our own, not those of an event trigger: those keep messages for 24 h and have no dead letters.
locals {
  stages = [for row in var.functions : row.name if row.kind == "stage"]
  rows   = { for row in var.functions : row.name => row }
  hyphen = { for name in local.stages : name => replace(name, "_", "-") }

  # Where the functions beside the pipeline take their messages. A function that serves other requests, too, takes them
  # at a path of their own.
  around = {
    "questions"    = { function = "ask", path = "/push/questions" }
    "ended"        = { function = "archive", path = "/" }
    "dead-letters" = { function = "sweep", path = "/push/dead-letters" }
  }

  topics = toset(concat(values(local.hyphen), keys(local.around), ["answers"]))

  pushes = merge(
    { for name in local.stages : local.hyphen[name] => { function = name, path = "/" } },
    local.around,
  )

  # Who publishes where. A stage may send a run to any stage; what is foreign goes among the dead letters.
  stage_topics = values(local.hyphen)
  publishes = merge(
    { for name in local.stages : name => concat(local.stage_topics, ["ended", "dead-letters"]) },
    {
      ask     = concat(local.stage_topics, ["answers", "dead-letters"])
      archive = ["answers", "dead-letters"]
      sweep   = concat(local.stage_topics, ["ended", "answers"])
    },
  )
  publishers = {
    for topic in local.topics : topic => distinct(concat(
      [for name, topics in local.publishes : var.members[name] if contains(topics, topic)],
      topic == "dead-letters" ? [local.agent] : [],
      topic == "questions" ? var.askers : [],
      # Who sends dead letters again puts them where they came from.
      contains(["answers", "dead-letters"], topic) ? [] : var.operators,
    ))
  }

  agent            = "serviceAccount:service-${var.project_number}@gcp-sa-pubsub.iam.gserviceaccount.com"
  retention        = "${7 * 24 * 3600}s"
  longest_ack      = 600
  ack_margin       = 60
  retry_by_default = { min_backoff_seconds = 1, max_backoff_seconds = 60, max_attempts = 6 }
}

resource "google_pubsub_topic" "this" {
  # checkov:skip=CKV_GCP_83:messages are encrypted by keys of the platform and go after 7 days
  for_each = local.topics
  project  = var.project_id
  name     = "${var.prefix}-${each.value}"
  labels   = var.labels

  message_storage_policy {
    allowed_persistence_regions = [var.region]
  }
}

resource "google_pubsub_subscription" "push" {
  for_each = local.pushes
  project  = var.project_id
  name     = "${var.prefix}-${each.key}"
  topic    = google_pubsub_topic.this[each.key].id
  labels   = merge(var.labels, { function = replace(each.value.function, "_", "-") })

  # Longer than the function may take, so that no message comes again while its function may still end well.
  ack_deadline_seconds       = min(local.longest_ack, local.rows[each.value.function].timeout_seconds + local.ack_margin)
  message_retention_duration = local.retention
  retain_acked_messages      = false

  expiration_policy {
    ttl = ""
  }

  retry_policy {
    minimum_backoff = "${coalesce(local.rows[each.value.function].retry, local.retry_by_default).min_backoff_seconds}s"
    maximum_backoff = "${coalesce(local.rows[each.value.function].retry, local.retry_by_default).max_backoff_seconds}s"
  }

  push_config {
    push_endpoint = "${var.uris[each.value.function]}${each.value.path}"
    oidc_token {
      service_account_email = google_service_account.push.email
      audience              = var.uris[each.value.function]
    }
  }

  # The dead letters themselves are tried until their retention ends.
  dynamic "dead_letter_policy" {
    for_each = each.key == "dead-letters" ? [] : [coalesce(local.rows[each.value.function].retry, local.retry_by_default).max_attempts]
    content {
      dead_letter_topic     = google_pubsub_topic.this["dead-letters"].id
      max_delivery_attempts = dead_letter_policy.value
    }
  }
}

# Answers wait here for whoever asked by message; dead letters for whoever looks into them and sends them again.
resource "google_pubsub_subscription" "pull" {
  for_each                   = { "answers" = "answers", "dead-letters-kept" = "dead-letters" }
  project                    = var.project_id
  name                       = "${var.prefix}-${each.key}"
  topic                      = google_pubsub_topic.this[each.value].id
  labels                     = var.labels
  ack_deadline_seconds       = 60
  message_retention_duration = local.retention
  retain_acked_messages      = false

  expiration_policy {
    ttl = ""
  }
}
