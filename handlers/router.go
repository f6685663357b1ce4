package handlers

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/gorilla/mux"

	"example.com/petstore/handlers/rest"
)

// router finds the operation of a request. gorilla/mux matches the path. The method is looked up
// afterwards, because mux's 405 has neither Allow nor a body, and mux's middleware does not run for
// it.
//
// mux tries one regular expression per route. To avoid most of them, paths without parameters are
// in a map, and a path with parameters is tried only if its first segment is that of the request.
type router struct {
	endpoints map[string]*endpoint // by path
	static    map[string]*endpoint // those without parameters, by path
	branches  map[string]*branch   // those with parameters, by their first segment
	templates [][]string           // the segments of each path that may be suggested, paths with fewer parameters first
}

// branch holds the paths with a common first segment. Their regular expressions are compiled on
// first use, because that takes longer than the rest of [New].
type branch struct {
	endpoints map[string]*endpoint // by path
	order     []string
	compiled  func() *mux.Router
}

// endpoint is a path and its operations.
type endpoint struct {
	methods map[string]*rest.Operation
	allow   string
	data    *endpoint // the same path below [rest.DataPath] in the control plane, or nil
}

func newRouter(table []rest.Operation) *router {
	// Matched by hand, because mux's ServeHTTP redirects odd paths, and clients repeat the
	// redirected request as GET.
	r := &router{
		endpoints: make(map[string]*endpoint),
		static:    make(map[string]*endpoint),
		branches:  make(map[string]*branch),
	}
	for i := range table {
		op := &table[i]
		e := r.endpoints[op.Path]
		if e == nil {
			e = &endpoint{methods: make(map[string]*rest.Operation)}
			r.endpoints[op.Path] = e
			r.add(op.Path, e)
			if op.Kind != rest.Page || !strings.Contains(op.Path, "{") { // skip page files: their wildcard matches every name
				r.templates = append(r.templates, segments(op.Path))
			}
		}
		e.methods[op.Method] = op
		if op.Method == http.MethodGet {
			e.methods[http.MethodHead] = op
		}
	}
	for _, e := range r.endpoints {
		e.complete()
	}
	slices.SortStableFunc(r.templates, func(a, b []string) int { return parameters(a) - parameters(b) })
	return r
}

// complete derives the other fields of an endpoint from its methods.
func (e *endpoint) complete() {
	allow := []string{http.MethodOptions}
	data := make(map[string]*rest.Operation)
	for method, op := range e.methods {
		allow = append(allow, method)
		if op.TakesFaults() && !op.Stream { // an event stream of the control plane has more events
			data[method] = op.AsData()
		}
	}
	slices.Sort(allow)
	e.allow = strings.Join(allow, ", ")
	if len(data) > 0 {
		e.data = &endpoint{methods: data, allow: e.allow}
	}
}

func (r *router) add(path string, e *endpoint) {
	if !strings.Contains(path, "{") {
		r.static[path] = e
		return
	}
	first := firstSegment(path)
	b := r.branches[first]
	if b == nil {
		b = &branch{endpoints: make(map[string]*endpoint)}
		b.compiled = sync.OnceValue(b.compile)
		r.branches[first] = b
	}
	b.endpoints[path] = e
	b.order = append(b.order, path)
}

func (b *branch) compile() *mux.Router {
	m := mux.NewRouter()
	for _, path := range b.order {
		m.Path(path).Name(path)
	}
	return m
}

// setChains wraps every operation in the chain. It returns the chain of requests without an
// operation.
func (r *router) setChains(chain rest.Link) (unmatched rest.Handler) {
	for _, e := range r.endpoints {
		for ; e != nil; e = e.data {
			for _, op := range e.methods {
				if op.Serve == nil { // HEAD has the operation of GET
					op.Serve = chain(op, op.Handle)
				}
			}
		}
	}
	return chain(nil, nil)
}

// route sets the fields of the exchange that depend on its path and method.
func (r *router) route(x *rest.Exchange) {
	path := x.Path
	behind, mounted := behindData(path)
	if mounted {
		path = behind
	}
	e, params := r.find(x.R, path)
	if e != nil && mounted {
		e = e.data
	}
	if e == nil {
		return
	}
	x.Allow, x.Params, x.Operation = e.allow, params, e.methods[x.R.Method]
}

// behindData returns the path of the service in a path below [rest.DataPath], and whether there is
// one.
func behindData(path string) (behind string, ok bool) {
	behind, ok = strings.CutPrefix(path, rest.DataPath)
	return behind, ok && strings.HasPrefix(behind, "/")
}

// find returns the endpoint of a path, or nil, and the values of the path's parameters.
func (r *router) find(request *http.Request, path string) (*endpoint, map[string]string) {
	if e := r.static[path]; e != nil {
		return e, nil
	}
	b := r.branches[firstSegment(path)]
	if b == nil {
		return nil, nil
	}
	if path != request.URL.Path {
		request = &http.Request{Method: request.Method, URL: &url.URL{Path: path}}
	}
	var match mux.RouteMatch
	if !b.compiled().Match(request, &match) {
		return nil, nil
	}
	for name, segment := range match.Vars {
		if strings.Contains(segment, "%") {
			match.Vars[name] = rest.Segment(segment)
		}
	}
	return b.endpoints[match.Route.GetName()], match.Vars
}

func firstSegment(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return first
}
