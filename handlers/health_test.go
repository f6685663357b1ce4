package handlers_test

import (
	"testing"

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

// TestIndex follows every link of GET /: each must lead somewhere.
func TestIndex(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var links map[string]string
	w.get(t, "/").decode(t, &links)
	if len(links) < 9 {
		t.Errorf("GET / = %v, want a link to each part", links)
	}
	for name, path := range links {
		if a := w.do(t, request{method: "GET", path: path, header: demoKey}); a.status != 200 {
			t.Errorf("%s: GET %s = %d", name, path, a.status)
		}
	}
}
