package command

import (
	"net/http"
	"testing"

	"example.com/petstore/handlers/command/programtest"
)

// TestStreamsLeaveRoom opens event streams until one is refused, and checks that other requests
// still succeed.
func TestStreamsLeaveRoom(t *testing.T) {
	t.Parallel()
	p := startRun(t, nil, "--addr", "127.0.0.1:0", "--max-connections", "8")
	listen := func() *http.Response {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.URL+"/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := new(http.Transport).RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { response.Body.Close() })
		return response
	}
	for i := range 6 {
		if response := listen(); response.StatusCode != http.StatusOK {
			t.Fatalf("stream %d: %s", i+1, response.Status)
		}
	}
	if response := listen(); response.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("one stream more than three quarters of the connections: %s, want 503", response.Status)
	}
	for _, test := range []struct {
		path, prefer string
		status       int
	}{
		{"/healthz", "", http.StatusOK},
		{"/admin", "", http.StatusOK},
		{"/pets", "", http.StatusOK},
		{"/pets", "delay=10", http.StatusOK},
		{"/pets", "delay=60000", http.StatusServiceUnavailable},
		{"/admin/requests?status=499&count=1&wait=60s", "", http.StatusServiceUnavailable},
		{"/admin/requests?status=499&count=1&wait=1ms", "", http.StatusOK},
	} {
		if got := programtest.Get(t, p.URL+test.path, "Prefer", test.prefer, "Connection", "close"); got.Status != test.status {
			t.Errorf("%s (%s) = %d %s, want %d", test.path, test.prefer, got.Status, got.Body, test.status)
		}
	}
}
