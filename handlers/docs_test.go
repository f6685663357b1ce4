package handlers_test

import (
	"net/http"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// TestSwaggerUI loads the page as a browser does, with all that it refers to.
func TestSwaggerUI(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	page := w.must(t, request{method: "GET", path: "/docs/"})
	if contentType := page.header.Get("Content-Type"); !strings.HasPrefix(contentType, "text/html") {
		t.Errorf("Content-Type = %q", contentType)
	}
	types := map[string]string{".css": "text/css", ".js": "application/javascript", ".png": "image/png"}
	links := regexp.MustCompile(`(?:src|href)="([^"#]+)"`).FindAllStringSubmatch(string(page.body), -1)
	if len(links) < 4 {
		t.Errorf("the page refers to %q alone", links)
	}
	for _, link := range links {
		if strings.Contains(link[1], "//") || strings.HasPrefix(link[1], "/") {
			t.Errorf("the page refers to %s, which is another host or leaves the sandbox", link[1])
			continue
		}
		asset := w.must(t, request{method: "GET", path: path.Join("/docs", link[1]), header: http.Header{"Accept-Encoding": {"gzip"}}})
		if want := types[path.Ext(link[1])]; !strings.HasPrefix(asset.header.Get("Content-Type"), want) {
			t.Errorf("Content-Type of %s = %q, want %s", link[1], asset.header.Get("Content-Type"), want)
		}
		if len(asset.body) < 100 {
			t.Errorf("%s has %d bytes", link[1], len(asset.body))
		}
	}
	for _, document := range []string{"../openapi.json", "../admin/openapi.json"} {
		if !strings.Contains(string(page.body), document) {
			t.Errorf("the page does not offer %s", document)
		}
		w.must(t, request{method: "GET", path: path.Join("/docs", document)})
	}
}

func TestDocsAddresses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	redirect := w.get(t, "/docs")
	redirect.expect(t, 308, "")
	redirect.expectHeader(t, "Location", "/docs/")
	for _, missing := range []string{
		"/docs/none.js", "/docs/swagger-ui", "/docs/a/b", "/docs/a/", "/docs//", "/docs/../pets", "/docs/..%2fopenapi.yaml", "/docs/%00", "/docs/.",
		"/docs/swagger-ui.css/",
	} {
		w.get(t, missing).expect(t, 404, "not_found")
	}
	w.do(t, request{method: "POST", path: "/docs/"}).expect(t, 405, "method_not_allowed")
}

// TestDocumentNamesTheServerThatWasAsked wants tools that read the document to
// speak to the address that it came from.
func TestDocumentNamesTheServerThatWasAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, host := range []string{"localhost:1234", "petstore.example", "[::1]:80"} {
		served, err := openapi3.NewLoader().LoadFromData(w.do(t, request{method: "GET", path: "/openapi.json", header: http.Header{"Host": {host}}}).body)
		if err != nil {
			t.Fatal(err)
		}
		if len(served.Servers) != 1 || served.Servers[0].URL != "http://"+host {
			t.Errorf("servers = %v, want http://%s", served.Servers[0], host)
		}
	}
}
