# Metrics made of log lines. The functions write JSON; a cold start is told by the platform's own line.
locals {
  services = { for row in var.functions : row.name => "${var.prefix}-${replace(row.name, "_", "-")}" }
  ours     = "resource.type=\"cloud_run_revision\" AND resource.labels.service_name=(${join(" OR ", [for name in values(local.services) : "\"${name}\""])})"

  metrics = {
    foreign = {
      about  = "Messages that a function put aside because it can do nothing with them."
      filter = "jsonPayload.foreign:*"
      labels = { function = "EXTRACT(jsonPayload.function)", reason = "EXTRACT(jsonPayload.foreign)" }
    }
    given-up = {
      about  = "Steps and questions that were given up after every try."
      filter = "jsonPayload.logger=\"functions.sweep.duty\" AND severity>=ERROR"
      labels = {}
    }
    errors = {
      about  = "Lines of errors that the functions wrote."
      filter = "severity>=ERROR"
      labels = { service = "EXTRACT(resource.labels.service_name)" }
    }
    cold-starts = {
      about  = "Instances that were started."
      filter = "logName=\"projects/${var.project_id}/logs/run.googleapis.com%2Fvarlog%2Fsystem\" AND textPayload:\"Starting new instance\""
      labels = { service = "EXTRACT(resource.labels.service_name)" }
    }
  }
}

# The archive function tells of each run once what its models cost.
resource "google_logging_metric" "answer_usd" {
  project         = var.project_id
  name            = "${var.prefix}/answer-usd"
  description     = "Dollars for models, by answer."
  filter          = "${local.ours} AND jsonPayload.logger=\"functions.archive.archiving\" AND jsonPayload.usd>=0"
  value_extractor = "EXTRACT(jsonPayload.usd)"

  metric_descriptor {
    metric_kind = "DELTA"
    value_type  = "DISTRIBUTION"
    unit        = "1"
  }

  # From a hundredth of a cent, doubled up to 100 dollars.
  bucket_options {
    exponential_buckets {
      scale              = 0.0001
      growth_factor      = 2
      num_finite_buckets = 20
    }
  }
}

resource "google_logging_metric" "this" {
  for_each         = local.metrics
  project          = var.project_id
  name             = "${var.prefix}/${each.key}"
  description      = each.value.about
  filter           = "${local.ours} AND ${each.value.filter}"
  label_extractors = each.value.labels

  metric_descriptor {
    metric_kind = "DELTA"
    value_type  = "INT64"
    unit        = "1"
    dynamic "labels" {
      for_each = each.value.labels
      content {
        key        = labels.key
        value_type = "STRING"
      }
    }
  }
}
