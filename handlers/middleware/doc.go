// Package middleware has the links of the chain around every operation, one per file.
// Package handlers combines them in one expression.
//
// # Files
//
//	log.go              logs each response
//	measure.go          counts requests for monitoring
//	journal.go          records requests and responses in the journal
//	standard_headers.go sets X-Request-Id, X-Petstore-Replica and browser headers
//	caching.go          sets Cache-Control and Vary
//	answer_errors.go    turns errors and panics into responses
//	cors.go             handles cross-origin requests
//	compress.go         compresses responses with gzip
//	not_found.go        handles OPTIONS, 404 and 405
//	door.go             acquires, refuses, registers and releases the request's sandbox
//	count.go            counts calls and reports deprecated use
//	note_change.go      notes requests that may change what is kept
//	assign_draws.go     assigns the request's number and random draws
//	lifecycle.go        sets lifecycle headers; returns 410 after a sunset
//	origin.go           checks Host and Origin for the control plane
//	proxies.go          finds the client's address behind trusted proxies
//	forwarded.go        parses Forwarded and X-Forwarded-For
//	authenticate.go     checks keys
//	ratelimit.go        limits each client's requests per second
//	fault.go            applies fault rules
//	recorder.go         buffers a response so that it can be replaced
//	prefer.go           handles Prefer: code= and delay=
//	everywhere.go       repeats a request in every sandbox
//	reserve.go          reserves memory for writes without a body
//	turns.go            bounds concurrent imports and generations
//	strict.go           refuses unknown query parameters
package middleware
