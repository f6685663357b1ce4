package browsertest

import (
	"os"
	"testing"

	"example.com/petstore/handlers/internal/must"
)

// Axe fails the test if axe-core finds a violation in any state, in a wide or narrow window, in
// light or dark mode. The variable PETSTORE_AXE is the path of axe.min.js; without it, Axe skips
// the test.
func Axe(t *testing.T, states []State) {
	path := os.Getenv("PETSTORE_AXE")
	if path == "" {
		t.Skip("PETSTORE_AXE does not name axe-core's axe.min.js")
	}
	axe := must.Get(os.ReadFile(path))(t)
	eachLook(t, states, []string{"light", "dark"}, []int64{1280, 375}, func(t *testing.T, p *Page, name string) {
		for _, violation := range p.violations(string(axe)) {
			t.Errorf("%s: %s", name, violation)
		}
	})
}

// violations returns the violations that axe-core finds in the page's current state.
func (p *Page) violations(axe string) []string {
	p.t.Helper()
	if !Eval[bool](p, "!!window.axe") {
		_ = Eval[bool](p, axe+"\n;true")
	}
	return Eval[[]string](p,
		`axe.run(document, {resultTypes: ["violations"]}).then(({violations}) => violations.flatMap(
		(v) => v.nodes.map((n) => v.id + ": " + n.target.join(" ") + ": " + n.failureSummary + " " + n.html)))`)
}
