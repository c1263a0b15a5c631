# The two tables of infra/, decoded by whoever calls this module. What could not be created is told before anything is.
variable "functions" {
  description = "The functions of infra/stages.json."
  type = list(object({
    name            = string
    kind            = string
    memory_mb       = number
    cpu             = number
    concurrency     = number
    min_instances   = number
    max_instances   = number
    timeout_seconds = number
    judging_allowed = optional(bool, false)
    schedule        = optional(string)
    retry = optional(object({
      min_backoff_seconds = number
      max_backoff_seconds = number
      max_attempts        = number
    }))
  }))
  validation {
    condition = jsonencode([for row in var.functions : row.name if row.kind == "stage"]) == jsonencode([
      "understand", "slots", "discover", "select", "resolve_entities", "resolve_attributes", "plan", "execute", "combine", "present",
    ])
    error_message = "stages.json: the stages must be, in this order, understand, slots, discover, select, resolve_entities, resolve_attributes, plan, execute, combine, present; found ${join(", ", [for row in var.functions : row.name if row.kind == "stage"])}."
  }
  validation {
    condition = (
      jsonencode(sort([for row in var.functions : "${row.name}:${row.kind}" if row.kind != "stage"])) ==
      jsonencode(["archive:topic", "ask:http", "finder:http", "reports:http", "sweep:schedule"])
    )
    error_message = "stages.json: beside the stages there must be ask, finder and reports (http), archive (topic) and sweep (schedule); found ${join(", ", [for row in var.functions : "${row.name} (${row.kind})" if row.kind != "stage"])}."
  }
  validation {
    condition     = alltrue([for row in var.functions : row.memory_mb >= 128 && row.memory_mb <= 4096 * max(1, row.cpu) && row.memory_mb <= 32768 && floor(row.memory_mb) == row.memory_mb])
    error_message = "stages.json: memory_mb must be a whole number from 128 to 4096 a cpu; it is not for ${join(", ", [for row in var.functions : "${row.name} (${row.memory_mb} MB, ${row.cpu} cpu)" if !(row.memory_mb >= 128 && row.memory_mb <= 4096 * max(1, row.cpu) && row.memory_mb <= 32768 && floor(row.memory_mb) == row.memory_mb)])}."
  }
  validation {
    condition     = alltrue([for row in var.functions : contains([1, 2, 4, 6, 8], row.cpu) || (row.cpu >= 0.08 && row.cpu < 1 && row.concurrency == 1)])
    error_message = "stages.json: cpu must be 1, 2, 4, 6 or 8, or from 0.08 to below 1 with a concurrency of 1; it is not for ${join(", ", [for row in var.functions : "${row.name} (${row.cpu})" if !(contains([1, 2, 4, 6, 8], row.cpu) || (row.cpu >= 0.08 && row.cpu < 1 && row.concurrency == 1))])}."
  }
  validation {
    condition     = alltrue([for row in var.functions : row.concurrency >= 1 && row.concurrency <= 1000])
    error_message = "stages.json: concurrency must be from 1 to 1000; it is not for ${join(", ", [for row in var.functions : "${row.name} (${row.concurrency})" if !(row.concurrency >= 1 && row.concurrency <= 1000)])}."
  }
  validation {
    condition     = alltrue([for row in var.functions : row.min_instances >= 0 && row.max_instances >= max(1, row.min_instances) && row.max_instances <= 1000])
    error_message = "stages.json: min_instances must be at least 0, and max_instances from 1 to 1000 and not below it; it is not so for ${join(", ", [for row in var.functions : "${row.name} (${row.min_instances} to ${row.max_instances})" if !(row.min_instances >= 0 && row.max_instances >= max(1, row.min_instances) && row.max_instances <= 1000)])}."
  }
  validation {
    # The acknowledgement deadline covers the time-out, and 600 s is the most that Pub/Sub gives.
    condition     = alltrue([for row in var.functions : row.timeout_seconds >= 1 && row.timeout_seconds <= (contains(["stage", "topic"], row.kind) ? 540 : 3600)])
    error_message = "stages.json: timeout_seconds may be 540 at most for a function behind a topic and 3600 for any other; it is not from 1 to that for ${join(", ", [for row in var.functions : "${row.name} (${row.timeout_seconds})" if !(row.timeout_seconds >= 1 && row.timeout_seconds <= (contains(["stage", "topic"], row.kind) ? 540 : 3600))])}."
  }
  validation {
    condition = alltrue([for row in var.functions : row.retry == null ? !contains(["stage", "topic"], row.kind) : (
      row.retry.min_backoff_seconds >= 0 && row.retry.min_backoff_seconds <= row.retry.max_backoff_seconds &&
      row.retry.max_backoff_seconds <= 600 && row.retry.max_attempts >= 5 && row.retry.max_attempts <= 100
    )])
    error_message = "stages.json: a function behind a topic needs retry, with 0 <= min_backoff_seconds <= max_backoff_seconds <= 600 and max_attempts from 5 to 100; look at ${join(", ", [for row in var.functions : row.name if contains(["stage", "topic"], row.kind) || row.retry != null])}."
  }
  validation {
    condition     = alltrue([for row in var.functions : (row.schedule != null) == (row.kind == "schedule")])
    error_message = "stages.json: a schedule stands exactly with the kind schedule; it does not for ${join(", ", [for row in var.functions : row.name if(row.schedule != null) != (row.kind == "schedule")])}."
  }
}

variable "firestore" {
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
