// Package admin is the control plane: the operations by which a test, a teacher or the dashboard
// controls a sandbox.
//
// # Files
//
//	routes.go      lists the operations for the route table
//	summary.go     describes the server and the sandbox
//	reset.go       resets a sandbox
//	baseline.go    generates a requested baseline
//	state.go       exports, imports, compares and undoes data
//	world.go       exports and imports a whole sandbox
//	snapshots.go   saves and restores data by name
//	clock.go       sets the sandbox's clock
//	operations.go  changes lifecycles and lists operations with their calls
//	report.go      reports the use of deprecated operations
//	metrics.go     returns the server's figures
//	certificate.go serves the certificate that clients must trust
//	sandboxes.go   lists, creates, forks and drops sandboxes
//	workshop.go    controls a workshop and lets attendees join
//	template.go    sets the template of new sandboxes
//	faults.go      changes fault rules
//	requests.go    queries the journal
//	webhooks.go    changes webhooks and lists deliveries
//	events.go      streams events
package admin
