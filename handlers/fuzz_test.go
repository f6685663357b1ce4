package handlers_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/sandbox"
)

// FuzzRequest sends arbitrary requests to a fresh server, including to its sandboxes and its
// control plane. No response is a server error, every response keeps the contract, a refused
// request changes nothing, and no sandbox changes another. Afterwards the server still works.
// Prefer is left out because it requests failures.
func FuzzRequest(f *testing.F) {
	for _, s := range append(serviceScenarios(), exampleRequests(AdminDocument())...) {
		f.Add(s.Method, s.Path, s.Body, "application/json", s.Header.Get("If-Match"), s.Header.Get("Idempotency-Key"),
			s.Header.Get("Origin"), s.Header.Get("X-Sandbox"))
		f.Add(s.Method, "/sandboxes/ada"+s.Path, s.Body, "application/json", "", "", "", "ada")
	}
	for _, b := range badFields() {
		f.Add(b.Method, b.Path, b.Body, "application/merge-patch+json", "*", "key", "http://localhost", "bob")
	}
	f.Add("PATCH", "/store/orders/1?a;b=%zz", `{"shipDate": "2026-03-14T09:30:00.000Z"}`,
		"application/json; charset=utf-8", `W/"a"`, `"k"`, "null", "*")
	f.Add("PUT", "/admin/faults", `[{"abort": "hang"}]`, "application/json", "", "", "", "")
	f.Add("POST", "/admin/faults", `{"delay": {"fixedMs": 600000}, "status": 204, "when": "after"}`, "application/json",
		"", "", "", "")
	f.Add("GET", "/admin/requests?count=9&wait=60s", "", "", "", "", "", "")
	server := NewServer(f, func(c *handlers.Config) { c.MaxSandboxes = 3 })
	def := server.Sandboxes().Default()
	started := def.Baseline()
	f.Fuzz(func(t *testing.T, method, path, body, contentType, match, key, origin, name string) {
		r := fuzzed(t, method, "/"+strings.TrimPrefix(path, "/"), body, map[string]string{
			"Content-Type": contentType, "If-Match": match, "If-None-Match": match, "Idempotency-Key": key,
			"Origin": origin, "X-Sandbox": name,
		})
		for _, sb := range server.Sandboxes().List() {
			_ = server.Sandboxes().Drop(sb.Name) // drops all but the default one
		}
		def.Rebase(started, sandbox.Parts()...)
		before := DataOf(t, def)

		response, answer := serve(server, r)
		if response == nil || response.StatusCode == http.StatusInternalServerError {
			t.Fatalf("%s %s failed: %s", method, r.URL, answer)
		}
		if err := CheckAnswer(r, response, answer); err != nil {
			t.Errorf("%s %s = %d breaks the contract: %v\n%.2000s", method, r.URL, response.StatusCode, err, answer)
		}
		if response.Header.Get("Content-Type") == "application/json" && method != http.MethodHead &&
			!json.Valid(answer) {
			t.Errorf("no JSON: %s", answer)
		}
		chosen, _ := ChosenSandbox(r)
		control := BehindPrefix(r).URL.Path
		// Requests that may change the default one.
		allowed := chosen == "default" || strings.HasPrefix(control, "/admin/sandboxes/")
		if after := DataOf(t, def); after != before && (response.StatusCode >= http.StatusBadRequest || !allowed) {
			t.Errorf("%s %s = %d changed the default sandbox to\n%s", method, r.URL, response.StatusCode, after)
		}
		if IsAdmin(control) && method != http.MethodGet && response.StatusCode < http.StatusMultipleChoices {
			expectWorks(t, server, chosen)
		}
	})
}

// exampleRequests returns the requests that the document shows, as scenarios without expectations.
func exampleRequests(d *Document) []Scenario {
	var all []Scenario
	for path, item := range d.Paths.Map() {
		for method, op := range item.Operations() {
			r := Request{Method: method, Path: Address(path)}
			for _, parameter := range op.Parameters {
				if parameter.Value.In == openapi3.ParameterInQuery {
					all = append(all,
						Scenario{Request: Request{Method: method, Path: r.Path + "?" + parameter.Value.Name + "=1"}})
				}
			}
			if op.RequestBody == nil {
				all = append(all, Scenario{Request: r})
			}
			for _, body := range ExampleBodies(op) {
				r.Body = body
				all = append(all, Scenario{Request: r})
			}
		}
	}
	return all
}

// muchData matches numbers so large that the data would take long to generate.
var muchData = regexp.MustCompile(`[0-9]{5,}`)

