package handlers_test

import (
	"net/http"
	"testing"
)

const (
	rex   = `{"id": 1, "name": "Rex", "categoryId": 1, "status": "available"}`
	misty = `{"id": 2, "name": "Misty", "categoryId": 2, "status": "pending"}`
)

var mergePatch = http.Header{"Content-Type": {"application/merge-patch+json"}}

func TestPets(t *testing.T) { runScenarios(t, petScenarios()) }

func petScenarios() []scenario {
	get := func(path string) request { return request{method: "GET", path: path} }
	send := func(method, path, body string) request { return request{method: method, path: path, body: body} }
	stale := http.Header{"If-Match": {`"stale"`}}
	return []scenario{
		{name: "list", request: get("/pets?limit=2"), status: 200, want: `[` + rex + `,` + misty + `]`,
			headers: http.Header{"X-Total-Count": {"5"}}},
		{name: "list with a bad parameter", request: get("/pets?limit=0"), status: 400, code: "invalid_parameter", fields: []string{"limit"}},

		{name: "create", request: send("POST", "/pets", `{"name": "Bello", "categoryId": 3, "status": "sold"}`), status: 201,
			want:    `{"id": 7, "name": "Bello", "categoryId": 3, "status": "sold"}`,
			headers: http.Header{"Location": {"/pets/7"}, "Content-Type": {"application/json"}}},
		{name: "create with defaults", request: send("POST", "/pets", `{"name": "Bello", "categoryId": 1}`), status: 201,
			want: `{"id": 7, "name": "Bello", "categoryId": 1, "status": "available"}`},
		{name: "create with null for what is optional", request: send("POST", "/pets", `{"name": "Bello", "categoryId": 1, "status": null}`), status: 201,
			want: `{"id": 7, "name": "Bello", "categoryId": 1, "status": "available"}`},
		{name: "create ignores an id", request: send("POST", "/pets", `{"id": 1, "name": "Bello", "categoryId": 1}`), status: 201,
			want: `{"id": 7, "name": "Bello", "categoryId": 1, "status": "available"}`},
		{name: "create ignores an id of any type", request: send("POST", "/pets", `{"id": ["x"], "name": "Bello", "categoryId": 1}`), status: 201,
			want: `{"id": 7, "name": "Bello", "categoryId": 1, "status": "available"}`},
		{name: "create ignores unknown fields", request: send("POST", "/pets", `{"NAME": "x", "colour": {"a": [1]}, "name": "Bello", "categoryId": 1}`), status: 201,
			want: `{"id": 7, "name": "Bello", "categoryId": 1, "status": "available"}`},
		{name: "create with the longest name, counted in code points", status: 201,
			request: send("POST", "/pets", `{"name": "`+repeat("🐕", 255)+`", "categoryId": 1}`),
			want:    `{"id": 7, "name": "` + repeat("🐕", 255) + `", "categoryId": 1, "status": "available"}`},
		{name: "create with an escaped name", request: send("POST", "/pets", `{"name": "\ud83d\udc15 \"<&>\" \u0000", "categoryId": 1}`), status: 201,
			want: `{"id": 7, "name": "🐕 \"<&>\" \u0000", "categoryId": 1, "status": "available"}`},
		{name: "create with everything wrong", request: send("POST", "/pets", `{"name": "", "status": "dead"}`), status: 400,
			code: "validation_failed", fields: []string{"/name", "/categoryId", "/status"}},
		{name: "create of what is not JSON", request: send("POST", "/pets", `{"name": `), status: 400, code: "invalid_json"},
		{name: "create in no category", request: send("POST", "/pets", `{"name": "Bello", "categoryId": 4}`), status: 422,
			code: "unknown_category", fields: []string{"/categoryId"}},

		{name: "get", request: get("/pets/1"), status: 200, want: rex},
		{name: "get of none", request: get("/pets/6"), status: 404, code: "not_found"},
		{name: "get of a wrong id", request: get("/pets/one"), status: 400, code: "invalid_parameter", fields: []string{"petId"}},

		{name: "replace", request: send("PUT", "/pets/2", `{"name": "Tom", "categoryId": 1}`), status: 200,
			want: `{"id": 2, "name": "Tom", "categoryId": 1, "status": "available"}`},
		{name: "replace with null for what is optional", request: send("PUT", "/pets/2", `{"name": "Tom", "categoryId": 1, "status": null}`), status: 200,
			want: `{"id": 2, "name": "Tom", "categoryId": 1, "status": "available"}`},
		{name: "replace with the same id", request: send("PUT", "/pets/2", `{"id": 2, "name": "Tom", "categoryId": 1}`), status: 200,
			want: `{"id": 2, "name": "Tom", "categoryId": 1, "status": "available"}`},
		{name: "replace with another id", request: send("PUT", "/pets/2", `{"id": 1, "name": "Tom", "categoryId": 1}`), status: 400,
			code: "validation_failed", fields: []string{"/id"}},
		{name: "replace of none", request: send("PUT", "/pets/6", `{"name": "Tom", "categoryId": 1}`), status: 404, code: "not_found"},
		{name: "replace of a wrong id", request: send("PUT", "/pets/0x1", `{"name": "Tom", "categoryId": 1}`), status: 400,
			code: "invalid_parameter", fields: []string{"petId"}},
		{name: "replace by half a pet", request: send("PUT", "/pets/2", `{"name": null}`), status: 400,
			code: "validation_failed", fields: []string{"/name", "/categoryId"}},
		{name: "replace by what is not JSON", request: send("PUT", "/pets/2", `[]`), status: 400, code: "invalid_json"},
		{name: "replace into no category", request: send("PUT", "/pets/2", `{"name": "Tom", "categoryId": 99}`), status: 422,
			code: "unknown_category", fields: []string{"/categoryId"}},
		{name: "replace of what has changed", request: request{method: "PUT", path: "/pets/2", header: stale, body: `{"name": "Tom", "categoryId": 1}`},
			status: 412, code: "precondition_failed", fields: []string{"If-Match"}},

		{name: "patch", request: request{method: "PATCH", path: "/pets/2", header: mergePatch, body: `{"status": "sold"}`}, status: 200,
			want:    `{"id": 2, "name": "Misty", "categoryId": 2, "status": "sold"}`,
			headers: http.Header{"X-Stability": {"beta"}}},
		{name: "patch as plain JSON", request: send("PATCH", "/pets/2", `{"name": "Tom", "categoryId": 3}`), status: 200,
			want: `{"id": 2, "name": "Tom", "categoryId": 3, "status": "pending"}`},
		{name: "patch of nothing", request: send("PATCH", "/pets/2", `{}`), status: 200, want: misty},
		{name: "patch to the default", request: send("PATCH", "/pets/2", `{"status": null}`), status: 200,
			want: `{"id": 2, "name": "Misty", "categoryId": 2, "status": "available"}`},
		{name: "patch with the same id", request: send("PATCH", "/pets/2", `{"id": 2}`), status: 200, want: misty},
		{name: "patch with another id", request: send("PATCH", "/pets/2", `{"id": 3}`), status: 400, code: "validation_failed", fields: []string{"/id"}},
		{name: "patch of what is required to null", request: send("PATCH", "/pets/2", `{"name": null, "categoryId": null}`), status: 400,
			code: "validation_failed", fields: []string{"/name", "/categoryId"}},
		{name: "patch of none", request: send("PATCH", "/pets/6", `{}`), status: 404, code: "not_found"},
		{name: "patch of a wrong id", request: send("PATCH", "/pets/1.0", `{}`), status: 400, code: "invalid_parameter", fields: []string{"petId"}},
		{name: "patch by what is not JSON", request: send("PATCH", "/pets/2", `[{"op": "remove", "path": "/status"}]`), status: 400, code: "invalid_json"},
		{name: "patch into no category", request: send("PATCH", "/pets/2", `{"categoryId": 99}`), status: 422,
			code: "unknown_category", fields: []string{"/categoryId"}},
		{name: "patch of what has changed", request: request{method: "PATCH", path: "/pets/2", header: stale, body: `{}`},
			status: 412, code: "precondition_failed", fields: []string{"If-Match"}},

		{name: "delete", request: request{method: "DELETE", path: "/pets/1"}, status: 204, headers: http.Header{"Content-Type": nil}},
		{name: "delete of none", request: request{method: "DELETE", path: "/pets/6"}, status: 404, code: "not_found"},
		{name: "delete of a wrong id", request: request{method: "DELETE", path: "/pets/+1"}, status: 400, code: "invalid_parameter", fields: []string{"petId"}},
		{name: "delete of what has changed", request: request{method: "DELETE", path: "/pets/1", header: stale},
			status: 412, code: "precondition_failed", fields: []string{"If-Match"}},
	}
}

