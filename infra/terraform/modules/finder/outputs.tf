output "name" {
  description = "The function's name."
  value       = module.function.name
}

output "uri" {
  description = "The finder's address."
  value       = module.function.uri
}

output "index" {
  description = "Where the index is published to."
  value       = local.index
}

output "bucket" {
  description = "The index's bucket."
  value       = module.bucket.name
}
