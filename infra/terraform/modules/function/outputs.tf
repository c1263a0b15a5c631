output "name" {
  description = "The function's name, which is also that of its Run service."
  value       = local.name
}

output "uri" {
  description = "The function's address without a path: the audience of tokens for it."
  value       = google_cloudfunctions2_function.this.service_config[0].uri
}

output "member" {
  description = "The function's service account as a member of roles."
  value       = google_service_account.runtime.member
}
