package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	petmcp "example.com/petstore/handlers/mcp"
)

// lines serves the input and returns the lines of the output.
func lines(t testing.TB, shop *shop, input string) (all []string) {
	t.Helper()
	var out bytes.Buffer
	if err := shop.serveLines(context.Background(), strings.NewReader(input), &out,
		"http://127.0.0.1:8080"); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		all = append(all, strings.TrimSuffix(line, "\n"))
	}
	return all
}

const hello = `{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}
{"jsonrpc": "2.0", "method": "notifications/initialized"}
`

// TestResponsesAreInOrder checks that all calls are answered before the end, in order.
func TestResponsesAreInOrder(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	input := hello
	for i := range 200 {
		tool, arguments := "add_fault", `{"status": 503}`
		if i%2 == 1 {
			tool, arguments = "get_status", `{}`
		}
		input += fmt.Sprintf(`{"jsonrpc": "2.0", "id": %d, "method": "tools/call", "params": {"name": %q, `+
			`"arguments": %s}}`, i+1, tool, arguments) + "\r\n"
	}
	got := lines(t, shop, strings.TrimSpace(input)) // without the last newline
	if len(got) != 201 {
		t.Fatalf("201 calls have %d answers", len(got))
	}
	for i, line := range got[1:] {
		answer := decode[struct {
			ID     int
			Result struct{ StructuredContent struct{ Faults *int } }
		}](t, line)
		if faults := answer.Result.StructuredContent.Faults; answer.ID != i+1 || i%2 == 1 && *faults != i/2+1 {
			t.Fatalf("the answer to %d is %s", i+1, line)
		}
	}
}

// TestWaitingLines calls a tool that waits. It must hold up no other call, and have no response once
// it is cancelled.
func TestWaitingLines(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	in, toServer := io.Pipe()
	defer toServer.Close()
	fromServer, out := io.Pipe()
	go func() { _ = shop.serveLines(context.Background(), in, out, shop.url) }()
	go func() {
		_, _ = io.WriteString(toServer,
			hello+`{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "wait_for_requests", "arguments": {"wait": "1m"}}}
{"jsonrpc": "2.0", "id": 2, "method": "ping"}
`)
	}()
	answers := json.NewDecoder(fromServer)
	expect := func(ids ...int) {
		t.Helper()
		for _, id := range ids {
			var answer struct{ ID int }
			if err := answers.Decode(&answer); err != nil || answer.ID != id {
				t.Fatalf("the answer is %+v, %v, want that to %d", answer, err, id)
			}
		}
	}
	expect(0, 2)
	go func() {
		_, _ = io.WriteString(toServer,
			`{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
{"jsonrpc": "2.0", "id": 3, "method": "ping"}
{"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": "wait_for_requests", "arguments": {"wait": "1m"}}}
{"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "add_fault", "arguments": {"status": 503}}}
`)
	}()
	expect(3, 5)
	if answer, err := http.Get(shop.url + "/pets"); err != nil || answer.Body.Close() != nil { // what 4 waits for
		t.Fatal(err)
	}
	expect(4)
}

// TestInvalidLines checks that an invalid line gets an error, and that the next line gets a response.
func TestInvalidLines(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	for name, test := range map[string]struct {
		line string
		code int
	}{
		"no JSON":        {`hello?`, -32700},
		"half a message": {`{"jsonrpc": "2.0", "id": 1, "method"`, -32700},
		"two messages": {`{"jsonrpc": "2.0", "id": 1, "method": "ping"}{"jsonrpc": "2.0", "id": 2, ` +
			`"method": "ping"}`, -32700},
		"a message and more": {`{"jsonrpc": "2.0", "id": 1, "method": "ping"} more`, -32700},
		"no message":         {`{"hello": "you"}`, -32600},
		"another protocol":   {`{"jsonrpc": "1.0", "id": 1, "method": "ping"}`, -32600},
		"a batch":            {`[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]`, -32600},
		"a long line": {`{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": "` +
			strings.Repeat("a", petmcp.MaxMessage) + `"}}`, -32600},
		"a very long line":     {strings.Repeat("[", 4<<20), -32600},
		"many objects in each": {strings.Repeat(`{"a":`, 10_000), -32700},
	} {
		got := lines(t, shop, hello+test.line+"\n\n"+ping+"\n")
		var codes []int
		for _, line := range got {
			codes = append(codes, decode[struct{ Error struct{ Code int } }](t, line).Error.Code)
		}
		if want := []int{0, test.code, 0}; !slices.Equal(codes, want) {
			t.Errorf("%s: the codes are %v, want %v", name, codes, want)
		}
	}
	if got := lines(t, shop, ping+"\n"); len(got) != 1 {
		t.Errorf("a ping before all else has the answers %v", got)
	}
	if got := lines(t, shop, ""); got != nil {
		t.Errorf("nothing has the answers %v", got)
	}
}

// TestClosedOutput checks that the service ends with an error when its output is
// closed.
func TestClosedOutput(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	fromServer.Close()
	ended := make(chan error, 1)
	go func() { ended <- shop.serveLines(t.Context(), in, out, shop.url) }()
	_, _ = io.WriteString(toServer, ping+"\n")
	if err := <-ended; err == nil {
		t.Error("it ended without an error")
	}
	toServer.Close()
}

// FuzzLines checks that every line of the output is a message, for any input.
func FuzzLines(f *testing.F) {
	shop := newShop(f, nil)
	f.Add(hello)
	f.Add(hello + ping + "\n" + ping)
	f.Add(hello +
		`{"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": {"name": "list_records", ` +
		`"arguments": {"collection": "pets", "id": 1, "limit": [1, 2]}}}` + "\n")
	f.Add(hello +
		`{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "add_fault", ` +
		`"arguments": {"match": {"path": "/**"}, "status": 503, "sandbox": "a b"}}}`)
	f.Add(hello +
		`{"jsonrpc": "2.0", "id": 3, "method": "subscriptions/listen", ` +
		`"params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}}` + "\n" +
		`{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}}`)
	f.Add(`{"jsonrpc": "2.0", "id": 4, "method": "tools/list", "params": {"cursor": "x"}}` + "\n[]\n\x00\n{}")
	f.Add(`{"jsonrpc": "2.0", "id": 5, "result": {}}` + "\n" +
		`{"jsonrpc": "2.0", "id": null, "method": "ping", "params": []}`)
	f.Fuzz(func(t *testing.T, input string) {
		if strings.Contains(input, "reset") || strings.Contains(input, `\u`) {
			t.Skip("perhaps much data")
		}
		for _, line := range lines(t, shop, input) {
			var message map[string]any
			if err := json.Unmarshal([]byte(line), &message); err != nil || message["jsonrpc"] != "2.0" {
				t.Errorf("%q is answered %q", input, line)
			}
		}
		shop.service.Sandboxes().Default().Reset()
		for _, sb := range shop.service.Sandboxes().List() {
			_ = shop.service.Sandboxes().Drop(sb.Name) // except the default sandbox
		}
	})
}
