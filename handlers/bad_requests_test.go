package handlers_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
)

// badMedia returns requests whose headers do not declare JSON, or whose bodies are too large.
func badMedia() []badRequest {
	const pet = `{"name": "Bello", "categoryId": 1}`
	var bad []badRequest
	for name, contentType := range map[string][]string{
		"none":             {""},
		"text":             {"text/plain"},
		"a form":           {"application/x-www-form-urlencoded"},
		"parts":            {"multipart/form-data; boundary=x"},
		"XML":              {"application/xml"},
		"YAML":             {"application/yaml"},
		"JSON of a kind":   {"application/problem+json"},
		"a patch":          {"application/merge-patch+json"}, // only for PATCH
		"half a type":      {"application"},
		"a broken type":    {"application/json; charset"},
		"UTF-16":           {"application/json; charset=utf-16"},
		"Latin 1":          {`application/json; charset="ISO-8859-1"`},
		"JSON and another": {"application/json, text/plain"},
	} {
		r := Request{Method: "POST", Path: "/pets", Header: http.Header{"Content-Type": contentType}, Body: pet}
		bad = append(bad, badRequest{"media: " + name, r, 415, "unsupported_media_type", nil})
	}
	gzipped := Post("/pets", pet).With("Content-Encoding", "gzip")
	jsonPatch := Patch("/pets/1", `[]`).With("Content-Type", "application/json-patch+json")
	large := `{"name": "` + repeat("x", 1<<20) + `", "categoryId": 1}`
	padded := pet + repeat(" ", 1<<20-len(pet)+1) // one byte too many
	return append(bad,
		badRequest{"media: a content coding", gzipped, 415, "unsupported_media_type", nil},
		badRequest{"media: a JSON Patch", jsonPatch, 415, "unsupported_media_type", nil},
		badRequest{"media: without a body", Post("/pets", ""), 415, "unsupported_media_type", nil},
		badRequest{"too large", Post("/pets", large), 413, "payload_too_large", nil},
		badRequest{"too large, without a length", Request{Method: "POST", Path: "/pets", Body: large, Chunked: true},
			413, "payload_too_large", nil},
		badRequest{"too large by white space", Put("/pets/1", padded), 413, "payload_too_large", nil},
		badRequest{"too large by white space, without a length",
			Request{Method: "PATCH", Path: "/pets/1", Body: padded, Chunked: true}, 413, "payload_too_large", nil},
	)
}

// TestBodyLimitIsExact sends bodies of exactly the largest size, with and without a length.
func TestBodyLimitIsExact(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	const pet = `{"name": "Bello", "categoryId": 1}`
	for _, chunked := range []bool{false, true} {
		w.Must(t, Request{Method: "POST", Path: "/pets", Body: pet + repeat(" ", 1<<20-len(pet)), Chunked: chunked})
	}
}

// TestBodiesAreBounded sends Expect: 100-continue. The server asks for bodies of the largest size,
// and refuses larger ones before they are sent.
func TestBodiesAreBounded(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.Workshop = true })
	for operation, most := range map[string]int{
		"POST /pets": 1 << 20, "PATCH /pets/1": 1 << 20, "PUT /admin/faults": 1 << 20,
		"PUT /admin/state": 64 << 20, "PUT /admin/world": 64 << 20, "PUT /admin/webhooks/one": 16 << 10,
		"POST /admin/reset": 4 << 10, "POST /admin/undo": 4 << 10, "POST /join": 4 << 10, "POST /mcp": 64 << 10,
	} {
		for length, want := range map[int]int{most: http.StatusContinue, most + 1: http.StatusRequestEntityTooLarge} {
			answer := w.Raw(t, fmt.Sprintf("%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
				"Content-Length: %d\r\nExpect: 100-continue\r\n\r\n", operation, length))
			if answer.Status != want {
				t.Errorf("%s with a body of %d bytes: %d, want %d", operation, length, answer.Status, want)
			}
		}
	}
}

// TestMediaTypes sends every accepted form of the JSON media type.
func TestMediaTypes(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, contentType := range []string{
		"application/json", "application/json; charset=utf-8", `application/json;charset="UTF-8"`, "Application/JSON",
		"application/json; v=1",
	} {
		for _, r := range []Request{
			Post("/pets", `{"name": "Bello", "categoryId": 1}`),
			Patch("/pets/1", `{}`),
		} {
			r.Header = http.Header{"Content-Type": {contentType}}
			w.Must(t, r)
		}
	}
}

