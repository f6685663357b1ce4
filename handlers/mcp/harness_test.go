package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/extras"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/internal/testmain"
	petmcp "example.com/petstore/handlers/mcp"
)

func TestMain(m *testing.M) { testmain.Run(m) }

// shop is a server with an HTTP client.
type shop struct {
	url     string
	key     string // of the control plane
	service *handlers.Server
	client  *http.Client
}

func newShop(t testing.TB, change func(*handlers.Config)) *shop {
	t.Helper()
	var config handlers.Config
	extras.Add(&config)
	if change != nil {
		change(&config)
	}
	service := must.Get(handlers.New(config))(t)
	server := httptest.NewServer(service)
	t.Cleanup(func() {
		service.Close()
		server.Close()
	})
	return &shop{url: server.URL, key: config.AdminKey, service: service, client: server.Client()}
}

// serveLines serves the tools as --mcp does.
func (s *shop) serveLines(ctx context.Context, in io.Reader, out io.Writer, address string) error {
	return petmcp.New(s.service, "devel").ServeLines(ctx, in, out, address, s.key)
}

// do makes a request and returns the status and the body of its response.
func (s *shop) do(t *testing.T, method, path, body string, header ...string) (status int, answer []byte) {
	t.Helper()
	r := must.Get(http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body)))(t)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response := must.Get(s.client.Do(r))(t)
	defer response.Body.Close()
	answer = must.Get(io.ReadAll(response.Body))(t)
	return response.StatusCode, answer
}

// session is an MCP client at a path of the shop.
type session struct {
	shop   *shop
	path   string
	header []string
	hello  string // result of initialize
}

// connect opens a session.
func (s *shop) connect(t *testing.T, path string, header ...string) *session {
	t.Helper()
	c := &session{shop: s, path: path, header: append(header, "Mcp-Protocol-Version", "2025-11-25")}
	c.hello = string(c.send(t, "initialize",
		`{"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}`).Result)
	if status, answer := s.do(t, "POST", path, `{"jsonrpc": "2.0", "method": "notifications/initialized"}`,
		c.header...); status != 202 {
		t.Fatalf("notifications/initialized = %d: %s", status, answer)
	}
	return c
}

// response is a response to a call.
type response struct {
	JSONRPC string
	ID      json.RawMessage
	Result  json.RawMessage
	Error   struct {
		Code    int
		Message string
	}
}

// send sends a call and returns its response, which must have status 200.
func (s *session) send(t *testing.T, method, params string) response {
	t.Helper()
	status, answer := s.shop.do(t, "POST", s.path,
		fmt.Sprintf(`{"jsonrpc": "2.0", "id": "a", "method": %q, "params": %s}`, method, params), s.header...)
	got := response{}
	if status == 200 {
		got = decode[response](t, string(answer))
	}
	if got.JSONRPC != "2.0" || string(got.ID) != `"a"` {
		t.Fatalf("%s %s = %d: %s", method, params, status, answer)
	}
	return got
}

// result is the result of a tool.
type result struct {
	text  string // JSON, or the text of an error
	wrong bool
}

// call calls a tool. A structured result must equal its text.
func (s *session) call(t *testing.T, tool, arguments string) result {
	t.Helper()
	params := fmt.Sprintf(`{"name": %q}`, tool)
	if arguments != "" {
		params = fmt.Sprintf(`{"name": %q, "arguments": %s}`, tool, arguments)
	}
	r := s.send(t, "tools/call", params)
	if r.Result == nil {
		t.Fatalf("%s: %+v", tool, r.Error)
	}
	got := decode[struct {
		Content           []struct{ Type, Text string }
		StructuredContent json.RawMessage
		IsError           bool
	}](t, string(r.Result))
	if len(got.Content) != 1 || got.Content[0].Type != "text" {
		t.Fatalf("%s returns the content %+v", tool, got.Content)
	}
	if text := got.Content[0].Text; !got.IsError {
		expectJSON(t, tool, string(got.StructuredContent), text)
	}
	return result{got.Content[0].Text, got.IsError}
}

// must calls a tool, which must succeed.
func (s *session) must(t *testing.T, tool, arguments string) string {
	t.Helper()
	r := s.call(t, tool, arguments)
	if r.wrong {
		t.Fatalf("%s %s: %s", tool, arguments, r.text)
	}
	return r.text
}

func decode[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

func expectJSON(t *testing.T, what, got, want string) {
	t.Helper()
	must.Equal(t, decode[any](t, want), decode[any](t, got), "%s", what)
}
