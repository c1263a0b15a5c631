# What these must look like is checked in modules/environment, with the reason in words.
variable "project_id" {
  description = "Id of the project."
  type        = string
}

variable "region" {
  description = "Region of everything that has one, such as europe-west1."
  type        = string
}

variable "source_archive" {
  description = "Path of the program's archive, made by tools/terraform_source.sh."
  type        = string
}

variable "stages_file" {
  description = "Another table of functions than infra/stages.json, to size this environment by itself."
  type        = string
  default     = null
}

variable "settings" {
  description = "How the functions run: see modules/environment/variables.tf."
  type        = any
  default     = {}
}

variable "keys" {
  description = "Keys by the variable that holds them: the number of the secret's version, or null for none yet."
  type        = map(string)
  default     = {}
}

variable "ask" {
  description = "Who may ask over HTTP: access (private, public or iap), members, domain."
  type        = any
  default     = { access = "private" }
}

variable "askers" {
  description = "Who may ask by message and read the answers."
  type        = list(string)
  default     = []
}

variable "operators" {
  description = "Who may take dead letters and send them again."
  type        = list(string)
  default     = []
}

variable "report_readers" {
  description = "Who may read the reports."
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
}

variable "answer_usd" {
  description = "Dollars that an answer's models may cost in the mean of an hour before somebody is told."
  type        = number
  default     = 0.05
}

variable "budget" {
  description = "A month's budget: billing_account, monthly, currency (USD). null for none."
  type        = object({ billing_account = string, monthly = number, currency = optional(string, "USD") })
  default     = null
}

variable "labels" {
  description = "More labels of everything."
  type        = map(string)
  default     = {}
}
