// Package webhook sends the events of a sandbox to URLs that a client sets, as Standard Webhooks
// 1.0.0 specifies (https://www.standardwebhooks.com). Deliveries are signed, and failed ones are
// retried. The number, the size and the duration of deliveries are limited.
//
// # Files
//
//	settings.go  validates a webhook's settings and matches events
//	signature.go generates secrets and signs deliveries
//	target.go    restricts the addresses that webhooks may connect to
//	hooks.go     stores the webhooks of a sandbox
//	hook.go      stores a webhook with its pending and finished deliveries
//	delivery.go  defines a delivery and its tries
//	find.go      finds matching deliveries and waits for them
//	sender.go    schedules the tries of all sandboxes
//	send.go      makes one try over HTTP
package webhook
