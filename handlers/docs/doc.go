// Package docs holds the OpenAPI documents of the service and of the control
// plane, serves them with what is true at the moment of the request, and shows
// them with Swagger UI.
//
// # Files
//
//	openapi.yaml  the service's contract
//	admin.yaml    the control plane's
//	document.go   Document: the server's address, the lifecycles and the keys filled in
//	kept.go       what was made of a document last
//	arguments.go  what requests for an operation bear, and its schemas
//	collections.go  which operations list the records of a noun, and read one
//	json.go       a YAML document as JSON in the same order
//	pages.go      the rows of the route table that serve them
//	page/         the page of Swagger UI: what it adds, and how it looks
package docs
