package petstoretest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/petstore/handlers/petstoretest"
)

// TestStalledBodies wants a client that stops in the middle of its body to be
// answered and let go, whether the body was wanted or not. In a bubble, where the
// half minute that it takes passes at once.
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
