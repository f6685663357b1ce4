// Package admin implements the control plane: the operations with which tests, teachers and the
// dashboard control a sandbox.
//
// # Files
//
//	routes.go      lists the operations for the route table
//	summary.go     describes the server and the sandbox
//	reset.go       resets a sandbox; reads requests for generated baselines
//	state.go       exports, imports and compares data; undoes writes
//	world.go       exports and imports a whole sandbox
//	snapshots.go   saves and restores data by name
//	clock.go       sets the sandbox's clock
//	operations.go  changes lifecycles; lists operations with their call counts
//	report.go      reports the use of deprecated operations
//	metrics.go     writes the server's metrics
//	certificate.go serves the certificate that clients must trust
//	sandboxes.go   lists, creates, forks and drops sandboxes
//	workshop.go    controls a workshop and lets attendees join
//	template.go    sets the template of new sandboxes
//	faults.go      changes fault rules
//	requests.go    queries the journal and streams events
//	webhooks.go    changes webhooks and lists deliveries
package admin
