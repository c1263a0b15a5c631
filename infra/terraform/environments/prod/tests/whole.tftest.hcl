# The whole environment over a provider that makes nothing. tests/unit/infra reads what this would create.
mock_provider "google" {
  mock_data "google_project" {
    defaults = { number = "123456789012" }
  }
}

variables {
  project_id     = "neuralkg-test"
  region         = "europe-west1"
  source_archive = "main.tf"
  alert_emails   = ["oncall@example.org"]
  operators      = ["group:oncall@example.org"]
  budget         = { billing_account = "000000-000000-000000", monthly = 200 }
  keys           = { OPENROUTER_API_KEY = "3", DC_API_KEY = null }
  settings       = { provider = "openrouter" }
}

run "whole" {
  command = apply

  assert {
    condition     = output.environment["NEURALKG_ENVIRONMENT"] == "prod"
    error_message = "The environment is not called prod."
  }
  assert {
    condition     = output.environment["NEURALKG_ARCHIVE"] == "gs://neuralkg-test-neuralkg-prod-archive"
    error_message = "The archive is elsewhere: ${output.environment["NEURALKG_ARCHIVE"]}."
  }
  assert {
    condition     = length(output.functions) == length(jsondecode(file("../../../stages.json")).functions)
    error_message = "Not every function of infra/stages.json has an address."
  }
  assert {
    condition     = output.front_address == null
    error_message = "There is a front that nobody asked for."
  }
}
