package middleware_test

import (
	"net/http"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/config"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox/journal"
)

// TestJournalKeepsRefusedBodies sends a body to each answer that comes before the operation,
// over HTTP/1.1: the entry has it all the same.
func TestJournalKeepsRefusedBodies(t *testing.T) {
	t.Parallel()
	keyed := func(c *handlers.Config) { c.APIKeys = []string{"k1"} }
	create := post("/pets", rex)
	with := func(r request, header http.Header) request { r.Header = header; return r }
	for name, test := range map[string]struct {
		rule    string
		change  []func(*handlers.Config)
		request request
		status  int // of the entry
	}{
		"a fault":                   {rule: `{"status": 503}`, request: create, status: 503},
		"a fault without a body":    {rule: `{"status": 304}`, request: create, status: 304},
		"a fault after a delay":     {rule: `{"status": 500, "delay": {"fixedMs": 1}}`, request: create, status: 500},
		"a fault afterwards":        {rule: `{"status": 500, "when": "after"}`, request: create, status: 500},
		"reset":                     {rule: `{"abort": "reset"}`, request: create},
		"truncate":                  {rule: `{"abort": "truncate"}`, request: create},
		"Prefer":                    {request: with(create, prefer("code=502")), status: 502},
		"Prefer after a delay":      {request: with(create, prefer("code=502, delay=1")), status: 502},
		"no key":                    {change: []func(*handlers.Config){keyed}, request: create, status: 401},
		"a wrong key":               {change: []func(*handlers.Config){keyed}, request: with(create, authorization("Bearer k2")), status: 401},
		"the key of another":        {change: []func(*handlers.Config){keyed}, request: with(create, authorization("Bearer bobs")), status: 403},
		"the rate limit":            {change: []func(*handlers.Config){limited(0.001)}, request: create, status: 429},
		"a sunset":                  {change: []func(*handlers.Config){at(config.DefaultSunset())}, request: request{Method: "GET", Path: "/pets/1", Body: rex}, status: 410},
		"no route":                  {request: post("/nope", rex), status: 404},
		"no method":                 {request: put("/pets", rex), status: 405},
		"another type":              {request: with(create, http.Header{"Content-Type": {"text/plain"}}), status: 415},
		"a bad parameter":           {request: put("/pets/x", rex), status: 400},
		"a method that reads none":  {request: request{Method: "DELETE", Path: "/pets/1", Body: rex}, status: 204},
		"OPTIONS, which reads none": {request: request{Method: "OPTIONS", Path: "/pets", Body: rex}, status: 204},
	} {
		for _, chunked := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, test.change...)
				if _, _, _, err := w.Server.Sandboxes().MakeOwned("bob", registry.CreateOptions{}, registry.Ownership{Key: new("bobs")}); err != nil {
					t.Fatal(err)
				}
				if test.rule != "" {
					w.AddFault(t, test.rule)
				}
				if test.status == 429 {
					w.Get(t, "/pets") // which takes the only one
				}
				entries := w.Server.Sandboxes().Default().Journal
				entries.Reset()
				r := test.request
				r.Chunked = chunked
				_, _ = w.Loose().Try(t.Context(), r) // which may be broken off
				found := entries.Find(journal.Filter{}, 10).Entries
				if len(found) != 1 {
					t.Fatalf("%d entries, want 1", len(found))
				}
				if e := found[0]; e.Status != test.status || e.Body != rex || e.BodyTruncated || e.BodySize != int64(len(rex)) {
					t.Errorf("status %d, body %q, cut %t, of %d bytes; want %d and %q", e.Status, e.Body, e.BodyTruncated, e.BodySize, test.status, rex)
				}
			})
		}
	}
}
