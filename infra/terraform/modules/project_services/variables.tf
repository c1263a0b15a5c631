variable "project_id" {
  description = "The project."
  type        = string
}

variable "services" {
  description = "The APIs that are turned on."
  type        = set(string)
}
