// Package sandbox holds what one isolated copy of the service consists of: its
// data, its clock, its lifecycle records, the idempotency keys it has seen and
// who used what is deprecated. It knows nothing of HTTP, and nothing in it is
// global: a second sandbox is a second value.
//
// # Files
//
//	sandbox.go      Sandbox and how one is made and reset
//	clock.go        the time as a sandbox sees it; the only file that reads the machine's
//	lifecycle.go    Lifecycle: what an operation says about its own age
//	idempotency.go  Idempotency: first answers, kept to be given again
//	callers.go      who has used a deprecated operation
package sandbox
