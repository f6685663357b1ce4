package docs

import (
	"testing"
	"time"

	"example.com/petstore/handlers/sandbox/lifecycle"
)

// TestCachedDocument checks that the cache renders a document again if and only if one of its inputs
// changes.
func TestCachedDocument(t *testing.T) {
	t.Parallel()
	made := 0
	d := newDocument([]byte(small))
	k := &cache{document: d, render: func(d *Document, now Now) []byte {
		made++
		return d.JSON(now)
	}}
	current := lifecycle.Lifecycle{}
	now := Now{Server: "http://127.0.0.1/", Lifecycle: func(string) lifecycle.Lifecycle { return current }}
	for i, change := range []func(){
		func() {},
		func() { now.Server = "http://127.0.0.1/sandboxes/ada" },
		func() { now.Keyed = true },
		func() { now.Private = true },
		func() { current.Deprecated = true },
		func() { current.Sunset = time.Date(2030, 12, 31, 0, 0, 0, 0, time.UTC) },
		func() { current.Stability = "beta" },
		func() { now.Lifecycle = nil },
	} {
		change()
		want := d.JSON(now)
		for range 3 {
			if got, err := k.get(t.Context(), now); err != nil || string(got) != string(want) {
				t.Errorf("after change %d: %v\n%s\nwant\n%s", i, err, got, want)
			}
		}
		if made != i+1 {
			t.Errorf("after change %d it was made %d times", i, made)
		}
	}
}
