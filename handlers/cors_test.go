package handlers_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
)

// TestAnyOriginMayReadEveryResponse covers errors too: a page must be able to show them.
func TestAnyOriginMayReadEveryResponse(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, Limited(2), func(c *handlers.Config) { c.MaxSandboxes = 4 })
	w.Must(t, Put("/sandboxes/faulty/admin/faults", `[{"status": 503}]`))
	w.Get(t, "/sandboxes/eager/pets").Expect(t, 200, "")
	w.Get(t, "/sandboxes/eager/pets").Expect(t, 200, "")
	w.Must(t, Put("/admin/sandboxes/ada", ""))
	w.Must(t, Post("/admin/reset?only=limit", ""))
	for path, status := range map[string]int{
		"/pets": 200, "/pets/1": 200, "/sandboxes/ada/pets/99": 404, "/sandboxes/ada/pets/x": 400, "/nowhere": 404,
		"/messages": 401, "/healthz": 200, "/openapi.json": 200, "/sandboxes/ada/openapi.json": 200,
		"/sandboxes/ada/nowhere": 404, "/sandboxes/*/pets": 400, "/sandboxes/eager/pets": 429,
		"/sandboxes/faulty/pets": 503, "/sandboxes/faulty/events": 503, "/sandboxes/bob/pets": 503,
	} {
		a := w.Do(t, Fetch("GET", path, "https://app.example", nil))
		a.Expect(t, status, "")
		a.ExpectReadableBy(t, "https://app.example")
		// With credentials, * is a literal name (Fetch, 3.3.5).
		if exposed := a.Header.Get("Access-Control-Expose-Headers"); exposed == "" || strings.Contains(exposed, "*") {
			t.Errorf("GET %s exposes %q", path, exposed)
		}
	}
	a := w.Do(t, Fetch("PUT", "/pets", "https://app.example", nil))
	a.Expect(t, 405, "method_not_allowed")
	a.ExpectReadableBy(t, "https://app.example")
}

// TestAllowedOrigins checks which origins may read the service's responses, and which may do
// so with credentials. A * never allows credentials.
func TestAllowedOrigins(t *testing.T) {
	t.Parallel()
	const app, dev, other = "https://app.example", "http://localhost:5173", "https://other.example"
	for _, test := range []struct {
		configured []string
		readers    map[string]string // the expected access of each origin, as in ExpectReadableBy
	}{
		{nil,
			map[string]string{app: app, dev: dev, other: other, "HTTP://Odd.Example": "HTTP://Odd.Example", "null": "*",
				"": ""}},
		{[]string{"*"}, map[string]string{app: "*", dev: "*", "null": "*", "": ""}},
		{[]string{"https://*.example"}, map[string]string{app: app, dev: "", "https://example": ""}},
		{[]string{app, "*"}, map[string]string{app: app, other: "*", "null": "*", "": ""}},
		{[]string{app, dev}, map[string]string{
			app: app, dev: dev, other: "", "null": "", "": "", "http://app.example": "", app + ":444": "",
			app + ".evil.test":         "",
			"https://evil-app.example": "", "http://localhost:51733": "",
		}},
	} {
		w := NewWorld(t, func(c *handlers.Config) { c.CORSOrigins = test.configured })
		for origin, reader := range test.readers {
			t.Logf("%s, where the origins are %q", origin, test.configured)
			w.Do(t, Fetch("GET", "/pets/1", origin, nil)).ExpectReadableBy(t, reader)
			w.Do(t, Preflight("/pets/1", origin, "PATCH", "authorization")).ExpectReadableBy(t, reader)
		}
		// A request with two origins has no trusted origin.
		for _, origins := range [][]string{{app, other}, {other, app}, {app, app}} {
			for _, r := range []Request{Fetch("GET", "/pets/1", "", nil), Preflight("/pets/1", "", "PATCH", "")} {
				r.Header["Origin"] = origins
				w.Do(t, r).ExpectReadableBy(t, "")
			}
		}
	}
}

// TestPrivateNetwork checks that public pages may access the service at a private address, but not
// the control plane.
func TestPrivateNetwork(t *testing.T) {
	t.Parallel()
	const app, dev = "https://app.example", "http://localhost:5173"
	for _, configured := range [][]string{nil, {"*"}, {app}} {
		w := NewWorld(t, func(c *handlers.Config) { c.CORSOrigins, c.AdminOrigins = configured, []string{app} })
		for _, test := range []struct {
			path, origin, asked string
			granted             bool
		}{
			{"/pets", app, "true", true},
			{"/pets", app, "", false},
			{"/pets", app, "false", false},
			{"/pets", "null", "true", configured == nil || configured[0] == "*"},
			{"/admin/reset", app, "true", false},
			{"/admin/reset", dev, "true", false},
			{"/sandboxes/ada/admin/reset", app, "true", false},
			{"/admin/nowhere", app, "true", false},
		} {
			r := Preflight(test.path, test.origin, "POST", "")
			if test.asked != "" {
				r.Header.Set("Access-Control-Request-Private-Network", test.asked)
			}
			var want []string
			if test.granted {
				want = []string{"true"}
			}
			t.Log(test.path, test.origin, test.asked, configured)
			w.Do(t, r).ExpectHeader(t, "Access-Control-Allow-Private-Network", want...)
		}
	}
}

