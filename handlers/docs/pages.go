package docs

import (
	_ "embed" // the page
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/swaggest/swgui/v5/static"
	"github.com/vearutop/statigz"

	"example.com/petstore/handlers/rest"
)

// uiPath is where Swagger UI lives.
const uiPath = "/docs/"

// Pages returns the rows of the route table that serve the documents and Swagger UI.
// The documents say which of service and control plane wants a key.
func Pages(serviceKeyed, adminKeyed bool) []rest.Operation {
	service, admin := Service(), Admin()
	page := func(path string, handle rest.Handler) rest.Operation {
		return rest.Operation{Method: http.MethodGet, Path: path, Kind: rest.Page, Handle: handle}
	}
	return []rest.Operation{
		page("/openapi.json", serve(service.JSON, serviceKeyed, "application/json")),
		page("/openapi.yaml", serve(service.YAML, serviceKeyed, "application/yaml")), // RFC 9512
		page("/admin/openapi.json", serve(admin.JSON, adminKeyed, "application/json")),
		page("/admin/openapi.yaml", serve(admin.YAML, adminKeyed, "application/yaml")),
		page("/docs", func(x *rest.Exchange) error {
			x.SetHeader("Location", x.URL(uiPath))
			x.W.WriteHeader(http.StatusPermanentRedirect)
			return nil
		}),
		page(uiPath+"{file:.*}", swaggerUI()),
	}
}

// serve answers a document as it is for the request's address and sandbox.
func serve(render func(Now) ([]byte, error), keyed bool, contentType string) rest.Handler {
	return func(x *rest.Exchange) error {
		body, err := render(Now{Server: x.Base(), Lifecycle: x.Sandbox.Lifecycles.Current, Keyed: keyed})
		if err != nil {
			return err
		}
		return x.Document(contentType, body)
	}
}

// swaggerUI serves the page and its files, which are embedded. Addresses in the
// page are relative, so that it works behind any prefix.
func swaggerUI() rest.Handler {
	// Made when the first file is asked for: it reads all files, and the program
	// is to start in milliseconds.
	files := sync.OnceValue(func() http.Handler { return statigz.FileServer(static.FS) })
	return func(x *rest.Exchange) error {
		switch file := x.Params["file"]; {
		case file == "":
			return x.Document("text/html; charset=utf-8", swaggerPage)
		case !embedded(file):
			return x.NoRoute("")
		default:
			r := *x.R
			r.URL = &url.URL{Path: "/" + file}
			files().ServeHTTP(x.W, &r)
			return nil
		}
	}
}

//go:embed swagger.html
var swaggerPage []byte

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
