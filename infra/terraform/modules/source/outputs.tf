output "bucket" {
  description = "Bucket of the archive."
  value       = module.bucket.name
}

output "object" {
  description = "Object of the archive."
  value       = google_storage_bucket_object.program.name
}

output "repository" {
  description = "Repository of images, as functions name it."
  value       = google_artifact_registry_repository.images.id
}

output "build_account" {
  description = "Service account of builds, as functions name it."
  value       = google_service_account.build.name
  # A build fails before its account may read and write.
  depends_on = [
    google_artifact_registry_repository_iam_binding.writer,
    google_project_iam_member.build_logs,
    google_project_iam_member.build_source,
  ]
}
