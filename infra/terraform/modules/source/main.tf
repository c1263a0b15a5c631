# The program as one archive, and where the built images go. The object's name holds the archive's hash: another program
# is another object, so its functions are deployed anew; the same one changes nothing.
module "bucket" {
  source        = "../bucket"
  project_id    = var.project_id
  name          = var.bucket_name
  location      = var.region
  labels        = var.labels
  force_destroy = true
  delete_days   = null
  access        = {}
}

resource "google_storage_bucket_object" "program" {
  bucket = module.bucket.name
  name   = "program-${substr(filesha256(var.archive), 0, 16)}.zip"
  source = var.archive
}

resource "google_artifact_registry_repository" "images" {
  # checkov:skip=CKV_GCP_84:images are encrypted by keys of the platform; they hold the program, which is open
  project       = var.project_id
  location      = var.region
  repository_id = var.prefix
  description   = "Images of the functions of ${var.prefix}."
  format        = "DOCKER"
  labels        = var.labels

  cleanup_policy_dry_run = false
  cleanup_policies {
    id     = "keep-recent"
    action = "KEEP"
    most_recent_versions {
      keep_count = 5
    }
  }
  cleanup_policies {
    id     = "delete-old"
    action = "DELETE"
    condition {
      older_than = "2592000s"
    }
  }
}

# Builds run under an account of their own, apart from those that the functions run under.
resource "google_service_account" "build" {
  project      = var.project_id
  account_id   = var.build_account
  display_name = "${var.prefix}: builds the functions"
}

resource "google_artifact_registry_repository_iam_binding" "writer" {
  project    = var.project_id
  location   = var.region
  repository = google_artifact_registry_repository.images.repository_id
  role       = "roles/artifactregistry.writer"
  members    = [google_service_account.build.member]
}

resource "google_project_iam_member" "build_logs" {
  project = var.project_id
  role    = "roles/logging.logWriter"
  member  = google_service_account.build.member
}

# The platform copies the archive into a bucket of its own before it builds, whose name it makes.
resource "google_project_iam_member" "build_source" {
  project = var.project_id
  role    = "roles/storage.objectViewer"
  member  = google_service_account.build.member
  condition {
    title      = "source-archives"
    expression = "resource.name.startsWith('projects/_/buckets/gcf-v2-sources-') || resource.name.startsWith('projects/_/buckets/${var.bucket_name}/')"
  }
}
