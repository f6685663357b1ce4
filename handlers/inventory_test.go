package handlers_test

import (
	"testing"

	. "example.com/petstore/handlers/internal/contracttest"
)

func TestInventory(t *testing.T) { RunScenarios(t, inventoryScenarios()) }

// inventoryScenarios returns scenarios that the transcript inventory.txt lacks.
func inventoryScenarios() []Scenario {
	return []Scenario{
		Answered("update with nulls", Put("/store/inventory/4", `{"petId": null, "quantity": 1, "status": null}`),
			200, `{"petId": 4, "quantity": 1, "status": "available"}`),
		Refused("update with another status", Put("/store/inventory/4", `{"quantity": 1, "status": "sold"}`),
			400, "validation_failed", "/status"),
		Refused("update with another pet", Put("/store/inventory/4", `{"petId": 1, "quantity": 1}`),
			400, "validation_failed", "/petId"),
		Refused("update with everything wrong",
			Put("/store/inventory/4", `{"petId": 1, "quantity": -1, "status": "pending"}`), 400, "validation_failed",
			"/petId", "/quantity", "/status"),
		Refused("update with no status", Put("/store/inventory/4", `{"petId": "4", "quantity": 1, "status": "dead"}`),
			400, "validation_failed", "/petId", "/status"),
		Refused("update of none with a status", Put("/store/inventory/6", `{"quantity": 1, "status": "sold"}`),
			404, "not_found"),
		Refused("update with another status of what has changed",
			Put("/store/inventory/4", `{"quantity": 1, "status": "sold"}`).With("If-Match", `"stale"`), 400,
			"validation_failed", "/status"),
	}
}
