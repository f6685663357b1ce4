package handlers

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gorilla/mux"

	"example.com/petstore/handlers/rest"
)

// router finds the operation of a request as gorilla/mux would, but with less work. It looks up a
// path without parameters in a map, and compares the segments of other paths itself. It uses mux
// only for paths in which a parameter has its own pattern. It compares the method itself, because
// the 405 of mux has neither an Allow header nor a body.
type router struct {
	endpoints map[string]*endpoint   // all endpoints, by path
	branches  map[string][]*endpoint // endpoints with parameters, by first segment, in table order
	unmatched rest.Handler           // handles requests without an operation
	templates []string               // the paths that can be suggested; those with fewer parameters come first
}

// endpoint is a path and its operations.
type endpoint struct {
	segments []string   // the segments of the path
	pattern  *mux.Route // matches paths; nil unless a parameter of the path has its own pattern
	methods  map[string]*rest.Operation
	allow    string
}

func newRouter(table []rest.Operation) *router {
	r := &router{
		endpoints: make(map[string]*endpoint),
		branches:  make(map[string][]*endpoint),
	}
	for i := range table {
		op := &table[i]
		// List each path once. Leave out page files: they match every name, so suggesting one would
		// not help.
		if e := r.add(op); e.pattern == nil && len(e.methods) == 1 {
			r.templates = append(r.templates, op.Path)
		}
		if op.TakesFaults() && !op.Stream { // the control plane has its own event stream, with more events
			r.add(op.AsData())
		}
	}
	for _, e := range r.endpoints {
		if read := e.methods[http.MethodGet]; read != nil {
			e.methods[http.MethodHead] = read
		}
		allow := slices.AppendSeq([]string{http.MethodOptions}, maps.Keys(e.methods))
		slices.Sort(allow)
		e.allow = strings.Join(allow, ", ")
	}
	slices.SortStableFunc(r.templates, func(a, b string) int { return strings.Count(a, "{") - strings.Count(b, "{") })
	return r
}

// add adds an operation and, if it is the first for its path, an endpoint.
func (r *router) add(op *rest.Operation) *endpoint {
	e := r.endpoints[op.Path]
	if e == nil {
		e = &endpoint{segments: strings.Split(op.Path, "/"), methods: make(map[string]*rest.Operation)}
		r.endpoints[op.Path] = e
		if strings.Contains(op.Path, ":") {
			e.pattern = mux.NewRouter().Path(op.Path)
		}
		if first := firstSegment(op.Path); strings.Contains(op.Path, "{") {
			r.branches[first] = append(r.branches[first], e)
		}
	}
	e.methods[op.Method] = op
	return e
}

// setChains wraps every operation in the chain.
func (r *router) setChains(chain rest.Link) {
	for _, e := range r.endpoints {
		for _, op := range e.methods {
			if op.Serve == nil { // HEAD and GET share an operation, which must be wrapped once
				op.Serve = chain(op, op.Handle)
			}
		}
	}
	r.unmatched = chain(rest.Unmatched, r.handleUnmatched)
}

// handleUnmatched handles requests without an operation. It responds to OPTIONS with the methods of a
// known path, and to other requests with a 404 or a 405.
func (r *router) handleUnmatched(x *rest.Exchange) error {
	switch {
	case x.Allow == "":
		return x.NoRoute(r.guess(x.Path))
	case x.R.Method == http.MethodOptions:
		x.SetHeader("Allow", x.Allow)
		return x.NoContent()
	}
	return rest.WrongMethod(x.R.Method, x.Path, x.Allow)
}

// route sets the fields of the exchange that depend on the request's path and method. It returns
// the operation's handler, wrapped in the chain, or the handler for requests without an operation.
func (r *router) route(x *rest.Exchange) rest.Handler {
	if e, params := r.find(x.Path); e != nil {
		x.Allow, x.Params = e.allow, params
		if op := e.methods[x.R.Method]; op != nil {
			x.Operation = op
			return op.Serve
		}
	}
	return r.unmatched
}

// find returns the endpoint that matches the path, and the values of the path's parameters. The
// endpoint is nil if no endpoint matches.
func (r *router) find(path string) (*endpoint, rest.Params) {
	if e := r.endpoints[path]; e != nil && !strings.Contains(path, "{") {
		return e, nil
	}
	for _, e := range r.branches[firstSegment(path)] {
		if params := e.match(path); params != nil {
			return e, params
		}
	}
	return nil, nil
}

// match returns the values of the parameters in a path, or nil if the endpoint does not match.
func (e *endpoint) match(path string) (params rest.Params) {
	if e.pattern != nil {
		var match mux.RouteMatch
		e.pattern.Match(&http.Request{URL: &url.URL{Path: path}}, &match)
		for name, value := range match.Vars {
			params = append(params, rest.Param{Name: name, Value: rest.Segment(value)})
		}
		return params
	}
	if strings.Count(path, "/") != len(e.segments)-1 {
		return nil
	}
	for _, template := range e.segments {
		var segment string
		segment, path, _ = strings.Cut(path, "/")
		switch {
		case isParameter(template) && segment != "":
			params = append(params, rest.Param{Name: template[1 : len(template)-1], Value: rest.Segment(segment)})
		case template != segment:
			return nil
		}
	}
	return params
}

func firstSegment(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return first
}

func isParameter(segment string) bool { return strings.HasPrefix(segment, "{") }
