package pages_test

import (
	"testing"

	"example.com/petstore/handlers/internal/contracttest"
)

// TestMarkIsNotJournaled checks that the server serves the mark, which browsers request for every
// address that they open, and does not record those requests.
func TestMarkIsNotJournaled(t *testing.T) {
	t.Parallel()
	w := contracttest.NewWorld(t)
	for _, address := range []string{"/icon.svg", "/favicon.ico", "/sandboxes/default/favicon.ico"} {
		mark := w.Must(t, request{Method: "GET", Path: address})
		mark.ExpectHeader(t, "Content-Type", "image/svg+xml")
	}
	var journal struct{ Requests []any }
	w.Get(t, "/admin/requests").Decode(t, &journal)
	if len(journal.Requests) != 0 {
		t.Errorf("the journal has %v", journal.Requests)
	}
}
