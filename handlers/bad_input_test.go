package handlers_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
)

func repeat(text string, n int) string { return strings.Repeat(text, n) }

// TestBadInput sends requests that the schemas and the transcripts lack to one server, whose data
// must stay byte for byte the same.
func TestBadInput(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	before := w.State(t)
	t.Run("requests", func(t *testing.T) {
		for _, b := range slices.Concat(badJSON(), badFields(), badHeaders()) {
			t.Run(b.Name, func(t *testing.T) {
				t.Parallel()
				a := w.Do(t, b.Request)
				a.Expect(t, b.Status, b.Code, b.Fields...)
				a.ExpectHeader(t, "Preference-Applied") // not even the valid one of two
			})
		}
	})
	if after := w.State(t); after != before {
		t.Errorf("they changed the state to\n%s", after)
	}
}

// badJSON returns bodies that are not JSON objects by RFC 8259, or that break the server's
// stricter rules.
func badJSON() []Scenario {
	var bad []Scenario
	for name, body := range map[string]string{
		"a NUL behind":               "{\"name\": \"Bello\", \"categoryId\": 1}\x00",
		"a comment":                  `{"name": "Bello", /* dog */ "categoryId": 1}`,
		"UTF-16":                     "{\x00\"\x00n\x00\"\x00:\x001\x00}\x00",
		"an escaped name twice":      `{"name": "Bello", "categoryId": 1, "n\u0061me": "Bella"}`,
		"a name twice further down":  `{"name": "Bello", "categoryId": 1, "more": {"a": [{"b": 1, "b": 2}]}}`,
		"overlong UTF-8":             "{\"name\": \"\xc0\xaf\", \"categoryId\": 1}",
		"UTF-8 of a surrogate":       "{\"name\": \"\xed\xa0\x80\", \"categoryId\": 1}",
		"invalid UTF-8 in a name":    "{\"name\": \"Bello\", \"categoryId\": 1, \"\xff\": 1}",
		"invalid UTF-8 further down": "{\"name\": \"Bello\", \"categoryId\": 1, \"x\": [\"\xff\"]}",
		"surrogates the wrong way":   `{"name": "\udc15\ud83d", "categoryId": 1}`,
		"a raw line break":           "{\"name\": \"Bel\nlo\", \"categoryId\": 1}",
		"NaN":                        `{"name": "Bello", "categoryId": NaN}`,
		"a leading zero":             `{"name": "Bello", "categoryId": 01}`,
		"deep arrays":                repeat("[", 100_000),
		"deep objects":               repeat(`{"a":`, 100_000),
		"deep and well formed":       `{"name": "Bello", "x": ` + repeat("[", 20_000) + repeat("]", 20_000) + `}`,
	} {
		bad = append(bad, Refused("JSON: "+name, Post("/pets", body), 400, "invalid_json"))
	}
	padded := NewPet + repeat(" ", 1<<20-len(NewPet)+1) // one byte too many
	return append(bad, Refused("too large by white space",
		Request{Method: "PATCH", Path: "/pets/1", Body: padded, Chunked: true}, 413, "payload_too_large"))
}

// badFields returns well-formed JSON that is not a valid pet or order.
func badFields() []Scenario {
	var bad []Scenario
	for _, value := range []string{repeat("9", 1000), "1e999999999", "-9223372036854775809"} {
		bad = append(bad, Refused(fmt.Sprintf("id %.20s", value),
			Post("/pets", `{"name": "Bello", "categoryId": `+value+`}`), 400, "validation_failed", "/categoryId"))
	}
	for _, value := range []string{`"1"`, "99999999999999999999"} {
		bad = append(bad, Refused("id in a body "+value, Patch("/pets/1", `{"id": `+value+`}`),
			400, "validation_failed", "/id"))
	}
	for _, date := range []string{"2026-13-14T09:30:00Z", "2026-02-29T09:30:00Z", "2026-03-14T25:30:00Z",
		"2026-03-14T9:30:00Z", "2026-03-14T09:30:00,5Z", "2026-03-14T09:30:00+24:00",
		// Leap seconds are at the end of a day in UTC.
		"2016-12-31T12:59:60Z", "2016-12-31T23:59:60+01:00", "2016-12-31T23:59:61Z"} {
		bad = append(bad, Refused("date "+date, Post("/store/orders", `{"shipDate": "`+date+`"}`),
			400, "validation_failed", "/shipDate"))
	}
	return bad
}

// badHeaders returns requests with headers whose syntax the schemas describe only in words.
func badHeaders() []Scenario {
	tags := []string{"", " ", ",", "abc", `"abc`, `abc"`, `W/abc`, `w/"abc"`, `"a",b`, `"a", *`, `'a'`}
	var bad []Scenario
	for name, values := range map[string][]string{
		"If-Match": tags, "If-None-Match": tags,
		"Idempotency-Key": {" ", `""`, `"`, `"a`, `a"b`, `"a\"b"`, "caf\u00e9", "\"a\tb\"", repeat("x", 256)},
		"Prefer": {"code=", "code", "code=399", "code=600", "code=-503", "code=503.0", "code=+503", "code=0503",
			"delay=", "delay=-1", "delay=99999999999999999999", "delay=+1", "delay=01", "code=503, delay=x",
			"delay=1, code=200", "delay=1, code"},
	} {
		for _, value := range values {
			r := Patch("/pets/1", `{}`)
			if name == "Idempotency-Key" {
				r = Post("/pets", NewPet)
			}
			bad = append(bad, Refused(name+": "+value, r.With(name, value), 400, "invalid_parameter", name))
		}
	}
	return bad
}

// TestBodyLimitIsExact sends bodies of exactly the largest size, with and without a length.
func TestBodyLimitIsExact(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, chunked := range []bool{false, true} {
		w.Must(t, Request{Method: "POST", Path: "/pets", Body: NewPet + repeat(" ", 1<<20-len(NewPet)),
			Chunked: chunked})
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
