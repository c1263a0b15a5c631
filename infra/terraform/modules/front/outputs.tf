output "address" {
  description = "The address that the domain's A record must hold."
  value       = google_compute_global_address.ask.address
}
