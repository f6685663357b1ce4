package handlers

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gorilla/mux"

	"example.com/petstore/handlers/rest"
)

// router finds the operation of a request as gorilla/mux would, with less work: it looks up a path
// without parameters in a map, and compares the segments of one whose parameters are whole
// segments. mux matches the other paths. The method is looked up afterwards, because mux's 405 has
// neither Allow nor a body.
type router struct {
	endpoints map[string]*endpoint   // by path
	static    map[string]*endpoint   // those without parameters, by path
	branches  map[string][]*endpoint // those with parameters, by their first segment, in the order of the table
	templates [][]string             // the segments of each path that may be suggested, paths with fewer parameters first
}

// endpoint is a path and its operations.
type endpoint struct {
	segments []string   // of the path
	pattern  *mux.Route // of a path whose parameters have patterns of their own, or nil
	methods  map[string]*rest.Operation
	allow    string
	data     *endpoint // the same path below [rest.DataPath] in the control plane, or nil
}

func newRouter(table []rest.Operation) *router {
	r := &router{
		endpoints: make(map[string]*endpoint),
		static:    make(map[string]*endpoint),
		branches:  make(map[string][]*endpoint),
	}
	for i := range table {
		op := &table[i]
		e := r.endpoints[op.Path]
		if e == nil {
			e = r.add(op.Path)
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

// add adds an endpoint without operations.
func (r *router) add(path string) *endpoint {
	e := &endpoint{segments: strings.Split(path, "/"), methods: make(map[string]*rest.Operation)}
	r.endpoints[path] = e
	if strings.Contains(path, ":") {
		e.pattern = mux.NewRouter().Path(path)
	} else { // page files match every name, which would be no suggestion
		r.templates = append(r.templates, segments(path))
	}
	if strings.Contains(path, "{") {
		first := firstSegment(path)
		r.branches[first] = append(r.branches[first], e)
	} else {
		r.static[path] = e
	}
	return e
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
	if e, params := r.find(x.Path); e != nil {
		x.Allow, x.Params, x.Operation = e.allow, params, e.methods[x.R.Method]
	}
}

// find returns the endpoint of a path, or nil, and the values of the path's parameters.
func (r *router) find(path string) (*endpoint, map[string]string) {
	if behind, ok := behindData(path); ok {
		e, params := r.findService(behind)
		if e == nil {
			return nil, nil
		}
		return e.data, params
	}
	return r.findService(path)
}

// behindData returns the path of the service in a path below [rest.DataPath], and whether there is
// one.
func behindData(path string) (behind string, ok bool) {
	behind, ok = strings.CutPrefix(path, rest.DataPath)
	return behind, ok && strings.HasPrefix(behind, "/")
}

// findService is find for a path that is not below [rest.DataPath].
func (r *router) findService(path string) (*endpoint, map[string]string) {
	if e := r.static[path]; e != nil {
		return e, nil
	}
	for _, e := range r.branches[firstSegment(path)] {
		if params := e.match(path); params != nil {
			return e, params
		}
	}
	return nil, nil
}

// match returns the values of the parameters in a path, or nil if the path is another endpoint's.
func (e *endpoint) match(path string) map[string]string {
	if e.pattern != nil {
		var match mux.RouteMatch
		e.pattern.Match(&http.Request{URL: &url.URL{Path: path}}, &match)
		for name, value := range match.Vars {
			match.Vars[name] = rest.Segment(value)
		}
		return match.Vars
	}
	if strings.Count(path, "/") != len(e.segments)-1 {
		return nil
	}
	params := make(map[string]string, 1)
	i := 0
	for segment := range strings.SplitSeq(path, "/") {
		switch template := e.segments[i]; {
		case isParameter(template) && segment != "":
			params[template[1:len(template)-1]] = rest.Segment(segment)
		case template != segment:
			return nil
		}
		i++
	}
	return params
}

func firstSegment(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return first
}
