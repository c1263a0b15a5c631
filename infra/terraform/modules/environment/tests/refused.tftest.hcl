# What cannot be created is told before anything is, each by the variable that is wrong.
mock_provider "google" {}

variables {
  project_id     = "neuralkg-test"
  region         = "europe-west1"
  environment    = "dev"
  source_archive = "main.tf"
  functions      = jsondecode(file("../../../stages.json")).functions
  firestore      = jsondecode(file("../../../firestore.json"))
}

run "as_it_stands" {
  command = plan
}

run "project_with_spaces" {
  command = plan
  variables { project_id = "my project" }
  expect_failures = [var.project_id]
}

run "project_by_its_number" {
  command = plan
  variables { project_id = "123456789012" }
  expect_failures = [var.project_id]
}

run "a_zone_for_a_region" {
  command = plan
  variables { region = "europe-west1-b" }
  expect_failures = [var.region]
}

run "environment_with_capitals" {
  command = plan
  variables { environment = "Dev" }
  expect_failures = [var.environment]
}

run "environment_too_long" {
  command = plan
  variables { environment = "a-name-of-17-lett" }
  expect_failures = [var.environment]
}

run "key_by_latest" {
  command = plan
  variables { keys = { OPENROUTER_API_KEY = "latest" } }
  expect_failures = [var.keys]
}

run "key_that_nothing_reads" {
  command = plan
  variables { keys = { SECRET = "1" } }
  expect_failures = [var.keys]
}

run "everybody_as_a_member" {
  command = plan
  variables { ask = { access = "private", members = ["allUsers"] } }
  expect_failures = [var.ask]
}

run "sign_in_without_a_domain" {
  command = plan
  variables { ask = { access = "iap", members = ["user:a@example.org"] } }
  expect_failures = [var.ask]
}

run "access_unknown" {
  command = plan
  variables { ask = { access = "open" } }
  expect_failures = [var.ask]
}

run "an_answer_that_may_cost_nothing" {
  command = plan
  variables { answer_usd = 0 }
  expect_failures = [var.answer_usd]
}

run "budget_of_nothing" {
  command = plan
  variables { budget = { billing_account = "0", monthly = 0 } }
  expect_failures = [var.budget]
}

run "stage_unknown" {
  command = plan
  variables {
    functions = [for row in jsondecode(file("../../../stages.json")).functions : merge(row, row.name == "slots" ? { name = "slotz" } : {})]
  }
  expect_failures = [var.functions]
}

run "negative_size" {
  command = plan
  variables {
    functions = [for row in jsondecode(file("../../../stages.json")).functions : merge(row, row.name == "slots" ? { memory_mb = -512 } : {})]
  }
  expect_failures = [var.functions]
}

run "timeout_past_the_platforms" {
  command = plan
  variables {
    functions = [for row in jsondecode(file("../../../stages.json")).functions : merge(row, row.name == "execute" ? { timeout_seconds = 600 } : {})]
  }
  expect_failures = [var.functions]
}

run "more_memory_than_its_cpu_may_have" {
  command = plan
  variables {
    functions = [for row in jsondecode(file("../../../stages.json")).functions : merge(row, row.name == "finder" ? { memory_mb = 16384 } : {})]
  }
  expect_failures = [var.functions]
}

run "fewer_instances_at_most_than_at_least" {
  command = plan
  variables {
    functions = [for row in jsondecode(file("../../../stages.json")).functions : merge(row, row.name == "ask" ? { min_instances = 20 } : {})]
  }
  expect_failures = [var.functions]
}

run "attempts_past_the_platforms" {
  command = plan
  variables {
    functions = [for row in jsondecode(file("../../../stages.json")).functions : merge(row, row.name == "plan" ? { retry = { min_backoff_seconds = 1, max_backoff_seconds = 60, max_attempts = 3 } } : {})]
  }
  expect_failures = [var.functions]
}
