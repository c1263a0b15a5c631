output "name" {
  description = "The function's name, which is also that of its Run service."
  value       = module.function.name
}

output "uri" {
  description = "The function's address without a path: the audience of tokens for it."
  value       = module.function.uri
}

output "member" {
  description = "The function's service account as a member of roles."
  value       = module.function.member
}
