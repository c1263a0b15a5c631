output "pusher" {
  description = "The pushing account, as a member of roles."
  value       = google_service_account.push.member
}

output "push_subscriptions" {
  description = "Names of the push subscriptions by the function's name."
  value       = { for key, push in local.pushes : "${push.function}:${key}" => google_pubsub_subscription.push[key].name }
}

output "dead_letters_kept" {
  description = "The subscription that keeps dead letters for a replay."
  value       = google_pubsub_subscription.pull["dead-letters-kept"].name
}

output "topics" {
  description = "Names of the topics."
  value       = { for key, topic in google_pubsub_topic.this : key => topic.name }
}
