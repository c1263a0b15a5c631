variable "project_id" {
  description = "The project."
  type        = string
}

variable "database" {
  description = "Id of the database."
  type        = string
}

variable "location" {
  description = "Region or multi-region of the database; it cannot be changed later."
  type        = string
}

variable "policies" {
  description = "What infra/firestore.json says."
  type = object({
    fields = list(object({
      collection = string
      field      = string
      ttl        = bool
      indexes    = list(object({ order = string, query_scope = string }))
    }))
    composite_indexes = list(object({
      collection  = string
      query_scope = string
      fields      = list(object({ field = string, order = string }))
    }))
  })
}

variable "users" {
  description = "Service accounts that read and write runs, by the function's name, as members of roles."
  type        = map(string)
}

variable "protect" {
  description = "Whether the database is kept from deletion and can be brought back to any minute of the last week."
  type        = bool
}
