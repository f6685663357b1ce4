// Package contracttest is the harness of the tests over HTTP: a [World] is a server of petstoretest
// whose client validates every answer against the documents.
//
// Test packages with many rows import it with a dot. Rows of [Scenario] are the way to test an
// operation; [Complete] names what an operation lacks. Transcripts of whole answers and requests
// drawn from the schemas are tested here.
//
// # Files
//
//	main.go      TestMain of the packages with worlds
//	world.go     starts a server and reads its data
//	data.go      the data and the time of a new world
//	request.go   writes and sends requests
//	answer.go    checks answers
//	feed.go      reads a stream of events
//	scenario.go  sends one request and checks all effects
//	complete.go  lists the scenarios that operations must have
//	stream.go    the scenarios of every stream
//	control.go   common requests to the control plane
//	ballast.go   takes memory for a test
//	words.go     common headers and configurations
//	contract.go  validates every answer
//	sandbox.go   validates the sandbox named by an answer
//	operation.go validates an answer against its operation
//	fields.go    requires a description of every field
//	document.go  parses the documents with kin-openapi
package contracttest
