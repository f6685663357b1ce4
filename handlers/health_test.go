package handlers_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers"
)

func TestHealth(t *testing.T) { runScenarios(t, healthScenarios()) }

func healthScenarios() []scenario {
	health := request{Method: "GET", Path: "/healthz"}
	return []scenario{
		{Name: "health", Request: health, Status: 200, Want: `{"status": "ok", "version": "devel"}`},
		{Name: "health of a version", Request: health, Status: 200, Want: `{"status": "ok", "version": "1.2.3"}`,
			Config: func(c *handlers.Config) { c.Version = "1.2.3" }},
	}
}

// TestIndex checks that GET / links to every resource that has an address without parameters, and
// that every link works.
func TestIndex(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var links map[string]string
	w.Get(t, "/").Decode(t, &links)
	linked := slices.Sorted(maps.Values(links))
	want := []string{"/admin", "/docs/", "/openapi.json"}
	for path, item := range serviceDocument().Paths.Map() {
		if item.Get != nil && !strings.Contains(path, "{") {
			want = append(want, path)
		}
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, linked); diff != "" {
		t.Errorf("GET / links, -want +got:\n%s", diff)
	}
	for _, path := range linked {
		if a := w.Do(t, request{Method: "HEAD", Path: path, Header: demoKey}); a.Status != 200 {
			t.Errorf("HEAD %s = %d", path, a.Status)
		}
	}
}
