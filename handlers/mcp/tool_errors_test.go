package mcp_test

import (
	"regexp"
	"strings"
	"testing"

	"example.com/petstore/handlers"
)

// operation matches an HTTP method with a path, which errors of tools must not contain.
var operation = regexp.MustCompile(`(GET|POST|PUT|PATCH|DELETE) /`)

// TestToolErrors checks that errors are results with advice, and that an error of the operation is
// returned if there is one.
func TestToolErrors(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	s := shop.connect(t, "/mcp")
	for _, test := range []struct{ tool, arguments, want string }{ // want is the code and the fields, or the text
		{"set_clock", `{"advance": "soon"}`, "validation_failed /advance"},
		{"set_clock", `{}`, "validation_failed /now"},
		{"set_clock", `{"frozen": "yes", "now": 7}`, "validation_failed /now /frozen"},
		{"set_lifecycle", `{"operationId": "flyPet", "deprecated": true}`, "not_found"},
		{"set_lifecycle", `{"deprecated": true}`, "set_lifecycle requires the argument operationId"},
		{"add_fault", `{"match": {"operationId": "flyPet"}}`, "validation_failed /match/operationId"},
		{"add_fault", `{"match": {"operationsId": "getPet"}}`, "validation_failed /match/operationsId"},
		{"reset", `{"only": ["clocks"]}`, "invalid_parameter only"},
		{"reset", `{"pets": -1}`, "validation_failed /pets"},
		{"restore_snapshot", `{"snapshotName": "nowhere"}`, "not_found"},
		{"save_snapshot", `{"snapshotName": "../../state"}`, "invalid_parameter snapshotName"},
		{"list_requests", `{"limit": 5000}`, "invalid_parameter limit"},
		{"list_requests", `{"status": "bad", "operationId": "flyPet"}`, "invalid_parameter status operationId"},
		{"list_requests", `{"status": {"from": 400}}`,
			"status must be a text, a number, a boolean or an array of them"},
		{"list_records", `{"collection": "dogs"}`,
			`collection must be pets, categories, orders, inventory or messages, not "dogs"`},
		{"list_records", `{"collection": "pets", "id": 9999}`, "not_found"},
		{"list_records", `{"collection": "pets", "complete": true}`, "invalid_parameter complete"},
		{"list_records", `{"collection": "pets", "id": 1, "limit": 1}`, "invalid_parameter limit"},
		{"list_records", `{"collections": "pets"}`,
			`list_records does not take an argument "collections"; did you mean collection? It takes collection, id, ` +
				`sort, status, categoryId, name, petId, complete, maxQuantity, limit, offset, sandbox`},
		{"undo", `{}`, "conflict"},
		{"get_status", `{"sandbox": "unknown"}`, "unknown_sandbox"},
		{"get_status", `{"sandbox": "*"}`, "sandbox must name one sandbox, not all of them"},
		{"get_status", `{"sandbox": "a\u0000b"}`, "invalid_parameter X-Sandbox"},
		{"get_status", `{"sandbox": ""}`, "sandbox must not be empty; name a sandbox or leave it out"},
		{"get_status", `{"sandbox": 7}`, "sandbox must be a string, not a number"},
		{"reset", `{"sandbox": ["a", "b"]}`, "sandbox must be a string, not an array"},
		{"get_status", `{"what": 1}`, `get_status does not take an argument "what". It takes sandbox`},
		{"create_sandbox", `{"name": ""}`, "name must not be empty"},
		{"save_snapshot", `{"snapshotName": ""}`, "snapshotName must not be empty"},
		{"create_sandbox", `{"name": "ada", "sandbox": "bob"}`,
			`create_sandbox does not take an argument "sandbox". It takes name`},
		{"get_status", `[]`, "the arguments are not a JSON object, or name one twice"},
		{"fork_sandbox", `{"name": "default"}`, "conflict"},
		{"fork_sandbox", `{}`, "fork_sandbox requires the argument name"},
		{"import_world", `{"world": {"pets": []}}`, "validation_failed /format"},
		{"import_world", `{"world": {"format": 1, "operations": {"flyPet": {}}}}`,
			"validation_failed /operations/flyPet /state /baseline"},
	} {
		got := s.call(t, test.tool, test.arguments)
		if !got.wrong {
			t.Errorf("%s %s = %s, want an error", test.tool, test.arguments, got.text)
			continue
		}
		if operation.MatchString(got.text) {
			t.Errorf("%s %s names an operation: %s", test.tool, test.arguments, got.text)
		}
		if strings.Contains(test.arguments, "flyPet") && !strings.Contains(got.text, "list_operations") {
			t.Errorf("%s %s does not name the tool that lists operations: %s", test.tool, test.arguments, got.text)
		}
		if is := errorText(t, got.text); is != test.want {
			t.Errorf("%s %s: %s, want %s", test.tool, test.arguments, is, test.want)
		}
	}
	old := `{"world": {"format": 1, "generator": "old", "generated": {"pets": 1, "categories": 1, "orders": 1}, ` +
		`"state": {}}}`
	if got := s.call(t, "import_world", old); !strings.Contains(got.text, "export_world with data: true") ||
		operation.MatchString(got.text) {
		t.Errorf("a world of another generator: %s", got.text)
	}
	if names := shop.service.Sandboxes().List(); len(names) != 1 {
		t.Errorf("errors have created sandboxes: %d exist", len(names))
	}
}

