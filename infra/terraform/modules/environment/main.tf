# One environment: everything of it, and nothing that another environment of the same project has too.
locals {
  prefix = "neuralkg-${var.environment}"
  labels = merge(var.labels, { application = "neuralkg", environment = var.environment, managed-by = "terraform" })

  rows    = { for row in var.functions : row.name => row }
  stages  = [for row in var.functions : row.name if row.kind == "stage"]
  pushed  = toset([for row in var.functions : row.name if row.kind != "http"])
  judging = [for row in var.functions : row.name if row.judging_allowed]
  # The finder is no stage, and has its tables ranked by the model that the stages ask.
  asking_models = concat(local.judging, ["finder"])

  # Which function opens what, as its main.py says. tests/unit/infra holds this against the code.
  asking_finder     = ["ask", "discover", "select", "resolve_entities", "resolve_attributes"]
  asking_publishers = ["select", "resolve_entities", "resolve_attributes", "execute"]
  keeping_runs      = concat(local.stages, ["ask", "archive", "sweep"])
  writing_archive   = concat(local.stages, ["archive", "sweep", "reports"])
  reading_archive   = ["ask"]

  # A service account's name has at most 30 characters. What is longer is cut and told apart by four of its hash.
  short = { for name in concat(keys(local.rows), ["push", "cron", "build"]) : name => replace(name, "_", "-") }
  room  = 29 - length(local.prefix)
  accounts = {
    for name, short in local.short : name => (
      length(short) <= local.room ? "${local.prefix}-${short}" :
      local.room >= 9 ? "${local.prefix}-${trimsuffix(substr(short, 0, local.room - 5), "-")}-${substr(sha256(short), 0, 4)}" :
      "${local.prefix}-${substr(sha256(short), 0, 4)}"
    )
  }
  members = merge(
    { for name, function in module.pushed : name => function.member },
    { ask = module.ask.member, reports = module.reports.member },
  )

  archive_bucket = "${var.project_id}-${local.prefix}-archive"
  # How every part of the program finds this environment. functions/hosting/settings.py reads it, and so does whoever
  # imports the output of the same name.
  common = {
    GOOGLE_CLOUD_PROJECT        = var.project_id
    NEURALKG_ENVIRONMENT        = var.environment
    NEURALKG_ARCHIVE            = "gs://${local.archive_bucket}"
    NEURALKG_FIRESTORE_DATABASE = local.prefix
    NEURALKG_LOG                = var.settings.log
  }
  tracing = var.settings.otlp_endpoint == null ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT = var.settings.otlp_endpoint }
  models = { for name, value in {
    NEURALKG_PROVIDER      = var.settings.provider
    NEURALKG_MODEL_URL     = var.settings.model_url
    NEURALKG_MODELS        = join(",", var.settings.models)
    NEURALKG_JUDGE_MODEL   = var.settings.judge_model
    NEURALKG_MODEL_EFFORT  = var.settings.model_effort
    NEURALKG_MODEL_SECONDS = var.settings.model_seconds == null ? null : tostring(var.settings.model_seconds)
  } : name => value if value != null && value != "" }

  variables = {
    for name in keys(local.rows) : name => merge(
      local.common,
      local.tracing,
      contains(local.asking_models, name) ? local.models : {},
      contains(local.asking_publishers, name) ? { NEURALKG_LIVE = var.settings.live ? "1" : "0" } : {},
      contains(local.asking_finder, name) ? { NEURALKG_FINDER_URL = module.finder.uri } : {},
      name == "ask" ? {
        NEURALKG_CONCURRENCY = tostring(var.settings.concurrency)
        NEURALKG_RATE        = tostring(var.settings.rate)
        NEURALKG_DEADLINE    = tostring(var.settings.deadline_seconds)
        # The platform's front, and the balancer's before it.
        NEURALKG_PROXIES = var.ask.access == "iap" ? "2" : "1"
        # Where the platform checks who calls, it takes the signature off what it has checked: there is no more to check.
        NEURALKG_PRIVATE = var.ask.access == "public" ? "0" : "1"
      } : {},
    )
  }

  source_archive = {
    bucket        = module.source.bucket
    object        = module.source.object
    repository    = module.source.repository
    build_account = module.source.build_account
  }
}

data "google_project" "this" {
  project_id = var.project_id
}

module "project_services" {
  source     = "../project_services"
  project_id = var.project_id
  services = concat(
    [
      "artifactregistry.googleapis.com", "cloudbuild.googleapis.com", "cloudfunctions.googleapis.com",
      "cloudresourcemanager.googleapis.com", "cloudscheduler.googleapis.com", "firestore.googleapis.com",
      "iam.googleapis.com", "logging.googleapis.com", "monitoring.googleapis.com", "pubsub.googleapis.com",
      "run.googleapis.com", "secretmanager.googleapis.com", "storage.googleapis.com",
    ],
    var.budget == null ? [] : ["billingbudgets.googleapis.com"],
    var.ask.access == "iap" ? ["compute.googleapis.com", "iap.googleapis.com"] : [],
  )
}

