package rest

import (
	"net/http"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/webhook"
)

// callerHeaders are the headers that identify the caller and the way of a request.
var callerHeaders = []string{
	"Authorization", "Origin", "Sec-Fetch-Site", "Via", "Forwarded", "X-Forwarded-For", "X-Real-Ip", webhook.Header,
	"User-Agent", "X-Client", "X-Request-Id",
}

// CallerHeader returns the headers that identify the caller and the way of a request. The guard of
// the control plane judges by these headers alone, and a tool's requests carry all of its caller's,
// so that the guard judges them like the caller's own.
func CallerHeader(all http.Header) http.Header {
	header := make(http.Header)
	for _, name := range callerHeaders {
		if values := all[name]; values != nil {
			header[name] = values
		}
	}
	return header
}

// CallerOf returns the caller of a request, from its User-Agent and X-Client headers.
func CallerOf(r *http.Request) sandbox.Caller {
	return sandbox.Caller{UserAgent: r.UserAgent(), ClientName: journal.ClientName(r.Header.Get("X-Client"), r.UserAgent())}
}

// NameCaller formats a caller for people.
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
