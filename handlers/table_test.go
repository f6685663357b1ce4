package handlers_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/rest"
)

// row is the description of an operation that the route table and a document share.
type row struct {
	Method, Path, ID, Tag string
	Query                 []string
	Params                []string // of the path
	Deprecated            bool
	Sunset, Stability     string
	Keyed                 string // "never", "maybe" or "always"
}

func rowOfTable(op *rest.Operation) row {
	r := row{
		Method: op.Method, Path: op.Path, ID: op.ID, Tag: op.Tag,
		Query:      slices.Sorted(slices.Values(op.Query)),
		Deprecated: op.Lifecycle.Deprecated,
		Stability:  string(op.Lifecycle.Stability),
		Keyed:      map[rest.Kind]string{rest.Service: "maybe", rest.Admin: "maybe", rest.Private: "always", rest.Health: "never"}[op.Kind],
	}
	if op.Anybody {
		r.Keyed = "never"
	}
	for _, match := range regexp.MustCompile(`\{(\w+)\}`).FindAllStringSubmatch(op.Path, -1) {
		r.Params = append(r.Params, match[1])
	}
	if !op.Lifecycle.Sunset.IsZero() {
		r.Sunset = op.Lifecycle.Sunset.Format("2006-01-02")
	}
	return r
}

func rowOfDocument(method, path string, item *openapi3.PathItem, op *openapi3.Operation) (row, error) {
	r := row{Method: method, Path: path, ID: op.OperationID, Deprecated: op.Deprecated}
	if len(op.Tags) != 1 {
		return r, fmt.Errorf("%s has the tags %q", op.OperationID, op.Tags)
	}
	r.Tag = op.Tags[0]
	for _, ref := range slices.Concat(item.Parameters, op.Parameters) {
		switch ref.Value.In {
		case openapi3.ParameterInQuery:
			r.Query = append(r.Query, ref.Value.Name)
		case openapi3.ParameterInPath:
			r.Params = append(r.Params, ref.Value.Name)
		}
	}
	slices.Sort(r.Query)
	r.Sunset, _ = op.Extensions["x-sunset"].(string)
	r.Stability, _ = op.Extensions["x-stability"].(string)
	if old, _ := op.Extensions["x-deprecated-sunset"].(string); old != r.Sunset {
		return r, fmt.Errorf("%s: x-sunset is %q, x-deprecated-sunset %q", op.OperationID, r.Sunset, old)
	}
	switch security := *op.Security; {
	case len(security) == 0:
		r.Keyed = "never"
	case slices.ContainsFunc(security, func(s openapi3.SecurityRequirement) bool { return len(s) == 0 }):
		r.Keyed = "maybe"
	default:
		r.Keyed = "always"
	}
	return r, nil
}

// TestTableIsTheDocuments compares the route table and the documents, in both directions.
func TestTableIsTheDocuments(t *testing.T) {
	t.Parallel()
	server, err := handlers.New(Config())
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[string]row)
	for _, op := range server.Table() {
		if op.ID == "" && op.Kind != rest.Page {
			t.Errorf("%s %s has no id, though it is no page", op.Method, op.Path)
		}
		if op.ID == "" {
			continue
		}
		if _, twice := want[op.ID]; twice {
			t.Errorf("two operations are %s", op.ID)
		}
		want[op.ID] = rowOfTable(&op)
	}
	got := make(map[string]row)
	for _, d := range []*Document{ServiceDocument(), AdminDocument()} {
		for path, item := range d.Paths.Map() {
			if DocumentOf(path) != d {
				t.Errorf("%s is in the wrong document", path)
			}
			for method, op := range item.Operations() {
				r, err := rowOfDocument(method, path, item, op)
				if err != nil {
					t.Error(err)
				}
				got[r.ID] = r
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-table +documents:\n%s", diff)
	}
}

// TestEveryOperationHasItsParameters checks that the document of each operation has the header
// parameters that section 7 of the design gives to its kind.
func TestEveryOperationHasItsParameters(t *testing.T) {
	t.Parallel()
	for _, d := range []*Document{ServiceDocument(), AdminDocument()} {
		for path, item := range d.Paths.Map() {
			for method, op := range item.Operations() {
				want := headerParameters(path, method, op.OperationID)
				var got []string
				for _, ref := range slices.Concat(item.Parameters, op.Parameters) {
					if ref.Value.In == openapi3.ParameterInHeader {
						got = append(got, ref.Value.Name)
					}
				}
				slices.Sort(want)
				slices.Sort(got)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("header parameters of %s, -want +got:\n%s", op.OperationID, diff)
				}
			}
		}
	}
}

func headerParameters(path, method, id string) []string {
	names := []string{"X-Sandbox"}
	if id == "streamEvents" || id == "streamAdminEvents" {
		names = append(names, "Last-Event-ID")
	}
	if id == "listSandboxes" {
		names = append(names, "If-Match", "If-None-Match")
	}
	if id == "getHealth" || IsAdmin(path) {
		return names
	}
	names = append(names, "Prefer")
	switch {
	case method == http.MethodPost:
		names = append(names, "Idempotency-Key")
	case id != "streamEvents":
		names = append(names, "If-Match", "If-None-Match")
	}
	return names
}

// TestBodiesAreDocumented checks that the table and the documents agree on which operations take a
// body, and on which bodies are optional.
func TestBodiesAreDocumented(t *testing.T) {
	t.Parallel()
	for _, op := range NewWorld(t).Server.Table() {
		if op.ID == "" {
			continue
		}
		takes, optional := false, false
		if body := DocumentOf(op.Path).Paths.Value(op.Path).GetOperation(op.Method).RequestBody; body != nil {
			takes, optional = true, !body.Value.Required
		}
		if body := op.Takes(); (body.Max > 0) != takes || body.Optional != optional {
			t.Errorf("%s takes %+v, in its document: a body: %t, optional: %t", op.ID, body, takes, optional)
		}
	}
}
