// Package webhook tells the changes of a sandbox to addresses that its user has set, as
// Standard Webhooks 1.0.0 describes (https://www.standardwebhooks.com): signed, tried again
// where that failed, and bounded in number, bytes and time.
//
// # Files
//
//	settings.go  what a webhook is set to, and what is wrong with it
//	events.go    which events there are, and which of them a webhook wants
//	signature.go secrets, and what they sign
//	target.go    where webhooks may send, checked again when they connect
//	hooks.go     Hooks: the webhooks of a sandbox
//	hook.go      one of them, with its deliveries: what waits and what is over
//	delivery.go  Delivery: one event for one webhook, and each try to deliver it
//	find.go      deliveries that match, and waiting for them
//	sender.go    Sender: whose turn it is, for all sandboxes of a server
//	send.go      one try over HTTP
//	roots.go     whose certificates count
package webhook
