package handlers_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
)

// FuzzRequest sends anything: no answer is a failure of the server, every one
// keeps the contract, and what is refused changes nothing. Prefer is left out,
// since it asks for failures.
func FuzzRequest(f *testing.F) {
	for _, s := range endpointScenarios() {
		f.Add(s.method, s.path, s.body, "application/json", s.header.Get("If-Match"), s.header.Get("Idempotency-Key"), s.header.Get("Origin"))
	}
	for _, b := range badFields() {
		f.Add(b.method, b.path, b.body, "application/merge-patch+json", "*", "key", "http://localhost")
	}
	f.Add("PATCH", "/store/orders/1?a;b=%zz", `{"shipDate": "2026-03-14T09:30:00.000Z"}`, "application/json; charset=utf-8", `W/"a"`, `"k"`, "null")
	server, err := handlers.New(config())
	if err != nil {
		f.Fatal(err)
	}
	state := func() string {
		text, err := fixtures.Encode(server.Sandbox().Store.View())
		if err != nil {
			f.Fatal(err)
		}
		return string(text)
	}
	baseline := state()
	f.Fuzz(func(t *testing.T, method, path, body, contentType, match, key, origin string) {
		r, err := http.NewRequest(method, "http://127.0.0.1/"+strings.TrimPrefix(path, "/"), strings.NewReader(body))
		if err != nil {
			t.Skip("no HTTP request")
		}
		for name, value := range map[string]string{
			"Content-Type": contentType, "If-Match": match, "If-None-Match": match, "Idempotency-Key": key, "Origin": origin,
		} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		r.Header.Set("Authorization", "Bearer demo-key")
		server.Reset()
		recorder := httptest.NewRecorder()
		server.ServeHTTP(recorder, r)
		response := recorder.Result()
		answer := recorder.Body.Bytes()
		if response.StatusCode >= http.StatusInternalServerError {
			t.Errorf("status %d: %s", response.StatusCode, answer)
		}
		if err := checkAnswer(r, response, answer); err != nil {
			t.Errorf("%s %s = %d breaks the contract: %v\n%.2000s", method, r.URL, response.StatusCode, err, answer)
		}
		if response.Header.Get("Content-Type") == "application/json" && !json.Valid(answer) {
			t.Errorf("no JSON: %s", answer)
		}
		if after := state(); response.StatusCode >= http.StatusBadRequest && after != baseline {
			t.Errorf("what was refused with %d changed the state to\n%s", response.StatusCode, after)
		}
	})
}
