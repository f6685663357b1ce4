package rest

import (
	"slices"

	"example.com/petstore/handlers/sandbox/fault"
)

// FaultHeaders says which headers a fault rule can match and answer.
func FaultHeaders() fault.Headers {
	return fault.Headers{
		Matched: func(name string) string {
			if name == "Host" {
				return "cannot be matched; X-Sandbox and the path say which sandbox a request is for"
			}
			return ""
		},
		Answered: func(name string) string {
			if slices.Contains(reserved, name) {
				return "is set by the server; leave it out"
			}
			return ""
		},
	}
}

// reserved are the headers of an injected answer that a rule cannot set: what
// frames the message, and what says that it is JSON.
var reserved = []string{
	"Connection", "Content-Encoding", "Content-Length", "Content-Type", "Keep-Alive", "Proxy-Connection", "Te", "Trailer",
	"Transfer-Encoding", "Upgrade", "X-Content-Type-Options",
}
