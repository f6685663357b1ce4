package handlers_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/sandbox"
)

// FuzzRequest sends anything to a server of its own, sandboxes and the control
// plane included: no answer is a failure of the server, every one keeps the
// contract, what is refused changes nothing, and no sandbox changes another.
// Afterwards the server still works. Prefer is left out, since it asks for failures.
func FuzzRequest(f *testing.F) {
	for _, s := range append(serviceScenarios(), exampleRequests(adminDocument())...) {
		f.Add(s.Method, s.Path, s.Body, "application/json", s.Header.Get("If-Match"), s.Header.Get("Idempotency-Key"), s.Header.Get("Origin"), s.Header.Get("X-Sandbox"))
		f.Add(s.Method, "/sandboxes/ada"+s.Path, s.Body, "application/json", "", "", "", "ada")
	}
	for _, b := range badFields() {
		f.Add(b.Method, b.Path, b.Body, "application/merge-patch+json", "*", "key", "http://localhost", "bob")
	}
	f.Add("PATCH", "/store/orders/1?a;b=%zz", `{"shipDate": "2026-03-14T09:30:00.000Z"}`, "application/json; charset=utf-8", `W/"a"`, `"k"`, "null", "*")
	f.Add("PUT", "/admin/faults", `[{"abort": "hang"}]`, "application/json", "", "", "", "")
	f.Add("POST", "/admin/faults", `{"delay": {"fixedMs": 600000}, "status": 204, "when": "after"}`, "application/json", "", "", "", "")
	f.Add("GET", "/admin/requests?count=9&wait=60s", "", "", "", "", "", "")
	server, err := handlers.New(configured(func(c *handlers.Config) { c.MaxSandboxes = 3 }))
	if err != nil {
		f.Fatal(err)
	}
	def := server.Sandboxes().Default()
	started := def.Baseline()
	f.Fuzz(func(t *testing.T, method, path, body, contentType, match, key, origin, name string) {
		r := fuzzed(t, method, "/"+strings.TrimPrefix(path, "/"), body, map[string]string{
			"Content-Type": contentType, "If-Match": match, "If-None-Match": match, "Idempotency-Key": key, "Origin": origin, "X-Sandbox": name,
		})
		for _, sb := range server.Sandboxes().List() {
			_ = server.Sandboxes().Drop(sb.Name) // all but the default one
		}
		def.Rebase(started, sandbox.Parts()...)
		before := dataOf(t, def)

		response, answer := serve(server, r)
		if response == nil || response.StatusCode == http.StatusInternalServerError {
			t.Fatalf("%s %s failed: %s", method, r.URL, answer)
		}
		if err := checkAnswer(r, response, answer); err != nil {
			t.Errorf("%s %s = %d breaks the contract: %v\n%.2000s", method, r.URL, response.StatusCode, err, answer)
		}
		if response.Header.Get("Content-Type") == "application/json" && method != http.MethodHead && !json.Valid(answer) {
			t.Errorf("no JSON: %s", answer)
		}
		chosen, _ := chosenSandbox(r)
		control := behindPrefix(r).URL.Path
		allowed := chosen == "default" || strings.HasPrefix(control, "/admin/sandboxes/") // to change the default one
		if after := dataOf(t, def); after != before && (response.StatusCode >= http.StatusBadRequest || !allowed) {
			t.Errorf("%s %s = %d changed the default sandbox to\n%s", method, r.URL, response.StatusCode, after)
		}
		if isAdmin(control) && method != http.MethodGet && response.StatusCode < http.StatusMultipleChoices {
			expectWorks(t, server, chosen)
		}
	})
}

// exampleRequests are the requests that the document shows, each as a scenario of
// which nothing is known but its request.
func exampleRequests(d *document) []scenario {
	var all []scenario
	for path, item := range d.Paths.Map() {
		for method, op := range item.Operations() {
			r := request{Method: method, Path: address(path)}
			for _, parameter := range op.Parameters {
				if parameter.Value.In == openapi3.ParameterInQuery {
					all = append(all, scenario{Request: request{Method: method, Path: r.Path + "?" + parameter.Value.Name + "=1"}})
				}
			}
			if op.RequestBody == nil {
				all = append(all, scenario{Request: r})
				continue
			}
			for _, example := range op.RequestBody.Value.Content.Get("application/json").Examples {
				body, err := json.Marshal(example.Value.Value)
				if err != nil {
					panic(err) // it was read from a document
				}
				r.Body = string(body)
				all = append(all, scenario{Request: r})
			}
		}
	}
	return all
}

// muchData is what would take long to make.
var muchData = regexp.MustCompile(`[0-9]{5,}`)

// fuzzed returns a request of a client that has gone already, so that no stream
// goes on and neither a request nor a fault waits.
func fuzzed(t *testing.T, method, path, body string, header map[string]string) *http.Request {
	t.Helper()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := http.NewRequestWithContext(gone, method, "http://127.0.0.1"+path, strings.NewReader(body))
	if err != nil {
		t.Skip("no HTTP request")
	}
	if makesData := strings.Contains(r.URL.Path, "/admin/reset") || strings.Contains(r.URL.Path, "/admin/sandboxes/"); makesData && muchData.MatchString(body) {
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

// serve returns the answer, which is nil where the connection was broken off on
// purpose.
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

// expectWorks wants what no setting of a sandbox can affect to work, and what one
// can to be no failure of the server.
func expectWorks(t *testing.T, server http.Handler, name string) {
	t.Helper()
	for _, path := range []string{"/pets", "/healthz", "/admin", "/admin/faults", "/admin/operations", "/admin/state", "/openapi.json"} {
		response, answer := serve(server, fuzzed(t, http.MethodGet, path, "", map[string]string{"X-Sandbox": name}))
		var p problem
		switch {
		case path == "/pets" && response != nil && json.Unmarshal(answer, &p) == nil && strings.HasPrefix(p.Message, "the server failed"),
			path != "/pets" && (response == nil || response.StatusCode != http.StatusOK):
			t.Errorf("afterwards GET %s in %s is %+v", path, name, response)
		}
	}
}
