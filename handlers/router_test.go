package handlers_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/mux"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/rest"
)

// routing is a server and a plain mux.Router with the same table, which tries every path in turn.
type routing struct {
	server    *handlers.Server
	paths     []string
	plain     *mux.Router
	templates map[*mux.Route]string
}

func newRouting(tb testing.TB) routing {
	server := NewServer(tb)
	r := routing{server: server, plain: mux.NewRouter(), templates: make(map[*mux.Route]string)}
	for _, op := range server.Table() {
		if !slices.Contains(r.paths, op.Path) {
			r.paths = append(r.paths, op.Path)
			r.templates[r.plain.Path(op.Path)] = op.Path
		}
	}
	return r
}

// expectSame checks that both find the same route for a path.
func (r routing) expectSame(t *testing.T, path string) {
	t.Helper()
	wanted, wantedParams := "", map[string]string(nil)
	var match mux.RouteMatch
	if r.plain.Match(&http.Request{URL: &url.URL{Path: path}}, &match) {
		wanted, wantedParams = r.templates[match.Route], match.Vars
		for name, segment := range wantedParams {
			wantedParams[name] = rest.Segment(segment)
		}
	}
	got, params := r.server.FindPath(path)
	if got != wanted || len(params)+len(wantedParams) > 0 && !cmp.Equal(params, wantedParams) {
		t.Errorf("%q is %q with %v, want %q with %v", path, got, params, wanted, wantedParams)
	}
}

// likely returns test paths for each path of the table: the template itself, with values for its
// parameters, and similar paths.
func (r routing) likely() []string {
	var all []string
	for _, path := range r.paths {
		for _, value := range []string{"7", "a%2Fb", "{petId}", "", " ", "photo", "orders"} {
			filled := path
			for strings.Contains(filled, "{") && !strings.Contains(value, "{") {
				before, rest, _ := strings.Cut(filled, "{")
				_, after, _ := strings.Cut(rest, "}")
				filled = before + value + after
			}
			all = append(all, filled, filled+"/", "/"+filled, filled+"/7", strings.TrimPrefix(filled, "/"),
				strings.ToUpper(filled), strings.ReplaceAll(filled, "/", "//"), filled+"\n", filled+"/../7")
		}
	}
	return append(all, "", "/", "//", "/nowhere", "/pets7", "/pets/7/8/9", "/{petId}", "pets")
}

// TestRouterMatchesMux compares the router, which consults gorilla/mux as rarely as
// possible, with a router that always does.
func TestRouterMatchesMux(t *testing.T) {
	t.Parallel()
	r := newRouting(t)
	for _, path := range r.likely() {
		r.expectSame(t, path)
	}
}

// FuzzRouter starts with the table's own paths. TestRouterMatchesMux tries similar ones,
// which would use up a short run if they were seeds.
func FuzzRouter(f *testing.F) {
	r := newRouting(f)
	for _, path := range append(r.paths, "", "//", "/pets/a%2Fb") {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) { r.expectSame(t, path) })
}
