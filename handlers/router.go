package handlers

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gorilla/mux"

	"example.com/petstore/handlers/rest"
)

// router finds the operation of a request. gorilla/mux matches the path; the
// method is looked up behind it, since mux's own answer to a wrong method has
// neither Allow nor body, and its middleware does not run there.
type router struct {
	paths     *mux.Router
	endpoints map[*mux.Route]*endpoint
	templates [][]string // the segments of each path
}

// endpoint is one path with its operations.
type endpoint struct {
	methods map[string]*rest.Operation
	allow   string
}

func newRouter(table []rest.Operation) *router {
	// Matched by hand, without mux's own ServeHTTP: that redirects odd paths, which
	// clients then repeat as GET. An odd path is no path of ours.
	r := &router{paths: mux.NewRouter(), endpoints: make(map[*mux.Route]*endpoint)}
	byPath := make(map[string]*endpoint)
	for i := range table {
		op := &table[i]
		e := byPath[op.Path]
		if e == nil {
			e = &endpoint{methods: make(map[string]*rest.Operation)}
			byPath[op.Path] = e
			r.endpoints[r.paths.Path(op.Path)] = e
			r.templates = append(r.templates, segments(op.Path))
		}
		e.methods[op.Method] = op
		if op.Method == http.MethodGet {
			e.methods[http.MethodHead] = op
		}
	}
	for _, e := range byPath {
		allow := []string{http.MethodOptions}
		for method := range e.methods {
			allow = append(allow, method)
		}
		slices.Sort(allow)
		e.allow = strings.Join(allow, ", ")
	}
	return r
}

// route fills in what the exchange's path and method name.
func (r *router) route(x *rest.Exchange) {
	var match mux.RouteMatch
	request := x.R
	if x.Path != x.R.URL.Path {
		request = &http.Request{Method: x.R.Method, URL: &url.URL{Path: x.Path}}
	}
	if !r.paths.Match(request, &match) {
		return
	}
	e := r.endpoints[match.Route]
	x.Allow = e.allow
	for name, segment := range match.Vars {
		match.Vars[name] = rest.Segment(segment)
	}
	x.Params = match.Vars
	x.Operation = e.methods[x.R.Method]
}