// errorText returns the code and the fields of an error of the service, or other text unchanged.
func errorText(t *testing.T, text string) string {
	t.Helper()
	if !strings.HasPrefix(text, "{") {
		return text
	}
	e := decode[struct {
		Code, Message string
		Details       []struct{ Field string }
	}](t, text)
	for _, detail := range e.Details {
		e.Code += " " + detail.Field
	}
	return e.Code
}

// TestToolsCreateNoSandbox checks that a misspelt sandbox argument creates no sandbox. Only
// create_sandbox does.
func TestToolsCreateNoSandbox(t *testing.T) {
	t.Parallel()
	for _, explicit := range []bool{false, true} {
		shop := newShop(t, func(c *handlers.Config) { c.ExplicitSandboxes = explicit })
		s := shop.connect(t, "/mcp")
		calls := map[string]string{
			"reset": ``, "save_snapshot": `"snapshotName": "a", `, "restore_snapshot": `"snapshotName": "a", `,
			"fork_sandbox": `"name": "b", `, "set_clock": `"frozen": true, `,
			"set_lifecycle": `"operationId": "getPet", "deprecated": false, `, "add_fault": `"status": 503, `,
			"clear_faults": ``, "undo": ``, "import_world": `"world": {}, `,
		}
		for tool, arguments := range calls {
			got := s.call(t, tool, "{"+arguments+`"sandbox": "Tset"}`)
			if !got.wrong || errorText(t, got.text) != "unknown_sandbox" ||
				!strings.HasSuffix(decode[struct{ Message string }](t, got.text).Message, " create_sandbox") {
				t.Errorf("%s of a sandbox that is not there: %+v", tool, got)
			}
		}
		if all := shop.service.Sandboxes().List(); len(all) != 1 {
			t.Errorf("tools have created sandboxes: %d exist", len(all))
		}
		for range 2 { // the second call changes nothing
			if made := decode[struct{ Title string }](t,
				s.must(t, "create_sandbox", `{"name": "Tset"}`)); made.Title != "Tset" {
				t.Errorf("the sandbox is called %q", made.Title)
			}
			s.must(t, "add_fault", `{"status": 503, "sandbox": "Tset"}`)
		}
		if faults := decode[struct{ Faults []any }](t, s.must(t, "list_faults", `{"sandbox": "Tset"}`)).
			Faults; len(faults) != 2 {
			t.Errorf("%d faults, want 2", len(faults))
		}
	}
}
