package handlers_test

import (
	"slices"
	"strings"
	"testing"

	. "example.com/petstore/handlers/internal/contracttest"
)

// badRequest is a request that the server must refuse, with the expected error.
type badRequest struct {
	name string
	Request
	status int
	code   string
	fields []string
}

// TestBadInput sends all bad requests to one server, whose data must stay byte for byte the same.
func TestBadInput(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	before := w.State(t)
	bad := slices.Concat(badJSON(), badFields(), badMedia(), badIDs(), badQueries(), badHeaders())
	if len(bad) < 60 {
		t.Errorf("%d bad requests, want 60 at least", len(bad))
	}
	t.Run("requests", func(t *testing.T) {
		for _, b := range bad {
			t.Run(b.name, func(t *testing.T) {
				t.Parallel()
				a := w.Do(t, b.Request)
				a.Expect(t, b.status, b.code, b.fields...)
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
func badJSON() []badRequest {
	var bad []badRequest
	for name, body := range map[string]string{
		"only white space":           " \t\r\n",
		"null":                       "null",
		"a string":                   `"name"`,
		"a number":                   "7",
		"an array":                   `[{"name": "Bello", "categoryId": 1}]`,
		"an empty array":             "[]",
		"plain text":                 "name=Bello&categoryId=1",
		"single quotes":              `{'name': 'Bello'}`,
		"no quotes":                  `{name: "Bello"}`,
		"a trailing comma":           `{"name": "Bello", "categoryId": 1,}`,
		"a missing comma":            `{"name": "Bello" "categoryId": 1}`,
		"a missing colon":            `{"name" "Bello"}`,
		"a missing value":            `{"name": }`,
		"a missing brace":            `{"name": "Bello", "categoryId": 1`,
		"a missing quote":            `{"name": "Bello`,
		"one brace too many":         `{"name": "Bello", "categoryId": 1}}`,
		"two objects":                `{"name": "Bello", "categoryId": 1}{}`,
		"two lines of objects":       "{\"name\": \"Bello\", \"categoryId\": 1}\n{}",
		"text behind":                `{"name": "Bello", "categoryId": 1} x`,
		"a NUL behind":               "{\"name\": \"Bello\", \"categoryId\": 1}\x00",
		"a comment":                  `{"name": "Bello", /* dog */ "categoryId": 1}`,
		"two byte order marks":       "\ufeff\ufeff" + `{"name": "Bello", "categoryId": 1}`,
		"UTF-16":                     "{\x00\"\x00n\x00\"\x00:\x001\x00}\x00",
		"a name twice":               `{"name": "Bello", "categoryId": 1, "name": "Bella"}`,
		"an escaped name twice":      `{"name": "Bello", "categoryId": 1, "n\u0061me": "Bella"}`,
		"a name twice further down":  `{"name": "Bello", "categoryId": 1, "more": {"a": [{"b": 1, "b": 2}]}}`,
		"an unknown name twice":      `{"name": "Bello", "categoryId": 1, "x": 1, "x": 1}`,
		"invalid UTF-8":              "{\"name\": \"Bell\xff\", \"categoryId\": 1}",
		"overlong UTF-8":             "{\"name\": \"\xc0\xaf\", \"categoryId\": 1}",
		"UTF-8 of a surrogate":       "{\"name\": \"\xed\xa0\x80\", \"categoryId\": 1}",
		"invalid UTF-8 in a name":    "{\"name\": \"Bello\", \"categoryId\": 1, \"\xff\": 1}",
		"invalid UTF-8 further down": "{\"name\": \"Bello\", \"categoryId\": 1, \"x\": [\"\xff\"]}",
		"a lone high surrogate":      `{"name": "\ud83d", "categoryId": 1}`,
		"a lone low surrogate":       `{"name": "\udc15", "categoryId": 1}`,
		"surrogates the wrong way":   `{"name": "\udc15\ud83d", "categoryId": 1}`,
		"an unknown escape":          `{"name": "\x41", "categoryId": 1}`,
		"a raw line break":           "{\"name\": \"Bel\nlo\", \"categoryId\": 1}",
		"NaN":                        `{"name": "Bello", "categoryId": NaN}`,
		"Infinity":                   `{"name": "Bello", "categoryId": -Infinity}`,
		"a leading zero":             `{"name": "Bello", "categoryId": 01}`,
		"a plus sign":                `{"name": "Bello", "categoryId": +1}`,
		"a hexadecimal number":       `{"name": "Bello", "categoryId": 0x1}`,
		"a bare fraction":            `{"name": "Bello", "categoryId": .5}`,
		"deep arrays":                strings.Repeat("[", 100_000),
		"deep objects":               strings.Repeat(`{"a":`, 100_000),
		"deep and well formed": `{"name": "Bello", "categoryId": 1, "x": ` + strings.Repeat("[", 20_000) +
			strings.Repeat("]", 20_000) + `}`,
		"True": `{"name": "Bello", "categoryId": 1, "status": True}`,
	} {
		bad = append(bad, badRequest{"JSON: " + name, Post("/pets", body), 400, "invalid_json", nil})
	}
	empty := Post("/pets", "").With("Content-Type", "application/json")
	return append(bad, badRequest{"JSON: nothing", empty, 400, "invalid_json", nil})
}

// badFields returns well-formed JSON that is not a valid pet, category, order, entry or message.
func badFields() []badRequest {
	const post, put, patch = "POST", "PUT", "PATCH"
	bad := func(name, method, path, body string, fields ...string) badRequest {
		return badRequest{"field: " + name, Request{Method: method, Path: path, Header: DemoKey, Body: body}, 400,
			"validation_failed", fields}
	}
	unknown := func(name, method, path, body, code, field string) badRequest {
		return badRequest{"reference: " + name, Request{Method: method, Path: path, Body: body}, 422, code,
			[]string{field}}
	}
	pet := func(categoryID string) string { return `{"name": "Bello", "categoryId": ` + categoryID + `}` }
	return []badRequest{
		bad("nothing of a pet", post, "/pets", `{}`, "/name", "/categoryId"),
		bad("nulls for all of a pet", post, "/pets", `{"name": null, "categoryId": null, "status": null}`, "/name",
			"/categoryId"),
		bad("names in another case", post, "/pets", `{"Name": "Bello", "categoryID": 1}`, "/name", "/categoryId"),
		bad("an empty name", post, "/pets", `{"name": "", "categoryId": 1}`, "/name"),
		bad("a name of 256", post, "/pets", `{"name": "`+repeat("🐕", 256)+`", "categoryId": 1}`, "/name"),
		bad("a name of 256 escapes", post, "/pets", `{"name": "`+repeat(`\ud83d\udc15`, 256)+`", "categoryId": 1}`,
			"/name"),
		bad("a number for a name", post, "/pets", `{"name": 7, "categoryId": 1}`, "/name"),
		bad("an array for a name", post, "/pets", `{"name": ["Bello"], "categoryId": 1}`, "/name"),
		bad("an object for a name", post, "/pets", `{"name": {"en": "Bello"}, "categoryId": 1}`, "/name"),
		bad("a boolean for a name", post, "/pets", `{"name": true, "categoryId": 1}`, "/name"),
		bad("a string for an id", post, "/pets", pet(`"1"`), "/categoryId"),
		bad("a fraction for an id", post, "/pets", pet("1.5"), "/categoryId"),
		bad("a whole fraction for an id", post, "/pets", pet("1.0"), "/categoryId"),
		bad("an exponent for an id", post, "/pets", pet("1e0"), "/categoryId"),
		bad("an id beyond 64 bits", post, "/pets", pet("9223372036854775808"), "/categoryId"),
		bad("an id below 64 bits", post, "/pets", pet("-9223372036854775809"), "/categoryId"),
		bad("an id of a thousand digits", post, "/pets", pet(repeat("9", 1000)), "/categoryId"),
		bad("an endless exponent", post, "/pets", pet("1e999999999"), "/categoryId"),
		bad("a boolean for an id", post, "/pets", pet("false"), "/categoryId"),
		bad("no status", post, "/pets", `{"name": "Bello", "categoryId": 1, "status": "dead"}`, "/status"),
		bad("a status in another case", post, "/pets", `{"name": "Bello", "categoryId": 1, "status": "Sold"}`,
			"/status"),
		bad("an empty status", put, "/pets/1", `{"name": "Bello", "categoryId": 1, "status": ""}`, "/status"),
		bad("a number for a status", patch, "/pets/1", `{"status": 0}`, "/status"),
		bad("another id", patch, "/pets/1", `{"id": 2}`, "/id"),
		bad("an id of another type", put, "/pets/1", `{"id": "1", "name": "Bello", "categoryId": 1}`, "/id"),
		bad("an id beyond 64 bits in a body", put, "/pets/1",
			`{"id": 99999999999999999999, "name": "Bello", "categoryId": 1}`, "/id"),
		bad("a null in a required field", patch, "/pets/1", `{"name": null}`, "/name"),
		bad("a long description", post, "/categories", `{"name": "Fish", "description": "`+repeat("é", 1001)+`"}`,
			"/description"),
		bad("a number for a description", put, "/categories/1", `{"name": "Fish", "description": 1}`, "/description"),
		bad("no quantity", post, "/store/orders", `{"quantity": 0}`, "/quantity"),
		bad("a quantity below nothing", post, "/store/orders", `{"quantity": -9223372036854775808}`, "/quantity"),
		bad("a quantity in words", post, "/store/orders", `{"quantity": "two"}`, "/quantity"),
		bad("a quantity beyond 64 bits", post, "/store/orders", `{"quantity": 9223372036854775808}`, "/quantity"),
		bad("a date without a time", post, "/store/orders", `{"shipDate": "2026-03-14"}`, "/shipDate"),
		bad("a date without a zone", post, "/store/orders", `{"shipDate": "2026-03-14T09:30:00"}`, "/shipDate"),
		bad("a date with a blank", post, "/store/orders", `{"shipDate": "2026-03-14 09:30:00Z"}`, "/shipDate"),
		bad("a date of a 13th month", post, "/store/orders", `{"shipDate": "2026-13-14T09:30:00Z"}`, "/shipDate"),
		bad("a 29th of February", post, "/store/orders", `{"shipDate": "2026-02-29T09:30:00Z"}`, "/shipDate"),
		bad("a 25th hour", post, "/store/orders", `{"shipDate": "2026-03-14T25:30:00Z"}`, "/shipDate"),
		bad("an hour of one digit", post, "/store/orders", `{"shipDate": "2026-03-14T9:30:00Z"}`, "/shipDate"),
		bad("a comma in a second", post, "/store/orders", `{"shipDate": "2026-03-14T09:30:00,5Z"}`, "/shipDate"),
		bad("a leap second in the middle of a day", post, "/store/orders", `{"shipDate": "2016-12-31T12:59:60Z"}`,
			"/shipDate"),
		bad("a leap second of another zone", post, "/store/orders", `{"shipDate": "2016-12-31T23:59:60+01:00"}`,
			"/shipDate"),
		bad("a 61st second", post, "/store/orders", `{"shipDate": "2016-12-31T23:59:61Z"}`, "/shipDate"),
		bad("a zone of 24 hours", post, "/store/orders", `{"shipDate": "2026-03-14T09:30:00+24:00"}`, "/shipDate"),
		bad("an empty date", post, "/store/orders", `{"shipDate": ""}`, "/shipDate"),
		bad("a number for a date", post, "/store/orders", `{"shipDate": 1767225600}`, "/shipDate"),
		bad("a string for a boolean", post, "/store/orders", `{"complete": "true"}`, "/complete"),
		bad("a number for a boolean", patch, "/store/orders/1", `{"complete": 1}`, "/complete"),
		bad("everything wrong with an order", put, "/store/orders/1",
			`{"id": 9, "petId": [], "quantity": {}, "shipDate": true, "complete": null, "x": 1}`,
			"/id", "/petId", "/quantity", "/shipDate"),
		bad("stock below nothing", put, "/store/inventory/1", `{"quantity": -1}`, "/quantity"),
		bad("an entry without stock", put, "/store/inventory/1", `{"status": "available"}`, "/quantity"),
		bad("an empty message", post, "/messages", `{"message": ""}`, "/message"),
		bad("a long message", post, "/messages", `{"message": "`+repeat("é", 4001)+`"}`, "/message"),

		unknown("no category", post, "/pets", pet("99"), "unknown_category", "/categoryId"),
		unknown("category 0", post, "/pets", pet("0"), "unknown_category", "/categoryId"),
		unknown("category -1", put, "/pets/1", pet("-1"), "unknown_category", "/categoryId"),
		unknown("a deleted category", patch, "/pets/1", `{"categoryId": 4}`, "unknown_category", "/categoryId"),
		unknown("no pet", post, "/store/orders", `{"petId": 99}`, "unknown_pet", "/petId"),
		unknown("pet 0", put, "/store/orders/1", `{"petId": 0}`, "unknown_pet", "/petId"),
		unknown("pet -1", post, "/store/orders", `{"petId": -1}`, "unknown_pet", "/petId"),
		unknown("a deleted pet", patch, "/store/orders/1", `{"petId": 6}`, "unknown_pet", "/petId"),
	}
}
