// Package contracttest is the harness of the tests that speak HTTP: a [World] is a
// server of petstoretest whose client holds every answer to the documents, so that no
// test can forget to.
//
// A test package has the words that it needs as short names in a harness_test.go of its
// own. Rows of [Scenario] are the way to test an operation; [Complete] names what an
// operation lacks. Transcripts of whole answers and requests drawn from the schemas are
// tested here.
//
// # Files
//
//	main.go      TestMain of the packages that use it
//	world.go     World: a server of its own, and what is in it
//	data.go      what it starts with
//	request.go   Request: how it is written and sent
//	answer.go    Answer: what a test expects of it
//	feed.go      a stream of events, as a client reads it
//	scenario.go  Scenario: one request, its answer, and that nothing else changes
//	complete.go  which scenarios an operation must have
//	stream.go    those that every stream has
//	control.go   the requests to the control plane that many tests make
//	ballast.go   memory that is taken for a test
//	words.go     headers and configurations that many tests want
//	contract.go  what holds of every answer
//	sandbox.go   which sandbox an answer must name
//	operation.go what the document says of an operation's answers
//	fields.go    that every field is described
//	document.go  the documents as somebody else's code reads them
package contracttest