// fuzzed returns a request whose client has disconnected, so that streams end at once and requests
// and faults do not wait.
func fuzzed(t *testing.T, method, path, body string, header map[string]string) *http.Request {
	t.Helper()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := http.NewRequestWithContext(gone, method, "http://127.0.0.1"+path, strings.NewReader(body))
	if err != nil {
		t.Skip("no HTTP request")
	}
	if makesData := strings.Contains(r.URL.Path, "/admin/reset") ||
		strings.Contains(r.URL.Path, "/admin/sandboxes/"); makesData && muchData.MatchString(body) {
		t.Skip("much data")
	}
	for name, value := range header {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	r.Header.Set("Authorization", "Bearer demo-key")
	return r
}

// serve returns the response, or nil if a fault aborted the connection.
func serve(server http.Handler, r *http.Request) (response *http.Response, body []byte) {
	defer func() {
		if p := recover(); p != nil && p != http.ErrAbortHandler {
			panic(p)
		}
	}()
	recorder := httptest.NewRecorder()
	server.ServeHTTP(recorder, r)
	return recorder.Result(), recorder.Body.Bytes()
}

// expectWorks checks that requests which settings of a sandbox cannot affect succeed, and that the
// others do not cause server errors.
func expectWorks(t *testing.T, server http.Handler, name string) {
	t.Helper()
	for _, path := range []string{"/pets", "/healthz", "/admin", "/admin/faults", "/admin/operations", "/admin/state",
		"/openapi.json"} {
		r := fuzzed(t, http.MethodGet, path, "", map[string]string{"X-Sandbox": name})
		if path != "/pets" { // which a fault may delay; documents are only rendered for a connected client
			r = r.WithContext(t.Context())
		}
		response, answer := serve(server, r)
		var p Problem
		switch {
		case path == "/pets" && response != nil && json.Unmarshal(answer, &p) == nil &&
			strings.HasPrefix(p.Message, "the server failed"),
			path != "/pets" && (response == nil || response.StatusCode != http.StatusOK):
			t.Errorf("afterwards GET %s in %s is %+v", path, name, response)
		}
	}
}

// FuzzRawRequest sends any request that net/http accepts, with any headers. Nothing panics, no
// response is a server error, and every response is as documented.
func FuzzRawRequest(f *testing.F) {
	for _, seed := range []string{
		"GET /pets?limit=2&sort=-name HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n",
		"GET /pets?id=1,2&a;b&%zz&=%&status=sold HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"GET /sandboxes/a%2Fb/pets/%2F1 HTTP/1.1\r\nHost: localhost\r\nX-Sandbox: Ada%20%ff\r\n\r\n",
		"GET /sandboxes/a%2Fb/pets/%2F\xdb1 HTTP/1.1\r\nHost: localhost\r\nX-Sandbox: Ada%20%ff\r\n\r\n",
		"POST /pets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
			"33\r\nIdempotency-Key: \"k\"\r\n\r\n{\"name\":\"Bello\",\"categoryId\": 1}",
		"PATCH /pets/1 HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/merge-patch+json; " +
			"charset=utf-8\r\nTransfer-Encoding: chunked\r\nIf-Match: \"a\", *\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
		"OPTIONS /pets HTTP/1.1\r\nHost: localhost\r\nOrigin: http://app.example\r\nAccess-Control-Request-Method: " +
			"PUT\r\nAccess-Control-Request-Headers: x-client, if-match\r\n\r\n",
		"GET /sandboxes/ada/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 7\r\nPrefer: delay=10, " +
			"code=503\r\nX-Sandbox: ada\r\nX-Request-Id: r\r\n\r\n",
		"PUT /admin/faults HTTP/1.0\r\nHost: 127.0.0.1:80\r\nForwarded: for=\"[::1]\"\r\nX-Forwarded-For: " +
			"127.0.0.1\r\nVia: 1.1 x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]",
		"GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/html;q=0.9, application/json\r\nAuthorization: Bearer " +
			"demo-key\r\nUser-Agent: x\r\nX-Client: y\r\n\r\n",
	} {
		f.Add(seed)
	}
	server := fuzzServer(f)
	f.Fuzz(func(t *testing.T, raw string) {
		if len(raw) > 4<<10 {
			t.Skip("too long")
		}
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(raw)))
		if err != nil {
			t.Skip("no request")
		}
		if r.URL.Host != "" || r.URL.Opaque != "" || strings.Contains(r.URL.Path, "/admin/reset") ||
			strings.Contains(r.URL.Path, "/admin/sandboxes") {
			t.Skip("an address that no server is asked for, or generated data")
		}
		r.RemoteAddr = "127.0.0.1:1"
		resetAll(server)
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		response, answer := serve(server, r.WithContext(gone))
		if r.Header["Prefer"] != nil {
			return // the failure may be injected, or caused by the disconnected client
		}
		if response == nil || response.StatusCode == http.StatusInternalServerError {
			t.Fatalf("%s %s failed: %s", r.Method, r.URL, answer)
		}
		if err := CheckAnswer(r, response, answer); err != nil {
			t.Errorf("%s %s = %d breaks the contract: %v\n%.2000s", r.Method, r.URL, response.StatusCode, err, answer)
		}
	})
}

// fuzzServer returns a server with little data.
func fuzzServer(f *testing.F) *handlers.Server {
	server := NewServer(f, func(c *handlers.Config) { c.MaxSandboxes = 3 })
	return server
}

// resetAll returns the server to its initial state.
func resetAll(server *handlers.Server) {
	for _, sb := range server.Sandboxes().List() {
		_ = server.Sandboxes().Drop(sb.Name) // drops all but the default one
	}
	server.Sandboxes().Default().Reset(sandbox.Parts()...)
}
