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
)

// uiPath is where Swagger UI lives.
const uiPath = "/docs/"

// policy is the page's Content-Security-Policy: nothing of another host, and no script in
// the page. Swagger UI writes styles into its elements, and has icons in its own.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Pages returns the rows of the route table that serve the documents and Swagger UI.
// The documents say which of service and control plane wants a key.
func Pages(serviceKeyed, adminKeyed bool) []rest.Operation {
	service, admin := Service(), Admin()
	row := func(path string, handle rest.Handler) rest.Operation {
		return rest.Operation{Method: http.MethodGet, Path: path, Kind: rest.Page, Handle: handle}
	}
	return []rest.Operation{
		row("/openapi.json", serve(&kept{document: service, render: service.JSON}, serviceKeyed, "application/json")),
		row("/openapi.yaml", serve(&kept{document: service, render: service.YAML}, serviceKeyed, "application/yaml")), // RFC 9512
		row("/admin/openapi.json", serve(&kept{document: admin, render: admin.JSON}, adminKeyed, "application/json")),
		row("/admin/openapi.yaml", serve(&kept{document: admin, render: admin.YAML}, adminKeyed, "application/yaml")),
		row("/docs", func(x *rest.Exchange) error {
			x.SetHeader("Location", x.URL(uiPath))
			x.W.WriteHeader(http.StatusPermanentRedirect)
			return nil
		}),
		row(uiPath+"{file:.*}", swaggerUI()),
	}
}

// serve answers a document as it is for the request's address and sandbox.
func serve(document *kept, keyed bool, contentType string) rest.Handler {
	one := make(chan struct{}, 1) // at a time: to make a document takes many times the memory that it has
	turn := func(client context.Context, now Now) ([]byte, error) {
		select {
		case one <- struct{}{}: // a free turn is taken, whoever asks
		default:
			select {
			case one <- struct{}{}:
			case <-client.Done(): // who has gone keeps nobody waiting
				return nil, client.Err()
			}
		}
		defer func() { <-one }()
		return document.get(now)
	}
	return func(x *rest.Exchange) error {
		body, err := turn(x.R.Context(), Now{Server: address(x), Lifecycle: x.Sandbox.Lifecycles.Current, Keyed: keyed, Private: x.Sandbox.Private()})
		if err != nil {
			return err
		}
		return x.Document(contentType, body)
	}
}

// address returns that of the sandbox of the request, also where a header names it: a client
// that is made from the document has the address alone.
func address(x *rest.Exchange) string {
	if name := x.Sandbox.Name; x.Prefix == "" && name != sandbox.Default {
		return x.BaseOf(name)
	}
	return x.Base()
}

// fileBytes is the memory that a file of Swagger UI takes while it is sent: a decompressor's,
// and a buffer's.
const fileBytes = 96 << 10

// swaggerUI serves the page and its files, which are embedded. Addresses in the
// page are relative, so that it works behind any prefix.
func swaggerUI() rest.Handler {
	// Made when the first file is asked for: it reads all files, and the program
	// is to start in milliseconds.
	files := sync.OnceValue(func() http.Handler { return statigz.FileServer(static.FS) })
	return func(x *rest.Exchange) error {
		file := x.Params["file"]
		switch body, contentType := own(file); {
		case contentType != "":
			x.SetHeader("Content-Security-Policy", policy)
			x.SetHeader("Referrer-Policy", "no-referrer")
			return x.File(contentType, body)
		case !embedded(file):
			return x.NoRoute("", "")
		default:
			if err := x.Hold(fileBytes); err != nil {
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

// contentTypes are those of the page's own files, by what their names end in.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
}

// own returns a file that is ours, and not Swagger UI's, with its content type; empty
// where it is not. The page itself has no name.
func own(file string) (body []byte, contentType string) {
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

// embedded reports whether Swagger UI has the file, plain or compressed.
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
