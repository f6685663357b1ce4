package command

import (
	"net"
	"strings"
	"testing"

	"example.com/petstore/handlers/command/programtest"
)

// TestSilentConnectionsMakeRoom opens the maximum number of connections without sending a request,
// and expects a request on a new connection to succeed at once.
func TestSilentConnectionsMakeRoom(t *testing.T) {
	t.Parallel()
	p := startRun(t, nil, "--addr", "127.0.0.1:0", "--max-connections", "48")
	for round := range 5 {
		for range 48 {
			c, err := net.Dial("tcp", strings.TrimPrefix(p.URL, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { c.Close() })
		}
		if got := programtest.Get(t, p.URL+"/pets/1", "Connection", "close"); got.Status != 200 {
			t.Fatalf("round %d: %d %s, want 200", round+1, got.Status, got.Body)
		}
	}
}
