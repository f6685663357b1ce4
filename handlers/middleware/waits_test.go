package middleware_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/petstoretest"
)

// waits are what makes a request wait, an hour or a minute.
var waits = map[string]struct {
	rule   string
	header http.Header
}{
	"a fault":             {rule: `{"delay": {"fixedMs": 600000}}`},
	"a fault that fails":  {rule: `{"delay": {"fixedMs": 600000}, "status": 503}`},
	"a fault that resets": {rule: `{"delay": {"fixedMs": 600000}, "abort": "reset"}`},
	"a fault that hangs":  {rule: `{"abort": "hang"}`},
	"Prefer":              {header: prefer("delay=60000")},
}

// TestWaitsEndWithTheClient leaves while its request waits, whatever makes it wait
// and whatever body it has. The operation must not run then.
func TestWaitsEndWithTheClient(t *testing.T) {
	t.Parallel()
	for why, wait := range waits {
		for name, r := range map[string]request{
			"no body":               {Method: "DELETE", Path: "/pets/100"},
			"a body":                post("/pets", newPet),
			"a body without length": {Method: "POST", Path: "/pets", Body: newPet, Chunked: true},
			"a body of no use":      {Method: "DELETE", Path: "/pets/100", Body: newPet, Header: http.Header{"Content-Type": {"text/plain"}}},
			"a body that is large":  post("/pets", `{"name": "`+strings.Repeat("x", 2<<20)+`", "categoryId": 1}`),
		} {
			t.Run(why+", "+name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					srv := petstoretest.Run(t, petstoretest.WithoutNetwork())
					w := &world{URL: srv.URL, Client: srv.Client}
					if wait.rule != "" {
						w.Must(t, post("/admin/faults", wait.rule))
					}
					before := w.Get(t, "/admin/state").Body
					start := time.Now()
					ctx, leave := context.WithCancel(t.Context())
					left := make(chan error, 1)
					go func() {
						r.Header = with(r.Header, wait.header)
						_, err := w.Try(ctx, r)
						left <- err
					}()
					synctest.Wait()
					leave()
					if err := <-left; !errors.Is(err, context.Canceled) {
						t.Errorf("error = %v", err)
					}
					synctest.Wait()
					if entries := srv.Requests(petstoretest.Filter{}); len(entries) != 1 || entries[0].Status != 0 {
						t.Errorf("the journal has %+v, want one request without an answer", entries)
					}
					if diff := cmp.Diff(string(before), string(w.Get(t, "/admin/state").Body)); diff != "" {
						t.Errorf("the operation ran:\n%s", diff)
					}
					if waited := time.Since(start); waited != 0 {
						t.Errorf("it waited for %v", waited)
					}
				})
			})
		}
	}
}

// with returns the headers and some more.
func with(header, more http.Header) http.Header {
	all := header.Clone()
	if all == nil {
		all = make(http.Header)
	}
	for name, values := range more {
		all[name] = values
	}
	return all
}

// TestWaitsOfHalfABody end with the server too, though the body is still to come.
func TestWaitsOfHalfABody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := w.State(t)
	w.AddFault(t, `{"delay": {"fixedMs": 600000}}`)
	connection := w.Dial(t)
	send(t, connection, "POST /pets HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
	w.AwaitFault(t)
	w.Server.Close()
	answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	expectInterrupted(t, answer, "the server was stopped")
	if w.State(t) != before {
		t.Error("the operation ran")
	}
}

// TestWaitsLast longer than a body may take to come: the client that has sent it is
// still there.
func TestWaitsLast(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]request{
		"no body":               {Method: "DELETE", Path: "/pets/100"},
		"a body":                post("/pets", newPet),
		"a body of no use":      {Method: "DELETE", Path: "/pets/100", Body: newPet, Header: http.Header{"Content-Type": {"text/plain"}}},
		"a body without length": {Method: "POST", Path: "/pets", Body: newPet, Chunked: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := petstoretest.Run(t, petstoretest.WithoutNetwork())
				w := &world{URL: srv.URL, Client: srv.Client}
				r.Header = with(r.Header, prefer("delay=50000"))
				start := time.Now()
				a, err := w.Try(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				if a.Status >= 400 || time.Since(start) != 50*time.Second || fmt.Sprint(a.Header["Preference-Applied"]) != "[delay=50000]" {
					t.Errorf("%d %v after %v", a.Status, a.Header, time.Since(start))
				}
			})
		})
	}
	t.Run("what is not taken", func(t *testing.T) { // its fault is told when the wait is over
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			srv := petstoretest.Run(t, petstoretest.WithoutNetwork())
			w := &world{URL: srv.URL, Client: srv.Client}
			slow := prefer("delay=50000")
			large := `{"name": "` + strings.Repeat("x", 2<<20) + `", "categoryId": 1}`
			for _, chunked := range []bool{false, true} {
				a, err := w.Try(t.Context(), request{Method: "POST", Path: "/pets", Body: large, Chunked: chunked, Header: slow})
				if err != nil {
					t.Fatal(err)
				}
				a.Expect(t, 413, "payload_too_large")
			}
			a, err := w.Try(t.Context(), request{Method: "POST", Path: "/pets", Body: "x", Header: with(slow, http.Header{"Content-Type": {"text/plain"}})})
			if err != nil {
				t.Fatal(err)
			}
			a.Expect(t, 415, "unsupported_media_type")
		})
	})
}
