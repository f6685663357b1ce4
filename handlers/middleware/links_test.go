package middleware

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/internal/testmain"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/lifecycle"
	"example.com/petstore/store"
)

// visit is one request on its way through a link.
type visit struct {
	x       *rest.Exchange
	answer  *httptest.ResponseRecorder
	reached bool // the link passed the request on
	err     error
}

// newVisit returns a request to an operation of the service, in a new sandbox.
func newVisit(method, path string, header http.Header) *visit {
	v := &visit{answer: httptest.NewRecorder()}
	r := httptest.NewRequest(method, path, nil)
	for name, values := range header {
		r.Header[http.CanonicalHeaderKey(name)] = values
	}
	v.x = rest.NewExchange(new(rest.Server), v.answer, r)
	v.x.ID = "req-9"
	v.x.Operation = &rest.Operation{ID: "listPets", Method: http.MethodGet, Path: v.x.Path, Tag: "Pets"}
	v.x.Sandbox = newSandboxWith(nil)
	return v
}

// through sends the request through the link to a handler that answers 200.
func (v *visit) through(link rest.Link) *visit {
	return v.to(link, func(x *rest.Exchange) error {
		x.W.WriteHeader(http.StatusOK)
		return nil
	})
}

// to sends the request through the link to the handler.
func (v *visit) to(link rest.Link, handle rest.Handler) *visit {
	v.err = link(v.x.Operation, func(x *rest.Exchange) error {
		v.reached = true
		return handle(x)
	})(v.x)
	return v
}

// expectPassed fails the test unless the link passed the request on.
func (v *visit) expectPassed(t *testing.T) {
	t.Helper()
	if !v.reached || v.err != nil {
		t.Errorf("%s %s %v: handed on: %t, error %v", v.x.R.Method, v.x.R.URL, v.x.R.Header, v.reached, v.err)
	}
}

// expectRefused fails the test unless the link refused the request with the status and the code,
// and returns the error.
func (v *visit) expectRefused(t *testing.T, status int, code string) *rest.Error {
	t.Helper()
	if v.reached || v.err == nil {
		t.Fatalf("%s %s %v: handed on: %t, error %v", v.x.R.Method, v.x.R.URL, v.x.R.Header, v.reached, v.err)
	}
	e := rest.AsError(v.err)
	if e.Status != status || e.Code != code {
		t.Errorf("%s %s %v = %d %s, want %d %s", v.x.R.Method, v.x.R.URL, v.x.R.Header, e.Status, e.Code, status, code)
	}
	return e
}

// expectHeader fails the test unless the response header has exactly the given values.
func (v *visit) expectHeader(t *testing.T, name string, want ...string) {
	t.Helper()
	must.Equal(t, want, v.answer.Header().Values(name), "%s of %s %s %v", name, v.x.R.Method, v.x.R.URL, v.x.R.Header)
}

// newSandboxWith returns a sandbox of a server with the options.
func newSandboxWith(change func(*registry.Options)) *registry.Entry {
	return newRegistry(change, 10).Default()
}

func newRegistry(change func(*registry.Options), most int) *registry.Registry {
	o := registry.Options{Options: sandbox.Options{
		Origin:     sandbox.Baseline{State: new(store.State), Seed: 1},
		Machine:    sandbox.Machine,
		Operations: []lifecycle.Operation{{ID: "listPets", Method: http.MethodGet, Path: "/pets", Tag: "Pets"}},
	}}
	if change != nil {
		change(&o)
	}
	return registry.New(o, most, 0)
}

func TestMain(m *testing.M) { testmain.Run(m) }
