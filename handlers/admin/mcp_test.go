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
		{Name: "mcp: ping", Request: send(ping), Status: 200, Want: `{"jsonrpc": "2.0", "id": 1, "result": {}}`,
			Headers: http.Header{"Content-Type": {"application/json"}, "Mcp-Session-Id": nil}},
		{Name: "mcp: a notification", Request: send(`{"jsonrpc": "2.0", "method": "notifications/initialized"}`),
			Status: 202, Check: func(*testing.T, *Answer) {}, Headers: http.Header{"Content-Length": {"0"}}},
		{Name: "mcp: a notification of the wrong type",
			Request: send(`{"jsonrpc": "2.0", "method": "notifications/initialized", "params": {"_meta": 7}}`),
			Status:  202, Check: func(*testing.T, *Answer) {}},
		Answered("mcp: a tool that writes",
			InSandbox("ada",
				send(`{"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": {"name": "clear_faults"}}`)), 200,
			`{"jsonrpc": "2.0", "id": "a", "result": {"content": [{"type": "text", "text": "{\"done\":true}"}], `+
				`"structuredContent": {"done": true}}}`),
		Answered("mcp: a tool of no name",
			send(`{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "fly"}}`), 200,
			`{"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "unknown tool \"fly\""}}`),
		Refused("mcp: not JSON", send(`{"jsonrpc"`), 400, "invalid_json"),
		Refused("mcp: a batch", send(`[`+ping+`]`), 400, "invalid_json"),
		Refused("mcp: a name twice", send(`{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping"}`), 400,
			"invalid_json"),
		Refused("mcp: another protocol", send(`{"jsonrpc": "1.0", "id": 1, "method": "ping"}`),
			400, "validation_failed", "/jsonrpc"),
		Refused("mcp: an answer", send(`{"jsonrpc": "2.0", "id": 1, "result": {}}`), 400, "validation_failed",
			"/method"),
		Refused("mcp: fields of other types", send(`{"jsonrpc": "2.0", "id": {}, "method": 7, "params": []}`),
			400, "validation_failed", "/id", "/method", "/params"),
		Answered("mcp: a method that there is not", send(`{"jsonrpc": "2.0", "id": "a", "method": "fly"}`),
			200, `{"jsonrpc": "2.0", "id": "a", "error": {"code": -32601, "message": "method not found: \"fly\""}}`),
		Refused("mcp: a notification that there is not", send(`{"jsonrpc": "2.0", "method": "fly"}`),
			400, "validation_failed"),
		Refused("mcp: a version that there is not", send(ping).With("Mcp-Protocol-Version", "1999-01-01"),
			400, "validation_failed"),
		Refused("mcp: too long",
			send(`{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": "`+strings.Repeat("a", 64<<10)+`"}}`),
			413, "payload_too_large"),
		Refused("mcp: as text", Textual(send(ping)), 415, "unsupported_media_type"),
		Refused("mcp: with a parameter", Post("/mcp?session=1", ping), 400, "invalid_parameter", "session"),
		Refused("mcp: in all sandboxes", InSandbox("*", send(ping)), 400, "invalid_parameter", "X-Sandbox"),
		Refused("mcp: without the key", send(ping),
			401, "unauthorized").On(func(c *handlers.Config) { c.AdminKey = "secret" }),
	}
}
