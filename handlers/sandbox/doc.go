// Package sandbox holds what one isolated copy of the service consists of: its
// data, its clock, its faults, its lifecycles, its journal and more. It knows
// nothing of HTTP, and nothing in it is global: a second sandbox is a second value.
//
// # Files
//
//	sandbox.go          Sandbox: its parts, how it is made, updated, forked
//	reset.go            its parts back to their first state, together or one by one
//	registry.go         Registry: the sandboxes of a server, found, listed, dropped
//	make.go             how one comes: made, or forked from another, if there is room
//	acquire.go          the sandbox of a request or a test, which lasts once it is let in
//	eviction.go         which sandboxes go: idle ones, and on a full server those that nobody has claimed
//	template.go         of what new sandboxes are forks
//	generate.go         baselines of fake data
//	page.go             a part of a long list of sandboxes
//	workshop.go         the door by which attendees of a workshop get sandboxes
//	attendee.go         what the sandbox of an attendee is called
//	name.go             the texts that name a sandbox, and their canonical form
//	shard.go            the ending of the names of a replica's sandboxes
//	key.go              the key of a sandbox
//	check.go            what is wrong with what a sandbox is given
//	usage.go            what a sandbox holds, in bytes
//	clock.go            the time as a sandbox sees it; the only file that reads the machine's
//	day.go              times written as dates
//	snapshots.go        states saved under a name
//	kept.go             Kept: what a file keeps of sandboxes, and sandboxes made of it
//	world.go            World: all of it out; NewWorld: all of it in
//	lifecycle.go        Lifecycle: what an operation says about its own age
//	lifecycle_check.go  what is wrong with one
//	lifecycle_fields.go one as it is set in JSON
//	lifecycles.go       the lifecycle of every operation, as changed in a sandbox
//	report.go           who uses deprecated operations
//	junit.go            that as a JUnit file
//	webhooks.go         webhooks, and what they are told
//	limiter.go          requests a second for each client
//	idempotency.go      first answers, kept to be given again
package sandbox
