output "alerts" {
  description = "What somebody is told about: the keys of docs/operating.md."
  value       = sort(concat(keys(local.alerts), ["answer-usd", "error-ratio", "p95"]))
}
