# Environments of one project share these; so none of them is turned off when one environment goes.
resource "google_project_service" "this" {
  for_each           = var.services
  project            = var.project_id
  service            = each.value
  disable_on_destroy = false
}
