package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/testmain"
	"example.com/petstore/handlers/sandbox"
)

func TestMain(m *testing.M) { testmain.Run(m) }

// shop is a server over real HTTP.
type shop struct {
	url     string
	service *handlers.Server
	client  *http.Client
}

func newShop(t testing.TB, change func(*handlers.Config)) *shop {
	t.Helper()
	var config handlers.Config
	if change != nil {
		change(&config)
	}
	service, err := handlers.New(config)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(service)
	t.Cleanup(func() {
		service.Close()
		server.Close()
	})
	return &shop{url: server.URL, service: service, client: server.Client()}
}

// make makes a sandbox, with a key if that is not empty.
func (s *shop) make(t *testing.T, name, key string, private bool) {
	t.Helper()
	own := sandbox.Ownership{Private: &private}
	if key != "" {
		own.Key = &key
	}
	if _, _, _, err := s.service.Sandboxes().MakeOwned(name, sandbox.CreateOptions{}, own); err != nil {
		t.Fatal(err)
	}
}

// do makes a request that must succeed, unless it has another status, and returns the answer.
func (s *shop) do(t *testing.T, method, path, body string, header ...string) (status int, answer []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := s.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err = io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, answer
}

// withHeader sends headers with each request.
type withHeader struct {
	header http.Header
	next   http.RoundTripper
}

func (h withHeader) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, values := range h.header {
		r.Header[name] = values
	}
	return h.next.RoundTrip(r)
}

// session is that of a client of the protocol's library.
type session struct{ *mcp.ClientSession }

// connect opens one at a path of the shop.
func (s *shop) connect(t *testing.T, path string, header ...string) *session {
	t.Helper()
	given := make(http.Header)
	for i := 0; i < len(header); i += 2 {
		given.Set(header[i], header[i+1])
	}
	return open(t, &mcp.StreamableClientTransport{
		Endpoint: s.url + path, HTTPClient: &http.Client{Transport: withHeader{given, s.client.Transport}}, MaxRetries: -1,
	})
}

func open(t *testing.T, transport mcp.Transport) *session {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	connected, err := client.Connect(context.Background(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connected.Close() })
	return &session{connected}
}

// result is that of a tool.
type result struct {
	text  string // as JSON, or why there is none
	wrong bool
}

// call calls a tool, whose structured result must be its text as well.
func (s *session) call(t *testing.T, tool, arguments string) result {
	t.Helper()
	params := &mcp.CallToolParams{Name: tool}
	if arguments != "" {
		params.Arguments = json.RawMessage(arguments)
	}
	got, err := s.CallTool(t.Context(), params)
	if err != nil {
		t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	text := got.Content[0].(*mcp.TextContent).Text
	if !got.IsError {
		expectJSON(t, tool, encode(t, got.StructuredContent), text)
	}
	return result{text, got.IsError}
}

// must is call of a tool that must succeed.
func (s *session) must(t *testing.T, tool, arguments string) string {
	t.Helper()
	r := s.call(t, tool, arguments)
	if r.wrong {
		t.Fatalf("%s %s: %s", tool, arguments, r.text)
	}
	return r.text
}

func encode(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func decode[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	if err := decoder.Decode(&v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

func expectJSON(t *testing.T, what, got, want string) {
	t.Helper()
	if diff := cmp.Diff(decode[any](t, want), decode[any](t, got)); diff != "" {
		t.Errorf("%s, -want +got:\n%s", what, diff)
	}
}
