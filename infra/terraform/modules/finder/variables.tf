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
  description = "Keys of models by the variable that holds them: secret and version, which is a number."
  type        = map(object({ secret = string, version = string }))
}

variable "invokers" {
  description = "Who may call the function, such as serviceAccount:...; nobody else may."
  type        = list(string)
}

variable "labels" {
  description = "Labels for the billing export."
  type        = map(string)
}

variable "bucket_name" {
  description = "Name of the index's bucket."
  type        = string
}

variable "publishers" {
  description = "Who may publish an index, such as group:index@example.org."
  type        = list(string)
}

variable "poll_seconds" {
  description = "Seconds between two looks at the pointer."
  type        = number
}

variable "force_destroy" {
  description = "Whether `terraform destroy` removes the bucket with what is in it."
  type        = bool
}
