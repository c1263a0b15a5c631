# An HTTPS front of the ask function at a name of one's own, which lets in who signs in as one of the members
# (Identity-Aware Proxy).
locals {
  name = "${var.prefix}-front"
}

resource "google_compute_region_network_endpoint_group" "ask" {
  project               = var.project_id
  region                = var.region
  name                  = local.name
  network_endpoint_type = "SERVERLESS"
  cloud_run {
    service = var.service
  }
}

resource "google_compute_backend_service" "ask" {
  project               = var.project_id
  name                  = local.name
  load_balancing_scheme = "EXTERNAL_MANAGED"
  protocol              = "HTTPS"
  backend {
    group = google_compute_region_network_endpoint_group.ask.id
  }
  iap {
    enabled = true
  }
  log_config {
    enable      = true
    sample_rate = 1
  }
}

resource "google_iap_web_backend_service_iam_binding" "members" {
  project             = var.project_id
  web_backend_service = google_compute_backend_service.ask.name
  role                = "roles/iap.httpsResourceAccessor"
  members             = var.members
}

resource "google_compute_global_address" "ask" {
  project = var.project_id
  name    = local.name
}

resource "google_compute_managed_ssl_certificate" "ask" {
  project = var.project_id
  name    = local.name
  managed {
    domains = [var.domain]
  }
}

resource "google_compute_ssl_policy" "ask" {
  project         = var.project_id
  name            = local.name
  profile         = "MODERN"
  min_tls_version = "TLS_1_2"
}

resource "google_compute_url_map" "ask" {
  project         = var.project_id
  name            = local.name
  default_service = google_compute_backend_service.ask.id
}

resource "google_compute_target_https_proxy" "ask" {
  project          = var.project_id
  name             = local.name
  url_map          = google_compute_url_map.ask.id
  ssl_certificates = [google_compute_managed_ssl_certificate.ask.id]
  ssl_policy       = google_compute_ssl_policy.ask.id
}

resource "google_compute_global_forwarding_rule" "ask" {
  project               = var.project_id
  name                  = local.name
  load_balancing_scheme = "EXTERNAL_MANAGED"
  target                = google_compute_target_https_proxy.ask.id
  ip_address            = google_compute_global_address.ask.id
  port_range            = "443"
  labels                = var.labels
}
