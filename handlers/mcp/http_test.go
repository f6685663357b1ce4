package mcp_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/petstore/handlers"
)

const ping = `{"jsonrpc": "2.0", "id": 1, "method": "ping"}`

// TestSandboxOfTheAddress connects two clients to two sandboxes, and one to the whole server.
func TestSandboxOfTheAddress(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	ada, bob, all := shop.connect(t, "/sandboxes/ada/mcp"), shop.connect(t, "/mcp", "X-Sandbox", "Bob%20B"),
		shop.connect(t, "/mcp")
	if n := len(shop.service.Sandboxes().List()); n != 1 {
		t.Errorf("connecting has created sandboxes: %d exist", n)
	}
	ada.must(t, "add_fault", `{"status": 503}`)
	bob.must(t, "add_fault", `{"status": 500}`)
	bob.must(t, "add_fault", `{"status": 500}`)
	for what, faults := range map[string]string{
		"ada":       ada.must(t, "list_faults", ``),
		"ada twice": ada.must(t, "list_faults", `{"sandbox": "ada"}`),
		"ada named": all.must(t, "list_faults", `{"sandbox": "ada"}`),
		"bob":       bob.must(t, "list_faults", ``),
		"default":   all.must(t, "list_faults", ``),
	} {
		want := map[string]int{"bob": 2, "default": 0}
		n, ok := want[what]
		if !ok {
			n = 1
		}
		if got := len(decode[struct{ Faults []any }](t, faults).Faults); got != n {
			t.Errorf("%s has %d faults, want %d", what, got, n)
		}
	}
	for name, s := range map[string]*session{"ada": ada, "Bob B": bob} {
		want := fmt.Sprintf(
			"the connection is to the sandbox %q alone; leave sandbox out, or connect to %s/mcp for others", name, shop.url)
		if got := s.call(t, "list_faults", `{"sandbox": "default"}`); !got.wrong || got.text != want {
			t.Errorf("the sandbox is %+v, want the address's %s", got, want)
		}
		s.must(t, "list_faults", fmt.Sprintf(`{"sandbox": %q}`, name))
	}
	if title := decode[struct{ Title string }](t, string(second(shop.do(t, "GET", "/admin/sandboxes/Bob%20B", "")))).
		Title; title != "Bob B" {
		t.Errorf("the sandbox is called %q", title)
	}
}

func second(_ int, body []byte) []byte { return body }

// TestToolsNeedKeysOfOperations checks that each key gives access to the same operations as
// over HTTP.
func TestToolsNeedKeysOfOperations(t *testing.T) {
	t.Parallel()
	shop := newShop(t, func(c *handlers.Config) { c.AdminKey, c.APIKeys = "root", []string{"api"} })
	shop.make(t, "ada", "adas", true)
	shop.make(t, "bob", "bobs", false)
	for _, test := range []struct {
		path, key string
		status    int
	}{
		{"/mcp", "", 401}, {"/mcp", "api", 401}, {"/mcp", "adas", 403}, {"/mcp", "root", 200},
		{"/sandboxes/ada/mcp", "adas", 200}, {"/sandboxes/ada/mcp", "bobs", 403}, {"/sandboxes/ada/mcp", "", 401},
		{"/sandboxes/bob/mcp", "bobs", 200},
	} {
		if status, answer := shop.do(t, "POST", test.path, ping, "Authorization",
			"Bearer "+test.key); status != test.status {
			t.Errorf("POST %s with the key %q = %d: %s", test.path, test.key, status, answer)
		}
	}
	const elsewhere = "the key is that of another sandbox; use it at /sandboxes/NAME/mcp, where NAME is its own " +
		"sandbox, or send Authorization: Bearer KEY, where KEY is "
	for path, whose := range map[string]string{"/mcp": "the server's --admin-key",
		"/sandboxes/bob/mcp": "the key of the sandbox or the server's --admin-key"} {
		_, answer := shop.do(t, "POST", path, ping, "Authorization", "Bearer adas")
		if got := decode[struct{ Message string }](t, string(answer)).Message; got != elsewhere+whose {
			t.Errorf("POST %s with the key of ada: %s, want %s", path, got, elsewhere+whose)
		}
	}
	owner, root := shop.connect(t, "/sandboxes/ada/mcp", "Authorization", "Bearer adas"),
		shop.connect(t, "/mcp", "Authorization", "Bearer root")
	owner.must(t, "list_records", `{"collection": "messages"}`)
	owner.must(t, "reset", ``)
	owner.must(t, "get_report", ``)
	owner.must(t, "get_status", ``)
	for tool, arguments := range map[string]string{"fork_sandbox": `{"name": "mine"}`, "reset": `{"seed": 2}`} {
		if got := owner.call(t, tool, arguments); !got.wrong || errorText(t, got.text) != "forbidden" {
			t.Errorf("%s by the owner of a sandbox: %+v", tool, got)
		}
		root.must(t, tool, arguments)
	}
}

