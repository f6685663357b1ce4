package mcp_test

import (
	"strings"
	"testing"
)

const ping = `{"jsonrpc": "2.0", "id": 1, "method": "ping"}`

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
	_, journal := shop.do(t, "GET", "/admin/requests", "")
	if matched := decode[struct{ Matched int }](t, string(journal)).Matched; matched != 0 {
		t.Errorf("%d messages are in the journal of the service", matched)
	}
}
