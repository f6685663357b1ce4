// Package handlers is the service: it combines the operations, the control plane and the
// documents in one route table, and wraps it in one chain of links.
//
// CONTRIBUTING.md says how to add an operation or a noun.
//
// # Files
//
//	config.go      names the configuration of a server
//	server.go      builds the route table and the chain; serves a request
//	router.go      finds the operation of a path and method
//	nearest.go     suggests a known path for an unknown one
//	routes.go      lists the operations of the service
//	resource.go    implements get, create, replace, patch and delete
//	categories.go, pets.go, orders.go, inventory.go, messages.go
//	               define one noun each: its fields, its list, its resource
//	events.go      streams the changes of a sandbox
//	health.go      reports health
//	index.go       links the operations, documents and pages
package handlers
