package handlers_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store"
)

// baselineText is what every world starts with. It has what rules hang on: a
// category without pets, names that differ in case alone, ties and missing values
// to sort by, an order whose pet is gone, and ids that were deleted at the end.
const baselineText = `{
	"categories": [
		{"id": 1, "name": "Dogs", "description": "Loyal and loud"},
		{"id": 2, "name": "Cats"},
		{"id": 3, "name": "Birds", "description": ""}
	],
	"pets": [
		{"id": 1, "name": "Rex", "categoryId": 1, "status": "available"},
		{"id": 2, "name": "Misty", "categoryId": 2, "status": "pending"},
		{"id": 3, "name": "Ärmel", "categoryId": 1, "status": "sold"},
		{"id": 4, "name": "rex", "categoryId": 2, "status": "available"},
		{"id": 5, "name": "Misty", "categoryId": 1, "status": "available"}
	],
	"inventory": [
		{"petId": 1, "quantity": 3}, {"petId": 4, "quantity": 7}, {"petId": 5, "quantity": 3}
	],
	"orders": [
		{"id": 1, "petId": 1, "quantity": 2, "shipDate": "2025-03-14T09:30:00.000Z", "complete": true},
		{"id": 2, "petId": 6, "quantity": 1},
		{"id": 3},
		{"id": 4, "petId": 1, "quantity": 5, "shipDate": "2025-01-01T00:00:00+01:00"}
	],
	"messages": [{"id": 1, "message": "Is Rex still there?", "createdAt": "2025-03-14T09:30:00Z"}],
	"next": {"category": 5, "pet": 7, "order": 6, "message": 2}
}`

// now is the time in every world: after the deprecation of getPet and before its
// sunset.
var now = time.Date(2026, time.July, 1, 12, 0, 0, 0, time.UTC)

var baseline = sync.OnceValue(func() *store.State {
	state, err := fixtures.Decode([]byte(baselineText))
	if err != nil {
		panic(err)
	}
	return state
})

func config(change ...func(*handlers.Config)) handlers.Config {
	c := handlers.Config{Baseline: baseline(), Now: func() time.Time { return now }}
	for _, f := range change {
		f(&c)
	}
	return c
}

// world is a server of its own, spoken to over real connections by a client that
// checks every answer against the documents.
type world struct {
	server *handlers.Server
	url    string
	client *http.Client
}

