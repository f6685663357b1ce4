package mcp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

// TestIDs wants the id of a message in its answer as it was sent, or a refusal.
func TestIDs(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	type message struct {
		ID    json.RawMessage
		Error struct{ Code int }
	}
	for id, taken := range map[string]bool{
		`0`: true, `-5`: true, `"a"`: true, `""`: true, `"1.5"`: true, `"\u00e9\ud83d\ude00"`: true, `9007199254740992`: true, `-9007199254740992`: true,
		`1.5`: false, `1.0`: false, `1e2`: false, `9007199254740993`: false, `-9007199254740993`: false, `9223372036854775808`: false,
		`null`: false, `true`: false, `[1]`: false, `{}`: false, `"\ud800"`: false,
	} {
		text := fmt.Sprintf(`{"jsonrpc": "2.0", "id": %s, "method": "ping"}`, id)
		status, answer := shop.do(t, "POST", "/mcp", text)
		line := lines(t, shop.service, text)
		if len(line) != 1 {
			t.Errorf("the id %s has the answers %v", id, line)
			continue
		}
		got := decode[message](t, line[0])
		if !taken {
			if status != 400 || got.Error.Code != -32600 || string(got.ID) != "null" {
				t.Errorf("the id %s: status %d and %s, want a refusal", id, status, line[0])
			}
			continue
		}
		if status != 200 {
			t.Errorf("the id %s: status %d %s", id, status, answer)
		}
		expectJSON(t, "the id in an answer over HTTP", string(decode[message](t, string(answer)).ID), id)
		expectJSON(t, "the id in a line", string(got.ID), id)
	}
}

// TestMessagesOfWrongTypes wants an error to say what is wrong in the words of the protocol, with
// the id, on both ways.
func TestMessagesOfWrongTypes(t *testing.T) {
	t.Parallel()
	shop := newShop(t, nil)
	for _, test := range []struct{ message, code, want string }{
		{`"method": "tools/call", "params": {"name": 7}`, "-32602", "params.name of tools/call is not of the type that the protocol gives it"},
		{`"method": "tools/call", "params": {"name": "a", "_meta": 7}`, "-32602", "params._meta of tools/call is not of the type that the protocol gives it"},
		{`"method": "tools/list", "params": {"cursor": 7}`, "-32602", "params.cursor of tools/list is not of the type that the protocol gives it"},
		{`"method": "initialize", "params": {"protocolVersion": 7}`, "-32602", "params.protocolVersion of initialize is not of the type that the protocol gives it"},
		{`"method": "completion/complete", "params": {"ref": {"type": "x"}}`, "-32602", "params of completion/complete is not of the type that the protocol gives it"},
		{`"method": "tools/call", "params": {"name": "unmarshaling \"x\" into"}`, "-32602", `unknown tool "unmarshaling \"x\" into"`},
		{`"method": "ping", "params": []`, "-32602", "the line is not one message of JSON-RPC 2.0: params: must be an object, not an array"},
		{`"method": "fly"`, "-32601", `method not found: "fly"`},
		{`"method": 7`, "-32600", "the line is not one message of JSON-RPC 2.0: method: must be a string, not a number"},
	} {
		type message struct {
			ID    int
			Error struct {
				Code    json.Number
				Message string
			}
		}
		text := `{"jsonrpc": "2.0", "id": 7, ` + test.message + `}`
		all := lines(t, shop.service, hello+text)
		all = slices.DeleteFunc(all, func(line string) bool { return decode[message](t, line).ID == 0 }) // what hello is answered
		if status, answer := shop.do(t, "POST", "/mcp", text); status == 200 {                           // else it is the service's own error
			all = append(all, string(answer))
		}
		for _, line := range all {
			if got := decode[message](t, line); got.ID != 7 || got.Error.Code.String() != test.code || got.Error.Message != test.want {
				t.Errorf("%s: %s, want %s %s", test.message, line, test.code, test.want)
			}
		}
	}
}

// TestCallsBeforeTheFirstMessage are an error with a code of its own.
func TestCallsBeforeTheFirstMessage(t *testing.T) {
	t.Parallel()
	answers := lines(t, newShop(t, nil).service, `{"jsonrpc": "2.0", "id": 7, "method": "tools/list"}`)
	if len(answers) != 1 || decode[struct{ Error struct{ Code int } }](t, answers[0]).Error.Code != -32600 {
		t.Errorf("the answers are %v, want an error -32600", answers)
	}
}