// TestPetLife follows one pet from its birth to after its death, and its entry in
// the inventory with it.
func TestPetLife(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	created := w.must(t, request{method: "POST", path: "/pets", body: `{"name": "Bello", "categoryId": 3, "status": "pending"}`})
	address := created.header.Get("Location")
	w.get(t, address).expectJSON(t, string(created.body))
	w.get(t, "/store/inventory/7").expectJSON(t, `{"petId": 7, "quantity": 0, "status": "pending"}`)

	w.must(t, request{method: "PUT", path: "/store/inventory/7", body: `{"quantity": 4}`})
	w.must(t, request{method: "PATCH", path: address, body: `{"status": "sold"}`})
	w.get(t, "/store/inventory/7").expectJSON(t, `{"petId": 7, "quantity": 4, "status": "sold"}`) // one truth in two views

	w.must(t, request{method: "PUT", path: address, body: `{"name": "Bella", "categoryId": 1}`})
	w.get(t, "/store/inventory/7").expectJSON(t, `{"petId": 7, "quantity": 4, "status": "available"}`)
	w.get(t, "/pets?categoryId=3").expectJSON(t, `[]`) // it has left its first category

	w.must(t, request{method: "DELETE", path: address})
	w.get(t, address).expect(t, 404, "not_found")
	w.get(t, "/store/inventory/7").expect(t, 404, "not_found")
	w.do(t, request{method: "DELETE", path: address}).expect(t, 404, "not_found")

	next := w.must(t, request{method: "POST", path: "/pets", body: `{"name": "Bello", "categoryId": 3}`})
	next.expectHeader(t, "Location", "/pets/8") // a deleted id does not come back
}
