package mcp_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestVersionOfInitialize checks that the server selects the client's version, or else the newest
// version that uses initialize.
func TestVersionOfInitialize(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	for wanted, want := range map[string]string{
		"2024-11-05": "2024-11-05", "2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25",
		"2026-07-28": "2025-11-25", "2099-01-01": "2025-11-25", "1999-01-01": "2025-11-25", "": "2025-11-25",
	} {
		message := fmt.Sprintf(`{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": %q}}`,
			wanted)
		_, web := shop.do(t, "POST", "/mcp", message)
		for _, text := range []string{string(web), lines(t, shop, message)[0]} {
			got := decode[struct {
				ProtocolVersion string
				ServerInfo      struct{ Name, Version string }
				Capabilities    map[string]any
			}](t, string(decode[response](t, text).Result))
			if got.ProtocolVersion != want || got.ServerInfo.Name != "petstore" || got.ServerInfo.Version != "devel" ||
				len(got.Capabilities) != 2 {
				t.Errorf("to %q it answers %s, want the version %s", wanted, text, want)
			}
		}
	}
}

// TestFirstCalls checks that calls over standard input need no initialize, as over HTTP. A response
// gets no response.
func TestFirstCalls(t *testing.T) {
	t.Parallel()
	const (
		list   = `{"jsonrpc": "2.0", "id": 7, "method": "tools/list"}` + "\n"
		answer = `{"jsonrpc": "2.0", "id": 7, "result": {}}` + "\n"
	)
	var codes []int
	for _, line := range lines(t, newShop(t, nil), list+ping+"\n"+answer+hello) {
		codes = append(codes, decode[response](t, line).Error.Code)
	}
	if want := []int{0, 0, 0}; !slices.Equal(codes, want) {
		t.Errorf("the codes are %v, want %v", codes, want)
	}
}

// call2026 returns a call by a client of the version 2026-07-28.
func call2026(method, params string) string {
	const meta = `"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", ` +
		`"io.modelcontextprotocol/clientCapabilities": {}}`
	return fmt.Sprintf(`{"jsonrpc": "2.0", "id": 1, "method": %q, "params": {%s}}`, method,
		strings.TrimPrefix(params+", "+meta, ", "))
}

// TestVersion2026 makes calls without initialize, over HTTP and over standard input.
func TestVersion2026(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	for method, want := range map[string]string{"server/discover": "supportedVersions", "tools/list": "tools",
		"tools/call": "structuredContent"} {
		message := call2026(method, `"name": "clear_faults"`)
		status, web := shop.do(t, "POST", "/mcp", message, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", method,
			"Mcp-Name", "clear_faults")
		for _, text := range []string{string(web), lines(t, shop, message)[0]} {
			got := decode[map[string]any](t, string(decode[response](t, text).Result))
			if status != 200 || got["resultType"] != "complete" || got["_meta"] == nil || got[want] == nil {
				t.Errorf("%s = %d: %s", method, status, text)
			}
		}
	}
}

// TestVersion2026Errors checks that errors have their own status, and that the headers must match
// the message.
func TestVersion2026Errors(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	const (
		version  = "io.modelcontextprotocol/protocolVersion"
		discover = "server/discover"
		call     = "tools/call"
		clear    = `"name": "clear_faults"`
	)
	without := func(name string) string { return strings.Replace(call2026(discover, ""), name, "x", 1) }
	for _, test := range []struct {
		message, version, method, name string // the message and the headers
		status, code                   int
	}{
		{call2026("ping", ""), "2026-07-28", "ping", "", 404, -32601},
		{call2026("initialize", ""), "2026-07-28", "initialize", "", 404, -32601},
		{call2026("fly", ""), "2026-07-28", "fly", "", 404, -32601},
		{call2026(call, `"name": "fly"`), "2026-07-28", call, "fly", 400, -32602},
		{call2026(discover, `"cursor": 7`), "2026-07-28", discover, "", 400, -32602},
		{without("io.modelcontextprotocol/clientCapabilities"), "2026-07-28", discover, "", 400, -32602},
		{strings.Replace(call2026(discover, ""), "_meta\": {", `_meta": {"io.modelcontextprotocol/clientInfo": 7, `, 1),
			"2026-07-28", discover, "", 400, -32602},
		{without(version), "2026-07-28", discover, "", 400, -32602},
		{strings.Replace(call2026(discover, ""), "2026-", "2027-", 1), "2027-07-28", discover, "", 400, -32022},
		{call2026(discover, ""), "", discover, "", 400, -32020},
		{call2026(discover, ""), "2025-11-25", discover, "", 400, -32020},
		{call2026(discover, ""), "2026-07-28", "", "", 400, -32020},
		{call2026(discover, ""), "2026-07-28", "tools/list", "", 400, -32020},
		{call2026(call, clear), "2026-07-28", call, "", 400, -32020},
		{call2026(call, clear), "2026-07-28", call, "reset", 400, -32020},
		{call2026("resources/read", `"uri": "petstore:///openapi.json"`), "2026-07-28", "resources/read", "", 400,
			-32020},
		{`{"jsonrpc": "2.0", "method": "notifications/cancelled"}`, "2026-07-28", "", "", 400, -32020},
		{`{"jsonrpc": "2.0", "method": "notifications/cancelled"}`, "2026-07-28", "notifications/cancelled", "", 202,
			0},
	} {
		status, answer := shop.do(t, "POST", "/mcp", test.message, "Mcp-Protocol-Version", test.version, "Mcp-Method",
			test.method, "Mcp-Name", test.name)
		var got response
		if len(answer) > 0 {
			got = decode[response](t, string(answer))
		}
		if status != test.status || got.Error.Code != test.code {
			t.Errorf("%s with the headers %q, %q, %q = %d %s, want %d and the code %d",
				test.message, test.version, test.method, test.name, status, answer, test.status, test.code)
		}
		if test.code == -32022 && (len(got.Error.Data.Supported) != 5 || got.Error.Data.Supported[0] != "2026-07-28") {
			t.Errorf("the error does not name the versions: %s", answer)
		}
	}
}
