# The finder with its index: a bucket that holds generations of it. `neuralkg index publish` writes another generation and
# then swaps the pointer; running finders take it up by themselves. Nothing is deployed for it.
module "bucket" {
  source        = "../bucket"
  project_id    = var.project_id
  name          = var.bucket_name
  location      = var.region
  labels        = var.labels
  force_destroy = var.force_destroy
  access = {
    "roles/storage.objectViewer" = [module.function.member]
    "roles/storage.objectUser"   = var.publishers
  }
}

module "function" {
  source         = "../http_function"
  project_id     = var.project_id
  region         = var.region
  prefix         = var.prefix
  account        = var.account
  row            = var.row
  source_archive = var.source_archive
  ingress        = "ALLOW_ALL"
  invokers       = var.invokers
  labels         = var.labels
  secrets        = var.secrets
  variables = merge(var.variables, {
    NEURALKG_INDEX      = local.index
    NEURALKG_INDEX_POLL = tostring(var.poll_seconds)
    # Only our own functions come here, from few addresses.
    SEARCH_LIMIT_PER_DAY = "0"
    TRUST_PROXY          = "1"
  })
}

locals {
  index = "gs://${var.bucket_name}/index"
}
