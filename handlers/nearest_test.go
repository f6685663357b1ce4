package handlers_test

import (
	"testing"

	"example.com/petstore/handlers"
)

// TestNearestPathNeedsNoParameter checks that a path without parameters is preferred, because it
// can be requested as it is.
func TestNearestPathNeedsNoParameter(t *testing.T) {
	t.Parallel()
	for _, paths := range [][]string{{"/pets/{petId}/orders", "/store/orders"},
		{"/store/orders", "/pets/{petId}/orders"}} {
		if got := handlers.Nearest("/orders", paths...); got != "/store/orders" {
			t.Errorf("of %q, %q is nearest to /orders", paths, got)
		}
	}
	if got := handlers.Nearest("/photo", "/pets", "/pets/{petId}/photo"); got != "/pets/{petId}/photo" {
		t.Errorf("%q is nearest to /photo", got)
	}
}
