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

// filesPath is the path of the pages' files.
const filesPath = "/pages/"

// Policy is the Content-Security-Policy of every page: nothing inline, nothing from other hosts,
// and no text that becomes markup.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// contentTypes are the media types of served files, by extension. Other files are not served by
// name.
var contentTypes = map[string]string{
	".css":   "text/css; charset=utf-8",
	".js":    "text/javascript; charset=utf-8",
	".svg":   "image/svg+xml",
	".woff2": "font/woff2",
}

// Operations returns the operations that serve the pages and their files, for the route table.
// workshop reports whether the server runs a workshop, and index serves / to clients that want no
// page.
func Operations(workshop bool, index rest.Handler) []rest.Operation {
	row := func(path string, handle rest.Handler) rest.Operation {
		return rest.Operation{Method: http.MethodGet, Path: path, Kind: rest.Page, Handle: handle}
	}
	return append(workshopOperations(workshop),
		rest.Operation{Method: http.MethodGet, Path: "/", Kind: rest.Page, Vary: "Accept", Handle: dashboardOr(index)},
		row(filesPath+"{file:.*}", serveFile),
		row("/icon.svg", serveMark),
		row("/favicon.ico", serveMark), // which browsers request for addresses that are not pages
	)
}

// serveMark serves the mark of the store.
func serveMark(x *rest.Exchange) error {
	body, err := files.ReadFile("shell/icon.svg")
	if err != nil {
		return err
	}
	return x.File(contentTypes[".svg"], body)
}

func serveFile(x *rest.Exchange) error {
	name, versioned := strings.CutPrefix(x.Params["file"], version()+"/")
	contentType := contentTypes[path.Ext(name)]
	body, err := fs.ReadFile(files, name)
	if contentType == "" || err != nil {
		return x.NoRoute("", "")
	}
	if versioned {
		x.SetHeader("Cache-Control", forever)
	}
	return x.File(contentType, body)
}

// dashboardOr serves the dashboard to browsers. Its URLs are relative to a path that ends in a
// slash, so it redirects other paths to that.
func dashboardOr(index rest.Handler) rest.Handler {
	return func(x *rest.Exchange) error {
		switch {
		case !Wanted(x.R):
			return index(x)
		case !strings.HasSuffix(x.R.URL.Path, "/"):
			return toSlash(x)
		}
		return serve(x, "dashboard/index.html")
	}
}

// serve serves the page whose HTML is in the named file.
func serve(x *rest.Exchange, name string) error {
	SetHeaders(x)
	pages := rendered()
	body := pages[name+"?view="+x.R.URL.Query().Get("view")]
	if body == nil {
		body = pages[name]
	}
	return x.File("text/html; charset=utf-8", body)
}

// SetHeaders sets the headers of every page.
func SetHeaders(x *rest.Exchange) {
	x.SetHeader("Content-Security-Policy", Policy)
	x.SetHeader("Referrer-Policy", "no-referrer")
	if x.IsTrustworthy() { // elsewhere browsers ignore it with a warning (HTML, section 7.1.3)
		x.SetHeader("Cross-Origin-Opener-Policy", "same-origin")
	}
}

// toSlash redirects to the request's path with a final slash. The Location is relative, because a
// proxy may have removed a prefix.
func toSlash(x *rest.Exchange) error {
	to := "./" + path.Base(x.R.URL.EscapedPath()) + "/" // the dot is needed if the name has a colon
	if x.R.URL.RawQuery != "" {
		to += "?" + x.R.URL.RawQuery
	}
	x.SetHeader("Location", to)
	x.W.WriteHeader(http.StatusPermanentRedirect)
	return nil
}
