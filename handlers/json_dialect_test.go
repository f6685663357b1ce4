package handlers_test

import (
	"strings"
	"testing"

	"example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/rest"
)

// TestOneDialectOfJSON sends the same mistakes to an operation, to an admin operation and to both imports,
// which must report them in the same words.
func TestOneDialectOfJSON(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for body, want := range map[string]string{
		`{"name": "Größe", "name": 1}`:          `line 1, column 19: the name "name" appears twice in one object`,
		"{\"é\":\n \"ä\", \"é\": 1}":            `line 2, column 7: the name "é" appears twice in one object`,
		`{"naïve": }`:                           `line 1, column 11: invalid character '}' at start of value`,
		`{"name": "é`:                           `line 1, column 12: the text ends in the middle of a value`,
		`{"name": 1} {}`:                        `line 1, column 13: there is more text after the object; remove it`,
		`{"name": 1,}`:                          `line 1, column 12: invalid character '}' at start of string (expecting '"')`,
		"{\"x\": 1, \"state\": {}, \"x\": 2}\n": `line 1, column 23: the name "x" appears twice in one object`,
	} {
		for _, request := range []contracttest.Request{
			contracttest.Post("/pets", body),
			contracttest.Put("/admin/clock", body),
			contracttest.Put("/admin/state", body),
			contracttest.Put("/admin/world", body),
		} {
			answer := w.Do(t, request)
			var told rest.Error
			answer.Decode(t, &told)
			if answer.Status != 400 || told.Code != "invalid_json" || !strings.HasPrefix(told.Message, want) {
				t.Errorf("%s %s, %s: %d %s %q, want %q", request.Method, request.Path, body, answer.Status, told.Code, told.Message, want)
			}
		}
	}
}
