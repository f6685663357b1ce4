package handlers_test

import (
	"net/http"
	"strings"
	"testing"
)

func repeat(text string, n int) string { return strings.Repeat(text, n) }

func TestCategories(t *testing.T) { runScenarios(t, categoryScenarios()) }

func categoryScenarios() []scenario {
	get := func(path string) request { return request{method: "GET", path: path} }
	send := func(method, path, body string) request { return request{method: method, path: path, body: body} }
	stale := http.Header{"If-Match": {`"stale"`}}
	const (
		dogs  = `{"id": 1, "name": "Dogs", "description": "Loyal and loud"}`
		cats  = `{"id": 2, "name": "Cats"}`
		birds = `{"id": 3, "name": "Birds", "description": ""}`
	)
	return []scenario{
		{name: "list", request: get("/categories"), status: 200, want: `[` + dogs + `,` + cats + `,` + birds + `]`,
			headers: http.Header{"X-Total-Count": {"3"}}},
		{name: "list with a bad parameter", request: get("/categories?sort=status"), status: 400, code: "invalid_parameter", fields: []string{"sort"}},

		{name: "create", request: send("POST", "/categories", `{"name": "Fish", "description": "Silent"}`), status: 201,
			want: `{"id": 5, "name": "Fish", "description": "Silent"}`, headers: http.Header{"Location": {"/categories/5"}}},
		{name: "create without a description", request: send("POST", "/categories", `{"name": "Fish", "description": null}`), status: 201,
			want: `{"id": 5, "name": "Fish"}`},
		{name: "create with an empty description", request: send("POST", "/categories", `{"name": "Fish", "description": ""}`), status: 201,
			want: `{"id": 5, "name": "Fish", "description": ""}`},
		{name: "create with the longest description", request: send("POST", "/categories", `{"name": "F", "description": "`+repeat("é", 1000)+`"}`), status: 201,
			want: `{"id": 5, "name": "F", "description": "` + repeat("é", 1000) + `"}`},
		{name: "create with everything wrong", request: send("POST", "/categories", `{"description": "`+repeat("é", 1001)+`"}`), status: 400,
			code: "validation_failed", fields: []string{"/name", "/description"}},
		{name: "create of what is not JSON", request: send("POST", "/categories", `"Fish"`), status: 400, code: "invalid_json"},

		{name: "get", request: get("/categories/1"), status: 200, want: dogs},
		{name: "get without a description", request: get("/categories/2"), status: 200, want: cats},
		{name: "get with an empty description", request: get("/categories/3"), status: 200, want: birds},
		{name: "get of none", request: get("/categories/4"), status: 404, code: "not_found"},
		{name: "get of a wrong id", request: get("/categories/9223372036854775808"), status: 400, code: "invalid_parameter", fields: []string{"categoryId"}},

		{name: "replace", request: send("PUT", "/categories/1", `{"name": "Hounds"}`), status: 200, want: `{"id": 1, "name": "Hounds"}`},
		{name: "replace of none", request: send("PUT", "/categories/4", `{"name": "Hounds"}`), status: 404, code: "not_found"},
		{name: "replace of a wrong id", request: send("PUT", "/categories/-", `{"name": "Hounds"}`), status: 400, code: "invalid_parameter", fields: []string{"categoryId"}},
		{name: "replace by nothing", request: send("PUT", "/categories/1", `{}`), status: 400, code: "validation_failed", fields: []string{"/name"}},
		{name: "replace by what is not JSON", request: send("PUT", "/categories/1", `{'name': 1}`), status: 400, code: "invalid_json"},
		{name: "replace of what has changed", request: request{method: "PUT", path: "/categories/1", header: stale, body: `{"name": "Hounds"}`},
			status: 412, code: "precondition_failed", fields: []string{"If-Match"}},

		{name: "patch", request: request{method: "PATCH", path: "/categories/1", header: mergePatch, body: `{"name": "Hounds"}`}, status: 200,
			want: `{"id": 1, "name": "Hounds", "description": "Loyal and loud"}`, headers: http.Header{"X-Stability": {"beta"}}},
		{name: "patch clears", request: send("PATCH", "/categories/1", `{"description": null}`), status: 200, want: `{"id": 1, "name": "Dogs"}`},
		{name: "patch of none", request: send("PATCH", "/categories/4", `{}`), status: 404, code: "not_found"},
		{name: "patch of a wrong id", request: send("PATCH", "/categories/1e0", `{}`), status: 400, code: "invalid_parameter", fields: []string{"categoryId"}},
		{name: "patch of what is required to null", request: send("PATCH", "/categories/1", `{"name": null, "description": 7}`), status: 400,
			code: "validation_failed", fields: []string{"/name", "/description"}},
		{name: "patch by what is not JSON", request: send("PATCH", "/categories/1", `null`), status: 400, code: "invalid_json"},
		{name: "patch of what has changed", request: request{method: "PATCH", path: "/categories/1", header: stale, body: `{}`},
			status: 412, code: "precondition_failed", fields: []string{"If-Match"}},

		{name: "delete", request: request{method: "DELETE", path: "/categories/3"}, status: 204},
		{name: "delete of what is used", request: request{method: "DELETE", path: "/categories/1"}, status: 409, code: "category_in_use"},
		{name: "delete of none", request: request{method: "DELETE", path: "/categories/4"}, status: 404, code: "not_found"},
		{name: "delete of a wrong id", request: request{method: "DELETE", path: "/categories/01"}, status: 400, code: "invalid_parameter", fields: []string{"categoryId"}},
		{name: "delete of what has changed", request: request{method: "DELETE", path: "/categories/3", header: stale},
			status: 412, code: "precondition_failed", fields: []string{"If-Match"}},
	}
}

// TestCategoryInUse empties a category pet by pet: the answer says how many are
// left, and then it can go.
func TestCategoryInUse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	remove := request{method: "DELETE", path: "/categories/2"}
	for i, step := range []struct {
		says string
		next request
	}{
		{"2 pets", request{method: "DELETE", path: "/pets/2"}},
		{"1 pet ", request{method: "PATCH", path: "/pets/4", body: `{"categoryId": 3}`}},
	} {
		a := w.do(t, remove)
		a.expect(t, 409, "category_in_use")
		if p := a.problem(t); !strings.Contains(p.Message, step.says) {
			t.Errorf("step %d: message = %q, want %q in it", i, p.Message, step.says)
		}
		w.must(t, step.next)
	}
	w.do(t, remove).expect(t, 204, "")
	w.get(t, "/categories/2").expect(t, 404, "not_found")
	w.do(t, request{method: "POST", path: "/pets", body: `{"name": "Tom", "categoryId": 2}`}).
		expect(t, 422, "unknown_category", "/categoryId")
	w.must(t, request{method: "POST", path: "/categories", body: `{"name": "Cats"}`}).
		expectHeader(t, "Location", "/categories/5")
}
