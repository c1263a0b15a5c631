variable "project_id" {
  description = "The project."
  type        = string
}

variable "project_number" {
  description = "The project's number."
  type        = string
}

variable "prefix" {
  description = "Beginning of every name, neuralkg-{environment}."
  type        = string
}

variable "functions" {
  description = "The rows of infra/stages.json."
  type        = list(object({ name = string, timeout_seconds = number }))
}

variable "push_subscriptions" {
  description = "Names of the push subscriptions, under any keys."
  type        = map(string)
}

variable "dead_letters_kept" {
  description = "Name of the subscription that keeps dead letters."
  type        = string
}

variable "alert_emails" {
  description = "Who is told."
  type        = list(string)
}

variable "oldest_seconds" {
  description = "How long a message may wait before somebody is told."
  type        = number
  default     = 300
}

variable "error_percent" {
  description = "How many requests in a hundred may fail before somebody is told."
  type        = number
  default     = 5
}

variable "latency_percent" {
  description = "How much of its time-out a function's p95 may take before somebody is told."
  type        = number
  default     = 80
}

variable "answer_usd" {
  description = "How many dollars an answer's models may cost in the mean of an hour before somebody is told."
  type        = number
}

variable "cold_starts" {
  description = "How many instances of one function may start in ten minutes before somebody is told."
  type        = number
  default     = 20
}

variable "budget" {
  description = "A month's budget and whose account it is of; null for none."
  type        = object({ billing_account = string, monthly = number, currency = string })
}

variable "labels" {
  description = "Labels for the billing export; environment is among them."
  type        = map(string)
}
