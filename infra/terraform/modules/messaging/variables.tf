variable "project_id" {
  description = "The project."
  type        = string
}

variable "project_number" {
  description = "The project's number, which names the account of Pub/Sub itself."
  type        = string
}

variable "region" {
  description = "Where messages are kept."
  type        = string
}

variable "prefix" {
  description = "Beginning of every name, neuralkg-{environment}."
  type        = string
}

variable "functions" {
  description = "The rows of infra/stages.json."
  type = list(object({
    name            = string
    kind            = string
    timeout_seconds = number
    retry = optional(object({
      min_backoff_seconds = number
      max_backoff_seconds = number
      max_attempts        = number
    }))
  }))
}

variable "push_account" {
  description = "Name of the account whose token each push carries, the part before @."
  type        = string
}

variable "uris" {
  description = "Addresses of the functions that take messages, by the function's name, without a path."
  type        = map(string)
}

variable "members" {
  description = "Service accounts of the functions that publish, by the function's name, as members of roles."
  type        = map(string)
}

variable "askers" {
  description = "Who may ask by message and read the answers."
  type        = list(string)
}

variable "operators" {
  description = "Who may take dead letters and send them again."
  type        = list(string)
}

variable "labels" {
  description = "Labels for the billing export."
  type        = map(string)
}
