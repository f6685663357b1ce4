package contracttest

import (
	"net/http"
	"testing"

	"example.com/petstore/handlers"
)

// StreamScenarios returns the scenarios for the event stream at path. key is a key that it accepts.
func StreamScenarios(path, key string) []Scenario {
	stream := func(t *testing.T, a *Answer) {
		t.Helper()
		a.ExpectHeader(t, "Content-Type", "text/event-stream")
		a.ExpectHeader(t, "Content-Encoding")
	}
	locked := func(c *handlers.Config) { c.APIKeys, c.AdminKey = []string{"k1"}, "root" }
	at := func(method, query string, header http.Header) Request {
		return Request{Method: method, Path: path + query, Header: header}
	}
	twice := []string{"access_token"}
	return []Scenario{
		{Name: path, Request: at("GET", "", nil), Status: 200, Check: stream,
			Headers: http.Header{"X-Accel-Buffering": {"no"}}},
		{Name: path + " compressed", Request: at("GET", "", http.Header{"Accept-Encoding": {"gzip"}}), Status: 200,
			Check: stream},
		{Name: path + " HEAD", Request: at("HEAD", "", nil), Status: 200, Check: stream},
		{Name: path + " after no id", Request: at("GET", "", http.Header{"Last-Event-Id": {"x"}}), Status: 400,
			Code: "invalid_parameter", Fields: []string{"Last-Event-ID"}},
		{Name: path + " after a negative id", Request: at("GET", "", http.Header{"Last-Event-Id": {"-1"}}), Status: 400,
			Code: "invalid_parameter", Fields: []string{"Last-Event-ID"}},
		{Name: path + " without a key", Config: locked, Request: at("GET", "", nil), Status: 401, Code: "unauthorized"},
		{Name: path + " with a key", Config: locked, Request: at("GET", "", bearer(key)), Status: 200, Check: stream},
		{Name: path + " with a key in the query", Config: locked, Request: at("GET", "?access_token="+key, nil),
			Status: 200, Check: stream,
			Headers: http.Header{"Cache-Control": {"private, no-store"}}},
		{Name: path + " with a wrong key in the query", Config: locked, Request: at("GET", "?access_token=k2", nil),
			Status: 401, Code: "unauthorized"},
		{Name: path + " with an empty key in the query", Config: locked, Request: at("GET", "?access_token=", nil),
			Status: 401, Code: "unauthorized",
			Headers: http.Header{"WWW-Authenticate": {`Bearer realm="petstore"`}}},
		{Name: path + " with a key in both", Config: locked, Request: at("GET", "?access_token="+key, bearer(key)),
			Status: 400, Code: "invalid_parameter", Fields: twice,
			Headers: http.Header{"WWW-Authenticate": {`Bearer realm="petstore", error="invalid_request"`}}},
		{Name: path + " with two keys in the query", Config: locked,
			Request: at("GET", "?access_token="+key+"&access_token="+key, nil), Status: 400, Code: "invalid_parameter",
			Fields: twice},
		{Name: path + " strictly", Config: func(c *handlers.Config) { c.Strict = true },
			Request: at("GET", "?access_token=x", nil), Status: 200, Check: stream},
	}
}

func bearer(key string) http.Header { return http.Header{"Authorization": {"Bearer " + key}} }
