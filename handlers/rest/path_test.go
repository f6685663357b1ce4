package rest

import (
	"net/url"
	"testing"
)

// TestReadPathThatIsNotItsRawPath checks that a changed Path takes precedence: a program that
// embeds the server may have changed it without RawPath.
func TestReadPathThatIsNotItsRawPath(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"/old%2F", "/%zz"} {
		if _, _, behind := readPath(&url.URL{Path: "/pets/1", RawPath: raw}, nil); behind != "/pets/1" {
			t.Errorf("behind RawPath %s: %s", raw, behind)
		}
	}
}
