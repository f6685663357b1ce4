package docs_test

import (
	"encoding/json"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"go.yaml.in/yaml/v3"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
)

// TestSwaggerUI requests the page and every file that it refers to.
func TestSwaggerUI(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	page := w.Must(t, Get("/docs/"))
	if contentType := page.Header.Get("Content-Type"); !strings.HasPrefix(contentType, "text/html") {
		t.Errorf("Content-Type = %q", contentType)
	}
	types := map[string]string{".css": "text/css", ".js": "javascript", ".svg": "image/svg+xml"}
	links := regexp.MustCompile(`(?:src|href)="([^"#]+\.[a-z]+)"`).FindAllStringSubmatch(string(page.Body), -1)
	if len(links) < 4 {
		t.Errorf("the page refers to %q alone", links)
	}
	for _, link := range links {
		if strings.Contains(link[1], "//") || strings.HasPrefix(link[1], "/") {
			t.Errorf("the page refers to %s, which is another host or leaves the sandbox", link[1])
			continue
		}
		asset := w.Must(t, Get(path.Join("/docs", link[1])).With("Accept-Encoding", "gzip"))
		if want := types[path.Ext(link[1])]; !strings.Contains(asset.Header.Get("Content-Type"), want) {
			t.Errorf("Content-Type of %s = %q, want %s", link[1], asset.Header.Get("Content-Type"), want)
		}
		if len(asset.Body) < 100 {
			t.Errorf("%s has %d bytes", link[1], len(asset.Body))
		}
	}
	policy := page.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "script-src 'self';") || !strings.HasPrefix(policy, "default-src 'none';") {
		t.Errorf("Content-Security-Policy = %q", policy)
	}
}

func TestDocsAddresses(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	redirect := w.Get(t, "/docs")
	redirect.Expect(t, 308, "")
	redirect.ExpectHeader(t, "Location", "/docs/")
	for _, missing := range []string{
		"/docs/none.js", "/docs/swagger-ui", "/docs/a/b", "/docs/a/", "/docs//", "/docs/../pets",
		"/docs/..%2fopenapi.yaml", "/docs/%00", "/docs/.",
		"/docs/swagger-ui.css/", "/docs/index.html", "/docs/./docs.css", "/docs/page/docs.css",
	} {
		w.Get(t, missing).Expect(t, 404, "not_found")
	}
	w.Do(t, Post("/docs/", "")).Expect(t, 405, "method_not_allowed")
}

// TestDocumentNamesRequestedServer checks that the document names the server by the address
// of the request, so that tools send their requests there.
func TestDocumentNamesRequestedServer(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, host := range []string{"localhost:1234", "petstore.example", "[::1]:80"} {
		served := must.Get(openapi3.NewLoader().LoadFromData(w.Do(t, Get("/openapi.json").With("Host", host)).Body))(t)
		if len(served.Servers) != 1 || served.Servers[0].URL != "http://"+host {
			t.Errorf("servers = %v, want http://%s", served.Servers[0], host)
		}
	}
}

// keyedOperation is an operation of a document with its security requirements.
type keyedOperation struct {
	OperationID string `yaml:"operationId"`
	Tags        []string
	Security    []map[string][]string
}

// operationsOf returns the operations of a document, which is YAML or JSON.
func operationsOf(t *testing.T, document []byte) (all []*keyedOperation) {
	t.Helper()
	var served struct {
		Paths map[string]struct{ Get, Put, Post, Patch, Delete *keyedOperation }
	}
	read := yaml.Unmarshal
	if document[0] == '{' {
		read = json.Unmarshal
	}
	must.Succeed(t, read(document, &served))
	for _, item := range served.Paths {
		for _, op := range []*keyedOperation{item.Get, item.Put, item.Post, item.Patch, item.Delete} {
			if op != nil {
				all = append(all, op)
			}
		}
	}
	return all
}

// TestDocumentedKeys checks that the documents of a server with keys make the key
// mandatory wherever a request without it would get a 401.
func TestDocumentedKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		apiKeys          []string
		adminKey         string
		service, control bool
	}{
		{}, {apiKeys: []string{"k"}, service: true}, {adminKey: "k", control: true},
		{[]string{"k", "l"}, "m", true, true},
	} {
		w := NewWorld(t, func(config *handlers.Config) { config.APIKeys, config.AdminKey = c.apiKeys, c.adminKey })
		for path, keyed := range map[string]bool{
			"/openapi.json": c.service, "/openapi.yaml": c.service, "/admin/openapi.json": c.control,
			"/admin/openapi.yaml": c.control,
		} {
			operations := operationsOf(t, w.Must(t, Get(path)).Body)
			if len(operations) < 20 {
				t.Errorf("%s has %d operations", path, len(operations))
			}
			for _, op := range operations {
				wants := keyed || op.Tags[0] == "Messages"
				without := slices.ContainsFunc(op.Security, func(choice map[string][]string) bool {
					return len(choice) == 0
				})
				if slices.Contains([]string{"getHealth", "getDoor", "joinWorkshop"}, op.OperationID) {
					wants, without = false, len(op.Security) == 0
				}
				if without == wants {
					t.Errorf("%s with the keys %q and %q: security of %s = %v", path, c.apiKeys, c.adminKey,
						op.OperationID, op.Security)
				}
			}
		}
	}
}

