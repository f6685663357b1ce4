package contracttest

import (
	"cmp"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/petstoretest"
	"example.com/petstore/handlers/registry"
)

// World is a server and a client. The client uses real connections and validates every answer
// against the OpenAPI documents.
type World struct {
	Server *handlers.Server
	URL    string
	Client *http.Client
}

// NewWorld starts a server with the data in [BaselineText] at the time [Now]. It stops the server
// at the end of the test.
func NewWorld(t *testing.T, change ...func(*handlers.Config)) *World {
	t.Helper()
	srv := petstoretest.Run(t, petstoretest.WithConfig(func(c *handlers.Config) {
		log := c.Log
		*c = Config(change...)
		c.Log = cmp.Or(c.Log, log)
	}))
	transport := srv.Client.Transport.(*http.Transport).Clone()
	transport.DisableCompression = true // tests request compression explicitly
	transport.ExpectContinueTimeout = 2 * time.Minute
	t.Cleanup(transport.CloseIdleConnections)
	return &World{Server: srv.Handler().(*handlers.Server), URL: srv.URL,
		Client: client(&contract{t: t, next: transport})}
}

// client returns a client that does not follow redirects.
func client(transport http.RoundTripper) *http.Client {
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Unchecked returns w with a client that does not validate answers, for tests that change
// lifecycles. The embedded documents do not reflect such a change.
func (w *World) Unchecked() *World {
	other := *w
	other.Client = client(w.Client.Transport.(*contract).next)
	return &other
}

// Loose is like [World.Unchecked], but the client uses a new connection for each request, for tests
// of faults that break connections.
func (w *World) Loose() *World {
	other := *w
	other.Client = client(&http.Transport{DisableKeepAlives: true, DisableCompression: true})
	return &other
}

// Make creates the sandbox, or changes its settings.
func (w *World) Make(t *testing.T, name string, o registry.CreateOptions) {
	t.Helper()
	if _, _, _, err := w.Server.Sandboxes().Make(name, o); err != nil {
		t.Fatal(err)
	}
}

// State returns all data in the default sandbox as JSON, including the id counters.
func (w *World) State(t *testing.T) string {
	t.Helper()
	return DataOf(t, w.Server.Sandboxes().Default())
}

// Everything returns the data and settings of each sandbox as text, by name.
func (w *World) Everything(t *testing.T) map[string]string {
	t.Helper()
	all := make(map[string]string)
	for _, sb := range w.Server.Sandboxes().List() {
		all[sb.Name] = DataOf(t, sb) + settings(sb)
	}
	return all
}

func settings(sb *registry.Entry) string {
	clock := sb.Clock.Read()
	text := fmt.Sprintf("clock %v ahead", clock.Offset)
	if clock.Frozen {
		text = fmt.Sprintf("clock frozen at %v", clock.Now)
	}
	text += fmt.Sprintf(", baseline of seed %d at %p, %d writes to undo", sb.Baseline().Seed, sb.Baseline().State,
		sb.Store.Undoable())
	for _, snapshot := range sb.Snapshots.List() {
		text += fmt.Sprintf(", snapshot %s at %p", snapshot.Name, snapshot.State)
	}
	for _, hook := range sb.Webhooks.List() {
		text += fmt.Sprintf(", webhook %s of %v to %s", hook.Name, hook.Events, hook.URL)
	}
	for _, rule := range sb.Faults.List() {
		text += fmt.Sprintf(", fault %d", rule.ID)
	}
	for _, op := range sb.Lifecycles.Operations {
		if changed := sb.Lifecycles.Changed(op.ID); changed != nil {
			text += fmt.Sprintf(", %s is %+v", op.ID, *changed)
		}
	}
	return text
}

// DataOf returns all data in a sandbox as JSON, including the id counters.
func DataOf(t *testing.T, sb *registry.Entry) string {
	t.Helper()
	return string(must.Get(fixtures.Encode(sb.Store.View()))(t))
}

// InParallel sends n requests, r(0) to r(n-1), concurrently and returns their answers. It fails the
// test if one has no answer.
func (w *World) InParallel(t *testing.T, n int, r func(i int) Request) []*Answer {
	t.Helper()
	answers, errs := make([]*Answer, n), make([]error, n)
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			<-start
			answers[i], errs[i] = w.Try(t.Context(), r(i))
		})
	}
	close(start)
	all.Wait()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	return answers
}

// NewServer returns a server that is configured like a new world, but does not listen.
func NewServer(t testing.TB, change ...func(*handlers.Config)) *handlers.Server {
	t.Helper()
	server := must.Get(handlers.New(Config(change...)))(t)
	t.Cleanup(server.Close)
	return server
}

// Serve calls the server like net/http: it recovers from a panic with http.ErrAbortHandler.
func Serve(server *handlers.Server, w http.ResponseWriter, r *http.Request) {
	defer func() {
		if p := recover(); p != nil && p != any(http.ErrAbortHandler) {
			panic(p)
		}
	}()
	server.ServeHTTP(w, r)
}
