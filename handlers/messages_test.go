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
		Answered("list", get("/messages"), 200, `[`+first+`]`),

		{Name: "create", Request: post(`{"message": "Hello", "createdAt": "1999-01-01T00:00:00Z", "id": 5}`), Status: 201,
			Want: `{"id": 2, "message": "Hello", "createdAt": "2026-07-01T12:00:00Z"}`, Headers: http.Header{"Location": {"/messages/2"}}},
		Answered("create of the longest", post(`{"message": "`+repeat("✉", 4000)+`"}`),
			201, `{"id": 2, "message": "`+repeat("✉", 4000)+`", "createdAt": "2026-07-01T12:00:00Z"}`),
		Refused("create of too long a one", post(`{"message": "`+repeat("✉", 4001)+`"}`),
			400, "validation_failed", "/message"),

		Answered("get", get("/messages/1"), 200, first),
	}
}
