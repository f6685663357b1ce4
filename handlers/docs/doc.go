// Package docs contains the OpenAPI documents of the service and of the control plane. It serves
// the documents for the current state of the server and the sandbox, and shows them in Swagger UI.
//
// # Files
//
//	openapi.yaml  describes the service
//	admin.yaml    describes the control plane
//	document.go   fills in the server's URL, lifecycles and key requirements
//	cache.go      caches the last rendering of a document
//	arguments.go  describes arguments with schemas; finds the collections of records
//	requests.go   makes example requests, as a .http file or Bruno collection
//	pages.go      serves the documents and Swagger UI
//	page/         contains the Swagger UI page and its plugin
package docs
