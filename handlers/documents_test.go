package handlers_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/rest"
)

func TestDocumentsAreValid(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]*Document{"service": ServiceDocument(), "admin": AdminDocument()} {
		if err := d.Validate(context.Background()); err != nil { // examples included
			t.Errorf("%s: %v", name, err)
		}
		if d.OpenAPI != "3.0.3" || d.Info.Version != "1.0.0" {
			t.Errorf("%s is OpenAPI %s, version %s", name, d.OpenAPI, d.Info.Version)
		}
	}
}

// TestDocumentTags checks the tags, by which documentation tools group operations.
func TestDocumentTags(t *testing.T) {
	t.Parallel()
	parents := make(map[string]any)
	for _, tag := range ServiceDocument().Tags {
		if parent := tag.Extensions["x-parent"]; parent != nil {
			parents[tag.Name] = parent
		}
	}
	must.Equal(t, map[string]any{"Categories": "Pets", "Inventory": "Store"}, parents, "tags with parents")
	for path, item := range ServiceDocument().Paths.Map() {
		for _, op := range item.Operations() {
			if ServiceDocument().Tags.Get(op.Tags[0]) == nil {
				t.Errorf("%s: the tag %s is not described", op.OperationID, op.Tags[0])
			}
			hidden, _ := op.Extensions["x-hideTryItPanel"].(bool)
			if hidden != (op.OperationID == "listOrders") {
				t.Errorf("%s: x-hideTryItPanel = %t (%s)", op.OperationID, hidden, path)
			}
		}
	}
}

// TestDocumentsDescribeEveryCode checks that the documents have an example of every error code of
// the service and the control plane, at its status.
func TestDocumentsDescribeEveryCode(t *testing.T) {
	t.Parallel()
	service := map[string]string{
		"invalid_json": "400", "validation_failed": "400", "invalid_parameter": "400", "unauthorized": "401",
		"forbidden": "403", "not_found": "404", "unknown_sandbox": "404", "category_in_use": "409", "conflict": "409",
		"operation_sunset": "410", "precondition_failed": "412", "payload_too_large": "413",
		"unsupported_media_type": "415", "unknown_category": "422", "unknown_pet": "422",
		"idempotency_key_reused": "422", "rate_limited": "429", "internal_error": "500", "sandbox_limit_reached": "503",
		"server_full": "503", "unavailable": "503", "sandbox_full": "507",
	}
	admin := map[string]string{
		"invalid_json": "400", "validation_failed": "400", "invalid_parameter": "400", "unauthorized": "401",
		"forbidden": "403", "not_found": "404", "unknown_sandbox": "404", "conflict": "409", "history_gone": "410",
		"precondition_failed": "412", "payload_too_large": "413", "unsupported_media_type": "415",
		"rate_limited": "429", "internal_error": "500", "sandbox_limit_reached": "503", "server_full": "503",
		"unavailable": "503", "sandbox_full": "507",
	}
	if diff := cmp.Diff(service, documentedCodes(ServiceDocument())); diff != "" {
		t.Errorf("codes of the service and their statuses, -design +document:\n%s", diff)
	}
	if diff := cmp.Diff(admin, documentedCodes(AdminDocument())); diff != "" {
		t.Errorf("codes of the control plane and their statuses, -design +document:\n%s", diff)
	}
}

// documentedCodes returns the codes in the document's examples, each with its status.
func documentedCodes(d *Document) map[string]string {
	codes := make(map[string]string)
	for _, item := range d.Paths.Map() {
		for _, op := range item.Operations() {
			for status := http.StatusBadRequest; status < 600; status++ {
				for _, code := range CodesOf(op, status) {
					codes[code] = fmt.Sprint(status)
				}
			}
		}
	}
	return codes
}

// TestServedDocumentsAreTheFiles checks that the documents served by default equal the files on
// disk, except for the server's address, and that those in JSON list their operations in the order of the
// files, in which people read them.
func TestServedDocumentsAreTheFiles(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for file, path := range map[string]string{"docs/openapi.yaml": "/openapi", "docs/admin.yaml": "/admin/openapi"} {
		source := must.Get(os.ReadFile(file))(t)
		var want map[string]any
		must.Succeed(t, yaml.Unmarshal(source, &want))
		want["servers"].([]any)[0].(map[string]any)["url"] = w.URL
		for suffix, contentType := range map[string]string{".yaml": "application/yaml", ".json": "application/json"} {
			a := w.Must(t, Get(path+suffix))
			a.ExpectHeader(t, "Content-Type", contentType)
			var got map[string]any
			if err := yaml.Unmarshal(a.Body, &got); err != nil { // JSON is YAML
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s%s, -file +served:\n%s", path, suffix, diff)
			}
			place := 0
			for _, match := range regexp.MustCompile(`(?m)^  (/\S*):$`).FindAllStringSubmatch(string(source), -1) {
				next := strings.Index(string(a.Body), fmt.Sprintf("%q:", match[1]))
				if suffix == ".json" && next <= place {
					t.Errorf("%s stands at %d, before %d", match[1], next, place)
				}
				place = next
			}
			if place == 0 {
				t.Errorf("found no path in %s", file)
			}
		}
	}
}

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
		Keyed: map[rest.Kind]string{rest.Service: "maybe", rest.Admin: "maybe", rest.Private: "always",
			rest.Health: "never"}[op.Kind],
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

// TestRoutesMatchDocuments compares the route table and the documents, in both directions.
func TestRoutesMatchDocuments(t *testing.T) {
	t.Parallel()
	server := NewServer(t)
	want := make(map[string]row)
	for _, op := range server.Table() {
		if op.ID == "" && op.Kind != rest.Page {
			t.Errorf("%s %s has no id, and is no page", op.Method, op.Path)
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

// TestDocumentedHeaderParameters checks that the document of each operation has the header
// parameters that section 7 of the design gives to its kind.
func TestDocumentedHeaderParameters(t *testing.T) {
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
				must.Equal(t, want, got, "header parameters of %s", op.OperationID)
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
		if body := op.Body; (body.Max > 0) != takes || body.Optional != optional {
			t.Errorf("%s takes %+v, in its document: a body: %t, optional: %t", op.ID, body, takes, optional)
		}
	}
}
