locals {
  run  = "resource.type=\"cloud_run_revision\" AND resource.labels.service_name=monitoring.regex.full_match(\"${join("|", sort(values(local.services)))}\")"
  push = "resource.type=\"pubsub_subscription\" AND resource.labels.subscription_id=monitoring.regex.full_match(\"${join("|", sort(values(var.push_subscriptions)))}\")"
  user = "resource.type=\"cloud_run_revision\" AND metric.type=\"logging.googleapis.com/user/${var.prefix}"

  charts = [
    { title = "Requests by function", filter = "${local.run} AND metric.type=\"run.googleapis.com/request_count\"", aligner = "ALIGN_RATE", reducer = "REDUCE_SUM", by = "resource.labels.service_name" },
    { title = "p95 by function, ms", filter = "${local.run} AND metric.type=\"run.googleapis.com/request_latencies\"", aligner = "ALIGN_DELTA", reducer = "REDUCE_PERCENTILE_95", by = "resource.labels.service_name" },
    { title = "Responses by class", filter = "${local.run} AND metric.type=\"run.googleapis.com/request_count\"", aligner = "ALIGN_RATE", reducer = "REDUCE_SUM", by = "metric.labels.response_code_class" },
    { title = "Instances by function", filter = "${local.run} AND metric.type=\"run.googleapis.com/container/instance_count\"", aligner = "ALIGN_MAX", reducer = "REDUCE_SUM", by = "resource.labels.service_name" },
    { title = "Cold starts by function", filter = "${local.user}/cold-starts\"", aligner = "ALIGN_DELTA", reducer = "REDUCE_SUM", by = "metric.labels.service" },
    { title = "Messages waiting by subscription", filter = "${local.push} AND metric.type=\"pubsub.googleapis.com/subscription/num_undelivered_messages\"", aligner = "ALIGN_MAX", reducer = "REDUCE_MAX", by = "resource.labels.subscription_id" },
    { title = "Oldest message by subscription, s", filter = "${local.push} AND metric.type=\"pubsub.googleapis.com/subscription/oldest_unacked_message_age\"", aligner = "ALIGN_MAX", reducer = "REDUCE_MAX", by = "resource.labels.subscription_id" },
    { title = "Dead letters kept", filter = "resource.type=\"pubsub_subscription\" AND resource.labels.subscription_id=\"${var.dead_letters_kept}\" AND metric.type=\"pubsub.googleapis.com/subscription/num_undelivered_messages\"", aligner = "ALIGN_MAX", reducer = "REDUCE_MAX", by = "resource.labels.subscription_id" },
    { title = "Foreign messages by reason", filter = "${local.user}/foreign\"", aligner = "ALIGN_DELTA", reducer = "REDUCE_SUM", by = "metric.labels.reason" },
    { title = "Steps given up", filter = "${local.user}/given-up\"", aligner = "ALIGN_DELTA", reducer = "REDUCE_SUM", by = "resource.labels.service_name" },
    { title = "Dollars for models, mean of the answers", filter = "${local.user}/answer-usd\"", aligner = "ALIGN_DELTA", reducer = "REDUCE_MEAN", by = "resource.labels.service_name" },
    { title = "Lines of errors by function", filter = "${local.user}/errors\"", aligner = "ALIGN_DELTA", reducer = "REDUCE_SUM", by = "metric.labels.service" },
  ]
}

resource "google_monitoring_dashboard" "this" {
  project = var.project_id
  dashboard_json = jsonencode({
    displayName = var.prefix
    mosaicLayout = {
      columns = 12
      tiles = [
        for n, chart in local.charts : {
          xPos   = n % 2 * 6
          yPos   = floor(n / 2) * 4
          width  = 6
          height = 4
          widget = {
            title = chart.title
            xyChart = {
              dataSets = [{
                plotType = "LINE"
                timeSeriesQuery = {
                  timeSeriesFilter = {
                    filter = chart.filter
                    aggregation = {
                      alignmentPeriod    = "60s"
                      perSeriesAligner   = chart.aligner
                      crossSeriesReducer = chart.reducer
                      groupByFields      = [chart.by]
                    }
                  }
                }
              }]
            }
          }
        }
      ]
    }
  })

  # The charts name metrics that must be there.
  depends_on = [google_logging_metric.this, google_logging_metric.answer_usd]
}
