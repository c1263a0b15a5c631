resource "google_billing_budget" "this" {
  count           = var.budget == null ? 0 : 1
  billing_account = var.budget.billing_account
  display_name    = var.prefix

  budget_filter {
    projects        = ["projects/${var.project_number}"]
    labels          = { environment = var.labels["environment"] }
    calendar_period = "MONTH"
  }

  amount {
    specified_amount {
      currency_code = var.budget.currency
      units         = tostring(var.budget.monthly)
    }
  }

  dynamic "threshold_rules" {
    for_each = [0.5, 0.9, 1.0]
    content {
      threshold_percent = threshold_rules.value
    }
  }
  threshold_rules {
    threshold_percent = 1.0
    spend_basis       = "FORECASTED_SPEND"
  }

  # Without channels of ours the billing account's own recipients are told.
  dynamic "all_updates_rule" {
    for_each = length(local.channels) > 0 ? [slice(local.channels, 0, min(5, length(local.channels)))] : []
    content {
      monitoring_notification_channels = all_updates_rule.value
    }
  }
}
