# Who may ask, in each of the three ways.
mock_provider "google" {
  mock_data "google_project" {
    defaults = { number = "123456789012" }
  }
}

variables {
  project_id     = "neuralkg-test"
  region         = "europe-west1"
  environment    = "dev"
  source_archive = "main.tf"
  functions      = jsondecode(file("../../../stages.json")).functions
  firestore      = jsondecode(file("../../../firestore.json"))
}

run "by_signing_in" {
  command = apply
  variables {
    ask = { access = "iap", domain = "ask.example.org", members = ["group:analysts@example.org"] }
  }
  assert {
    condition     = output.front_address != null
    error_message = "There is no front."
  }
  assert {
    condition     = local.variables["ask"]["NEURALKG_PROXIES"] == "2"
    error_message = "The ask function would take the balancer for its client."
  }
}

run "by_everybody" {
  command = plan
  variables { ask = { access = "public" } }
  assert {
    condition     = local.variables["ask"]["NEURALKG_PRIVATE"] == "0"
    error_message = "Anybody could push a question as if Pub/Sub did."
  }
}

run "longest_names" {
  command = apply
  variables { environment = "an-environment-z" }
  assert {
    condition     = alltrue([for name in values(local.accounts) : length(name) <= 30 && can(regex("^[a-z][a-z0-9-]*[a-z0-9]$", name))])
    error_message = "Not a service account's name among ${join(", ", values(local.accounts))}."
  }
  assert {
    condition     = length(distinct(values(local.accounts))) == length(local.accounts)
    error_message = "Two functions would share an account: ${join(", ", values(local.accounts))}."
  }
  assert {
    condition     = local.accounts["push"] == "neuralkg-an-environment-z-push"
    error_message = "The pushing account must have its own full name."
  }
}
