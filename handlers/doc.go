// Package handlers is the service: it puts the operations, the control plane and the
// documents into one route table, and the chain of links around them.
//
// CONTRIBUTING.md says how to add an operation or a noun.
//
// # Files
//
//	config.go      Config and its defaults
//	config_check.go
//	               what of it cannot be
//	config_problems.go
//	               how that is told, by field and by flag
//	config_public.go
//	               the address behind a proxy
//	config_faults.go
//	               the parts of it that make the service slow or wrong
//	server.go      Server: the table, the chain, one request through both
//	router.go      a path to its operations
//	nearest.go     the path that one which is none was meant to be
//	routes.go      the table of the service's operations
//	resource.go    what every record supports: get, create, replace, patch, delete
//	categories.go, pets.go, orders.go, inventory.go, messages.go
//	               one noun each: its fields, its list, its resource
//	events.go      what happens in a sandbox, as it happens
//	health.go, index.go
package handlers
