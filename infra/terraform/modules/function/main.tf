# One Cloud Function (2nd gen) under a service account of its own.
resource "google_service_account" "runtime" {
  project      = var.project_id
  account_id   = var.account
  display_name = "${local.name}: runs the function"
}

resource "google_cloudfunctions2_function" "this" {
  project     = var.project_id
  location    = var.region
  name        = local.name
  description = "NeuralKG ${var.prefix}: ${var.row.name}"
  labels      = merge(var.labels, { function = replace(var.row.name, "_", "-") })

  build_config {
    runtime           = var.runtime
    entry_point       = "handle"
    docker_repository = var.source_archive.repository
    service_account   = var.source_archive.build_account
    environment_variables = {
      GOOGLE_FUNCTION_SOURCE = "functions/${var.row.name}/main.py"
    }
    source {
      storage_source {
        bucket = var.source_archive.bucket
        object = var.source_archive.object
      }
    }
  }

  service_config {
    available_memory                 = "${var.row.memory_mb}Mi"
    available_cpu                    = tostring(var.row.cpu)
    max_instance_request_concurrency = var.row.concurrency
    min_instance_count               = var.row.min_instances
    max_instance_count               = var.row.max_instances
    timeout_seconds                  = var.row.timeout_seconds
    environment_variables            = var.variables
    service_account_email            = google_service_account.runtime.email
    ingress_settings                 = var.ingress
    all_traffic_on_latest_revision   = true

    dynamic "secret_environment_variables" {
      for_each = var.secrets
      content {
        key        = secret_environment_variables.key
        project_id = var.project_id
        secret     = secret_environment_variables.value.secret
        version    = secret_environment_variables.value.version
      }
    }
  }

  # An instance with a secret that its account may not read does not start.
  depends_on = [google_secret_manager_secret_iam_member.reader]
}

resource "google_secret_manager_secret_iam_member" "reader" {
  for_each  = var.secrets
  project   = var.project_id
  secret_id = each.value.secret
  role      = "roles/secretmanager.secretAccessor"
  member    = google_service_account.runtime.member
}

# Who may call it stands on the Run service under the function, which has the function's name. That goes with the
# function, and so does this.
resource "google_cloud_run_v2_service_iam_binding" "invoker" {
  project  = var.project_id
  location = var.region
  name     = google_cloudfunctions2_function.this.name
  role     = "roles/run.invoker"
  members  = var.invokers

  lifecycle {
    replace_triggered_by = [google_cloudfunctions2_function.this.id]
  }
}
