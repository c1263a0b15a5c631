resource "google_monitoring_notification_channel" "email" {
  for_each     = toset(var.alert_emails)
  project      = var.project_id
  display_name = "${var.prefix}: ${each.value}"
  type         = "email"
  labels       = { email_address = each.value }
  user_labels  = var.labels
}

locals {
  channels = [for channel in google_monitoring_notification_channel.email : channel.id]
  guide    = "What it means and what to do: docs/operating.md, \"What each alert means\"."

  # Alerts on one figure each; `by` parts the series. What stands in docs/operating.md is one section a key.
  alerts = {
    dead-letters = {
      title     = "dead letters wait"
      filter    = "resource.type=\"pubsub_subscription\" AND resource.labels.subscription_id=\"${var.dead_letters_kept}\" AND metric.type=\"pubsub.googleapis.com/subscription/num_undelivered_messages\""
      aligner   = "ALIGN_MAX"
      by        = ["resource.labels.subscription_id"]
      threshold = 0
      duration  = "300s"
      severity  = "ERROR"
    }
    oldest-unacked = {
      title     = "the oldest message waits longer than ${var.oldest_seconds} s"
      filter    = "resource.type=\"pubsub_subscription\" AND resource.labels.subscription_id=monitoring.regex.full_match(\"${join("|", sort(values(var.push_subscriptions)))}\") AND metric.type=\"pubsub.googleapis.com/subscription/oldest_unacked_message_age\""
      aligner   = "ALIGN_MAX"
      by        = ["resource.labels.subscription_id"]
      threshold = var.oldest_seconds
      duration  = "300s"
      severity  = "ERROR"
    }
    given-up = {
      title     = "a step was given up"
      filter    = "resource.type=\"cloud_run_revision\" AND metric.type=\"logging.googleapis.com/user/${google_logging_metric.this["given-up"].name}\""
      aligner   = "ALIGN_DELTA"
      by        = []
      threshold = 0
      duration  = "0s"
      severity  = "ERROR"
    }
    cold-starts = {
      title     = "more than ${var.cold_starts} instances of one function were started in 10 minutes"
      filter    = "resource.type=\"cloud_run_revision\" AND metric.type=\"logging.googleapis.com/user/${google_logging_metric.this["cold-starts"].name}\""
      aligner   = "ALIGN_DELTA"
      by        = ["metric.labels.service"]
      threshold = var.cold_starts
      duration  = "0s"
      severity  = "WARNING"
    }
  }
}

resource "google_monitoring_alert_policy" "this" {
  for_each              = local.alerts
  project               = var.project_id
  display_name          = "${var.prefix}: ${each.value.title}"
  combiner              = "OR"
  severity              = each.value.severity
  notification_channels = local.channels
  user_labels           = merge(var.labels, { alert = each.key })

  conditions {
    display_name = each.value.title
    condition_threshold {
      filter          = each.value.filter
      comparison      = "COMPARISON_GT"
      threshold_value = each.value.threshold
      duration        = each.value.duration
      aggregations {
        alignment_period     = "600s"
        per_series_aligner   = each.value.aligner
        cross_series_reducer = each.value.aligner == "ALIGN_MAX" ? "REDUCE_MAX" : "REDUCE_SUM"
        group_by_fields      = each.value.by
      }
    }
  }

  documentation {
    mime_type = "text/markdown"
    content   = local.guide
  }
}

# The mean of a distribution is exact, however wide its classes are.
resource "google_monitoring_alert_policy" "answer_usd" {
  project               = var.project_id
  display_name          = "${var.prefix}: an answer costs more than ${var.answer_usd} dollars in the mean of an hour"
  combiner              = "OR"
  severity              = "WARNING"
  notification_channels = local.channels
  user_labels           = merge(var.labels, { alert = "answer-usd" })

  conditions {
    display_name = "dollars for models, in the mean of the last hour's answers"
    condition_threshold {
      filter          = "resource.type=\"cloud_run_revision\" AND metric.type=\"logging.googleapis.com/user/${google_logging_metric.answer_usd.name}\""
      comparison      = "COMPARISON_GT"
      threshold_value = var.answer_usd
      duration        = "0s"
      aggregations {
        alignment_period     = "3600s"
        per_series_aligner   = "ALIGN_DELTA"
        cross_series_reducer = "REDUCE_MEAN"
      }
    }
  }

  documentation {
    mime_type = "text/markdown"
    content   = local.guide
  }
}

resource "google_monitoring_alert_policy" "errors" {
  for_each              = local.services
  project               = var.project_id
  display_name          = "${each.value}: more than ${var.error_percent}% of requests fail"
  combiner              = "OR"
  severity              = "ERROR"
  notification_channels = local.channels
  user_labels           = merge(var.labels, { alert = "error-ratio", function = replace(each.key, "_", "-") })

  conditions {
    display_name = "5xx of all requests"
    condition_threshold {
      filter             = "resource.type=\"cloud_run_revision\" AND resource.labels.service_name=\"${each.value}\" AND metric.type=\"run.googleapis.com/request_count\" AND metric.labels.response_code_class=\"5xx\""
      denominator_filter = "resource.type=\"cloud_run_revision\" AND resource.labels.service_name=\"${each.value}\" AND metric.type=\"run.googleapis.com/request_count\""
      comparison         = "COMPARISON_GT"
      threshold_value    = var.error_percent / 100
      duration           = "300s"
      aggregations {
        alignment_period     = "300s"
        per_series_aligner   = "ALIGN_DELTA"
        cross_series_reducer = "REDUCE_SUM"
      }
      denominator_aggregations {
        alignment_period     = "300s"
        per_series_aligner   = "ALIGN_DELTA"
        cross_series_reducer = "REDUCE_SUM"
      }
    }
  }

  documentation {
    mime_type = "text/markdown"
    content   = local.guide
  }
}

# A function near its time-out is about to be cut off; sooner than that people wait.
resource "google_monitoring_alert_policy" "latency" {
  for_each              = { for row in var.functions : row.name => row }
  project               = var.project_id
  display_name          = "${local.services[each.key]}: p95 above ${each.value.timeout_seconds * var.latency_percent / 100} s"
  combiner              = "OR"
  severity              = "WARNING"
  notification_channels = local.channels
  user_labels           = merge(var.labels, { alert = "p95", function = replace(each.key, "_", "-") })

  conditions {
    display_name = "p95 of request latencies, in ms"
    condition_threshold {
      filter          = "resource.type=\"cloud_run_revision\" AND resource.labels.service_name=\"${local.services[each.key]}\" AND metric.type=\"run.googleapis.com/request_latencies\""
      comparison      = "COMPARISON_GT"
      threshold_value = each.value.timeout_seconds * 10 * var.latency_percent
      duration        = "600s"
      aggregations {
        alignment_period     = "300s"
        per_series_aligner   = "ALIGN_DELTA"
        cross_series_reducer = "REDUCE_PERCENTILE_95"
      }
    }
  }

  documentation {
    mime_type = "text/markdown"
    content   = local.guide
  }
}
