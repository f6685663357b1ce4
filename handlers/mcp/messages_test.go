package mcp_test

import (
	"fmt"
	"testing"
)

// TestIDs checks that a response has the id of its message unchanged, and that invalid ids are
// refused.
func TestIDs(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	for id, taken := range map[string]bool{
		`0`: true, `-5`: true, `"a"`: true, `""`: true, `"1.5"`: true, `"\u00e9\ud83d\ude00"`: true,
		`9007199254740992`: true, `-9007199254740992`: true, `1.5`: false, `1.0`: false, `1e2`: false,
		`9007199254740993`: false, `-9007199254740993`: false, `9223372036854775808`: false, `null`: false,
		`true`: false, `[1]`: false, `{}`: false, `"\ud800"`: false,
	} {
		text := fmt.Sprintf(`{"jsonrpc": "2.0", "id": %s, "method": "ping"}`, id)
		status, answer := shop.do(t, "POST", "/mcp", text)
		line := lines(t, shop, text)
		if len(line) != 1 {
			t.Errorf("the id %s has the answers %v", id, line)
			continue
		}
		got := decode[response](t, line[0])
		if !taken {
			if status != 400 || got.Error.Code != -32600 || string(got.ID) != "null" {
				t.Errorf("the id %s: status %d and %s, want a refusal", id, status, line[0])
			}
			continue
		}
		if status != 200 {
			t.Errorf("the id %s: status %d %s", id, status, answer)
		}
		expectJSON(t, "the id in an answer over HTTP", string(decode[response](t, string(answer)).ID), id)
		expectJSON(t, "the id in a line", string(got.ID), id)
	}
}

// TestCallsWithoutResult checks the codes, messages and ids of protocol errors, over HTTP and over
// standard input.
func TestCallsWithoutResult(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	const notOfType = " is not of the type that the protocol gives it"
	for _, test := range []struct {
		message string
		code    int
		want    string
		status  int // over HTTP, where 400 means an error of the service instead
	}{
		{`"method": "tools/call", "params": {"name": 7}`, -32602, "params.name of tools/call" + notOfType, 200},
		{`"method": "tools/call", "params": {"name": "a", "_meta": 7}`, -32602,
			"params._meta of tools/call" + notOfType, 200},
		{`"method": "tools/call", "params": {"name": "fly"}`, -32602, `unknown tool "fly"`, 200},
		{`"method": "tools/list", "params": {"cursor": "x"}`, -32602, "params.cursor: all tools are on the first page",
			200},
		{`"method": "resources/templates/list", "params": {"cursor": "x"}`, -32602,
			"params.cursor: all resources are on the first page", 200},
		{`"method": "resources/read", "params": {"uri": "petstore:///fly"}`, -32602,
			`unknown resource "petstore:///fly"; resources/list lists them`, 200},
		{`"method": "resources/read"`, -32600, "resources/read requires params", 400},
		{`"method": "initialize", "params": {"protocolVersion": 7}`, -32602,
			"params.protocolVersion of initialize" + notOfType, 200},
		{`"method": "server/discover"`, -32601, `method not found: "server/discover"`, 200},
		{`"method": "fly"`, -32601, `method not found: "fly"`, 200},
		{`"method": "tools/call"`, -32600, "tools/call requires params", 400},
		{`"method": "notifications/initialized"`, -32600,
			"notifications/initialized is a notification, which has no id", 400},
		{`"method": "ping", "params": []`, -32602,
			"the line is not one message of JSON-RPC 2.0: params: must be an object, not an array", 400},
		{`"method": 7`, -32600, "the line is not one message of JSON-RPC 2.0: method: must be a string, not a number",
			400},
	} {
		text := `{"jsonrpc": "2.0", "id": 7, ` + test.message + `}`
		status, answer := shop.do(t, "POST", "/mcp", text)
		answers := lines(t, shop, hello+text)[1:]
		if test.status == 200 {
			answers = append(answers, string(answer))
		}
		for _, text := range answers {
			got := decode[response](t, text)
			if status != test.status || string(got.ID) != "7" || got.Error.Code != test.code ||
				got.Error.Message != test.want {
				t.Errorf("%s: %d %s, want %d %d %s", test.message, status, text, test.status, test.code, test.want)
			}
		}
	}
}
