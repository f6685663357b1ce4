package contracttest_test

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"pgregory.net/rapid"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store"
)

// TestRequestsFromSchemas sends each operation of both documents requests drawn from its schemas,
// and the same requests with one flaw. A valid request is not refused as invalid. A flawed one is
// refused, and the response names the place. A refused request changes nothing, and every response
// is as documented. Each request is one check of rapid, so -rapid.checks sets the number of
// requests for each operation.
func TestRequestsFromSchemas(t *testing.T) {
	t.Parallel()
	for _, document := range []*contracttest.Document{contracttest.ServiceDocument(), contracttest.AdminDocument()} {
		for path, item := range document.Paths.Map() {
			for method, operation := range item.Operations() {
				op := &schemaOperation{operation, method, path, slices.Concat(item.Parameters, operation.Parameters),
					nil}
				if method == http.MethodPatch {
					whole := cmp.Or(item.Put, document.Paths.Value(path[:strings.LastIndex(path, "/")]).Post)
					op.kept = contracttest.Plain(whole.RequestBody.Value.Content["application/json"].Schema.Value).
						Required
				}
				t.Run(operation.OperationID, func(t *testing.T) {
					t.Parallel()
					w := newSchemaWorld(t)
					rapid.Check(t, func(t *rapid.T) { w.check(t, op) })
				})
			}
		}
	}
}

// schemaOperation is an operation as its document describes it.
type schemaOperation struct {
	*openapi3.Operation
	method, path string
	parameters   openapi3.Parameters // including those of the path
	kept         []string            // fields that PUT or, without PUT, POST requires, and so PATCH cannot clear
}

// schemaWorld is a server that every check finds in the same state.
type schemaWorld struct {
	server  *handlers.Server
	started sandbox.Baseline
}

func newSchemaWorld(t *testing.T) *schemaWorld {
	t.Helper()
	server := must.Get(handlers.New(contracttest.Config()))(t)
	return &schemaWorld{server, server.Sandboxes().Default().Baseline()}
}

// begin adds the objects that paths can name to the default sandbox, and copies it to ada.
func (w *schemaWorld) begin() {
	for _, sb := range w.server.Sandboxes().List() {
		_ = w.server.Sandboxes().Drop(sb.Name) // drops all but the default one
	}
	w.server.Sandboxes().DropTemplate()
	w.server.Sandboxes().Default().Rebase(w.started, sandbox.Parts()...)
	w.serve(jsonRequest(http.MethodPut, "/admin/snapshots/before", ""))
	// None of these requests deletes a category.
	w.serve(jsonRequest(http.MethodPut, "/admin/webhooks/shop",
		`{"url": "http://127.0.0.1:9/", "events": ["category.deleted"]}`))
	w.serve(jsonRequest(http.MethodPost, "/admin/faults", `{"match": {"headers": {"X-Never": "sent"}}, "status": 503}`))
	w.serve(jsonRequest(http.MethodDelete, "/pets/5", "")) // a change to undo
	w.serve(jsonRequest(http.MethodPost, "/admin/sandboxes/default/fork", `{"name": "ada"}`))
}

func (w *schemaWorld) serve(r *http.Request) (*http.Response, []byte) {
	recorder := httptest.NewRecorder()
	contracttest.Serve(w.server, recorder, r)
	return recorder.Result(), recorder.Body.Bytes()
}

func jsonRequest(method, path, body string) *http.Request {
	c := &call{method: method, target: path, raw: []byte(body), header: http.Header{}}
	if body != "" {
		c.header.Set("Content-Type", "application/json")
	}
	return c.request(context.Background())
}

func (w *schemaWorld) check(t *rapid.T, op *schemaOperation) {
	w.begin()
	c := drawCall(t, op)
	var wrong *flaw
	if flaws := flawsOf(op, c); len(flaws) > 0 && rapid.Bool().Draw(t, "broken") {
		wrong = &flaws[rapid.IntRange(0, len(flaws)-1).Draw(t, "flaw")]
		wrong.apply(c)
	}
	ctx, leave := context.WithCancel(context.Background())
	defer leave()
	if op.Responses.Status(200) != nil && op.Responses.Status(200).Value.Content["text/event-stream"] != nil {
		leave() // a stream does not end by itself
		delete(c.header, "Prefer")
	}
	r := c.request(ctx)
	t.Logf("%s %s %v\n%s", r.Method, r.URL, r.Header, c.text())
	before := w.states()
	response, answer := w.serve(r)
	if err := contracttest.CheckAnswer(r, response, answer); err != nil {
		t.Errorf("%d breaks the contract: %v\n%s", response.StatusCode, err, answer)
	}
	if wrong == nil {
		refused := []int{http.StatusBadRequest, http.StatusMethodNotAllowed, http.StatusUnsupportedMediaType,
			http.StatusInternalServerError}
		if slices.Contains(refused, response.StatusCode) {
			t.Errorf("a valid request is refused: %s", answer)
		}
	} else {
		wrong.checkRefused(t, c, response.StatusCode, answer)
	}
	if after := w.states(); response.StatusCode >= http.StatusBadRequest && !slices.Equal(after, before) {
		t.Errorf("it was refused with %d, but it changed the data", response.StatusCode)
	}
}

// states returns the states of the initial sandboxes.
func (w *schemaWorld) states() []*store.State {
	states := []*store.State{w.server.Sandboxes().Default().Store.View()}
	if ada, err := w.server.Sandboxes().Find("ada"); err == nil {
		states = append(states, ada.Store.View())
	}
	return states
}

// checkRefused checks that the response refuses the flaw.
func (f *flaw) checkRefused(t *rapid.T, c *call, status int, answer []byte) {
	want := http.StatusBadRequest
	if f.status != 0 {
		want = f.status
	}
	if status != want {
		t.Fatalf("%s: status %d, want %d\n%s", f.name, status, want, answer)
	}
	if c.method == http.MethodHead || f.place == "" {
		return
	}
	var p contracttest.Problem
	must.Succeed(t, json.Unmarshal(answer, &p))
	if !slices.Contains(p.Fields(), f.place) {
		t.Errorf("with %s the details name %q, want %s among them\n%s", f.name, p.Fields(), f.place, answer)
	}
}
