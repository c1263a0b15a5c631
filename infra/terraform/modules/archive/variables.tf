variable "project_id" {
  description = "The project."
  type        = string
}

variable "bucket_name" {
  description = "The bucket's name."
  type        = string
}

variable "location" {
  description = "Region of the bucket."
  type        = string
}

variable "writers" {
  description = "Who reads and writes."
  type        = list(string)
}

variable "readers" {
  description = "Who only reads."
  type        = list(string)
}

variable "nearline_days" {
  description = "Days after which what is archived moves to the nearline class."
  type        = number
}

variable "delete_days" {
  description = "Days after which what is archived is deleted; null keeps it."
  type        = number
}

variable "force_destroy" {
  description = "Whether `terraform destroy` removes the bucket with what is in it."
  type        = bool
}

variable "labels" {
  description = "Labels for the billing export."
  type        = map(string)
}
