package handlers_test

import (
	"net/http"
	"testing"

	"example.com/petstore/handlers"
)

func strict(c *handlers.Config) { c.Strict = true }

// TestStrict is what a strict server refuses, and what it does not.
func TestStrict(t *testing.T) {
	get := func(path string) request { return request{method: "GET", path: path, header: demoKey} }
	send := func(method, path, body string) request {
		return request{method: method, path: path, header: demoKey, body: body}
	}
	bad := func(name string, r request, code string, fields ...string) scenario {
		return scenario{name: name, config: strict, request: r, status: 400, code: code, fields: fields}
	}
	const pet = `"name": "Bello", "categoryId": 1`
	runScenarios(t, []scenario{
		bad("an unknown field", send("POST", "/pets", `{`+pet+`, "colour": "red"}`), "validation_failed", "/colour"),
		bad("unknown fields and a wrong one", send("POST", "/pets", `{"colour": 1, "NAME": "x", "categoryId": "1", "a/b~c": {}}`),
			"validation_failed", "/name", "/categoryId", "/colour", "/NAME", "/a~1b~0c"),
		bad("an unknown field that is null", send("PATCH", "/pets/1", `{"colour": null}`), "validation_failed", "/colour"),
		bad("an unknown field of a category", send("PUT", "/categories/1", `{"name": "Dogs", "Description": ""}`), "validation_failed", "/Description"),
		bad("an unknown field of an order", send("POST", "/store/orders", `{"status": "placed"}`), "validation_failed", "/status"),
		bad("an unknown field of an entry", send("PUT", "/store/inventory/1", `{"quantity": 1, "stock": 1}`), "validation_failed", "/stock"),
		bad("an unknown field of a message", send("POST", "/messages", `{"message": "Hello", "text": "Hello"}`), "validation_failed", "/text"),
		bad("an unknown parameter", get("/pets?colour=red"), "invalid_parameter", "colour"),
		bad("a parameter of another case", get("/pets?Limit=1"), "invalid_parameter", "Limit"),
		bad("a parameter of another list", get("/categories?status=sold"), "invalid_parameter", "status"),
		bad("unknown parameters of one record", get("/pets/1?limit=1&a=b"), "invalid_parameter", "limit", "a"),
		bad("an unknown parameter of a write", send("POST", "/pets?dry=1", `{`+pet+`}`), "invalid_parameter", "dry"),
		bad("an unknown parameter of a deletion", request{method: "DELETE", path: "/pets/1?force=1"}, "invalid_parameter", "force"),
		bad("an unknown parameter of health", get("/healthz?verbose=1"), "invalid_parameter", "verbose"),
		bad("an unknown parameter of a reset", request{method: "POST", path: "/admin/reset?onyl=data"}, "invalid_parameter", "onyl"),

		{name: "known parameters", config: strict, request: get("/pets?limit=1&offset=0&sort=id&id=1&status=available&categoryId=1&name=Rex"),
			status: 200, want: `[` + rex + `]`},
		{name: "a read-only id", config: strict, request: send("POST", "/pets", `{"id": 3, `+pet+`}`), status: 201,
			want: `{"id": 7, "name": "Bello", "categoryId": 1, "status": "available"}`},
		{name: "the whole record back", config: strict, request: send("PUT", "/pets/1", rex), status: 200, want: rex},
		{name: "the whole order back", config: strict, status: 200, want: `{"id": 3, "quantity": 1, "complete": false}`,
			request: send("PUT", "/store/orders/3", `{"id": 3, "quantity": 1, "complete": false}`)},
		bad("the id of an entry, which has none", send("PUT", "/store/inventory/1", `{"id": 1, "quantity": 1}`), "validation_failed", "/id"),
		{name: "the whole entry back", config: strict, status: 200, want: `{"petId": 4, "quantity": 7, "status": "available"}`,
			request: send("PUT", "/store/inventory/4", `{"petId": 4, "quantity": 7, "status": "available"}`)},
		{name: "a page", config: strict, request: request{method: "HEAD", path: "/docs/?theme=dark"}, status: 200},
		{name: "a known field of the wrong case where it is not strict", request: send("PATCH", "/pets/1", `{"NAME": 1}`), status: 200, want: rex},
		{name: "an unknown parameter where it is not strict", request: get("/healthz?verbose=1"), status: 200, want: `{"status": "ok", "version": "devel"}`},
	})
}

// TestStrictTakesWhatItGives sends every record back as it came: a client that
// reads, changes and writes must not be refused.
func TestStrictTakesWhatItGives(t *testing.T) {
	t.Parallel()
	w := newWorld(t, strict)
	for _, path := range []string{"/pets/1", "/categories/1", "/store/orders/1", "/store/orders/2"} {
		record := w.get(t, path)
		for _, method := range []string{http.MethodPut, http.MethodPatch} {
			a := w.do(t, request{method: method, path: path, body: string(record.body)})
			a.expect(t, 200, "")
			a.expectJSON(t, string(record.body))
		}
	}
}
