package handlers_test

import (
	"net/http"
	"testing"

	. "example.com/petstore/handlers/internal/contracttest"
)

func TestMessages(t *testing.T) { RunScenarios(t, messageScenarios()) }

func messageScenarios() []Scenario {
	get := func(path string) Request { return Get(path).WithKey("demo-key") }
	post := func(body string) Request {
		return Post("/messages", body).WithKey("demo-key")
	}
	const first = `{"id": 1, "message": "Is Rex still there?", "createdAt": "2025-03-14T09:30:00Z"}`
	return []Scenario{
		{Name: "list", Request: get("/messages"), Status: 200, Want: `[` + first + `]`},

		{Name: "create", Request: post(`{"message": "Hello", "createdAt": "1999-01-01T00:00:00Z", "id": 5}`), Status: 201,
			Want: `{"id": 2, "message": "Hello", "createdAt": "2026-07-01T12:00:00Z"}`, Headers: http.Header{"Location": {"/messages/2"}}},
		{Name: "create of the longest", Request: post(`{"message": "` + repeat("✉", 4000) + `"}`), Status: 201,
			Want: `{"id": 2, "message": "` + repeat("✉", 4000) + `", "createdAt": "2026-07-01T12:00:00Z"}`},
		{Name: "create of too long a one", Request: post(`{"message": "` + repeat("✉", 4001) + `"}`), Status: 400,
			Code: "validation_failed", Fields: []string{"/message"}},

		{Name: "get", Request: get("/messages/1"), Status: 200, Want: first},
	}
}
