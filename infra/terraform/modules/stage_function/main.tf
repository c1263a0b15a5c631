# A function that only messages and the scheduler reach: requests from outside of the platform do not come to it, and of
# those from inside only the pushing account (and the scheduler's, where there is a schedule) may call it.
module "function" {
  source         = "../function"
  project_id     = var.project_id
  region         = var.region
  prefix         = var.prefix
  account        = var.account
  row            = var.row
  source_archive = var.source_archive
  variables      = var.variables
  secrets        = var.secrets
  ingress        = "ALLOW_INTERNAL_ONLY"
  invokers       = concat([var.pusher], var.scheduler == null ? [] : [var.scheduler.member])
  labels         = var.labels
}

resource "google_cloud_scheduler_job" "this" {
  count            = var.scheduler == null ? 0 : 1
  project          = var.project_id
  region           = var.region
  name             = module.function.name
  description      = "Calls ${module.function.name}"
  schedule         = var.scheduler.schedule
  time_zone        = "Etc/UTC"
  attempt_deadline = "${min(1800, var.row.timeout_seconds)}s"

  # The next call by schedule is the retry.
  retry_config {
    retry_count = 0
  }

  http_target {
    http_method = "POST"
    uri         = "${module.function.uri}/"
    oidc_token {
      service_account_email = var.scheduler.email
      audience              = module.function.uri
    }
  }
}
