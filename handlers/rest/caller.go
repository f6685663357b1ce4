package rest

import (
	"net/http"

	"example.com/petstore/handlers/sandbox"
)

// CallerOf returns who makes a request, by its User-Agent and X-Client headers.
func CallerOf(r *http.Request) sandbox.Caller {
	return sandbox.Caller{UserAgent: r.UserAgent(), Client: r.Header.Get("X-Client")}
}

// NameCaller names a caller for a person.
func NameCaller(c sandbox.Caller) string {
	name := c.UserAgent
	if name == "" {
		name = "a caller without a User-Agent"
	}
	if c.Client != "" {
		name += " (X-Client: " + c.Client + ")"
	}
	return name
}
