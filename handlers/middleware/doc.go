// Package middleware contains the links that wrap the handler of every operation. Package handlers
// combines them into a chain.
//
// # Files
//
//	headers.go      sets the headers of every response
//	door.go         finds, admits and releases the request's sandbox
//	observe.go      counts, measures and logs requests; reports deprecated calls
//	journal.go      records requests and their responses
//	cors.go         handles cross-origin requests
//	compress.go     compresses responses with gzip
//	errors.go       converts errors to responses; handles OPTIONS, 404, 405
//	lifecycle.go    sets lifecycle headers, enforces sunsets
//	origin.go       checks Host and Origin for the control plane
//	authenticate.go checks keys
//	client.go       finds the client's address behind trusted proxies
//	disturb.go      applies the rate limit, faults and preferences
//	fault.go        applies a fault rule, which can replace a buffered response
//	operate.go      limits concurrent imports; repeats a request in every sandbox
package middleware
