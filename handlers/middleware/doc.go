// Package middleware contains the links that wrap the handler of every operation. Package handlers
// combines them into a chain.
//
// # Files
//
//	door.go         finds, admits and releases the request's sandbox
//	headers.go      sets the headers of every response
//	observe.go      counts, measures and logs requests; records them in the journal
//	cors.go         handles cross-origin requests
//	compress.go     compresses responses with gzip
//	errors.go       converts errors and panics to responses
//	lifecycle.go    sets lifecycle headers, reports deprecated calls, enforces sunsets
//	origin.go       checks Host and Origin for the control plane
//	authorize.go    checks keys
//	client.go       finds the client's address behind trusted proxies
//	disturb.go      applies the rate limit, faults and preferences
//	fault.go        applies a fault rule, which can replace a buffered response
//	operate.go      limits concurrent imports; runs operations, also in every sandbox
package middleware
