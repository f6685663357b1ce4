package pages_test

import (
	"fmt"
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
	"example.com/petstore/handlers/internal/contracttest"
)

func TestMain(m *testing.M) {
	contracttest.Main(browsertest.Closing(m, "TestEachPage"))
}

// Short names for types of the test harness.
type (
	world = contracttest.World
	page  = browsertest.Page
)

var newWorld = contracttest.NewWorld

// show opens the dashboard of a world at an address relative to the world's URL.
func show(t *testing.T, w *world, address string) *page {
	t.Helper()
	p := browsertest.Open(t, w.URL+address)
	p.WaitText(".live", "live")
	return p
}

// newPage starts a server and shows its dashboard at the address.
func newPage(t *testing.T, address string) (*world, *page) {
	t.Helper()
	w := newWorld(t)
	return w, show(t, w, address)
}

// hold delays the next response to such a request until the test calls window.arrive, which is set once the
// server has responded.
func hold(p *page, method, path string) {
	browsertest.Eval[any](p, fmt.Sprintf(`void (() => {
		const {fetch} = window
		window.arrive = undefined
		window.fetch = async (to, init) => {
			const held = init.method === %q && String(to).endsWith(%q)
			if (held) window.fetch = fetch
			const response = await fetch(to, init)
			if (held) await new Promise((done) => { window.arrive = done })
			return response
		}
	})()`, method, path))
}
