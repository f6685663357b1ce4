package petstoretest_test

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/internal/testmain"
	"example.com/petstore/handlers/petstoretest"
)

// TestSandboxIsDroppedWithItsCreator checks that a sandbox is dropped at the end of the test that
// created it, and not at the end of a test that used it.
func TestSandboxIsDroppedWithItsCreator(t *testing.T) {
	t.Parallel()
	srv := petstoretest.Run(t)
	t.Run("maker", func(t *testing.T) {
		pets := srv.For(t).Sandbox("ada")
		t.Run("guest", func(t *testing.T) {
			addPet(pets.Client, srv.For(t).Sandbox("ada").URL, "Rex")
			srv.For(t).Sandbox("ada").Fork("eve")
		})
		if n := len(srv.Sandboxes()); n != 2 {
			t.Errorf("%d sandboxes, want the default one and ada: eve goes with the guest", n)
		}
		if n := pets.State().Counts().Pets; n != 101 {
			t.Errorf("%d pets, want 101", n)
		}
		t.Run("dropped before", func(t *testing.T) {
			srv.For(t).Sandbox("bob").Drop()
			get[[]pet](t, srv, "/sandboxes/bob/pets") // created by another client
		})
	})
	if list := srv.Sandboxes(); len(list) != 2 || list[0].Name != "bob" {
		t.Errorf("%d sandboxes, want default and bob of another test", len(list))
	}
}

func TestSandboxIsNeverIdle(t *testing.T) {
	t.Parallel()
	var minutes atomic.Int64
	srv := petstoretest.Run(t, petstoretest.WithConfig(func(c *petstoretest.Config) {
		c.MaxSandboxes, c.SandboxTTL = 2, time.Hour
		c.Now = func() time.Time { return newYear.Add(time.Duration(minutes.Load()) * time.Minute) }
	}))
	ada := srv.Sandbox("ada")
	addPet(ada.Client, ada.URL, "Rex")
	minutes.Store(120)
	for _, want := range []string{"503 Service Unavailable", "201 Created"} {
		if status := addPet(srv.Client, srv.URL+"/sandboxes/bob", "Rex"); status != want {
			t.Errorf("a second sandbox is answered %s, want %s", status, want)
		}
		if want != "201 Created" {
			ada.Drop()
		}
	}
	guest := newExampleT()
	srv.For(guest).Sandbox("bob")
	minutes.Store(240)
	mustEnd(t, func(fake *exampleT) { srv.For(fake).Sandbox("eve") }, "no room for another sandbox")
	guest.end() // no test created bob, and no test holds it now
	minutes.Store(299)
	// Bob was used too recently.
	mustEnd(t, func(fake *exampleT) { srv.For(fake).Sandbox("eve") }, "no room for another sandbox")
	minutes.Store(300)
	srv.Sandbox("eve")
}

// TestReadSandboxIsNotEvicted checks that a full server does not evict a sandbox that a
// test reads, either during the read or after it.
func TestReadSandboxIsNotEvicted(t *testing.T) {
	t.Parallel()
	for name, look := range map[string]func(srv *petstoretest.Server){
		"a sandbox":     func(srv *petstoretest.Server) { srv.Sandbox("ada") },
		"all sandboxes": func(srv *petstoretest.Server) { srv.Sandboxes() },
	} {
		var minutes atomic.Int64
		srv := petstoretest.Run(t, petstoretest.WithConfig(func(c *petstoretest.Config) {
			c.MaxSandboxes = 2
			c.Now = func() time.Time { return newYear.Add(time.Duration(minutes.Load()) * time.Minute) }
		}))
		get[[]pet](t, srv, "/sandboxes/ada/pets")
		guest := newExampleT()
		look(srv.For(guest))
		guest.end()
		minutes.Store(1)
		if status := addPet(srv.Client, srv.URL+"/sandboxes/bob", "Rex"); status != "503 Service Unavailable" {
			t.Errorf("after a look at %s another one is answered %s", name, status)
		}
	}
}

func TestMethodsAfterClose(t *testing.T) {
	t.Parallel()
	srv := petstoretest.Run(t)
	addPet(srv.Client, srv.URL, "Rex")
	stream := srv.Sandbox("ada").Listen(petstoretest.FromNow)
	srv.Close()
	srv.Close()
	if _, open := <-stream.Events(); open {
		t.Error("the stream goes on after Close")
	}
	if came := srv.WaitForRequests(time.Hour, petstoretest.Filter{}, 1); len(came) != 1 ||
		srv.State().Counts().Pets != 101 {
		t.Errorf("%d requests, %d pets", len(came), srv.State().Counts().Pets)
	}
	for e := range srv.Listen(petstoretest.FromNow).Events() {
		t.Errorf("event %v", e)
	}
}

// TestStalledBodies checks that the server responds to a client that stalls in the middle
// of its body, and closes the connection, whether or not the handler reads the body. It
// runs in a bubble, where the timeout of half a minute passes at once.
func TestStalledBodies(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]int{"/pets": http.StatusBadRequest, "/nowhere": http.StatusNotFound,
		"/messages": http.StatusUnauthorized} {
		t.Run(path, func(t *testing.T) {
			testmain.Bubble(t, func(t *testing.T) {
				srv := petstoretest.Run(t, petstoretest.WithoutNetwork())
				stalled, body := io.Pipe()
				defer body.Close()
				request := must.Get(http.NewRequest(http.MethodPost, srv.URL+path,
					io.MultiReader(strings.NewReader("{"), stalled)))(t)
				request.ContentLength = 1000
				request.Header.Set("Content-Type", "application/json")
				began := time.Now()
				response := must.Get(srv.Client.Do(request))(t)
				response.Body.Close()
				if took := time.Since(began); response.StatusCode != want || took > time.Minute {
					t.Errorf("status %d after %v, want %d within a minute", response.StatusCode, took, want)
				}
			})
		})
	}
}

// TestStalledRefusedBodies checks that the server soon closes the connection of a client
// that stalls in the middle of a refused body, and closes it at once on shutdown.
func TestStalledRefusedBodies(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		stop          bool
		least, within time.Duration
	}{
		"in time":       {false, 2 * time.Second, 3 * time.Second},
		"when it stops": {true, 0, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			testmain.Bubble(t, func(t *testing.T) {
				srv := petstoretest.Run(t, petstoretest.WithoutNetwork())
				dial := srv.Client.Transport.(*http.Transport).DialContext
				connection := must.Get(dial(t.Context(), "tcp", strings.TrimPrefix(srv.URL, "http://")+":80"))(t)
				defer connection.Close()
				began := time.Now()
				if _, err := io.WriteString(connection,
					"POST /pets HTTP/1.1\r\nHost: petstore.test\r\nContent-Type: application/json\r\nContent-Length: "+
						"2000000\r\n\r\n{"); err != nil {
					t.Fatal(err)
				}
				response := must.Get(http.ReadResponse(bufio.NewReader(connection), nil))(t)
				// For the journal.
				if took := time.Since(began); response.StatusCode != http.StatusRequestEntityTooLarge ||
					took > 500*time.Millisecond {
					t.Errorf("status %d after %v, want 413 within half a second", response.StatusCode, took)
				}
				began = time.Now()
				if test.stop {
					srv.Handler().(interface{ Close() }).Close()
				}
				if _, err := io.Copy(io.Discard, connection); err != nil {
					t.Error(err)
				}
				if took := time.Since(began); took < test.least || took > test.within {
					t.Errorf("the connection was closed after %v, want %v to %v", took, test.least, test.within)
				}
			})
		})
	}
}