// TestUnsupportedMediaTypeListsAccepted checks that a 415 names the accepted media types, in headers for
// programs (RFC 9110, section 15.5.16; RFC 5789, section 3.1) and in the message for people.
func TestUnsupportedMediaTypeListsAccepted(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	const patches = "application/merge-patch+json, application/json"
	text, gzip := http.Header{"Content-Type": {"text/plain"}}, http.Header{"Content-Encoding": {"gzip"}}
	for _, c := range []struct {
		method, path string
		header       http.Header
		words        string
		headers      map[string][]string
	}{
		{"POST", "/pets", text, "Content-Type: application/json",
			map[string][]string{"Accept": {"application/json"}, "Accept-Patch": nil, "Accept-Encoding": nil}},
		{"PUT", "/admin/clock", text, "Content-Type: application/json",
			map[string][]string{"Accept": {"application/json"}, "Accept-Encoding": nil}},
		{"PATCH", "/pets/1", text, "Content-Type: application/merge-patch+json",
			map[string][]string{"Accept": {patches}, "Accept-Patch": {patches}, "Accept-Encoding": nil}},
		{"POST", "/pets", gzip, "send the body without it",
			map[string][]string{"Accept-Encoding": {"identity"}, "Accept": nil}},
		{"PATCH", "/pets/1", gzip, "send the body without it",
			map[string][]string{"Accept-Encoding": {"identity"}, "Accept": nil, "Accept-Patch": nil}},
	} {
		a := w.Do(t, Request{Method: c.method, Path: c.path, Header: c.header, Body: "x"})
		a.Expect(t, 415, "unsupported_media_type")
		if p := a.Problem(t); !strings.Contains(p.Message, c.words) {
			t.Errorf("%s %s: message = %q, want %q in it", c.method, c.path, p.Message, c.words)
		}
		for name, values := range c.headers {
			a.ExpectHeader(t, name, values...)
		}
	}
}

func badIDs() []badRequest {
	var bad []badRequest
	for _, id := range []string{
		"x", "1x", "1.0", "1e0", "0x1", "01", "+1", "-", "--1", "1_000", "%20", "%201", "1%20", "1%2F", "%2F1", "%00",
		"NaN", "null", "9223372036854775808",
		"-9223372036854775809", "%D9%A1", "1,2", "*",
	} {
		bad = append(bad, badRequest{"id: " + id, Get("/pets/" + id), 400, "invalid_parameter", []string{"petId"}})
	}
	for _, id := range []string{"0", "-0", "-1", "6", "99", "9223372036854775807", "-9223372036854775808"} {
		bad = append(bad, badRequest{"no id: " + id, Delete("/pets/" + id), 404, "not_found", nil})
	}
	return bad
}

