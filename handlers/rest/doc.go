// Package rest is the HTTP dialect that every operation speaks: how a request is
// read, how an answer is written and how an error becomes one, each in one place.
//
// An operation is a [Handler]: it reads from an [Exchange], and returns an error
// or has written its answer, never both. A [Link] wraps a handler in another; a
// chain of links surrounds every operation.
//
// # Files
//
//	exchange.go   Exchange: one request and its answer
//	path.go       a request's path: the sandbox prefix, encoded slashes
//	public.go     the addresses in answers, behind a proxy too
//	caller.go     identifies the caller of a request
//	loopback.go   what is this machine, and what a browser trusts
//	names.go      the names of sandboxes and snapshots in a request
//	everywhere.go requests for all sandboxes
//	handler.go    Handler, Link, Chain
//	operation.go  Operation: a row of the route table
//	writer.go     an answer on its way out: what was sent, and the time that it may take
//	plain.go      how an answer begins before it is compressed
//	errors.go     Error: codes, statuses, and errors of other packages as one
//	refusals.go   the answers to what the store and sandboxes refuse, and what to do about it
//	injected.go   the errors that were asked for: by a fault, by a request
//	body.go       a request's body: media type, size
//	body_start.go the beginning of a body that nobody reads, for the journal
//	unread.go     a body that comes when it has been refused
//	object.go     a JSON body read by its fields, every problem collected
//	json.go       one JSON value in, and where it is broken
//	query.go      query parameters, every problem collected
//	pagination.go limit, offset, sort, and the headers of a list's answer
//	answer.go     answers out
//	long.go       those that are sent in parts
//	encode.go     JSON out
//	memory.go     the memory that a request and its answer may take
//	wait.go       what holds a request up, and ends with its client
//	standing.go   how many may wait, or listen to events, at once
//	stream.go     server-sent events out
//	etag.go       entity tags
//	conditions.go If-Match and If-None-Match
//	idempotency.go
//	              Idempotency-Key: what is made once
//	headers.go    how many lines of one header there may be
//	fault_headers.go
//	              the headers that a fault rule can match and answer
package rest
