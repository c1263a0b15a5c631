# Traces, answers, large payloads and usage records.
module "bucket" {
  source        = "../bucket"
  project_id    = var.project_id
  name          = var.bucket_name
  location      = var.location
  labels        = var.labels
  force_destroy = var.force_destroy
  nearline_days = var.nearline_days
  delete_days   = var.delete_days
  access = {
    # Writing the same name again needs to delete what was there.
    "roles/storage.objectUser"   = var.writers
    "roles/storage.objectViewer" = var.readers
  }
}
