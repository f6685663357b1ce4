package pages_test

import (
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
	"example.com/petstore/handlers/internal/contracttest"
)

func TestMain(m *testing.M) {
	contracttest.Main(browsertest.Closing(m, "TestEachPage"))
}

// Short names for types of the test harness.
type (
	request = contracttest.Request
	world   = contracttest.World
	page    = browsertest.Page
)

var newWorld = contracttest.NewWorld

// show opens the dashboard of a world at an address relative to the world's URL.
func show(t *testing.T, w *world, address string) *page {
	t.Helper()
	p := browsertest.Open(t, w.URL+address)
	p.WaitText(".live", "live")
	return p
}
