package middleware_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/petstore/handlers/petstoretest"
)

// TestStalledImportsHoldUpNothing sends imports to one sandbox, whose bodies begin and do not go
// on, beside whole ones to it and to others.
func TestStalledImportsHoldUpNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := petstoretest.Run(t, petstoretest.WithoutNetwork())
		for range 12 {
			body, stalled := io.Pipe()
			t.Cleanup(func() { stalled.Close() })
			r, err := http.NewRequestWithContext(t.Context(), "PUT", server.URL+"/sandboxes/ada/admin/state", body)
			if err != nil {
				t.Fatal(err)
			}
			r.ContentLength = 1 << 20
			r.Header.Set("Content-Type", "application/json")
			go func() {
				if response, err := server.Client.Do(r); err == nil { // else the test has ended
					response.Body.Close()
				}
			}()
			go io.WriteString(stalled, "{"+strings.Repeat(" ", 1<<16))
		}
		synctest.Wait()
		began, c := time.Now(), &world{URL: server.URL, Client: server.Client}
		for _, path := range []string{"/sandboxes/bob/admin/state", "/admin/state", "/sandboxes/ada/admin/state"} {
			c.Must(t, put(path, `{}`))
		}
		c.Must(t, post("/sandboxes/bob/admin/reset", `{"pets": 3}`))
		if took := time.Since(began); took != 0 {
			t.Errorf("whole imports took %v beside stalled ones", took)
		}
	})
}