func badQueries() []badRequest {
	var bad []badRequest
	for query, fields := range map[string][]string{
		"/pets?limit=0": {"limit"}, "/pets?limit=1001": {"limit"}, "/pets?limit=-1": {"limit"},
		"/pets?limit=ten": {"limit"},
		"/pets?limit=1.5": {"limit"}, "/pets?limit=": {"limit"}, "/pets?limit": {"limit"}, "/pets?limit=%20": {"limit"},
		"/pets?limit=1&limit=1": {"limit"}, "/pets?limit=99999999999999999999": {"limit"}, "/pets?limit=%zz": {"limit"},
		"/pets?limit=%2B1": {"limit"}, "/pets?limit=01": {"limit"}, "/pets?limit=1e1": {"limit"},
		"/pets?offset=00": {"offset"},
		"/pets?id=%2B1":   {"id"}, "/pets?id=-01": {"id"}, "/pets?categoryId=007": {"categoryId"},
		"/store/orders?petId=%2B1":        {"petId"},
		"/store/inventory?maxQuantity=01": {"maxQuantity"},
		"/pets?offset=-1":                 {"offset"}, "/pets?offset=9223372036854775808": {"offset"},
		"/pets?offset=":  {"offset"},
		"/pets?sort=age": {"sort"}, "/pets?sort=": {"sort"}, "/pets?sort=-": {"sort"}, "/pets?sort=--id": {"sort"},
		"/pets?sort=ID":      {"sort"},
		"/pets?sort=id,name": {"sort"}, "/pets?sort=id&sort=name": {"sort"}, "/pets?sort=+id": {"sort"},
		"/pets?id=x": {"id"}, "/pets?id=": {"id"}, "/pets?id=1&id=": {"id"}, "/pets?id=1,2": {"id"},
		"/pets?id=1&id=x&id=y": {"id", "id"},
		"/pets?status=dead":    {"status"}, "/pets?status=": {"status"}, "/pets?status=SOLD": {"status"},
		"/pets?status=sold,pending": {"status"},
		"/pets?categoryId=x":        {"categoryId"}, "/pets?categoryId=1.0": {"categoryId"}, "/pets?name=": {"name"},
		"/pets?name=a&name=b": {"name"},
		"/pets?name=%":        {"name"}, "/pets?name=%e": {"name"}, "/pets?limit=1;offset=2": {"limit"},
		"/pets?a;b": {"a;b"}, "/pets?%zz=1": {"%zz"},
		"/pets?unknown=%zz":          {"unknown"},
		"/pets?limit=0&offset=x&a;b": {"a;b", "limit", "offset"},
		"/categories?name=":          {"name"}, "/categories?sort=status": {"sort"},
		"/store/orders?petId=x": {"petId"}, "/store/orders?petId=1&petId=2": {"petId"},
		"/store/orders?petId=":       {"petId"},
		"/store/orders?complete=yes": {"complete"}, "/store/orders?complete=1": {"complete"},
		"/store/orders?complete=":     {"complete"},
		"/store/orders?complete=True": {"complete"}, "/store/orders?complete=true&complete=true": {"complete"},
		"/store/inventory?maxQuantity=-1": {"maxQuantity"}, "/store/inventory?maxQuantity=": {"maxQuantity"},
		"/store/inventory?status=gone": {"status"}, "/store/inventory?sort=id": {"sort"},
		"/messages?sort=text": {"sort"},
	} {
		bad = append(bad,
			badRequest{"query: " + query, Get(query).WithKey("demo-key"), 400, "invalid_parameter", fields})
	}
	return bad
}

func badHeaders() []badRequest {
	var bad []badRequest
	for name, values := range map[string][]string{
		"If-Match": {"", " ", ",", "abc", `"abc`, `abc"`, `W/abc`, `w/"abc"`, `"a" "b"`, `"a",b`, `*, "a"`, `"a", *`,
			`'a'`},
	} {
		for _, value := range values {
			header := http.Header{name: {value}}
			for _, r := range []Request{
				{Method: "DELETE", Path: "/pets/1", Header: header},
				{Method: "PATCH", Path: "/pets/1", Header: header, Body: `{}`},
			} {
				bad = append(bad,
					badRequest{name + ": " + value + " " + r.Method, r, 400, "invalid_parameter", []string{name}})
			}
			none := Get("/pets/1").With("If-None-Match", value)
			bad = append(bad,
				badRequest{"If-None-Match: " + value, none, 400, "invalid_parameter", []string{"If-None-Match"}})
		}
	}
	for _, values := range [][]string{{""}, {" "}, {`""`}, {"two words"}, {`"`}, {`"a`}, {`a"b`}, {`"a\"b"`},
		{"caf\u00e9"}, {"\"a\tb\""}, {repeat("x", 256)}, {"a", "b"}} {
		r := Keyed(Post("/pets", `{"name": "Bello", "categoryId": 1}`), values...)
		bad = append(bad,
			badRequest{"Idempotency-Key: " + strings.Join(values, "|"), r, 400, "invalid_parameter",
				[]string{"Idempotency-Key"}})
	}
	for _, value := range []string{
		"code=", "code", "code=abc", "code=200", "code=399", "code=600", "code=-503", "code=503.0", "delay=",
		"delay=-1", "delay=60001", "delay=1s",
		"delay=99999999999999999999", "code=503, delay=x", "delay=1, code=200", "delay=1, code", "code=+503",
		"code=0503", "delay=+1", "delay=01",
	} {
		r := Delete("/pets/1").With("Prefer", value)
		bad = append(bad, badRequest{"Prefer: " + value, r, 400, "invalid_parameter", []string{"Prefer"}})
	}
	for _, value := range []string{"x", "-1", "+1", "01", "1.0", "9223372036854775808"} {
		r := Get("/events").With("Last-Event-Id", value)
		bad = append(bad, badRequest{"Last-Event-ID: " + value, r, 400, "invalid_parameter", []string{"Last-Event-ID"}})
	}
	return bad
}
