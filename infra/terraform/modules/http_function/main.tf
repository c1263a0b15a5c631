# A function that is called over HTTP, by those alone who are named.
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
  ingress        = var.ingress
  invokers       = concat(var.invokers, var.scheduler == null ? [] : [var.scheduler.member])
  labels         = var.labels
}

resource "google_cloud_scheduler_job" "this" {
  count            = var.scheduler == null ? 0 : 1
  project          = var.project_id
  region           = var.region
  name             = module.function.name
  description      = "Calls ${module.function.name}${var.scheduler.path}"
  schedule         = var.scheduler.schedule
  time_zone        = "Etc/UTC"
  attempt_deadline = "${min(1800, var.row.timeout_seconds)}s"

  retry_config {
    retry_count = 3
  }

  http_target {
    http_method = "POST"
    uri         = "${module.function.uri}${var.scheduler.path}"
    oidc_token {
      service_account_email = var.scheduler.email
      audience              = module.function.uri
    }
  }
}
