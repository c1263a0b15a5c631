variable "project_id" {
  description = "The project."
  type        = string
}

variable "region" {
  description = "Region of the bucket and the images."
  type        = string
}

variable "prefix" {
  description = "Beginning of every name, neuralkg-{environment}."
  type        = string
}

variable "bucket_name" {
  description = "Name of the bucket of archives."
  type        = string
}

variable "build_account" {
  description = "Name of the service account of builds, the part before @."
  type        = string
}

variable "archive" {
  description = "Path of the program's archive, made by tools/terraform_source.sh."
  type        = string
  validation {
    condition     = fileexists(var.archive)
    error_message = "There is no archive of the program at ${var.archive}. Make it: tools/terraform_source.sh ${var.archive}"
  }
}

variable "labels" {
  description = "Labels for the billing export."
  type        = map(string)
}
