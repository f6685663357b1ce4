package pages

import (
	"cmp"
	"embed"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"

	"example.com/petstore/handlers/rest"
)

//go:embed shell dashboard workshop library
var files embed.FS

// filesPath is the URL path below which the pages' files are served.
const filesPath = "/pages/"

// Policy is the Content-Security-Policy of every page. It forbids inline scripts and styles,
// requests to other hosts, and assigning strings as HTML.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; " +
	"font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types 'none'"

// contentTypes maps the extensions of files to their media types. Files with other extensions are
// not served under filesPath.
var contentTypes = map[string]string{
	".css":   "text/css; charset=utf-8",
	".js":    "text/javascript; charset=utf-8",
	".svg":   "image/svg+xml",
	".woff2": "font/woff2",
}

// Operations returns the operations that serve the pages and their files. workshop means that the
// server runs a workshop. index serves / to clients that prefer JSON to a page.
func Operations(workshop bool, index rest.Handler) []rest.Operation {
	row := func(path, vary string, handle rest.Handler) rest.Operation {
		return rest.Operation{Method: http.MethodGet, Path: path, Kind: rest.Page, Vary: vary, Handle: handle}
	}
	join := row("/join", "", page("workshop/join.html"))
	wall := row("/workshop", "", page("workshop/wall.html"))
	if !workshop {
		join, wall = row("/join", "Accept", noWorkshop), row("/workshop", "Accept", noWorkshop)
	}
	return []rest.Operation{
		join, wall,
		{Method: http.MethodPost, Path: filesPath + "qr", Kind: rest.Page, Frees: true, Handle: drawQR},
		row("/", "Accept", dashboardOr(index)),
		row(filesPath+"{file:.*}", "", serveFile),
		row("/icon.svg", "", serveMark),
		row("/favicon.ico", "", serveMark), // browsers request it, for example when they show a JSON document
	}
}

func serveMark(x *rest.Exchange) error { return x.File(contentTypes[".svg"], read("shell/icon.svg")) }

func serveFile(x *rest.Exchange) error {
	name, versioned := strings.CutPrefix(x.Params.Get("file"), version()+"/")
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

// dashboardOr returns a handler that serves the dashboard to browsers, and calls index for other
// clients. The URLs in the dashboard are relative to a path that ends in a slash. If the path lacks
// the slash, the handler therefore redirects browsers.
func dashboardOr(index rest.Handler) rest.Handler {
	dashboard := page("dashboard/index.html")
	return func(x *rest.Exchange) error {
		switch {
		case !Wanted(x.R):
			return index(x)
		case !strings.HasSuffix(x.R.URL.Path, "/"):
			return toSlash(x)
		}
		return dashboard(x)
	}
}

// page returns a handler that serves the page with the given file name. If the page has views, the
// query chooses one.
func page(name string) rest.Handler {
	return func(x *rest.Exchange) error {
		SetHeaders(x)
		pages := rendered()
		body := pages[name+"?view="+x.R.URL.Query().Get("view")]
		if body == nil {
			body = pages[name]
		}
		return x.File("text/html; charset=utf-8", body)
	}
}

// SetHeaders sets the headers that every page has.
func SetHeaders(x *rest.Exchange) {
	x.SetHeader("Content-Security-Policy", Policy)
	x.SetHeader("Referrer-Policy", "no-referrer")
	if x.IsTrustworthy() { // otherwise browsers ignore the header and log a warning (HTML, section 7.1.3)
		x.SetHeader("Cross-Origin-Opener-Policy", "same-origin")
	}
}

// toSlash redirects to the request's path with a trailing slash. The Location is relative, because
// a proxy may have removed a path prefix.
func toSlash(x *rest.Exchange) error {
	// Without the prefix ./, browsers would read a name with a colon as a URL with a scheme.
	to := "./" + path.Base(x.R.URL.EscapedPath()) + "/"
	if x.R.URL.RawQuery != "" {
		to += "?" + x.R.URL.RawQuery
	}
	x.SetHeader("Location", to)
	x.W.WriteHeader(http.StatusPermanentRedirect)
	return nil
}

// Wanted reports whether the request prefers a page to JSON (RFC 9110, section 12.5.1). This is
// true if the Accept header gives text/html a weight that is greater than 0 and not less than the
// weight of application/json. A client that accepts only */* gets JSON.
func Wanted(r *http.Request) bool {
	weights := make(map[string]float64)
	for part := range strings.SplitSeq(strings.Join(r.Header["Accept"], ","), ",") {
		if name, parameters, err := mime.ParseMediaType(part); err == nil {
			weights[name], _ = strconv.ParseFloat(cmp.Or(parameters["q"], "1"), 64) // 0 if it is malformed
		}
	}
	return weights["text/html"] > 0 && weights["text/html"] >= weights["application/json"]
}
