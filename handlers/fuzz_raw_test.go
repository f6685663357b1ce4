package handlers_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/sandbox"
)

// FuzzRawRequest sends whatever net/http takes for a request, with any headers, to a
// server: nothing panics, no answer is a failure of the server, and every one is as
// documented.
func FuzzRawRequest(f *testing.F) {
	for _, seed := range []string{
		"GET /pets?limit=2&sort=-name HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n",
		"POST /pets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 33\r\nIdempotency-Key: \"k\"\r\n\r\n{\"name\":\"Bello\",\"categoryId\": 1}",
		"PATCH /pets/1 HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/merge-patch+json; charset=utf-8\r\nTransfer-Encoding: chunked\r\nIf-Match: \"a\", *\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
		"OPTIONS /pets HTTP/1.1\r\nHost: localhost\r\nOrigin: http://app.example\r\nAccess-Control-Request-Method: PUT\r\nAccess-Control-Request-Headers: x-client, if-match\r\n\r\n",
		"GET /sandboxes/ada/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 7\r\nPrefer: delay=10, code=503\r\nX-Sandbox: ada\r\nX-Request-Id: r\r\n\r\n",
		"PUT /admin/faults HTTP/1.0\r\nHost: 127.0.0.1:80\r\nForwarded: for=\"[::1]\"\r\nX-Forwarded-For: 127.0.0.1\r\nVia: 1.1 x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]",
		"GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/html;q=0.9, application/json\r\nAuthorization: Bearer demo-key\r\nUser-Agent: x\r\nX-Client: y\r\n\r\n",
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
		if r.URL.Host != "" || r.URL.Opaque != "" || strings.Contains(r.URL.Path, "/admin/reset") || strings.Contains(r.URL.Path, "/admin/sandboxes") {
			t.Skip("an address that no server is asked for, or generated data")
		}
		r.RemoteAddr = "127.0.0.1:1"
		resetAll(server)
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		response, answer := serve(server, r.WithContext(gone))
		if r.Header["Prefer"] != nil {
			return // what failed may have been asked to fail, or to wait for a client that has gone
		}
		if response == nil || response.StatusCode == http.StatusInternalServerError {
			t.Fatalf("%s %s failed: %s", r.Method, r.URL, answer)
		}
		if err := checkAnswer(r, response, answer); err != nil {
			t.Errorf("%s %s = %d breaks the contract: %v\n%.2000s", r.Method, r.URL, response.StatusCode, err, answer)
		}
	})
}

// FuzzFaultRule makes a rule, and requests that it may match.
func FuzzFaultRule(f *testing.F) {
	for _, seed := range []string{
		`{"match": {"operationId": "listPets", "method": "GET", "path": "/pets/**", "headers": {"X-Client": "web"}}, "probability": 0.5, "times": 2}`,
		`{"delay": {"fixedMs": 1, "jitterMs": 1}, "status": 429, "code": "slow", "message": "m", "headers": {"Retry-After": "1"}, "when": "after"}`,
		`{"delay": {"p50Ms": 1, "p99Ms": 2}, "abort": "truncate"}`, `{"status": 204}`, `{"status": 600, "abort": "no"}`,
	} {
		f.Add(seed)
	}
	server := fuzzServer(f)
	f.Fuzz(func(t *testing.T, rule string) {
		if len(rule) > 4<<10 {
			t.Skip("too long")
		}
		resetAll(server)
		made, answer := serve(server, fuzzed(t, "POST", "/admin/faults", rule, map[string]string{"Content-Type": "application/json"}))
		if made == nil || made.StatusCode != http.StatusCreated && made.StatusCode != http.StatusBadRequest {
			t.Fatalf("the rule is answered %v: %s", made, answer)
		}
		if made.StatusCode == http.StatusBadRequest {
			return
		}
		var told struct{ Status int }
		if err := json.Unmarshal(answer, &told); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"/pets", "/pets/1", "/store/orders"} {
			response, answer := serve(server, fuzzed(t, "GET", path, "", map[string]string{"X-Client": "web"}))
			if response != nil && response.StatusCode == http.StatusInternalServerError && told.Status != http.StatusInternalServerError {
				t.Errorf("GET %s failed: %s", path, answer)
			}
		}
	})
}

// FuzzJournalFilter asks the journal for what a filter selects.
func FuzzJournalFilter(f *testing.F) {
	for _, seed := range [][5]string{{"listPets", "GET", "/pets/**", "200", "0"}, {"x", "get", "/*", "4xx", "-1"}, {"", "", "", "", "99"}} {
		f.Add(seed[0], seed[1], seed[2], seed[3], seed[4])
	}
	server := fuzzServer(f)
	f.Fuzz(func(t *testing.T, operation, method, path, status, since string) {
		query := make(url.Values)
		for name, value := range map[string]string{"operationId": operation, "method": method, "path": path, "status": status, "since": since} {
			if len(value) > 1<<10 {
				t.Skip("too long")
			}
			if value != "" {
				query.Set(name, value)
			}
		}
		resetAll(server)
		serve(server, fuzzed(t, "GET", "/pets", "", nil))
		serve(server, fuzzed(t, "DELETE", "/pets/99", "", nil))
		r := fuzzed(t, "GET", "/admin/requests?"+query.Encode(), "", nil)
		response, answer := serve(server, r)
		if response == nil || response.StatusCode != http.StatusOK && response.StatusCode != http.StatusBadRequest {
			t.Fatalf("%s: %v %s", query, response, answer)
		}
		if err := checkAnswer(r, response, answer); err != nil {
			t.Errorf("%s: %v", query, err)
		}
	})
}

// fuzzServer returns a server of small data.
func fuzzServer(f *testing.F) *handlers.Server {
	server, err := handlers.New(configured(func(c *handlers.Config) { c.MaxSandboxes = 3 }))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(server.Close)
	return server
}

// resetAll makes the server like new.
func resetAll(server *handlers.Server) {
	for _, sb := range server.Sandboxes().List() {
		_ = server.Sandboxes().Drop(sb.Name) // all but the default one
	}
	server.Sandboxes().Default().Reset(sandbox.Parts()...)
}
