package handlers_test

import (
	"testing"

	. "example.com/petstore/handlers/internal/contracttest"
)

func TestMessages(t *testing.T) { RunScenarios(t, messageScenarios()) }

// messageScenarios returns scenarios that the transcript messages.txt lacks.
func messageScenarios() []Scenario {
	return []Scenario{
		Answered("create of the longest", Post("/messages", `{"message": "`+repeat("✉", 4000)+`"}`).WithKey("demo-key"),
			201, `{"id": 2, "message": "`+repeat("✉", 4000)+`", "createdAt": "2026-07-01T12:00:00Z"}`),
	}
}
