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

variable "ingress" {
  description = "ALLOW_ALL, ALLOW_INTERNAL_ONLY or ALLOW_INTERNAL_AND_GCLB."
  type        = string
  validation {
    condition     = contains(["ALLOW_ALL", "ALLOW_INTERNAL_ONLY", "ALLOW_INTERNAL_AND_GCLB"], var.ingress)
    error_message = "ingress is ${var.ingress}; it is ALLOW_ALL, ALLOW_INTERNAL_ONLY or ALLOW_INTERNAL_AND_GCLB."
  }
}

variable "invokers" {
  description = "Who may call the function, such as serviceAccount:...; nobody else may."
  type        = list(string)
}

variable "labels" {
  description = "Labels for the billing export."
  type        = map(string)
}

variable "scheduler" {
  description = "Posts to this path of the function by this schedule, in UTC; null for no schedule."
  type        = object({ schedule = string, path = string, email = string, member = string })
  default     = null
}
