package middleware

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store"
)

// TestJournalRecords is a request through the link, and the entry that it leaves. In
// its bubble time goes by only where a handler lets it.
func TestJournalRecords(t *testing.T) {
	t.Parallel()
	list := &rest.Operation{ID: "listPets", Kind: rest.Service}
	for _, test := range []struct {
		name      string
		path      string
		operation *rest.Operation
		handle    rest.Handler
		status    int // of the entry; -1: there is none
		fault     int64
	}{
		{"an answer", "/pets", list, answer(201), 201, 0},
		{"a private operation", "/messages", &rest.Operation{ID: "listMessages", Kind: rest.Private}, answer(200), 200, 0},
		{"an unknown path", "/nope", nil, answer(404), 404, 0},
		{"a path that only looks like the control plane", "/administrator", nil, answer(404), 404, 0},
		{"a fault", "/pets", list, func(x *rest.Exchange) error { x.Fault = 3; return answer(503)(x) }, 503, 3},
		{"a connection that is broken off", "/pets", list, func(*rest.Exchange) error { panic(http.ErrAbortHandler) }, 0, 0},
		{"an answer that fails on the way", "/pets", list, func(x *rest.Exchange) error { _ = answer(200)(x); panic(http.ErrAbortHandler) }, 200, 0},
		{"an answer that is broken off", "/pets", list, func(x *rest.Exchange) error { x.Sent.BreakOff(); _ = answer(200)(x); panic(http.ErrAbortHandler) }, 0, 0},
		{"the control plane", "/admin", &rest.Operation{ID: "getAdmin", Kind: rest.Admin}, answer(200), -1, 0},
		{"nothing in the control plane", "/admin/nope", nil, answer(404), -1, 0},
		{"health", "/healthz", &rest.Operation{ID: "getHealth", Kind: rest.Health}, answer(200), -1, 0},
		{"a page", "/docs/", &rest.Operation{Kind: rest.Page}, answer(200), -1, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				sb := newSandbox(10)
				x := rest.NewExchange(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/sandboxes/ada"+test.path+"?x=1", nil))
				x.R.RemoteAddr = "[2001:db8::7]:4711"
				x.R.Header.Set("X-Client", "web")
				x.ID, x.Sandbox, x.Operation = "req-9", sb, test.operation
				came := sb.Clock.Now()
				through(t, x, func(x *rest.Exchange) error {
					time.Sleep(3 * time.Millisecond)
					return test.handle(x)
				})
				want := []journal.Entry{}
				if test.status >= 0 {
					want = append(want, journal.Entry{
						ID: 1, Time: came, RequestID: "req-9", Method: "GET", Path: test.path, Query: "x=1",
						Headers: map[string]string{"X-Client": "web"}, Client: "2001:db8::7",
						Status: test.status, Fault: test.fault, DurationMS: 3, OperationID: operationID(x),
					})
				}
				if diff := cmp.Diff(want, sb.Journal.Find(journal.Filter{}, 10).Entries); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		})
	}
}

func TestJournalWithoutSandbox(t *testing.T) {
	t.Parallel()
	x := rest.NewExchange(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/pets", nil))
	through(t, x, answer(400)) // must not panic
}

// through sends the exchange through the link. A connection that is broken off on
// the way must be so behind it too.
func through(t *testing.T, x *rest.Exchange, handle rest.Handler) {
	t.Helper()
	broken := false
	passed := func() (p any) {
		defer func() { p = recover() }()
		return Journal()(func(x *rest.Exchange) error {
			broken = true
			err := handle(x)
			broken = false
			return err
		})(x)
	}()
	if want := any(nil); passed != want && (!broken || passed != any(http.ErrAbortHandler)) || broken && passed == nil {
		t.Errorf("behind the link: %v", passed)
	}
}

func answer(status int) rest.Handler {
	return func(x *rest.Exchange) error {
		x.W.WriteHeader(status)
		return nil
	}
}

func newSandbox(journal int) *sandbox.Sandbox {
	return sandbox.NewRegistry(sandbox.Options{
		Baseline: sandbox.Baseline{State: new(store.State)}, Machine: sandbox.Machine, Journal: journal,
	}, 1, 0).Default()
}
