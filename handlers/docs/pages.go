package docs

import (
	"embed"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"

	"github.com/swaggest/swgui/v5/static"
	"github.com/vearutop/statigz"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/memory"
)

// uiPath is the path of Swagger UI.
const uiPath = "/docs/"

// policy is the page's Content-Security-Policy. It allows no content from other hosts. It allows no
// inline content except images, such as a portrait in a response.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Pages returns the operations that serve the documents and Swagger UI, for the route table.
// serviceKeyed and adminKeyed report whether the service and the control plane require a key.
func Pages(serviceKeyed, adminKeyed bool) []rest.Operation {
	row := func(path string, handle rest.Handler) rest.Operation {
		return rest.Operation{Method: http.MethodGet, Path: path, Kind: rest.Page, Handle: handle}
	}
	return []rest.Operation{
		row("/openapi.json", serve(service, (*Document).JSON, serviceKeyed, "application/json")),
		row("/openapi.yaml", serve(service, (*Document).YAML, serviceKeyed, "application/yaml")), // RFC 9512
		row("/admin/openapi.json", serve(admin, (*Document).JSON, adminKeyed, "application/json")),
		row("/admin/openapi.yaml", serve(admin, (*Document).YAML, adminKeyed, "application/yaml")),
		row("/docs/petstore.http", serve(service, (*Document).HTTP, serviceKeyed, "text/plain; charset=utf-8")),
		row("/docs/petstore-bruno.zip", serve(service, (*Document).Bruno, serviceKeyed, "application/zip")),
		row("/docs", func(x *rest.Exchange) error {
			x.SetHeader("Location", x.URL(uiPath))
			x.W.WriteHeader(http.StatusPermanentRedirect)
			return nil
		}),
		row(uiPath+"{file:.*}", swaggerUI()),
	}
}

// serve returns a handler that serves a document rendered for the request's base URL and sandbox.
func serve(d *Document, render func(*Document, Now) []byte, keyed bool, contentType string) rest.Handler {
	rendered := &cache{document: d, render: render}
	return func(x *rest.Exchange) error {
		body, err := rendered.get(x.R.Context(), Now{
			Server: address(x), Lifecycle: x.Sandbox.Lifecycles.Current, Keyed: keyed, Private: x.Sandbox.Private(),
		})
		if err != nil {
			return err
		}
		return x.Document(contentType, body)
	}
}

// address returns the base URL of the request's sandbox. The URL contains the sandbox's name even
// if a header named the sandbox, because a client generated from the document knows only this URL.
func address(x *rest.Exchange) string {
	if name := x.Sandbox.Name; x.Prefix == "" && name != sandbox.Default {
		return x.BaseOf(name)
	}
	return x.Base()
}

// swaggerUI returns a handler for the page and the embedded files of Swagger UI. The URLs in the
// page are relative, so that the page works behind any path prefix.
func swaggerUI() rest.Handler {
	// The file server reads all files when it is created. It is created for the first request,
	// because the program must start within milliseconds.
	files := sync.OnceValue(func() http.Handler { return statigz.FileServer(static.FS) })
	return func(x *rest.Exchange) error {
		file := x.Params.Get("file")
		switch body, contentType := ownFile(file); {
		case contentType != "":
			x.SetHeader("Content-Security-Policy", policy)
			x.SetHeader("Referrer-Policy", "no-referrer")
			return x.File(contentType, body)
		case !embedded(file):
			return x.NoRoute("", "")
		default:
			if err := x.Hold(memory.File); err != nil {
				return err
			}
			r := *x.R
			r.URL = &url.URL{Path: "/" + file}
			files().ServeHTTP(x.W, &r)
			return nil
		}
	}
}

//go:embed page
var page embed.FS

// contentTypes are the media types of this package's files, by file extension.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
}

// ownFile returns a file of this package and its media type. For any other file, the media type is
// "". The name of the page itself is "".
func ownFile(file string) (body []byte, contentType string) {
	if strings.HasSuffix(file, ".html") {
		return nil, ""
	}
	if file == "" {
		file = "index.html"
	}
	body, err := page.ReadFile(path.Join("page", file))
	if err != nil || file != path.Clean(file) {
		return nil, ""
	}
	return body, contentTypes[path.Ext(file)]
}

// embedded reports whether Swagger UI contains the file, compressed or not.
func embedded(file string) bool {
	if strings.HasSuffix(file, "/") || strings.HasSuffix(file, ".gz") || strings.HasSuffix(file, ".go") {
		return false
	}
	for _, name := range []string{file, file + ".gz"} {
		if info, err := fs.Stat(static.FS, name); err == nil && !info.IsDir() {
			return true
		}
	}
	return false
}
