// Package contracttest is the harness for tests over HTTP. A [World] is a server started by
// petstoretest, with a client that validates every answer against the OpenAPI documents.
//
// Test an operation with an exchange in a transcript, or with a table of [Scenario] values;
// [Complete] reports which scenarios an operation lacks. Packages with many scenarios import this
// package with a dot. This package's own tests compare whole answers with transcripts, and send
// random requests generated from the schemas.
//
// # Files
//
//	main.go      implements TestMain for packages with worlds
//	world.go     starts servers and reads their data
//	data.go      defines the data and time of new worlds
//	request.go   creates and sends requests
//	answer.go    checks answers
//	feed.go      reads event streams
//	scenario.go  sends a request and checks all its effects
//	common.go    makes scenarios of every operation from its document
//	complete.go  reports missing scenarios
//	control.go   creates common requests to the control plane
//	ballast.go   allocates memory for a test
//	words.go     defines common headers and configurations
//	contract.go  validates every answer
//	sandbox.go   validates the sandbox that an answer names
//	operation.go validates an answer against its operation
//	fields.go    validates that every field is described
//	document.go  parses the documents with kin-openapi
package contracttest
