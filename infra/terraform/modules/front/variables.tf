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

variable "service" {
  description = "The Run service of the ask function."
  type        = string
}

variable "domain" {
  description = "The name that the front answers to, such as ask.example.org."
  type        = string
}

variable "members" {
  description = "Who is let in, such as group:analysts@example.org."
  type        = list(string)
}

variable "labels" {
  description = "Labels for the billing export."
  type        = map(string)
}
