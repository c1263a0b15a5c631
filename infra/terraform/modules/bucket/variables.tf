variable "project_id" {
  description = "The project."
  type        = string
}

variable "name" {
  description = "The bucket's name, unique in the world."
  type        = string
  validation {
    condition     = length(var.name) <= 63
    error_message = "The bucket's name ${var.name} has ${length(var.name)} characters; Cloud Storage allows 63. Choose a shorter environment."
  }
}

variable "location" {
  description = "Region of the bucket."
  type        = string
}

variable "labels" {
  description = "Labels for the billing export."
  type        = map(string)
}

variable "access" {
  description = "Who holds which role on the bucket: members by role."
  type        = map(list(string))
}

variable "keep_replaced_days" {
  description = "Days that a replaced or deleted object's versions are kept."
  type        = number
  default     = 30
}

variable "nearline_days" {
  description = "Days after which objects move to the nearline class; null leaves them."
  type        = number
  default     = null
}

variable "delete_days" {
  description = "Days after which objects are deleted; null keeps them."
  type        = number
  default     = null
}

variable "force_destroy" {
  description = "Whether `terraform destroy` removes the bucket with what is in it."
  type        = bool
  default     = false
}
