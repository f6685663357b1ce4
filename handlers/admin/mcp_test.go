package admin_test

import (
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
)

func TestMCP(t *testing.T) { RunScenarios(t, mcpScenarios()) }

func mcpScenarios() []Scenario {
	send := func(body string) Request { return Post("/mcp", body) }
	const ping = `{"jsonrpc": "2.0", "id": 1, "method": "ping"}`
	return []Scenario{
		{Name: "mcp: ping", Request: send(ping), Status: 200, Want: `{"jsonrpc": "2.0", "id": 1, "result": {}}`, Headers: http.Header{"Content-Type": {"application/json"}, "Mcp-Session-Id": nil}},
		{Name: "mcp: a notification", Request: send(`{"jsonrpc": "2.0", "method": "notifications/initialized"}`), Status: 202, Check: func(*testing.T, *Answer) {}, Headers: http.Header{"Content-Length": {"0"}}},
		{Name: "mcp: a notification of the wrong type", Request: send(`{"jsonrpc": "2.0", "method": "notifications/initialized", "params": {"_meta": 7}}`), Status: 202, Check: func(*testing.T, *Answer) {}},
		{Name: "mcp: a tool that writes", Request: InSandbox("ada", send(`{"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": {"name": "clear_faults"}}`)), Status: 200,
			Want: `{"jsonrpc": "2.0", "id": "a", "result": {"content": [{"type": "text", "text": "{\"done\":true}"}], "structuredContent": {"done": true}}}`},
		{Name: "mcp: a tool of no name", Request: send(`{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "fly"}}`), Status: 200,
			Want: `{"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "unknown tool \"fly\""}}`},
		{Name: "mcp: not JSON", Request: send(`{"jsonrpc"`), Status: 400, Code: "invalid_json"},
		{Name: "mcp: a batch", Request: send(`[` + ping + `]`), Status: 400, Code: "invalid_json"},
		{Name: "mcp: a name twice", Request: send(`{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping"}`), Status: 400, Code: "invalid_json"},
		{Name: "mcp: another protocol", Request: send(`{"jsonrpc": "1.0", "id": 1, "method": "ping"}`), Status: 400, Code: "validation_failed", Fields: []string{"/jsonrpc"}},
		{Name: "mcp: an answer", Request: send(`{"jsonrpc": "2.0", "id": 1, "result": {}}`), Status: 400, Code: "validation_failed", Fields: []string{"/method"}},
		{Name: "mcp: fields of other types", Request: send(`{"jsonrpc": "2.0", "id": {}, "method": 7, "params": []}`), Status: 400, Code: "validation_failed", Fields: []string{"/id", "/method", "/params"}},
		{Name: "mcp: a method that there is not", Request: send(`{"jsonrpc": "2.0", "id": "a", "method": "fly"}`), Status: 200,
			Want: `{"jsonrpc": "2.0", "id": "a", "error": {"code": -32601, "message": "method not found: \"fly\""}}`},
		{Name: "mcp: a notification that there is not", Request: send(`{"jsonrpc": "2.0", "method": "fly"}`), Status: 400, Code: "validation_failed"},
		{Name: "mcp: a version that there is not", Request: withHeader(send(ping), "Mcp-Protocol-Version", "1999-01-01"), Status: 400, Code: "validation_failed"},
		{Name: "mcp: too long", Request: send(`{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": "` + strings.Repeat("a", 64<<10) + `"}}`), Status: 413, Code: "payload_too_large"},
		{Name: "mcp: as text", Request: withHeader(send(ping), "Content-Type", "text/plain"), Status: 415, Code: "unsupported_media_type"},
		{Name: "mcp: with a parameter", Request: Post("/mcp?session=1", ping), Status: 400, Code: "invalid_parameter", Fields: []string{"session"}},
		{Name: "mcp: in all sandboxes", Request: InSandbox("*", send(ping)), Status: 400, Code: "invalid_parameter", Fields: []string{"X-Sandbox"}},
		{Name: "mcp: without the key", Request: send(ping), Status: 401, Code: "unauthorized", Config: func(c *handlers.Config) { c.AdminKey = "secret" }},
	}
}

func withHeader(r Request, name, value string) Request {
	header := r.Header.Clone()
	if header == nil {
		header = make(http.Header)
	}
	header.Set(name, value)
	r.Header = header
	return r
}
