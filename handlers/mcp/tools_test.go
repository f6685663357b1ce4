package mcp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/petstore/handlers/internal/must"
)

// TestToolsAreDescribed checks the list of tools and the descriptions that a model and its user
// read.
func TestToolsAreDescribed(t *testing.T) {
	t.Parallel()
	s := newShop(t, nil).connect(t, "/mcp")
	kinds := make(map[string]string)
	list := decode[struct{ Tools []described }](t, string(s.send(t, "tools/list", `{}`).Result)).Tools
	if !slices.IsSortedFunc(list, func(a, b described) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the tools are not in the order of their names")
	}
	for _, tool := range list {
		a := tool.Annotations
		switch {
		case a.ReadOnlyHint && !a.DestructiveHint:
			kinds[tool.Name] = "reads"
		case a.DestructiveHint:
			kinds[tool.Name] = "discards"
		default:
			kinds[tool.Name] = "adds"
		}
		if a.IdempotentHint {
			kinds[tool.Name] += ", twice is once"
		}
		if tool.Title == "" || len(tool.Description) < 40 || a.OpenWorldHint {
			t.Errorf("%s is described by %+v", tool.Name, tool)
		}
		schema := tool.InputSchema
		if schema.Type != "object" || schema.AdditionalProperties == nil || *schema.AdditionalProperties {
			t.Errorf("the schema of %s is %+v", tool.Name, schema)
		}
		if (schema.Properties["sandbox"] == nil) != (tool.Name == "create_sandbox") {
			t.Errorf("%s takes %v", tool.Name, schema.Properties)
		}
		for name, property := range schema.Properties {
			text, _ := property["description"].(string)
			if text == "" || property["type"] == nil && property["allOf"] == nil || property["example"] != nil {
				t.Errorf("%s: %s is described by %v", tool.Name, name, property)
			}
		}
	}
	want := map[string]string{
		"get_status": "reads", "list_records": "reads", "list_requests": "reads", "list_operations": "reads",
		"get_report": "reads", "list_faults": "reads",
		"get_request": "reads", "wait_for_requests": "reads", "diff": "reads", "export_world": "reads",
		"undo": "discards", "import_world": "discards, twice is once",
		"create_sandbox": "adds, twice is once", "fork_sandbox": "adds", "set_clock": "adds",
		"set_lifecycle": "adds, twice is once", "add_fault": "adds",
		"reset": "discards, twice is once", "save_snapshot": "discards, twice is once",
		"restore_snapshot": "discards, twice is once", "clear_faults": "discards, twice is once",
	}
	must.Equal(t, want, kinds, "tools")
}

// described is the description of a tool.
type described struct {
	Name, Title, Description string
	Annotations              struct{ ReadOnlyHint, DestructiveHint, IdempotentHint, OpenWorldHint bool }
	InputSchema              struct {
		Type                 string
		Properties           map[string]map[string]any
		AdditionalProperties *bool
	}
}

