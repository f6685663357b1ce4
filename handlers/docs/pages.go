package docs

import (
	"context"
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
	service, admin := Service(), Admin()
	row := func(path string, handle rest.Handler) rest.Operation {
		return rest.Operation{Method: http.MethodGet, Path: path, Kind: rest.Page, Handle: handle}
	}
	return []rest.Operation{
		row("/openapi.json", serve(&cache{document: service, render: service.JSON}, serviceKeyed, "application/json")),
		// RFC 9512.
		row("/openapi.yaml", serve(&cache{document: service, render: service.YAML}, serviceKeyed, "application/yaml")),
		row("/admin/openapi.json", serve(&cache{document: admin, render: admin.JSON}, adminKeyed, "application/json")),
		row("/admin/openapi.yaml", serve(&cache{document: admin, render: admin.YAML}, adminKeyed, "application/yaml")),
		row("/docs/petstore.http",
			serve(&cache{document: service, render: service.HTTP}, serviceKeyed, "text/plain; charset=utf-8")),
		row("/docs/petstore-bruno.zip",
			serve(&cache{document: service, render: service.Bruno}, serviceKeyed, "application/zip")),
		row("/docs", func(x *rest.Exchange) error {
			x.SetHeader("Location", x.URL(uiPath))
			x.W.WriteHeader(http.StatusPermanentRedirect)
			return nil
		}),
		row(uiPath+"{file:.*}", swaggerUI()),
	}
}

// serve returns a handler that serves a document rendered for the request's base URL and sandbox.
func serve(document *cache, keyed bool, contentType string) rest.Handler {
	// Render this document for one request at a time: rendering takes many times the memory of the
	// result, and the cache is not safe for concurrent use.
	one := make(chan struct{}, 1)
	turn := func(client context.Context, now Now) ([]byte, error) {
		select {
		case one <- struct{}{}: // take a free turn even if the client has disconnected
		default:
			select {
			case one <- struct{}{}:
			case <-client.Done():
				return nil, client.Err()
			}
		}
		defer func() { <-one }()
		return document.get(now)
	}
	return func(x *rest.Exchange) error {
		body, err := turn(x.R.Context(),
			Now{Server: address(x), Lifecycle: x.Sandbox.Lifecycles.Current, Keyed: keyed,
				Private: x.Sandbox.Private()})
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
		file := x.Params["file"]
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
