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
//	path.go       splits a request's path; handles encoded slashes
//	public.go     builds addresses in responses, behind a proxy too
//	caller.go     identifies the caller of a request
//	loopback.go   recognizes this machine and trustworthy addresses
//	names.go      reads the names of sandboxes and snapshots
//	everywhere.go carries out requests for all sandboxes
//	handler.go    defines Handler, Link and Chain
//	operation.go  defines Operation, a row of the route table
//	writer.go     records what was sent and sets deadlines
//	plain.go      captures the start of the uncompressed body
//	errors.go     defines Error, its codes and statuses
//	refusals.go   maps errors of the store and sandboxes to responses
//	injected.go   builds the errors that faults and clients ask for
//	body.go       reads a request's body; checks media type and size
//	body_start.go captures the start of an unread body for the journal
//	unread.go     discards a body that arrives after its refusal
//	object.go     reads a JSON body by its fields
//	json.go       parses one JSON value
//	query.go      reads query parameters
//	pagination.go reads limit, offset and sort; writes lists
//	answer.go     writes responses
//	long.go       writes long responses in parts
//	encode.go     encodes JSON
//	memory.go     reserves memory for requests and responses
//	wait.go       delays requests, cancelled when the client disconnects
//	standing.go   bounds the requests that wait or listen
//	stream.go     writes server-sent events
//	etag.go       makes and parses entity tags
//	conditions.go evaluates If-Match and If-None-Match
//	idempotency.go
//	              reads Idempotency-Key
//	headers.go    bounds the lines of one header
//	fault_headers.go
//	              lists the headers that a fault rule can match or set
package rest