// TestReadingToolsMatchAdmin compares each reading tool with its operation.
func TestReadingToolsMatchAdmin(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	shop.do(t, "GET", "/pets/7", "", "User-Agent", "shop-app/2.1")
	shop.do(t, "POST", "/pets", `{"name": "", "categoryId": 99}`)
	shop.do(t, "POST", "/admin/faults", `{"status": 503, "times": 1}`)
	shop.do(t, "POST", "/admin/data/messages", `{"message": "Hello"}`)
	shop.do(t, "PUT", "/admin/snapshots/now", "")
	shop.do(t, "DELETE", "/admin/data/pets/2", "")
	s := shop.connect(t, "/mcp")
	for _, test := range []struct{ tool, arguments, path, list string }{
		{"list_requests", `{}`, "/admin/requests?order=desc&limit=10", ""},
		{"list_requests",
			`{"order": "asc", "limit": 1, "status": "4xx", "method": "post", "path": "/pets", ` +
				`"operationId": "createPet", "since": null}`, "/admin/requests?limit=1&status=400", ""},
		{"list_requests", `null`, "/admin/requests?order=desc&limit=10", ""},
		{"list_requests", `{"since": 1}`, "/admin/requests?since=1&order=desc", ""},
		{"wait_for_requests", `{"operationId": "getPet", "count": 1}`,
			"/admin/requests?operationId=getPet&order=desc&limit=10&count=1&wait=1s", ""},
		{"diff", ``, "/admin/state/diff", ""},
		{"diff", `{"from": "now"}`, "/admin/state/diff?from=now", ""},
		{"list_operations", ``, "/admin/operations", "operations"},
		{"get_report", `{}`, "/admin/report", ""},
		{"list_faults", `{}`, "/admin/faults", "faults"},
		{"list_records",
			`{"collection": "pets", "status": ["sold", "pending"], "categoryId": [1, "2"], "sort": "-name", ` +
				`"limit": 3, "offset": 1}`,
			"/admin/data/pets?status=sold&status=pending&categoryId=1&categoryId=2&sort=-name&limit=3&offset=1",
			"records"},
		{"list_records", `{"collection": "categories", "name": "do"}`, "/admin/data/categories?name=do", "records"},
		{"list_records", `{"collection": "orders", "petId": 3, "complete": false}`,
			"/admin/data/store/orders?petId=3&complete=false", "records"},
		{"list_records", `{"collection": "inventory", "status": "sold", "maxQuantity": 10}`,
			"/admin/data/store/inventory?status=sold&maxQuantity=10", "records"},
		{"list_records", `{"collection": "messages"}`, "/admin/data/messages", "records"},
		{"list_records", `{"collection": "pets", "id": 7}`, "/admin/data/pets/7", ""},
		{"list_records", `{"collection": "categories", "id": "2"}`, "/admin/data/categories/2", ""},
		{"list_records", `{"collection": "orders", "id": 1}`, "/admin/data/store/orders/1", ""},
		{"list_records", `{"collection": "inventory", "id": 7}`, "/admin/data/store/inventory/7", ""},
		{"list_records", `{"collection": "messages", "id": 1}`, "/admin/data/messages/1", ""},
	} {
		got := s.must(t, test.tool, test.arguments)
		status, want := shop.do(t, "GET", test.path, "")
		if status != 200 {
			t.Fatalf("GET %s = %d: %s", test.path, status, want)
		}
		if test.list != "" {
			elements := decode[map[string]json.RawMessage](t, got)
			if total, ok := elements["total"]; test.list == "records" && !ok {
				t.Errorf("%s %s has no total: %s", test.tool, test.arguments, total)
			}
			got = string(elements[test.list])
		}
		expectJSON(t, test.tool+" "+test.arguments, got, string(want))
	}
}

// TestResultsAreBounded checks that a tool returns advice instead of a result that is too long, and
// that a result that fits is complete.
func TestResultsAreBounded(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	s := shop.connect(t, "/mcp")
	long := strings.Repeat("🐈", 1000)
	for range 20 {
		shop.do(t, "POST", "/categories", fmt.Sprintf(`{"name": "a", "description": %q}`, long))
	}
	got := s.call(t, "list_records", `{"collection": "categories", "limit": 28}`)
	if want := "the result is longer than 65536 bytes; ask for less with limit"; !got.wrong || got.text != want {
		t.Errorf("an answer that is too long is %.300s", got.text)
	}
	for range 60 {
		shop.do(t, "POST", "/categories", fmt.Sprintf(`{"name": 7, "description": %q}`, long))
	}
	if got := s.call(t, "list_requests", `{"limit": 60}`); !got.wrong ||
		!strings.HasSuffix(got.text, "ask for less with limit") {
		t.Errorf("an answer that is much too long is %.300s", got.text)
	}
	if page := decode[struct{ Records []any }](t,
		s.must(t, "list_records", `{"collection": "categories", "limit": 15, "offset": 8}`)); len(page.Records) != 15 {
		t.Errorf("an answer that fits has %d records", len(page.Records))
	}
}
