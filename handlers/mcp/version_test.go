package mcp_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

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
