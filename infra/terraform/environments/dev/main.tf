# The environment dev. State is kept in a bucket of yours: terraform init -backend-config=bucket=NAME
terraform {
  required_version = ">= 1.11"
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = "~> 6.50"
    }
  }
  backend "gcs" {
    prefix = "neuralkg/dev"
  }
}

provider "google" {
  project = var.project_id
  region  = var.region
  # Budgets are calls on the billing account: they are counted on this project.
  billing_project       = var.project_id
  user_project_override = true
}

module "environment" {
  source           = "../../modules/environment"
  environment      = "dev"
  project_id       = var.project_id
  region           = var.region
  source_archive   = var.source_archive
  functions        = jsondecode(file(var.stages_file == null ? "${path.module}/../../../stages.json" : var.stages_file)).functions
  firestore        = jsondecode(file("${path.module}/../../../firestore.json"))
  settings         = var.settings
  keys             = var.keys
  ask              = var.ask
  askers           = var.askers
  operators        = var.operators
  report_readers   = var.report_readers
  index_publishers = var.index_publishers
  alert_emails     = var.alert_emails
  answer_usd       = var.answer_usd
  budget           = var.budget
  labels           = var.labels
  protect          = false
  # What is asked here is for trying things out.
  archive_delete_days = 90
}
