package handlers_test

import (
	"net/http"
	"testing"
)

func TestInventory(t *testing.T) { runScenarios(t, inventoryScenarios()) }

func inventoryScenarios() []scenario {
	get := func(path string) request { return request{method: "GET", path: path} }
	put := func(path, body string) request { return request{method: "PUT", path: path, body: body} }
	return []scenario{
		{name: "list", request: get("/store/inventory?limit=2"), status: 200,
			want:    `[{"petId": 1, "quantity": 3, "status": "available"}, {"petId": 2, "quantity": 0, "status": "pending"}]`,
			headers: http.Header{"X-Total-Count": {"5"}}},
		{name: "list with bad parameters", request: get("/store/inventory?status=gone&maxQuantity=-1"), status: 400,
			code: "invalid_parameter", fields: []string{"status", "maxQuantity"}},

		{name: "get", request: get("/store/inventory/4"), status: 200, want: `{"petId": 4, "quantity": 7, "status": "available"}`},
		{name: "get of none", request: get("/store/inventory/6"), status: 404, code: "not_found"},
		{name: "get of a wrong id", request: get("/store/inventory/four"), status: 400, code: "invalid_parameter", fields: []string{"petId"}},

		{name: "update", request: put("/store/inventory/4", `{"quantity": 0}`), status: 200, want: `{"petId": 4, "quantity": 0, "status": "available"}`},
		{name: "update by what was read", request: put("/store/inventory/4", `{"petId": 4, "quantity": 1, "status": "available"}`), status: 200,
			want: `{"petId": 4, "quantity": 1, "status": "available"}`},
		{name: "update with nulls", request: put("/store/inventory/4", `{"petId": null, "quantity": 1, "status": null}`), status: 200,
			want: `{"petId": 4, "quantity": 1, "status": "available"}`},
		{name: "update with another status", request: put("/store/inventory/4", `{"quantity": 1, "status": "sold"}`), status: 400,
			code: "validation_failed", fields: []string{"/status"}},
		{name: "update with another pet", request: put("/store/inventory/4", `{"petId": 1, "quantity": 1}`), status: 400,
			code: "validation_failed", fields: []string{"/petId"}},
		{name: "update with everything wrong", request: put("/store/inventory/4", `{"petId": 1, "quantity": -1, "status": "pending"}`), status: 400,
			code: "validation_failed", fields: []string{"/petId", "/quantity", "/status"}},
		{name: "update with no status", request: put("/store/inventory/4", `{"petId": "4", "quantity": 1, "status": "dead"}`), status: 400,
			code: "validation_failed", fields: []string{"/petId", "/status"}},
		{name: "update of none with a status", request: put("/store/inventory/6", `{"quantity": 1, "status": "sold"}`), status: 404, code: "not_found"},
		{name: "update with another status of what has changed", status: 400, code: "validation_failed", fields: []string{"/status"},
			request: request{method: "PUT", path: "/store/inventory/4", header: http.Header{"If-Match": {`"stale"`}}, body: `{"quantity": 1, "status": "sold"}`}},
		{name: "update of none", request: put("/store/inventory/6", `{"quantity": 1}`), status: 404, code: "not_found"},
		{name: "update of a wrong id", request: put("/store/inventory/4.", `{"quantity": 1}`), status: 400, code: "invalid_parameter", fields: []string{"petId"}},
		{name: "update to less than nothing", request: put("/store/inventory/4", `{"quantity": -1}`), status: 400,
			code: "validation_failed", fields: []string{"/quantity"}},
		{name: "update to nothing", request: put("/store/inventory/4", `{}`), status: 400, code: "validation_failed", fields: []string{"/quantity"}},
		{name: "update to null", request: put("/store/inventory/4", `{"quantity": null}`), status: 400, code: "validation_failed", fields: []string{"/quantity"}},
		{name: "update by what is not JSON", request: put("/store/inventory/4", `7`), status: 400, code: "invalid_json"},
		{name: "update of what has changed", status: 412, code: "precondition_failed", fields: []string{"If-Match"},
			request: request{method: "PUT", path: "/store/inventory/4", header: http.Header{"If-Match": {`"stale"`}}, body: `{"quantity": 1}`}},
	}
}