func newWorld(t *testing.T, change ...func(*handlers.Config)) *world {
	t.Helper()
	server, err := handlers.New(config(change...))
	if err != nil {
		t.Fatal(err)
	}
	listener := httptest.NewServer(server)
	// Uncompressed unless a test asks: what is compressed must be seen as it is.
	transport := &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 32, ExpectContinueTimeout: 20 * time.Second}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		patience := time.AfterFunc(10*time.Second, func() {
			t.Error("a request goes on although its client has gone")
			server.Close()
		})
		listener.Close()
		patience.Stop()
		server.Close()
	})
	return &world{server: server, url: listener.URL, client: &http.Client{
		Transport:     &contract{t: t, next: transport},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// state returns all data of the world, id counters included, as text.
func (w *world) state(t *testing.T) string {
	t.Helper()
	return dataOf(t, w.server.Sandboxes().Default())
}

// settings returns what the control plane can change of the world besides its data,
// as text.
func (w *world) settings() string {
	sb := w.server.Sandboxes().Default()
	text := fmt.Sprintf("clock %+v, baseline of seed %d at %p, %d writes to undo", sb.Clock.Read(), sb.Baseline().Seed, sb.Baseline().State, sb.Store.Undoable())
	for _, snapshot := range sb.Snapshots.List() {
		text += fmt.Sprintf(", snapshot %s at %p", snapshot.Name, snapshot.State)
	}
	for _, rule := range sb.Faults.List() {
		text += fmt.Sprintf(", fault %d", rule.ID)
	}
	for _, op := range sb.Lifecycles.Operations() {
		if changed := sb.Lifecycles.Changed(op.ID); changed != nil {
			text += fmt.Sprintf(", %s is %+v", op.ID, *changed)
		}
	}
	return text
}

// dataOf returns all data of a sandbox, id counters included, as text.
func dataOf(t *testing.T, sb *sandbox.Sandbox) string {
	t.Helper()
	text, err := fixtures.Encode(sb.Store.View())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// request is one request. A body without a Content-Type is sent as
// application/json; an empty Content-Type is not sent at all.
type request struct {
	method, path string // path with query, as they stand in the request line
	header       http.Header
	body         string
	chunked      bool // send the body without a Content-Length
}

// post is a POST, put a PUT and drop a DELETE.
func post(path, body string) request { return request{method: http.MethodPost, path: path, body: body} }
func put(path, body string) request  { return request{method: http.MethodPut, path: path, body: body} }
func drop(path string) request       { return request{method: http.MethodDelete, path: path} }

// inSandbox is the request to the sandbox of the name, by header.
func inSandbox(name string, r request) request {
	r.header = http.Header{"X-Sandbox": {name}}
	return r
}

// textual is the request with a body that does not say that it is JSON.
func textual(r request) request {
	r.header = http.Header{"Content-Type": {"text/plain"}}
	return r
}

const newPet = `{"name": "Bello", "categoryId": 1}`

// answer is what came back, the body uncompressed.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// do makes the request and fails the test unless it gets an answer.
func (w *world) do(t *testing.T, r request) *answer {
	t.Helper()
	ctx, leave := context.WithTimeout(t.Context(), 30*time.Second) // so that a defect is no hanging test
	defer leave()
	a, err := w.try(ctx, r)
	if err != nil {
		t.Fatalf("%s %s: %v", r.method, r.path, err)
	}
	return a
}

// try is do for goroutines and for requests that may break off.
func (w *world) try(ctx context.Context, r request) (*answer, error) {
	var body io.Reader
	if r.body != "" {
		body = strings.NewReader(r.body)
	}
	if r.chunked {
		body = struct{ io.Reader }{strings.NewReader(r.body)} // a length that net/http cannot see
	}
	httpRequest, err := http.NewRequestWithContext(ctx, r.method, w.url+r.path, body)
	if err != nil {
		return nil, err
	}
	if r.body != "" {
		httpRequest.Header.Set("Content-Type", "application/json")
	}
	if len(r.body) > 256<<10 {
		// A server that answers without reading that much closes the connection, which
		// may break off the sending before the answer is seen.
		httpRequest.Header.Set("Expect", "100-continue")
	}
	for name, values := range r.header {
		httpRequest.Header[name] = values
	}
	if httpRequest.Header.Get("Content-Type") == "" {
		httpRequest.Header.Del("Content-Type")
	}
	if host := r.header.Get("Host"); host != "" {
		httpRequest.Host = host
	}
	response, err := w.client.Do(httpRequest)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if isStream(response.Header) {
		return &answer{status: response.StatusCode, header: response.Header}, nil // what it tells is for world.listen
	}
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	plain, err := uncompressed(response.Header, raw)
	return &answer{response.StatusCode, response.Header, plain}, err
}

// get is do for a GET, the commonest request.
func (w *world) get(t *testing.T, path string) *answer {
	t.Helper()
	return w.do(t, request{method: http.MethodGet, path: path})
}

// must is do for a step on the way that has to succeed.
func (w *world) must(t *testing.T, r request) *answer {
	t.Helper()
	a := w.do(t, r)
	if a.status >= http.StatusBadRequest {
		t.Fatalf("%s %s = %d %s", r.method, r.path, a.status, a.body)
	}
	return a
}

// raw sends bytes as they are and returns the first bytes of what comes back:
// for what net/http's client refuses to send.
func (w *world) raw(t *testing.T, message string) string {
	t.Helper()
	connection := w.dial(t)
	send(t, connection, message)
	got, err := io.ReadAll(connection)
	if err != nil {
		t.Fatal(err)
	}
	return string(got)
}

func uncompressed(header http.Header, body []byte) ([]byte, error) {
	if header.Get("Content-Encoding") != "gzip" || len(body) == 0 { // empty: the answer to HEAD
		return body, nil
	}
	reader, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(reader)
}

// problem is the Error object, as a client that knows the document reads it.
type problem struct {
	Code    string   `json:"code"`
	Message string   `json:"message"`
	Status  int      `json:"status"`
	Details []detail `json:"details"`
}

type detail struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// problem returns the Error object of the answer.
func (a *answer) problem(t *testing.T) problem {
	t.Helper()
	var p problem
	a.decode(t, &p)
	return p
}

// fields returns the fields at fault, nil when there are none.
func (p *problem) fields() []string {
	var fields []string
	for _, d := range p.Details {
		fields = append(fields, d.Field)
	}
	return fields
}

func (a *answer) decode(t *testing.T, to any) {
	t.Helper()
	if err := json.Unmarshal(a.body, to); err != nil {
		t.Fatalf("%v in %s", err, a.body)
	}
}

// expect fails the test unless the answer has the status and, where it is an
// error, the code and just the fields.
func (a *answer) expect(t *testing.T, status int, code string, fields ...string) {
	t.Helper()
	if a.status != status {
		t.Fatalf("status = %d, want %d; body %s", a.status, status, a.body)
	}
	if code == "" {
		return
	}
	p := a.problem(t)
	if p.Code != code {
		t.Errorf("code = %q, want %q; body %s", p.Code, code, a.body)
	}
	if diff := cmp.Diff(fields, p.fields()); diff != "" {
		t.Errorf("fields at fault, -want +got:\n%s%s", diff, a.body)
	}
}

// expectJSON fails the test unless the body is the same JSON value as want.
func (a *answer) expectJSON(t *testing.T, want string) {
	t.Helper()
	if diff := cmp.Diff(jsonValue(t, []byte(want)), jsonValue(t, a.body)); diff != "" {
		t.Errorf("body, -want +got:\n%s", diff)
	}
}

func jsonValue(t *testing.T, text []byte) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // an int64 is more than a float64 holds
	var v any
	if err := decoder.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

// expectHeader fails the test unless the header has just the values; none: unless
// it is absent.
func (a *answer) expectHeader(t *testing.T, name string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, a.header.Values(name)); diff != "" {
		t.Errorf("%s, -want +got:\n%s", name, diff)
	}
}
