package rest

import (
	"net/url"
	"testing"
)

// TestReadPathThatIsNotItsRawPath goes by the path that was set last: who embeds the
// server may have changed it, and left the raw one behind.
func TestReadPathThatIsNotItsRawPath(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"/old%2F", "/%zz"} {
		if _, _, behind := readPath(&url.URL{Path: "/pets/1", RawPath: raw}, nil); behind != "/pets/1" {
			t.Errorf("behind RawPath %s: %s", raw, behind)
		}
	}
}
