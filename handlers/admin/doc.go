// Package admin is the control plane: what a test, a teacher or a dashboard does
// to a sandbox rather than in it.
//
// # Files
//
//	routes.go     the rows of the route table
//	summary.go    what the server and the sandbox are
//	reset.go      back to the baseline
//	baseline.go   the fakes that a request asks for
//	state.go      the data out and in, what changed, undo
//	world.go      the whole sandbox out and in
//	snapshots.go  states saved under a name
//	clock.go      the sandbox's time
//	operations.go the lifecycle of every operation, and how often it was called
//	report.go     who uses deprecated operations, as a test result too
//	metrics.go    figures of the server
//	certificate.go
//	              what clients must trust
//	sandboxes.go  the sandboxes of the server
//	workshop.go   the door of a workshop, and who comes in
//	template.go   what new sandboxes are forks of
//	faults.go     the fault rules
//	requests.go   the journal
//	webhooks.go   who is told what happens, and what was sent
//	events.go     what happens, requests too
package admin
