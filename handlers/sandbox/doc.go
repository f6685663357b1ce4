// Package sandbox implements one isolated copy of the service: its data, clock, faults, lifecycles,
// journal and more. The package does not depend on the packages that handle HTTP requests, and has
// no global state.
//
// # Files
//
//	sandbox.go      creates, updates and forks sandboxes; returns their size
//	reset.go        resets a sandbox or parts of it
//	generate.go     generates baselines of fake data
//	name.go         parses names of sandboxes
//	check.go        validates fault rules and journal filters
//	clock.go        implements clocks; reads the machine's time
//	snapshots.go    keeps named states
//	world.go        exports and loads the contents of a sandbox
//	webhooks.go     connects webhooks with the sandbox's events
//	limiter.go      limits each client's requests per second
//	idempotency.go  keeps the responses to requests with idempotency keys
package sandbox
