package handlers_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	. "example.com/petstore/handlers/internal/contracttest"
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

// TestDocumentHasTheTags checks the tags, by which documentation tools group operations.
func TestDocumentHasTheTags(t *testing.T) {
	t.Parallel()
	parents := make(map[string]string)
	for _, tag := range ServiceDocument().Tags {
		parent, _ := tag.Extensions["x-parent"].(string)
		parents[tag.Name] = parent
	}
	want := map[string]string{"Pets": "", "Categories": "Pets", "Store": "", "Inventory": "Store", "Messages": "", "Events": "", "Health": ""}
	if diff := cmp.Diff(want, parents); diff != "" {
		t.Errorf("tags and their parents, -want +got:\n%s", diff)
	}
	for path, item := range ServiceDocument().Paths.Map() {
		for _, op := range item.Operations() {
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
		"invalid_json": "400", "validation_failed": "400", "invalid_parameter": "400", "unauthorized": "401", "forbidden": "403",
		"not_found": "404", "unknown_sandbox": "404", "category_in_use": "409", "conflict": "409", "operation_sunset": "410",
		"precondition_failed": "412", "payload_too_large": "413", "unsupported_media_type": "415",
		"unknown_category": "422", "unknown_pet": "422", "idempotency_key_reused": "422", "rate_limited": "429",
		"internal_error": "500", "sandbox_limit_reached": "503", "server_full": "503", "unavailable": "503", "sandbox_full": "507",
	}
	admin := map[string]string{
		"invalid_json": "400", "validation_failed": "400", "invalid_parameter": "400", "unauthorized": "401", "forbidden": "403",
		"not_found": "404", "unknown_sandbox": "404", "conflict": "409", "history_gone": "410", "precondition_failed": "412", "payload_too_large": "413", "unsupported_media_type": "415", "rate_limited": "429",
		"internal_error": "500", "sandbox_limit_reached": "503", "server_full": "503", "unavailable": "503", "sandbox_full": "507",
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
// disk, except for the server's address.
func TestServedDocumentsAreTheFiles(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for file, path := range map[string]string{"docs/openapi.yaml": "/openapi", "docs/admin.yaml": "/admin/openapi"} {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var want map[string]any
		if err := yaml.Unmarshal(source, &want); err != nil {
			t.Fatal(err)
		}
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
		}
	}
}

// TestDocumentsKeepTheirOrder checks that the JSON documents list their operations in the order of
// the files, in which people read them.
func TestDocumentsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for file, path := range map[string]string{"docs/openapi.yaml": "/openapi.json", "docs/admin.yaml": "/admin/openapi.json"} {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		served := string(w.Get(t, path).Body)
		place := 0
		for _, match := range regexp.MustCompile(`(?m)^  (/\S*):$`).FindAllStringSubmatch(string(source), -1) {
			next := strings.Index(served, fmt.Sprintf("%q:", match[1]))
			if next < place {
				t.Errorf("%s stands at %d, before %d", match[1], next, place)
			}
			place = next
		}
		if place == 0 {
			t.Errorf("found no path in %s", file)
		}
	}
}

// TestReplicaIsDescribed checks that the documents describe the replica header, which every
// response of a replica has, for each response.
func TestReplicaIsDescribed(t *testing.T) {
	t.Parallel()
	for _, d := range []*Document{ServiceDocument(), AdminDocument()} {
		for path, item := range d.Paths.Map() {
			for method, op := range item.Operations() {
				for status, response := range op.Responses.Map() {
					if response.Value.Headers["X-Petstore-Replica"] == nil {
						t.Errorf("%s %s: %s has no header X-Petstore-Replica", method, path, status)
					}
				}
			}
		}
	}
}
