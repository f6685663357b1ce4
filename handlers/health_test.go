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
	health := request{method: "GET", path: "/healthz"}
	return []scenario{
		{name: "health", request: health, status: 200, want: `{"status": "ok", "version": "devel"}`},
		{name: "health of a version", request: health, status: 200, want: `{"status": "ok", "version": "1.2.3"}`,
			config: func(c *handlers.Config) { c.Version = "1.2.3" }},
	}
}

// TestIndex wants GET / to link to everything that is read at an address without
// parameters, and every link to lead somewhere.
func TestIndex(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var links map[string]string
	w.get(t, "/").decode(t, &links)
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
		if a := w.do(t, request{method: "HEAD", path: path, header: demoKey}); a.status != 200 {
			t.Errorf("HEAD %s = %d", path, a.status)
		}
	}
}
