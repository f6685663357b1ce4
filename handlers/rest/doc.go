// Package rest implements HTTP for all operations. It reads requests, writes responses and converts
// errors to responses.
//
// A [Handler] carries out an operation. It reads the request from an [Exchange], and either writes
// the response or returns an error. A [Link] wraps a handler. A chain of links wraps the handler of
// every operation.
//
// # Files
//
//	exchange.go   defines Exchange, a request and its response
//	operation.go  defines Operation, Handler and Link
//	path.go       splits request paths, reads names from them, builds paths
//	public.go     builds addresses for responses, even behind a proxy
//	headers.go    reads request headers
//	writer.go     records what was sent and sets write deadlines
//	errors.go     defines Error, the body of every error response
//	refusals.go   lists every error code with its status and advice
//	body.go       reads a request's body and checks its media type
//	reading.go    reads all or part of a body within a deadline
//	object.go     reads a JSON body by its fields
//	query.go      reads query parameters
//	answer.go     encodes and writes responses
//	paging.go     reads limit, offset and sort; writes lists (tests: handlers/lists_test.go)
//	memory.go     reserves memory for requests and responses
//	wait.go       delays requests; stops when the client disconnects
//	stream.go     writes server-sent events
//	conditions.go makes entity tags; evaluates If-Match and If-None-Match
package rest
