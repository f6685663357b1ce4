// Package handlers is the service: it puts the operations, the control plane and
// the documents into one route table and the chain of links around them.
//
// # How to add an operation
//
//  1. Describe it in docs/openapi.yaml (or docs/admin.yaml).
//  2. Write its handler in the file of its noun: read the request with
//     [rest.Exchange], change the data in one store.Update, return an error or
//     the answer.
//  3. Add its row to the table in routes.go (or admin/routes.go).
//
// The tests hold the table and the documents together, and name the operation
// until it is tested for success, a missing record and bad input.
//
// # Files
//
//	config.go      Config and its defaults
//	config_faults.go
//	               what of it makes the service slow or wrong
//	server.go      Server: the table, the chain, one request through both
//	router.go      a path to its operations
//	nearest.go     the path that one which is none was meant to be
//	routes.go      the table of the service's operations
//	resource.go    what every record can do: get, create, replace, patch, delete
//	categories.go, pets.go, orders.go, inventory.go, messages.go
//	               one noun each: its fields, its list, its resource
//	events.go      what happens in a sandbox, as it happens
//	health.go, index.go
package handlers
