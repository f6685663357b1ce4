// Package rest is the HTTP dialect of every operation: it reads requests, writes
// responses and turns errors into responses, each in one place.
//
// An operation is a [Handler]: it reads from an [Exchange], and either returns an error
// or has written its response. A [Link] wraps a handler; a chain of links surrounds
// every operation.
//
// # Files
//
//	exchange.go   defines Exchange, a request and its response
//	operation.go  defines Operation, a row of the route table, and the chain around it
//	path.go       splits a request's path; reads names in it
//	public.go     builds addresses in responses, behind a proxy too
//	headers.go    reads and bounds request headers
//	writer.go     records what was sent and sets deadlines
//	errors.go     defines Error, the body of every error response
//	refusals.go   lists every code with its status and its advice
//	body.go       reads a request's body; checks media type and size
//	reading.go    reads a body in time, ahead, its start, or to discard it
//	object.go     reads a JSON body by its fields
//	query.go      reads query parameters
//	answer.go     encodes and writes responses
//	paging.go     reads limit, offset and sort; writes lists
//	memory.go     reserves memory for requests and responses
//	wait.go       delays requests, cancelled when the client disconnects
//	stream.go     writes server-sent events
//	conditions.go makes entity tags; evaluates If-Match and If-None-Match
package rest
