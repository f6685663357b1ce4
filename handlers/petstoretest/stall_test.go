package petstoretest_test

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/petstore/handlers/petstoretest"
)

// TestStalledBodies checks that the server responds to a client that stalls in the middle
// of its body, and closes the connection, whether or not the handler reads the body. It
// runs in a bubble, where the timeout of half a minute passes at once.
func TestStalledBodies(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]int{"/pets": http.StatusBadRequest, "/nowhere": http.StatusNotFound, "/messages": http.StatusUnauthorized} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := petstoretest.Run(t, petstoretest.WithoutNetwork())
				stalled, body := io.Pipe()
				defer body.Close()
				request, err := http.NewRequest(http.MethodPost, srv.URL+path, io.MultiReader(strings.NewReader("{"), stalled))
				if err != nil {
					t.Fatal(err)
				}
				request.ContentLength = 1000
				request.Header.Set("Content-Type", "application/json")
				began := time.Now()
				response, err := srv.Client.Do(request)
				if err != nil {
					t.Fatal(err)
				}
				response.Body.Close()
				if took := time.Since(began); response.StatusCode != want || took > time.Minute {
					t.Errorf("status %d after %v, want %d within a minute", response.StatusCode, took, want)
				}
			})
		})
	}
}

// TestRefusedBodiesHaveTheirTime checks that the server soon closes the connection of a client
// that stalls in the middle of a refused body, and closes it at once on shutdown.
func TestRefusedBodiesHaveTheirTime(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		stop          bool
		least, within time.Duration
	}{
		"in time":       {false, 2 * time.Second, 3 * time.Second},
		"when it stops": {true, 0, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := petstoretest.Run(t, petstoretest.WithoutNetwork())
				dial := srv.Client.Transport.(*http.Transport).DialContext
				connection, err := dial(t.Context(), "tcp", strings.TrimPrefix(srv.URL, "http://")+":80")
				if err != nil {
					t.Fatal(err)
				}
				defer connection.Close()
				began := time.Now()
				if _, err := io.WriteString(connection, "POST /pets HTTP/1.1\r\nHost: petstore.test\r\nContent-Type: application/json\r\nContent-Length: 2000000\r\n\r\n{"); err != nil {
					t.Fatal(err)
				}
				response, err := http.ReadResponse(bufio.NewReader(connection), nil)
				if err != nil {
					t.Fatal(err)
				}
				if took := time.Since(began); response.StatusCode != http.StatusRequestEntityTooLarge || took > 500*time.Millisecond { // for the journal
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
