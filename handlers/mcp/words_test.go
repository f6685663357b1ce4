package mcp_test

import (
	"regexp"
	"strings"
	"testing"

	"example.com/petstore/handlers"
)

// TestErrorsNameTools wants no error of a tool to name an operation by its method and path.
func TestErrorsNameTools(t *testing.T) {
	t.Parallel()
	call := regexp.MustCompile(`(GET|POST|PUT|PATCH|DELETE) /`)
	for _, explicit := range []bool{false, true} {
		shop := newShop(t, func(c *handlers.Config) { c.ExplicitSandboxes = explicit })
		s := shop.connect(t, "/mcp")
		for _, test := range []struct{ tool, arguments, want string }{
			{"set_lifecycle", `{"operationId": "flyPet", "deprecated": true}`, "list_operations"},
			{"list_requests", `{"operationId": "flyPet"}`, "list_operations"},
			{"wait_for_requests", `{"operationId": "flyPet"}`, "list_operations"},
			{"add_fault", `{"match": {"operationId": "flyPet"}}`, "list_operations"},
			{"reset", `{"sandbox": "Ada, Lovelace; 7"}`, "create_sandbox"},
			{"get_status", `{"sandbox": "ada"}`, "create_sandbox"},
			{"import_world", `{"world": 7}`, "export_world"},
			{"import_world", `{"world": {"pets": []}}`, "format"},
			{"import_world", `{"world": {"format": 1, "generator": "old", "generated": {"pets": 1, "categories": 1, "orders": 1}, "state": {}}}`, "export_world with data: true"},
			{"import_world", `{"world": {"format": 1, "operations": {"flyPet": {}}}}`, "list_operations"},
			{"reset", `{"sandbox": "*"}`, "one sandbox"},
		} {
			got := s.call(t, test.tool, test.arguments)
			if !got.wrong || !strings.Contains(got.text, test.want) || call.MatchString(got.text) {
				t.Errorf("%s %s: %s, want a message with %q and without paths", test.tool, test.arguments, got.text, test.want)
			}
		}
	}
}

// TestErrorsOfAShardNameTools follows the advice of an error.
func TestErrorsOfAShardNameTools(t *testing.T) {
	t.Parallel()
	s := newShop(t, func(c *handlers.Config) { c.Sharded, c.Replica = true, "two" }).connect(t, "/mcp")
	got := s.call(t, "get_status", `{}`)
	if want := "; get one with create_sandbox, with a name such as ada.two"; !got.wrong || !strings.HasSuffix(decode[struct{ Message string }](t, got.text).Message, want) {
		t.Errorf("the default sandbox of a shard: %+v, want %q", got, want)
	}
	s.must(t, "create_sandbox", `{"name": "ada.two"}`)
	s.must(t, "get_status", `{"sandbox": "ada.two"}`)
}
