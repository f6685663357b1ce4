// Package admin is the control plane: what a test, a teacher or a dashboard does
// to a sandbox rather than in it.
//
// # Files
//
//	summary.go  GET /admin: what the server and the sandbox are
//	reset.go    POST /admin/reset: back to the baseline
//	routes.go   the rows of the route table
package admin