// TestDocumentsNameSandbox checks that documents have the address of the sandbox, whether it is
// selected by path or by header.
func TestDocumentsNameSandbox(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, test := range []struct{ prefix, header, want string }{
		{"", "", ""}, {"", "default", ""}, {"/sandboxes/ada", "", "/sandboxes/ada"}, {"", "ada", "/sandboxes/ada"},
		{"/sandboxes/ada", "ada", "/sandboxes/ada"},
	} {
		for _, path := range []string{"/openapi.json", "/admin/openapi.json"} {
			r := Get(test.prefix + path)
			if test.header != "" {
				r.Header = http.Header{"X-Sandbox": {test.header}}
			}
			var served struct{ Servers []struct{ URL string } }
			must.Succeed(t, json.Unmarshal(w.Must(t, r).Body, &served))
			if got := served.Servers[0].URL; got != w.URL+test.want {
				t.Errorf("%s%s in %q is of %s, want %s", test.prefix, path, test.header, got, w.URL+test.want)
			}
		}
	}
}

// states are the states of the documentation page.
var states = []browsertest.State{
	{Name: "docs", Show: func(t *testing.T) *browsertest.Page { return openDocs(t, NewWorld(t), "/docs/") }},
	{Name: "docs-deprecated", Show: func(t *testing.T) *browsertest.Page {
		p := openDocs(t, NewWorld(t), "/docs/#/Pets/getPet")
		p.WaitText(".note.deprecation", "left")
		return p
	}, Look: toOpen},
	{Name: "docs-no-testing", Show: func(t *testing.T) *browsertest.Page {
		p := openDocs(t, NewWorld(t), "/docs/#/Store/listOrders")
		p.WaitText(".note", "Interactive testing is disabled")
		return p
	}, Look: toOpen},
	{Name: "docs-trying", Show: func(t *testing.T) *browsertest.Page {
		p := openDocs(t, NewWorld(t), "/docs/#/Pets/createPet")
		p.Click("button", "Execute")
		p.WaitText(".live-response", "201")
		return p
	}, Look: toOpen},
	{Name: "docs-groups", Show: func(t *testing.T) *browsertest.Page { return openDocs(t, NewWorld(t), "/docs/") },
		Look: func(p *browsertest.Page) {
			browsertest.Eval[any](p,
				`void document.querySelector("#operations-tag-Pets").scrollIntoView({behavior: "instant"})`)
		}},
	{Name: "docs-refused", Show: func(t *testing.T) *browsertest.Page {
		p := openDocs(t, NewWorld(t), "/docs/#/Pets/createPet")
		p.Allow("status of 400")
		p.Fill("textbox", "Request body", `{"name": ""}`)
		p.Click("button", "Execute")
		p.WaitText(".live-response", "400")
		return p
	}, Look: toOpen},
	{Name: "docs-all-open", Show: func(t *testing.T) *browsertest.Page {
		p := openDocs(t, NewWorld(t), "/docs/#/Pets/createPet")
		p.Wait(`(document.querySelectorAll("summary").forEach((summary) => summary.parentElement.open = true), ` +
			`document.querySelectorAll(".response .details").length > 10)`)
		return p
	}, Look: toOpen},
	{Name: "docs-admin", Show: func(t *testing.T) *browsertest.Page {
		return openDocs(t, NewWorld(t), "/docs/?document=admin")
	}},
}

// toOpen scrolls to the open operation.
func toOpen(p *browsertest.Page) {
	browsertest.Eval[any](p,
		`void document.querySelector(".opblock-body").closest(".opblock").scrollIntoView({behavior: "instant"})`)
}

// openDocs opens the documentation page and waits until it shows a document.
func openDocs(t *testing.T, w *World, path string) *browsertest.Page {
	t.Helper()
	p := browsertest.Open(t, w.URL+path)
	p.Wait(`document.querySelectorAll(".opblock").length > 10 && document.querySelector("#clock").textContent !== "…"`)
	return p
}

func TestScreenshots(t *testing.T) {
	t.Parallel()
	browsertest.Screenshots(t, states)
}

func TestAxe(t *testing.T) {
	t.Parallel()
	browsertest.Axe(t, states)
}
