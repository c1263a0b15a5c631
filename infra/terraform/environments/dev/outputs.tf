output "environment" {
  description = "The variables by which the program finds this environment: `terraform output -json | neuralkg environment`."
  value       = module.environment.environment
}

output "functions" {
  description = "Addresses of the functions by name."
  value       = module.environment.functions
}

output "topics" {
  description = "Names of the topics."
  value       = module.environment.topics
}

output "front_address" {
  description = "The address that ask.domain's A record must hold; null without a front."
  value       = module.environment.front_address
}
