package rest

import (
	"net/http"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/webhook"
)

// callerHeaders are the headers that say who makes a request and by which way it came.
var callerHeaders = []string{
	"Authorization", "Origin", "Sec-Fetch-Site", "Via", "Forwarded", "X-Forwarded-For", "X-Real-Ip", webhook.Header,
	"User-Agent", "X-Client", "X-Request-Id",
}

// CallerHeader returns the headers that say who makes a request and by which way it came.
// The guard of the control plane judges by no others, and the requests that a tool makes for
// a caller have them all, so that the guard judges those as it would judge the caller.
func CallerHeader(all http.Header) http.Header {
	header := make(http.Header)
	for _, name := range callerHeaders {
		if values := all[name]; values != nil {
			header[name] = values
		}
	}
	return header
}

// CallerOf returns who makes a request, by its User-Agent and X-Client headers.
func CallerOf(r *http.Request) sandbox.Caller {
	return sandbox.Caller{UserAgent: r.UserAgent(), ClientName: journal.ClientName(r.Header.Get("X-Client"), r.UserAgent())}
}

// NameCaller names a caller for a person.
func NameCaller(c sandbox.Caller) string {
	switch {
	case c.ClientName == "":
		return "a caller without a name"
	case c.UserAgent == "":
		return c.ClientName
	case c.ClientName == journal.ClientName("", c.UserAgent):
		return c.UserAgent
	}
	return c.ClientName + " (" + c.UserAgent + ")"
}
