output "address" {
  description = "The archive's address, as NEURALKG_ARCHIVE."
  value       = "gs://${module.bucket.name}"
}

output "bucket" {
  description = "The bucket's name."
  value       = module.bucket.name
}
