# Keys. Terraform makes the secrets and never sees what is in them: versions are added by hand (docs/operating.md, "Rotate
# a key"), and a function gets the version that is named here. null is a secret that no function has yet.
locals {
  mounted = { for name, version in var.keys : name => version if version != null }
  holders = {
    OPENROUTER_API_KEY = local.asking_models
    OPENAI_API_KEY     = local.asking_models
    ANTHROPIC_API_KEY  = local.asking_models
    NEURALKG_MODEL_KEY = local.asking_models
    CENSUS_API_KEY     = local.asking_publishers
    DC_API_KEY         = local.asking_publishers
  }
  secrets = {
    for function in keys(local.rows) : function => {
      for name, version in local.mounted : name => {
        secret  = google_secret_manager_secret.key[name].secret_id
        version = version
      } if contains(local.holders[name], function)
    }
  }
}

resource "google_secret_manager_secret" "key" {
  for_each  = var.keys
  project   = var.project_id
  secret_id = "${local.prefix}-${lower(replace(each.key, "_", "-"))}"
  labels    = local.labels

  replication {
    user_managed {
      replicas {
        location = var.region
      }
    }
  }

  depends_on = [module.project_services]
}
