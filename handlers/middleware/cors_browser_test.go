package middleware_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

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
	t.Run("kept out", b.isKeptOut)
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
		if diff := cmp.Diff(want, saw); diff != "" {
			t.Errorf("with the origin listed: %t; what the page sees, -want +got:\n%s", listed, diff)
		}
	}
}

// isKeptOut checks that the page cannot access what CORS forbids.
func (b *browser) isKeptOut(t *testing.T) {
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
		reads := browsertest.Eval[bool](b.page, "((server) => "+test.script+".then(() => true, () => false))('"+w.URL+"')")
		if reads != test.reads {
			t.Errorf("%s can be read: %t, want %t, where the origins are %q", test.script, reads, test.reads, test.origins)
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
