// Package middleware has the links of the chain around every operation.
// Package handlers combines them in one expression.
//
// # Files
//
//	headers.go       sets the headers of every response
//	door.go          acquires, refuses, admits and releases the request's sandbox
//	observe.go       counts requests for monitoring and logs responses
//	journal.go       records requests and responses in the journal
//	cors.go          handles cross-origin requests
//	compress.go      compresses responses with gzip
//	answer_errors.go turns errors and panics into responses
//	not_found.go     handles OPTIONS, 404 and 405
//	lifecycle.go     sets lifecycle headers and refuses operations after a sunset
//	origin.go        checks Host and Origin for the control plane
//	authenticate.go  checks keys
//	proxies.go       finds the client's address behind trusted proxies
//	forwarded.go     parses Forwarded and X-Forwarded-For
//	count.go         counts calls and reports deprecated use
//	disturb.go       combines what can affect a request of the service
//	ratelimit.go     limits each client's requests per second
//	fault.go         applies fault rules
//	recorder.go      buffers a response so that it can be replaced
//	prefer.go        handles Prefer: code= and delay=
//	strict.go        refuses unknown query parameters
//	turns.go         bounds concurrent imports and generations
//	everywhere.go    repeats a request in every sandbox
package middleware
