package handlers_test

import (
	"net/http"
	"testing"
)

var demoKey = http.Header{"Authorization": {"Bearer demo-key"}}

func TestMessages(t *testing.T) { runScenarios(t, messageScenarios()) }

func messageScenarios() []scenario {
	get := func(path string) request { return request{method: "GET", path: path, header: demoKey} }
	post := func(body string) request {
		return request{method: "POST", path: "/messages", header: demoKey, body: body}
	}
	const first = `{"id": 1, "message": "Is Rex still there?", "createdAt": "2025-03-14T09:30:00Z"}`
	challenge := http.Header{"WWW-Authenticate": {`Bearer realm="petstore"`}}
	return []scenario{
		{name: "list", request: get("/messages"), status: 200, want: `[` + first + `]`},
		{name: "list with a bad parameter", request: get("/messages?offset=-1"), status: 400, code: "invalid_parameter", fields: []string{"offset"}},
		{name: "list without a key", request: request{method: "GET", path: "/messages"}, status: 401, code: "unauthorized", headers: challenge},

		{name: "create", request: post(`{"message": "Hello", "createdAt": "1999-01-01T00:00:00Z", "id": 5}`), status: 201,
			want: `{"id": 2, "message": "Hello", "createdAt": "2026-07-01T12:00:00Z"}`, headers: http.Header{"Location": {"/messages/2"}}},
		{name: "create of the longest", request: post(`{"message": "` + repeat("✉", 4000) + `"}`), status: 201,
			want: `{"id": 2, "message": "` + repeat("✉", 4000) + `", "createdAt": "2026-07-01T12:00:00Z"}`},
		{name: "create of too long a one", request: post(`{"message": "` + repeat("✉", 4001) + `"}`), status: 400,
			code: "validation_failed", fields: []string{"/message"}},
		{name: "create of what is not JSON", request: post(`Hello`), status: 400, code: "invalid_json"},
		{name: "create without a key", request: request{method: "POST", path: "/messages", body: `{"message": "Hello"}`},
			status: 401, code: "unauthorized", headers: challenge},

		{name: "get", request: get("/messages/1"), status: 200, want: first},
		{name: "get of none", request: get("/messages/2"), status: 404, code: "not_found"},
		{name: "get of a wrong id", request: get("/messages/x"), status: 400, code: "invalid_parameter", fields: []string{"messageId"}},
		{name: "get without a key", request: request{method: "GET", path: "/messages/1"}, status: 401, code: "unauthorized", headers: challenge},
	}
}
