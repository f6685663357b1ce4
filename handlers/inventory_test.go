package handlers_test

import (
	"net/http"
	"testing"

	. "example.com/petstore/handlers/internal/contracttest"
)

func TestInventory(t *testing.T) { RunScenarios(t, inventoryScenarios()) }

func inventoryScenarios() []Scenario {
	return []Scenario{
		{Name: "list", Request: Get("/store/inventory?limit=2"), Status: 200,
			Want:    `[{"petId": 1, "quantity": 3, "status": "available"}, {"petId": 2, "quantity": 0, "status": "pending"}]`,
			Headers: http.Header{"X-Total-Count": {"5"}}},
		{Name: "list with bad parameters", Request: Get("/store/inventory?status=gone&maxQuantity=-1"), Status: 400,
			Code: "invalid_parameter", Fields: []string{"status", "maxQuantity"}},

		{Name: "get", Request: Get("/store/inventory/4"), Status: 200, Want: `{"petId": 4, "quantity": 7, "status": "available"}`},

		{Name: "update", Request: Put("/store/inventory/4", `{"quantity": 0}`), Status: 200, Want: `{"petId": 4, "quantity": 0, "status": "available"}`},
		{Name: "update by what was read", Request: Put("/store/inventory/4", `{"petId": 4, "quantity": 1, "status": "available"}`), Status: 200,
			Want: `{"petId": 4, "quantity": 1, "status": "available"}`},
		{Name: "update with nulls", Request: Put("/store/inventory/4", `{"petId": null, "quantity": 1, "status": null}`), Status: 200,
			Want: `{"petId": 4, "quantity": 1, "status": "available"}`},
		{Name: "update with another status", Request: Put("/store/inventory/4", `{"quantity": 1, "status": "sold"}`), Status: 400,
			Code: "validation_failed", Fields: []string{"/status"}},
		{Name: "update with another pet", Request: Put("/store/inventory/4", `{"petId": 1, "quantity": 1}`), Status: 400,
			Code: "validation_failed", Fields: []string{"/petId"}},
		{Name: "update with everything wrong", Request: Put("/store/inventory/4", `{"petId": 1, "quantity": -1, "status": "pending"}`), Status: 400,
			Code: "validation_failed", Fields: []string{"/petId", "/quantity", "/status"}},
		{Name: "update with no status", Request: Put("/store/inventory/4", `{"petId": "4", "quantity": 1, "status": "dead"}`), Status: 400,
			Code: "validation_failed", Fields: []string{"/petId", "/status"}},
		{Name: "update of none with a status", Request: Put("/store/inventory/6", `{"quantity": 1, "status": "sold"}`), Status: 404, Code: "not_found"},
		{Name: "update with another status of what has changed", Status: 400, Code: "validation_failed", Fields: []string{"/status"},
			Request: Put("/store/inventory/4", `{"quantity": 1, "status": "sold"}`).With("If-Match", `"stale"`)},
		{Name: "update to less than nothing", Request: Put("/store/inventory/4", `{"quantity": -1}`), Status: 400,
			Code: "validation_failed", Fields: []string{"/quantity"}},
		{Name: "update to nothing", Request: Put("/store/inventory/4", `{}`), Status: 400, Code: "validation_failed", Fields: []string{"/quantity"}},
		{Name: "update to null", Request: Put("/store/inventory/4", `{"quantity": null}`), Status: 400, Code: "validation_failed", Fields: []string{"/quantity"}},
	}
}
