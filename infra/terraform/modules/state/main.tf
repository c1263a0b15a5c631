# The runs' database, one for each environment. Which fields are indexed or end a document's life stands in
# infra/firestore.json; every other index of a single field would only cost writes.
resource "google_firestore_database" "this" {
  project                           = var.project_id
  name                              = var.database
  location_id                       = var.location
  type                              = "FIRESTORE_NATIVE"
  point_in_time_recovery_enablement = var.protect ? "POINT_IN_TIME_RECOVERY_ENABLED" : "POINT_IN_TIME_RECOVERY_DISABLED"
  delete_protection_state           = var.protect ? "DELETE_PROTECTION_ENABLED" : "DELETE_PROTECTION_DISABLED"
  deletion_policy                   = "DELETE"
}

resource "google_firestore_field" "this" {
  for_each   = { for field in var.policies.fields : "${field.collection}.${field.field}" => field }
  project    = var.project_id
  database   = google_firestore_database.this.name
  collection = each.value.collection
  field      = each.value.field

  # Empty means: not indexed at all.
  index_config {
    dynamic "indexes" {
      for_each = each.value.indexes
      content {
        order       = indexes.value.order
        query_scope = indexes.value.query_scope
      }
    }
  }

  dynamic "ttl_config" {
    for_each = each.value.ttl ? [true] : []
    content {}
  }
}

resource "google_firestore_index" "this" {
  for_each    = { for index in var.policies.composite_indexes : "${index.collection}:${join(",", [for field in index.fields : field.field])}" => index }
  project     = var.project_id
  database    = google_firestore_database.this.name
  collection  = each.value.collection
  query_scope = each.value.query_scope

  dynamic "fields" {
    for_each = each.value.fields
    content {
      field_path = fields.value.field
      order      = fields.value.order
    }
  }
}

# Firestore has no roles of its own on a database: the role is the project's, and the condition holds it to this one.
resource "google_project_iam_member" "user" {
  for_each = var.users
  project  = var.project_id
  role     = "roles/datastore.user"
  member   = each.value
  condition {
    title      = "${var.database}-only"
    expression = "resource.name == 'projects/${var.project_id}/databases/${var.database}'"
  }
}
