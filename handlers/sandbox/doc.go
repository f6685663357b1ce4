// Package sandbox holds what one isolated copy of the service consists of: its
// data, its clock, its faults, its lifecycles, its journal and more. It knows
// nothing of HTTP, and nothing in it is global: a second sandbox is a second value.
//
// # Files
//
//	sandbox.go      Sandbox: its parts, how it is made, updated, forked
//	reset.go        its parts back to their first state, together or one by one
//	registry.go     Registry: the sandboxes of a server, made, found, forked, dropped
//	acquire.go      the sandbox of a request or a test, which lasts once it is let in
//	eviction.go     which sandboxes go: idle ones, and on a full server those that nobody would miss
//	name.go         the texts that name a sandbox, and their canonical form
//	clock.go        the time as a sandbox sees it; the only file that reads the machine's
//	draws.go        the random numbers of one request
//	snapshots.go    states kept under names
//	lifecycle.go    Lifecycle: what an operation says about its own age
//	lifecycles.go   the lifecycle of every operation, as changed in a sandbox
//	report.go       who uses what is deprecated
//	faults.go       rules that make requests slow, wrong or broken, and which applies to a request
//	rule.go         Rule: one of them
//	rule_check.go   what is wrong with one
//	match.go        which requests one is for; patterns of paths
//	limiter.go      requests a second for each client
//	journal.go      the requests that were answered
//	journal_text.go an entry as the journal keeps it, without keys
//	journal_find.go entries that match, and waiting for them
//	events.go       what happened, for those who listen
//	stream.go       what one of them hears
//	queue.go        circular memory, for both
//	idempotency.go  first answers, kept to be given again
package sandbox
