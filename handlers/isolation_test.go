package handlers_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestIsolation runs two hundred clients at once on one server, each in a sandbox of its own, and
// each alone on a server of its own: they write, undo, snapshot, restore, reset, fork, drop, inject
// faults, retire operations and move the clock at random. Both servers must respond the same.
func TestIsolation(t *testing.T) {
	t.Parallel()
	clients := 200
	if testing.Short() {
		clients = 50
	}
	server := NewServer(t)
	listener := httptest.NewServer(server)
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.Close()
		listener.Close()
	})
	var running sync.WaitGroup
	for i := range clients {
		running.Go(func() {
			alone, err := handlers.New(Config())
			if err != nil {
				t.Error(err)
				return
			}
			defer alone.Close()
			name := "default"
			if i > 0 {
				name = fmt.Sprint("client-", i)
			}
			want := actAtRandom(t, inMemory{alone}, "http://127.0.0.1", name, uint64(i))
			if diff := cmp.Diff(want, actAtRandom(t, transport, listener.URL, name, uint64(i))); diff != "" {
				t.Errorf("responses of %s, -alone +together:\n%s", name, diff)
			}
		})
	}
	running.Wait()
}

// inMemory is a transport without sockets.
type inMemory struct{ handler http.Handler }

func (m inMemory) RoundTrip(r *http.Request) (*http.Response, error) {
	recorder := httptest.NewRecorder()
	if r.Body == nil {
		r.Body = http.NoBody
	}
	r.Host = r.URL.Host
	m.handler.ServeHTTP(recorder, r)
	return recorder.Result(), nil
}

// actor is a client that records its responses.
type actor struct {
	t         *testing.T
	client    *http.Client
	url       string
	rng       *rand.Rand
	responses []string
}

// actAtRandom makes random requests to the sandbox and to a fork of it, and returns the responses.
func actAtRandom(t *testing.T, transport http.RoundTripper, url, name string, seed uint64) []string {
	a := &actor{t: t, client: &http.Client{Transport: transport}, url: url, rng: rand.New(rand.NewPCG(1, seed))}
	fork := name + ".fork"
	a.read(name, "/pets") // creates the sandbox
	for range 15 {
		a.act(name)
		if a.rng.IntN(15) == 0 {
			a.do(name, worldAct{"POST", "/admin/sandboxes/" + name + "/fork", `{"name": "` + fork + `"}`})
			for range 5 {
				a.act(fork)
				a.act(name)
			}
			a.read(fork, seen...)
			a.do(name, worldAct{"DELETE", "/admin/sandboxes/" + fork, ""})
		}
	}
	a.read(name, seen...)
	a.do(name, worldAct{"DELETE", "/admin/sandboxes/" + name, ""})
	a.act(name)
	return a.responses
}

// once is sent with the same Idempotency-Key in every sandbox.
var once = worldAct{"POST", "/pets", `{"name": "Bello", "categoryId": 1}`}

func (a *actor) act(name string) {
	acts := worldActs(1+a.rng.IntN(8), 1+a.rng.IntN(6), "0.5", true)
	acts = append(acts, once, worldAct{"DELETE", "/admin/clock", ""}, worldAct{"DELETE", "/admin/faults", ""})
	a.do(name, acts[a.rng.IntN(len(acts))])
	a.read(name, seen[a.rng.IntN(len(seen))])
}

// seen lists the paths that show all of a sandbox.
var seen = []string{
	"/pets", "/admin/state", "/admin/snapshots", "/admin/clock", "/admin/faults", "/admin/operations", "/admin/report",
	"/admin/requests?limit=1000",
}

func (a *actor) read(name string, paths ...string) {
	for _, path := range paths {
		a.do(name, worldAct{"GET", path, ""})
	}
}

// ofTheServer matches the parts of a summary that describe the whole server.
var ofTheServer = regexp.MustCompile(`"uptimeSeconds":[0-9.e-]+|"sandboxes":\d+|"memory":\{[^}]*\}`)

// do makes the request in the named sandbox, by its path or its header.
func (a *actor) do(name string, act worldAct) {
	r, err := http.NewRequest(act.method, a.url+act.path, strings.NewReader(act.body))
	if err != nil {
		panic(err)
	}
	r.Header = http.Header{"User-Agent": {"test"}, "X-Client": {name}, "Authorization": {"Bearer demo-key"}}
	if act == once {
		r.Header.Set("Idempotency-Key", "once")
	}
	if act.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if a.rng.IntN(2) == 0 {
		r.URL.Path = "/sandboxes/" + name + r.URL.Path
	} else {
		r.Header.Set("X-Sandbox", name)
	}
	response, err := a.client.Do(r)
	if err != nil {
		a.t.Errorf("%v: %v", act, err)
		return
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		a.t.Errorf("%v: %v", act, err)
	}
	text := ofTheServer.ReplaceAllString(string(body), "")
	if strings.HasPrefix(act.path, "/admin/requests") { // the rest of an entry depends on timing
		text = JournalOf(a.t, &Answer{Body: body}).String()
	}
	header := response.Header
	a.responses = append(a.responses,
		fmt.Sprint(act, response.StatusCode, header["X-Sandbox"], header["Location"], header["Idempotency-Replayed"],
			header["Deprecation"], text))
}