// TestToolsHaveCallersRights checks that no tool does what the caller may not do over HTTP.
// Each header alone indicates that the caller is not on this machine.
func TestToolsHaveCallersRights(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	shop.make(t, "ada", "adas", false)
	for name, value := range map[string]string{
		"X-Real-Ip": "203.0.113.7", "X-Forwarded-For": "203.0.113.7", "Forwarded": "for=203.0.113.7",
		"Via": "1.1 proxy", "X-Petstore-Webhook": "1",
	} {
		if status, answer := shop.do(t, "PUT", "/admin/sandboxes/new", "", "Authorization", "Bearer adas", name,
			value); status != 403 {
			t.Errorf("with %s: %d %s", name, status, answer)
		}
		owner := shop.connect(t, "/sandboxes/ada/mcp", "Authorization", "Bearer adas", name, value)
		for _, tool := range []string{"create_sandbox", "fork_sandbox"} {
			if got := owner.call(t, tool, `{"name": "new"}`); !got.wrong || errorText(t, got.text) != "forbidden" {
				t.Errorf("%s with %s: %+v", tool, name, got)
			}
		}
		owner.must(t, "reset", ``)
	}
	if n := len(shop.service.Sandboxes().List()); n != 2 {
		t.Errorf("%d sandboxes, want default and ada", n)
	}
}

// TestOrigins checks that Origin is verified with any key, as the protocol requires.
func TestOrigins(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"", "root"} {
		shop := newShop(t, func(c *handlers.Config) {
			c.AdminKey, c.AdminOrigins = key, []string{"https://agent.example"}
		})
		for origin, want := range map[string]int{
			"https://evil.example": 403, "null": 403, "http://localhost:6274": 200, "https://agent.example": 200,
			shop.url: 200,
		} {
			if status, answer := shop.do(t, "POST", "/mcp", ping, "Origin", origin, "Authorization",
				"Bearer "+key); status != want {
				t.Errorf("from a page of %s with the key %q: %d %s, want %d", origin, key, status, answer, want)
			}
		}
		if status, _ := shop.do(t, "POST", "/mcp", ping, "Sec-Fetch-Site", "cross-site", "Authorization",
			"Bearer "+key); status != 403 {
			t.Errorf("from another site with the key %q: %d", key, status)
		}
	}
}

// TestSessionsAndStreamsAreRefused checks that the server keeps no sessions and no streams, which it would
// have to limit.
func TestSessionsAndStreamsAreRefused(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	for _, version := range []string{"", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		for _, accept := range []string{"", "application/json", "application/json, text/event-stream",
			"text/event-stream"} {
			header := []string{"Accept", accept}
			if version != "" {
				header = append(header, "Mcp-Protocol-Version", version)
			}
			if status, answer := shop.do(t, "POST", "/mcp", ping, header...); status != 200 ||
				strings.TrimSpace(string(answer)) != `{"jsonrpc":"2.0","id":1,"result":{}}` {
				t.Errorf("ping by %q, accepting %q: %d %s", version, accept, status, answer)
			}
		}
	}
	shop.connect(t, "/mcp").must(t, "get_status", ``)
	var listed struct{ Matched int }
	if listed = decode[struct{ Matched int }](t,
		string(second(shop.do(t, "GET", "/admin/requests", "")))); listed.Matched != 0 {
		t.Errorf("%d messages are in the journal of the service", listed.Matched)
	}
}
