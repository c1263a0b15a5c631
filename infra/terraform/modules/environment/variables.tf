variable "project_id" {
  description = "Id of the project, such as my-project-1."
  type        = string
  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.project_id))
    error_message = "project_id is \"${var.project_id}\". It must be a project's id: 6 to 30 small letters, digits and hyphens, a letter first, and no spaces; not its name or number. `gcloud projects list` shows yours."
  }
}

variable "region" {
  description = "Region of everything that has one, such as europe-west1."
  type        = string
  validation {
    condition     = can(regex("^[a-z]+-[a-z]+[0-9]+$", var.region))
    error_message = "region is \"${var.region}\". It must be a region of Cloud Functions, such as europe-west1 or us-central1, not a zone."
  }
}

variable "environment" {
  description = "Short name of the environment, in the name of everything it has: two of one project must differ."
  type        = string
  validation {
    condition     = can(regex("^[a-z]([a-z0-9-]{0,14}[a-z0-9])?$", var.environment))
    error_message = "environment is \"${var.environment}\". It must be a small letter and then at most 15 small letters, digits and hyphens, a hyphen not last, such as dev."
  }
}

variable "source_archive" {
  description = "Path of the program's archive, made by tools/terraform_source.sh."
  type        = string
}

variable "settings" {
  description = "How the functions run; each is a variable of functions/hosting/settings.py or shared/models/settings.py."
  type = object({
    live               = optional(bool, true)
    log                = optional(string, "info")
    concurrency        = optional(number, 3)
    rate               = optional(number, 0)
    deadline_seconds   = optional(number, 60)
    provider           = optional(string, "builtin")
    model_url          = optional(string)
    models             = optional(list(string), [])
    judge_model        = optional(string)
    model_effort       = optional(string)
    model_seconds      = optional(number)
    index_poll_seconds = optional(number, 30)
    otlp_endpoint      = optional(string)
  })
  default = {}
  validation {
    condition     = contains(["debug", "info", "warning", "error", "off"], var.settings.log)
    error_message = "settings.log is \"${var.settings.log}\"; it is debug, info, warning, error or off."
  }
  validation {
    condition     = contains(["builtin", "openrouter", "openai", "anthropic", "ollama"], var.settings.provider)
    error_message = "settings.provider is \"${var.settings.provider}\"; it is builtin, openrouter, openai, anthropic or ollama."
  }
  validation {
    condition     = length(var.settings.models) <= 3
    error_message = "settings.models names ${length(var.settings.models)} models; name three at most."
  }
  validation {
    condition     = var.settings.deadline_seconds > 0 && var.settings.deadline_seconds <= 900
    error_message = "settings.deadline_seconds is ${var.settings.deadline_seconds}; a question may take more than 0 and at most 900 s."
  }
}

variable "keys" {
  description = "Keys by the variable that holds them: the number of the secret's version, or null for none yet."
  type        = map(string)
  default     = {}
  validation {
    condition = length(setsubtract(keys(var.keys), [
      "OPENROUTER_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "NEURALKG_MODEL_KEY", "CENSUS_API_KEY", "DC_API_KEY",
    ])) == 0
    error_message = "keys has ${join(", ", keys(var.keys))}. There are OPENROUTER_API_KEY, OPENAI_API_KEY, ANTHROPIC_API_KEY, NEURALKG_MODEL_KEY, CENSUS_API_KEY and DC_API_KEY."
  }
  validation {
    condition     = alltrue([for version in values(var.keys) : version == null || can(regex("^[1-9][0-9]*$", version))])
    error_message = "A key is given as the number of its secret's version, such as \"3\", and never as the key itself or as latest."
  }
}

variable "ask" {
  description = "Who may ask over HTTP: private (the members), public (everybody) or iap (the members, by signing in at domain)."
  type = object({
    access  = string
    members = optional(list(string), [])
    domain  = optional(string)
  })
  default = { access = "private" }
  validation {
    condition     = contains(["private", "public", "iap"], var.ask.access)
    error_message = "ask.access is \"${var.ask.access}\"; it is private, public or iap."
  }
  validation {
    condition     = var.ask.access != "iap" || (var.ask.domain != null && length(var.ask.members) > 0)
    error_message = "ask.access iap needs ask.domain, such as ask.example.org, and at least one of ask.members, such as group:analysts@example.org."
  }
  validation {
    condition     = length(setintersection(var.ask.members, ["allUsers", "allAuthenticatedUsers"])) == 0
    error_message = "ask.members names everybody. If everybody may ask, say so: ask = { access = \"public\" }."
  }
}

variable "askers" {
  description = "Who may ask by message and read the answers, such as serviceAccount:..."
  type        = list(string)
  default     = []
}

variable "operators" {
  description = "Who may take dead letters and send them again, such as group:oncall@example.org."
  type        = list(string)
  default     = []
}

variable "report_readers" {
  description = "Who may read the reports and the usage records that they are made of."
  type        = list(string)
  default     = []
}

variable "index_publishers" {
  description = "Who may publish the finder's index."
  type        = list(string)
  default     = []
}

variable "alert_emails" {
  description = "Who is told of alerts and of the budget."
  type        = list(string)
  default     = []
  validation {
    condition     = alltrue([for address in var.alert_emails : can(regex("^[^@\\s]+@[^@\\s]+$", address))])
    error_message = "alert_emails has ${join(", ", var.alert_emails)}; each must be an address, such as oncall@example.org."
  }
}

variable "answer_usd" {
  description = "Dollars that an answer's models may cost in the mean of an hour before somebody is told."
  type        = number
  default     = 0.05
  validation {
    condition     = var.answer_usd > 0
    error_message = "answer_usd is ${var.answer_usd}; it must be above 0, such as 0.05."
  }
}

variable "budget" {
  description = "A month's budget in whole units of its currency; null for none."
  type        = object({ billing_account = string, monthly = number, currency = optional(string, "USD") })
  default     = null
  validation {
    condition     = var.budget == null ? true : var.budget.monthly > 0 && floor(var.budget.monthly) == var.budget.monthly
    error_message = "budget.monthly must be a whole number above 0."
  }
}

variable "sums_schedule" {
  description = "When usage records are added up for the reports, in UTC."
  type        = string
  default     = "7 * * * *"
}

variable "firestore_location" {
  description = "Region or multi-region of the database; the region of everything else by default."
  type        = string
  default     = null
}

variable "archive_nearline_days" {
  description = "Days after which what is archived moves to the nearline class."
  type        = number
  default     = 60
  validation {
    condition     = var.archive_nearline_days >= 30
    error_message = "archive_nearline_days is ${var.archive_nearline_days}; at least 30, as that class bills 30 days."
  }
}

variable "archive_delete_days" {
  description = "Days after which what is archived is deleted; null keeps it."
  type        = number
  default     = null
  validation {
    condition     = var.archive_delete_days == null ? true : var.archive_delete_days > var.archive_nearline_days
    error_message = "archive_delete_days must be above archive_nearline_days, or null."
  }
}

variable "protect" {
  description = "Whether runs, archive and index are kept from `terraform destroy`, and runs can be brought back."
  type        = bool
  default     = true
}

variable "labels" {
  description = "More labels of everything."
  type        = map(string)
  default     = {}
}
