package middleware_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/petstoretest"
)

// slowImport is a client that sends the beginning of a state, and the end when it is told.
type slowImport struct {
	read   atomic.Int64 // bytes of the body that the server, or what is between, has taken
	finish func()
	done   chan struct{} // closed when there is an answer

	status int
	retry  string
	code   string
}

// turnsWorld is a server in a bubble, whose clients may be slow.
type turnsWorld struct {
	*petstoretest.Server
	t *testing.T
}

func newTurnsWorld(t *testing.T) turnsWorld {
	return turnsWorld{petstoretest.Run(t, petstoretest.WithoutNetwork()), t}
}

// send sends a request whose body is a JSON object of the length, but for its last byte.
func (w turnsWorld) send(method, path string, length int) *slowImport {
	c := &slowImport{done: make(chan struct{})}
	rest, end := io.Pipe()
	c.finish = func() { end.Write([]byte("}")); end.Close() }
	w.t.Cleanup(func() { end.Close() })
	body := io.MultiReader(strings.NewReader("{"+strings.Repeat(" ", length-2)), rest)
	request, err := http.NewRequestWithContext(w.t.Context(), method, w.URL+path, struct{ io.Reader }{io.TeeReader(body, counter{&c.read})})
	if err != nil {
		w.t.Fatal(err)
	}
	request.ContentLength = int64(length)
	request.Header.Set("Content-Type", "application/json")
	go func() {
		defer close(c.done)
		response, err := w.Client.Do(request)
		if err != nil {
			return // as at the end of the test, of those that nobody finished
		}
		defer response.Body.Close()
		var answer struct{ Code string }
		answered, _ := io.ReadAll(response.Body)
		_ = json.NewDecoder(bytes.NewReader(answered)).Decode(&answer)
		c.status, c.retry, c.code = response.StatusCode, response.Header.Get("Retry-After"), answer.Code
	}()
	synctest.Wait()
	return c
}

// counter counts what is written to it.
type counter struct{ n *atomic.Int64 }

func (c counter) Write(p []byte) (int, error) {
	c.n.Add(int64(len(p)))
	return len(p), nil
}

// TestTurns lets two imports run and a third wait, whose body is not read before.
func TestTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newTurnsWorld(t)
		const length = 1 << 20
		first, second := w.send("PUT", "/admin/state", length), w.send("PUT", "/sandboxes/ada/admin/state", length)
		third := w.send("PUT", "/sandboxes/bob/admin/state", length)
		if first.read.Load() < length-1 || second.read.Load() < length-1 {
			t.Error("two imports do not run at once")
		}
		if got := third.read.Load(); got > 128<<10 {
			t.Errorf("%d bytes of a body that waits are read", got)
		}
		second.finish()
		<-second.done
		synctest.Wait()
		third.finish()
		<-third.done
		first.finish()
		<-first.done
		for _, c := range []*slowImport{first, second, third} {
			if c.status != http.StatusOK {
				t.Errorf("an import is answered %d", c.status)
			}
		}
	})
}

// TestTurnsAreForWholeStates lets everything else go on while two states are read.
func TestTurnsAreForWholeStates(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newTurnsWorld(t)
		w.send("PUT", "/admin/state", 1000)
		w.send("POST", "/admin/reset", 1000)
		c := &world{URL: w.URL, Client: w.Client}
		for _, r := range []request{
			{Method: "GET", Path: "/pets"}, {Method: "GET", Path: "/admin/state"}, post("/pets", newPet), post("/admin/reset", ""),
			put("/admin/sandboxes/ada", ""), put("/admin/clock", `{"frozen": true}`),
		} {
			c.Must(t, r)
		}
		waits := w.send("PUT", "/admin/sandboxes/bob", 1000)
		select {
		case <-waits.done:
			t.Errorf("a third state is answered %d", waits.status)
		default:
		}
	})
}

// TestTurnsEnd refuses a request that has waited for half a minute, and says when to
// come again.
func TestTurnsEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newTurnsWorld(t)
		for range 2 { // pairs, each of which has the half minute that a body may take
			w.send("PUT", "/admin/state", 1000)
			w.send("PUT", "/admin/state", 1000)
			time.Sleep(10 * time.Second)
		}
		began := time.Now()
		late := w.send("PUT", "/admin/state", 1000)
		<-late.done
		if late.status != http.StatusServiceUnavailable || late.code != "unavailable" || late.retry != "1" {
			t.Errorf("answer %d %s, Retry-After %q; want 503 unavailable, 1", late.status, late.code, late.retry)
		}
		if waited := time.Since(began); waited != 30*time.Second {
			t.Errorf("it waited for %v", waited)
		}
		time.Sleep(time.Minute) // all bodies have had their time
		last := w.send("PUT", "/admin/state", 1000)
		last.finish()
		<-last.done
		if last.status != http.StatusOK {
			t.Errorf("afterwards an import is answered %d", last.status)
		}
	})
}

// TestTurnsEndWithTheSandbox refuses a request that waits when its sandbox is dropped,
// and every one that waits when the server stops.
func TestTurnsEndWithTheSandbox(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(turnsWorld){
		"dropped": func(w turnsWorld) { (&world{URL: w.URL, Client: w.Client}).Must(w.t, drop("/admin/sandboxes/ada")) },
		"stopped": func(w turnsWorld) { w.Handler().(*handlers.Server).Close() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := newTurnsWorld(t)
				(&world{URL: w.URL, Client: w.Client}).Must(t, put("/admin/sandboxes/ada", ""))
				w.send("PUT", "/admin/state", 1000)
				w.send("PUT", "/admin/state", 1000)
				waits := w.send("PUT", "/sandboxes/ada/admin/state", 1000)
				began := time.Now()
				end(w)
				<-waits.done
				if took := time.Since(began); took != 0 || waits.status != http.StatusServiceUnavailable || waits.code != "unavailable" {
					t.Errorf("answer %d %s after %v, want 503 unavailable at once", waits.status, waits.code, took)
				}
			})
		})
	}
}
