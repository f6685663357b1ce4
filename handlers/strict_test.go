package handlers_test

import (
	"net/http"
	"testing"

	. "example.com/petstore/handlers/internal/contracttest"
)

// TestStrict checks which requests a strict server refuses, besides the common scenarios and those of
// the transcript strict.txt.
func TestStrict(t *testing.T) {
	get := func(path string) Request { return Get(path).WithKey("demo-key") }
	send := func(method, path, body string) Request {
		return Request{Method: method, Path: path, Header: DemoKey, Body: body}
	}
	bad := func(name string, r Request, code string, fields ...string) Scenario {
		return Refused(name, r, 400, code, fields...).On(Strict)
	}
	RunScenarios(t, []Scenario{
		bad("unknown fields and an invalid one",
			send("POST", "/pets", `{"colour": 1, "NAME": "x", "categoryId": "1", "a/b~c": {}}`),
			"validation_failed", "/name", "/categoryId", "/colour", "/NAME", "/a~1b~0c"),
		bad("an unknown field that is null", send("PATCH", "/pets/1", `{"colour": null}`), "validation_failed",
			"/colour"),
		bad("a parameter of another operation", get("/categories?status=sold"), "invalid_parameter", "status"),
		bad("unknown parameters of one record", get("/pets/1?limit=1&a=b"), "invalid_parameter", "limit", "a"),

		Answered("known parameters", get("/pets?limit=1&offset=0&sort=id&id=1&status=available&categoryId=1&name=Rex"),
			200, `[`+Rex+`]`).On(Strict),
		Answered("the whole record back", send("PUT", "/pets/1", Rex), 200, Rex).On(Strict),
		Answered("the whole order back", send("PUT", "/store/orders/3", `{"id": 3, "quantity": 1, "complete": false}`),
			200, `{"id": 3, "quantity": 1, "complete": false}`).On(Strict),
		bad("an id in an entry", send("PUT", "/store/inventory/1", `{"id": 1, "quantity": 1}`), "validation_failed",
			"/id"),
		Answered("the whole entry back",
			send("PUT", "/store/inventory/4", `{"petId": 4, "quantity": 7, "status": "available"}`), 200,
			`{"petId": 4, "quantity": 7, "status": "available"}`).On(Strict),
		{Name: "a page", Config: Strict, Request: Request{Method: "HEAD", Path: "/docs/?theme=dark"}, Status: 200},
		Answered("a known field of the wrong case where it is not strict", send("PATCH", "/pets/1", `{"NAME": 1}`),
			200, Rex),
		Answered("an unknown parameter where it is not strict", get("/healthz?verbose=1"),
			200, `{"status": "ok", "version": "devel"}`),
	})
}

// TestStrictAcceptsOwnRecords sends every record back unchanged: a client that reads, changes and
// writes a record must not be refused.
func TestStrictAcceptsOwnRecords(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, Strict)
	for _, path := range []string{"/pets/1", "/categories/1", "/store/orders/1", "/store/orders/2"} {
		record := w.Get(t, path)
		for _, method := range []string{http.MethodPut, http.MethodPatch} {
			a := w.Do(t, Request{Method: method, Path: path, Body: string(record.Body)})
			a.Expect(t, 200, "")
			a.ExpectJSON(t, string(record.Body))
		}
	}
}
