// Package handlers implements the server: it combines the operations of the service, the control
// plane and Config.Extras in one route table, and wraps each operation in one chain of links.
//
// CONTRIBUTING.md says how to add an operation or a noun.
//
// # Files
//
//	server.go      builds the route table and the chain; serves a request
//	router.go      finds the operation for a path and method
//	nearest.go     suggests a known path for an unknown one
//	routes.go      lists the operations of the service
//	resource.go    implements get, create, replace, patch and delete
//	categories.go, pets.go, orders.go, inventory.go, messages.go
//	               define one noun each
//	service.go     links to the operations, reports health, streams events
package handlers
