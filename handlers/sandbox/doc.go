// Package sandbox implements one isolated copy of the service: its data, its clock, its
// faults, its lifecycles, its journal and more. It knows nothing of HTTP, and nothing in
// it is global: a second sandbox is a second value.
//
// # Files
//
//	sandbox.go          creates, updates and forks sandboxes
//	reset.go            resets a sandbox or parts of it
//	registry.go         finds, lists and drops the sandboxes of a server
//	make.go             creates, acquires and forks sandboxes if there is room
//	eviction.go         evicts idle sandboxes, then unused ones
//	template.go         replaces the template of new sandboxes
//	generate.go         generates baselines of fake data
//	page.go             sorts and pages the list of sandboxes
//	workshop.go         lets attendees of a workshop in
//	attendee.go         derives a sandbox's name from an attendee's
//	name.go             parses names of sandboxes; restricts them to a replica
//	key.go              sets and checks the keys of sandboxes
//	check.go            validates fault rules and journal filters
//	usage.go            counts the bytes of a sandbox
//	clock.go            implements clocks; reads the machine's time
//	day.go              parses and formats dates
//	snapshots.go        keeps named states
//	kept.go             exports and restores all sandboxes of a server
//	world.go            exports and loads the contents of a sandbox
//	lifecycle.go        holds the deprecation, sunset and stability of operations
//	lifecycle_check.go  completes and validates lifecycles
//	lifecycle_fields.go reads lifecycles from JSON
//	report.go           records the use of deprecated operations
//	junit.go            formats that use as a JUnit file
//	webhooks.go         connects webhooks with the sandbox's events
//	limiter.go          limits each client's requests per second
//	idempotency.go      keeps the responses to requests with idempotency keys
package sandbox
