package pages_test

import (
	"testing"

	"example.com/petstore/handlers/internal/contracttest"
)

// TestMarkIsNotJournaled serves the mark to browsers, which request it for every address that they
// open, and keeps those requests out of the journal.
func TestMarkIsNotJournaled(t *testing.T) {
	t.Parallel()
	w := contracttest.New(t)
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
