package handlers_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
)

// serviceScenarios returns the scenarios of the service's operations that no transcript has.
func serviceScenarios() []Scenario {
	return append(CommonScenarios(ServiceDocument()),
		Answered("health of a version", Get("/healthz"), 200, `{"status": "ok", "version": "1.2.3"}`).
			On(func(c *handlers.Config) { c.Version = "1.2.3" }))
}

func TestScenarios(t *testing.T) { RunScenarios(t, serviceScenarios()) }

func TestScenariosAreComplete(t *testing.T) {
	t.Parallel()
	Complete(t, ServiceDocument(), serviceScenarios(), "../testdata/transcripts")
}

func TestMain(m *testing.M) { Main(browsertest.Closing(m)) }

// TestIndex checks that GET / links to every resource that has an address without parameters, and
// that every link works.
func TestIndex(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	var links map[string]string
	w.Get(t, "/").Decode(t, &links)
	linked := slices.Sorted(maps.Values(links))
	want := []string{"/admin", "/docs/", "/openapi.json"}
	for path, item := range ServiceDocument().Paths.Map() {
		if item.Get != nil && !strings.Contains(path, "{") {
			want = append(want, path)
		}
	}
	slices.Sort(want)
	must.Equal(t, want, linked, "GET / links")
	for _, path := range linked {
		if a := w.Do(t, Request{Method: "HEAD", Path: path, Header: DemoKey}); a.Status != 200 {
			t.Errorf("HEAD %s = %d", path, a.Status)
		}
	}
}
