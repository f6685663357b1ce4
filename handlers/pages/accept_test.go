package pages_test

import (
	"net/http"
	"testing"

	"example.com/petstore/handlers/pages"
)

func TestWanted(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]bool{
		"":                 false,
		"*/*":              false,
		"application/json": false,
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": true,
		"TEXT/HTML":                               true,
		"text/html;q=0.5, application/json":       false,
		"text/html, application/json":             true,
		"text/html;q=0.9, application/json;q=0.5": true,
		"text/html;q=0":                           false,
		"text/html;q=x":                           false,
		"text/*":                                  false,
		";;;,text/html":                           true,
	} {
		r := &http.Request{Header: http.Header{"Accept": {accept}}}
		if got := pages.Wanted(r); got != want {
			t.Errorf("Wanted with Accept: %s = %v, want %v", accept, got, want)
		}
	}
	if pages.Wanted(&http.Request{Header: http.Header{"Accept": {"application/json;q=0.1", "text/html"}}}) != true {
		t.Error("a second Accept is not read")
	}
}
