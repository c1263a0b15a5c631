output "services" {
  description = "The APIs that are on; what needs one depends on this."
  value       = [for service in google_project_service.this : service.service]
}
