# A bucket that nobody can open to the public: access by roles alone, and public access prevented whatever they say.
resource "google_storage_bucket" "this" {
  # checkov:skip=CKV_GCP_62:Cloud Audit Logs tell who read what; a log bucket would need one of its own
  project                     = var.project_id
  name                        = var.name
  location                    = var.location
  storage_class               = "STANDARD"
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = var.force_destroy
  labels                      = var.labels

  versioning {
    enabled = true
  }

  soft_delete_policy {
    retention_duration_seconds = 7 * 24 * 3600
  }

  lifecycle_rule {
    action {
      type = "Delete"
    }
    condition {
      days_since_noncurrent_time = var.keep_replaced_days
      with_state                 = "ARCHIVED"
    }
  }

  lifecycle_rule {
    action {
      type = "AbortIncompleteMultipartUpload"
    }
    condition {
      age = 1
    }
  }

  dynamic "lifecycle_rule" {
    for_each = var.nearline_days == null ? [] : [var.nearline_days]
    content {
      action {
        type          = "SetStorageClass"
        storage_class = "NEARLINE"
      }
      condition {
        age                   = lifecycle_rule.value
        matches_storage_class = ["STANDARD"]
      }
    }
  }

  dynamic "lifecycle_rule" {
    for_each = var.delete_days == null ? [] : [var.delete_days]
    content {
      action {
        type = "Delete"
      }
      condition {
        age = lifecycle_rule.value
      }
    }
  }
}

# Whoever holds one of these roles by another way loses it: the table here is the whole truth.
resource "google_storage_bucket_iam_binding" "this" {
  for_each = { for role, members in var.access : role => members if length(members) > 0 }
  bucket   = google_storage_bucket.this.name
  role     = each.key
  members  = each.value
}
