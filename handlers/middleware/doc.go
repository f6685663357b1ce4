// Package middleware holds the links of the chain around every operation, one a
// file. package handlers puts them in order, in one expression.
//
// # Files
//
//	log.go              a line for each request
//	measure.go          figures for monitoring
//	journal.go          the requests that a sandbox has answered
//	standard_headers.go X-Request-Id, X-Petstore-Replica, headers for browsers
//	caching.go          Cache-Control, Vary
//	answer_errors.go    errors and panics become answers
//	cors.go             cross-origin requests of browsers
//	compress.go         gzip
//	not_found.go        what no operation answers: OPTIONS, 404, 405
//	door.go             the one way of a request to its sandbox: acquire, refuse, register, release
//	count.go            how often an operation is called, and who uses what is deprecated
//	note_change.go      notes requests that may have changed what is kept
//	assign_draws.go     the request's number and random draws
//	lifecycle.go        Deprecation, Sunset, Link, Warning, X-Stability; 410 past a sunset
//	origin.go           who may speak to the control plane without a key: Host and Origin
//	proxies.go          finds the client's address behind trusted proxies
//	forwarded.go        parses Forwarded and X-Forwarded-For
//	authenticate.go     keys
//	ratelimit.go        requests a second for each client
//	fault.go            what a fault rule does to a request
//	recorder.go         an answer that is not sent as it is
//	prefer.go           Prefer: code=, delay=
//	everywhere.go       what is done in every sandbox at once
//	reserve.go          the memory that a request may need
//	turns.go            how many imports and generations run at once
//	strict.go           refuses unknown query parameters
package middleware