module "source" {
  source        = "../source"
  project_id    = var.project_id
  region        = var.region
  prefix        = local.prefix
  bucket_name   = "${var.project_id}-${local.prefix}-source"
  build_account = local.accounts["build"]
  archive       = var.source_archive
  labels        = local.labels
  depends_on    = [module.project_services]
}

# Calls functions by their schedule.
resource "google_service_account" "scheduler" {
  project      = var.project_id
  account_id   = local.accounts["cron"]
  display_name = "${local.prefix}: calls functions by schedule"
  depends_on   = [module.project_services]
}

module "pushed" {
  source         = "../stage_function"
  for_each       = local.pushed
  project_id     = var.project_id
  region         = var.region
  prefix         = local.prefix
  account        = local.accounts[each.key]
  row            = local.rows[each.key]
  source_archive = local.source_archive
  variables      = local.variables[each.key]
  secrets        = local.secrets[each.key]
  pusher         = module.messaging.pusher
  labels         = local.labels
  scheduler = local.rows[each.key].schedule == null ? null : {
    schedule = local.rows[each.key].schedule
    email    = google_service_account.scheduler.email
    member   = google_service_account.scheduler.member
  }
  depends_on = [module.project_services]
}

module "ask" {
  source         = "../http_function"
  project_id     = var.project_id
  region         = var.region
  prefix         = local.prefix
  account        = local.accounts["ask"]
  row            = local.rows["ask"]
  source_archive = local.source_archive
  variables      = local.variables["ask"]
  ingress        = var.ask.access == "iap" ? "ALLOW_INTERNAL_AND_GCLB" : "ALLOW_ALL"
  labels         = local.labels
  invokers = concat([module.messaging.pusher], {
    private = var.ask.members
    public  = ["allUsers"]
    iap     = ["serviceAccount:service-${data.google_project.this.number}@gcp-sa-iap.iam.gserviceaccount.com"]
  }[var.ask.access])
  depends_on = [module.project_services]
}

module "front" {
  source     = "../front"
  count      = var.ask.access == "iap" ? 1 : 0
  project_id = var.project_id
  region     = var.region
  prefix     = local.prefix
  service    = module.ask.name
  domain     = var.ask.domain
  members    = var.ask.members
  labels     = local.labels
  depends_on = [module.project_services]
}

module "reports" {
  source         = "../http_function"
  project_id     = var.project_id
  region         = var.region
  prefix         = local.prefix
  account        = local.accounts["reports"]
  row            = local.rows["reports"]
  source_archive = local.source_archive
  variables      = local.variables["reports"]
  ingress        = "ALLOW_ALL"
  invokers       = var.report_readers
  labels         = local.labels
  # The usage records of the last hour are added up, and with them those that came late: so a report over many is quick.
  scheduler = {
    schedule = var.sums_schedule
    path     = "/sums"
    email    = google_service_account.scheduler.email
    member   = google_service_account.scheduler.member
  }
  depends_on = [module.project_services]
}

module "finder" {
  source         = "../finder"
  project_id     = var.project_id
  region         = var.region
  prefix         = local.prefix
  account        = local.accounts["finder"]
  row            = local.rows["finder"]
  source_archive = local.source_archive
  variables      = merge(local.common, local.tracing, local.models)
  secrets        = local.secrets["finder"]
  invokers       = [for name in local.asking_finder : local.members[name]]
  bucket_name    = "${var.project_id}-${local.prefix}-index"
  publishers     = var.index_publishers
  poll_seconds   = var.settings.index_poll_seconds
  force_destroy  = !var.protect
  labels         = local.labels
  depends_on     = [module.project_services]
}

module "messaging" {
  source         = "../messaging"
  project_id     = var.project_id
  project_number = data.google_project.this.number
  region         = var.region
  prefix         = local.prefix
  functions      = var.functions
  push_account   = local.accounts["push"]
  uris           = merge({ for name, function in module.pushed : name => function.uri }, { ask = module.ask.uri })
  members        = local.members
  askers         = var.askers
  operators      = var.operators
  labels         = local.labels
  depends_on     = [module.project_services]
}

module "state" {
  source     = "../state"
  project_id = var.project_id
  database   = local.prefix
  location   = coalesce(var.firestore_location, var.region)
  policies   = var.firestore
  users      = { for name in local.keeping_runs : name => local.members[name] }
  protect    = var.protect
  depends_on = [module.project_services]
}

module "archive" {
  source        = "../archive"
  project_id    = var.project_id
  bucket_name   = local.archive_bucket
  location      = var.region
  writers       = [for name in local.writing_archive : local.members[name]]
  readers       = concat([for name in local.reading_archive : local.members[name]], var.report_readers)
  nearline_days = var.archive_nearline_days
  delete_days   = var.archive_delete_days
  force_destroy = !var.protect
  labels        = local.labels
  depends_on    = [module.project_services]
}

module "observability" {
  source             = "../observability"
  project_id         = var.project_id
  project_number     = data.google_project.this.number
  prefix             = local.prefix
  functions          = var.functions
  push_subscriptions = module.messaging.push_subscriptions
  dead_letters_kept  = module.messaging.dead_letters_kept
  alert_emails       = var.alert_emails
  answer_usd         = var.answer_usd
  budget             = var.budget
  labels             = local.labels
  depends_on         = [module.project_services]
}
