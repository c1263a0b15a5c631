output "environment" {
  description = "The variables by which the program finds this environment: `terraform output -json | neuralkg environment`."
  value = merge(local.common, {
    NEURALKG_FINDER_URL = module.finder.uri
    NEURALKG_INDEX      = module.finder.index
  })
}

output "functions" {
  description = "Addresses of the functions by name."
  value = merge(
    { for name, function in module.pushed : name => function.uri },
    { ask = module.ask.uri, finder = module.finder.uri, reports = module.reports.uri },
  )
}

output "topics" {
  description = "Names of the topics."
  value       = module.messaging.topics
}

output "front_address" {
  description = "The address that ask.domain's A record must hold; null without a front."
  value       = one(module.front[*].address)
}
