package pages

import (
	"embed"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"example.com/petstore/handlers/rest"
)

//go:embed shell dashboard workshop library
var files embed.FS

// filesPath is where the files of all pages are.
const filesPath = "/pages/"

// Policy is the Content-Security-Policy of every page: nothing inline, nothing of another
// host, and no text that becomes markup.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// contentTypes are those of the files that are served, by what their names end in.
// Others are not served by name.
var contentTypes = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
}

// Operations returns the rows of the route table that serve the files of pages. workshop is
// whether the server runs a workshop.
func Operations(workshop bool) []rest.Operation {
	return append(workshopOperations(workshop), rest.Operation{Method: http.MethodGet, Path: filesPath + "{file:.*}", Kind: rest.Page, Handle: serveFile})
}

func serveFile(x *rest.Exchange) error {
	name := x.Params["file"]
	contentType := contentTypes[path.Ext(name)]
	body, err := fs.ReadFile(files, name)
	if contentType == "" || err != nil {
		return x.NoRoute("", "")
	}
	return x.File(contentType, body)
}

// Dashboard answers the page at /.
func Dashboard(x *rest.Exchange) error { return Serve(x, "dashboard/index.html") }

// Serve answers the page whose HTML is the file of the name. Its addresses are relative to
// a path that ends in a slash; one that does not is redirected there.
func Serve(x *rest.Exchange, name string) error {
	if !strings.HasSuffix(x.R.URL.Path, "/") {
		return toSlash(x)
	}
	return serve(x, name)
}

// serve answers the page whose HTML is the file of the name.
func serve(x *rest.Exchange, name string) error {
	body, err := files.ReadFile(name)
	if err != nil {
		return err
	}
	SetHeaders(x)
	return x.File("text/html; charset=utf-8", body)
}

// SetHeaders sets what the answer of every page says besides its content.
func SetHeaders(x *rest.Exchange) {
	x.SetHeader("Content-Security-Policy", Policy)
	x.SetHeader("Referrer-Policy", "no-referrer")
	if x.IsTrustworthy() { // elsewhere a browser ignores it, and warns (HTML, section 7.1.3)
		x.SetHeader("Cross-Origin-Opener-Policy", "same-origin")
	}
}

// toSlash redirects to the path of the request with a slash at its end. The address is
// relative, since a proxy may have taken a prefix off.
func toSlash(x *rest.Exchange) error {
	to := "./" + path.Base(x.R.URL.EscapedPath()) + "/" // the dot: a name can have a colon
	if x.R.URL.RawQuery != "" {
		to += "?" + x.R.URL.RawQuery
	}
	x.SetHeader("Location", to)
	x.W.WriteHeader(http.StatusPermanentRedirect)
	return nil
}
