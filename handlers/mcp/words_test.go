package mcp_test

import (
	"strings"
	"testing"

	"example.com/petstore/handlers"
)

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
