package rest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/petstore/store"
)

// TestLinksRepeatQueriesUpToABound holds the longest query that links repeat.
func TestLinksRepeatQueriesUpToABound(t *testing.T) {
	t.Parallel()
	for length, linked := range map[int]bool{maxLinkedQuery - 1: true, maxLinkedQuery: true, maxLinkedQuery + 1: false} {
		query := "name=" + strings.Repeat("x", length-len("name="))
		recorder := httptest.NewRecorder()
		x := NewExchange(new(Server), recorder, httptest.NewRequest(http.MethodGet, "/pets?"+query, nil))
		if err := List(x, store.Page[store.Pet]{Items: []store.Pet{}}, store.Paging{Limit: DefaultLimit}); err != nil {
			t.Fatal(err)
		}
		links := recorder.Header()["Link"]
		if got := len(links) == 1 && strings.Contains(links[0], query); got != linked {
			t.Errorf("links that repeat a query of %d bytes: %t, want %t", length, got, linked)
		}
	}
}
