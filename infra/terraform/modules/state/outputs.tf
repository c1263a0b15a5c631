output "database" {
  description = "Id of the database."
  value       = google_firestore_database.this.name
}
