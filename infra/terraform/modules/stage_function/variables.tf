variable "project_id" {
  description = "The project."
  type        = string
}

variable "region" {
  description = "Region of the function."
  type        = string
}

variable "prefix" {
  description = "Beginning of every name, neuralkg-{environment}."
  type        = string
}

variable "account" {
  description = "Name of the function's service account, the part before @."
  type        = string
}

variable "row" {
  description = "The function's row of infra/stages.json."
  type = object({
    name            = string
    memory_mb       = number
    cpu             = number
    concurrency     = number
    min_instances   = number
    max_instances   = number
    timeout_seconds = number
  })
}

variable "source_archive" {
  description = "The program's archive and what builds it: outputs of the module source."
  type = object({
    bucket        = string
    object        = string
    repository    = string
    build_account = string
  })
}

variable "variables" {
  description = "The function's environment (functions/hosting/settings.py)."
  type        = map(string)
}

variable "secrets" {
  description = "Keys by the variable that holds them: secret and version, which is a number."
  type        = map(object({ secret = string, version = string }))
  default     = {}
  validation {
    condition     = alltrue([for one in values(var.secrets) : can(regex("^[1-9][0-9]*$", one.version))])
    error_message = "A secret's version is its number, such as 3. latest would change under running instances: pin it."
  }
}

variable "labels" {
  description = "Labels for the billing export."
  type        = map(string)
}

variable "pusher" {
  description = "The account whose token each pushed message carries, as a member of roles."
  type        = string
}

variable "scheduler" {
  description = "Calls the function's / by this schedule, in UTC; null for no schedule."
  type        = object({ schedule = string, email = string, member = string })
  default     = null
}