// withCredentials sends requests with credentials, as axios does with withCredentials, and returns
// the parts of the responses that the page can read.
const withCredentials = `async (server) => {
	const call = (path, init) => fetch(server + path, { credentials: 'include', ...init })
	const write = (method, body, headers) => ({ method, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json', ...headers } })
	const saw = {}

	const pet = await call('/pets/1')
	saw.read = [pet.status, (await pet.json()).name, ...['X-Sandbox', 'Deprecation', 'Vary'].map((name) => pet.headers.get(name))].join(' | ')
	const missing = await call('/pets/99')
	saw.missing = [missing.status, (await missing.json()).code].join(' | ')

	const stream = new EventSource(server + '/events', { withCredentials: true })
	const event = new Promise((heard, lost) => {
		stream.addEventListener('pet.updated', (e) => heard(JSON.parse(e.data).status))
		stream.onerror = () => lost(new Error('the stream breaks off'))
	})
	await new Promise((open) => { stream.onopen = open })
	const changed = await call('/pets/1', write('PATCH', { status: 'sold' }, { 'If-Match': pet.headers.get('ETag'), 'X-Sandbox': 'default', Authorization: 'Bearer x' }))
	saw.changed = [changed.status, changed.headers.get('X-Stability')].join(' | ')
	saw.event = await event
	stream.close()

	const rule = await call('/admin/faults', write('POST', { status: 503, headers: { 'X-Why': 'tired' } }))
	saw.rule = [rule.status, rule.headers.get('Location')].join(' | ')
	const failed = await call('/pets')
	saw.failed = [failed.status, failed.headers.get('X-Why'), failed.headers.get('Retry-After')].join(' | ')
	saw.reset = (await call('/admin/reset', { method: 'POST' })).status + ''
	return saw
}`

// TestBrowser opens the page of another site in a real browser.
func TestBrowser(t *testing.T) {
	t.Parallel()
	b := newBrowser(t)
	t.Run("with credentials", b.sendsCredentials)
	t.Run("kept out", b.cannotReadAdmin)
}

func (b *browser) sendsCredentials(t *testing.T) {
	for _, listed := range []bool{false, true} {
		w := NewWorld(t, func(c *handlers.Config) {
			if listed {
				c.CORSOrigins = []string{"https://other.example", b.origin}
			}
		})
		want := map[string]string{
			"read":    "200 | Rex | default | @1767225600 | " + Varies,
			"missing": "404 | not_found",
			"changed": "200 | beta",
			"event":   "sold",
			"rule":    "201 | /admin/faults/1",
			"failed":  "503 | tired | 1",
			"reset":   "200",
		}
		saw := browsertest.Eval[map[string]string](b.page, "("+withCredentials+")('"+w.URL+"')")
		must.Equal(t, want, saw, "with the origin listed: %t; the page's results", listed)
	}
}

// cannotReadAdmin checks that the page cannot access what CORS forbids.
func (b *browser) cannotReadAdmin(t *testing.T) {
	for _, test := range []struct {
		origins []string
		script  string
		reads   bool
	}{
		{[]string{"*"}, "fetch(server + '/pets')", true},
		{[]string{"*"}, "fetch(server + '/pets', { credentials: 'include' })", false},
		{[]string{"https://other.example"}, "fetch(server + '/pets')", false},
		{[]string{"https://other.example"}, "fetch(server + '/pets/1', { method: 'DELETE' })", false},
	} {
		w := NewWorld(t, func(c *handlers.Config) { c.CORSOrigins = test.origins })
		before := w.State(t)
		reads := browsertest.Eval[bool](b.page,
			"((server) => "+test.script+".then(() => true, () => false))('"+w.URL+"')")
		if reads != test.reads {
			t.Errorf("%s can be read: %t, want %t, where the origins are %q", test.script, reads, test.reads,
				test.origins)
		}
		if w.State(t) != before {
			t.Errorf("%s changed the data", test.script)
		}
	}
}

// browser shows a page of its own site.
type browser struct {
	origin string
	page   *browsertest.Page
}

func newBrowser(t *testing.T) *browser {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html><title>A page</title>"))
	}))
	t.Cleanup(site.Close)
	b := &browser{origin: strings.Replace(site.URL, "127.0.0.1", "localhost", 1)} // another site than the servers
	b.page = browsertest.Open(t, b.origin)
	b.page.Allow("asks another host: http://127.0.0.1|CORS policy|Failed to load resource")
	return b
}
