package handlers_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	. "example.com/petstore/handlers/internal/contracttest"
)

// The bounds in bytes of a response to a request with many errors, and of one to a request with a
// single long error.
const (
	manyErrors = 16 << 10
	oneError   = 2 << 10
)

// TestDetailsAreBounded checks that a response has at most 32 details and counts the
// others, up to a hundred.
func TestDetailsAreBounded(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, Strict)
	fields := func(n int) Request {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `, "%d": 1`, i)
		}
		return Post("/pets", `{"name": "Bello", "categoryId": 1`+b.String()+`}`)
	}
	const all, rest = "and 99 more errors; details has the first 32 and leaves out 68", "and more than 99 more " +
		"errors; details has the first 32 and leaves out more than 68"
	for name, test := range map[string]struct {
		Request
		details int
		says    string
	}{
		"two unknown fields":    {fields(2), 2, "and one more error, see details"},
		"32 unknown fields":     {fields(32), 32, "and 31 more errors, see details"},
		"33 unknown fields":     {fields(33), 32, "and 32 more errors; details has the first 32 and leaves out 1"},
		"100 unknown fields":    {fields(100), 32, all},
		"101 unknown fields":    {fields(101), 32, rest},
		"80,000 unknown fields": {fields(80_000), 32, rest},
		"unknown parameters":    {Get("/pets?" + repeat("x&", 20_000)), 32, rest},
		"bad parts of a query":  {Get("/pets?" + repeat("%zz&", 20_000)), 32, rest},
		"semicolons in a query": {Get("/pets?" + repeat(";&", 20_000)), 32, rest},
		"wrong values":          {Get("/pets?" + repeat("id=x&", 100)), 32, all},
		"wrong rules":           {Put("/admin/faults", "["+repeat(`{"abort": "x"},`, 900)+"{}]"), 32, rest},
		"no rules":              {Put("/admin/faults", "["+repeat(`0,`, 20_000)+"0]"), 32, rest},
		"headers of a rule": {Post("/admin/faults",
			`{"status": 503, "headers": {`+strings.TrimSuffix(numbered(2_000, `"X-%d": 1,`), ",")+`}}`), 32, rest},
		"elements of an import": {Put("/admin/state", `{"pets": [`+repeat("0,", 200_000)+`0]}`), 32, rest},
		"records of an import":  {Put("/admin/state", `{"orders": [`+repeat("{},", 200_000)+`{}]}`), 32, rest},
		"parts of an import":    {Put("/admin/state", `{"pets": []`+numbered(100_000, `, "x%d": 1`)+`}`), 32, rest},
		"references of an import": {Put("/admin/state",
			`{"pets": [`+strings.TrimSuffix(numbered(10_000, `{"id": 1%d, "name": "x", "categoryId": 7},`),
				",")+`]}`), 32, rest},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := w.Do(t, test.Request)
			if a.Status != http.StatusBadRequest {
				t.Fatalf("status %d: %.300s", a.Status, a.Body)
			}
			p := a.Problem(t)
			if len(p.Details) != test.details || !strings.Contains(p.Message, test.says) {
				t.Errorf("%d details and %q, want %d and %q", len(p.Details), p.Message, test.details, test.says)
			}
			if len(a.Body) > manyErrors {
				t.Errorf("the answer has %d bytes", len(a.Body))
			}
		})
	}
}

func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// TestRepeatsAreBounded checks that a filter may be repeated 100 times and no more.
func TestRepeatsAreBounded(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, filter := range []string{"id=1&", "categoryId=1&", "status=sold&"} {
		w.Must(t, Get("/pets?"+repeat(filter, 100)))
		for _, times := range []int{101, 5_000} {
			name, _, _ := strings.Cut(filter, "=")
			a := w.Do(t, Get("/pets?"+repeat(filter, times)))
			a.Expect(t, 400, "invalid_parameter", name)
			if p := a.Problem(t); p.Details[0].Message != fmt.Sprintf("is given %d times; give it at most 100 times",
				times) {
				t.Errorf("%s: %q", filter, p.Details[0].Message)
			}
		}
	}
}

// TestLongTextIsCut checks that responses truncate client-supplied text everywhere.
func TestLongTextIsCut(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, Strict)
	long := repeat("x", 20_000)
	body := Post("/pets", `{}`)
	for name, r := range map[string]Request{
		"a path":                Get("/" + long),
		"segments of a path":    Get(repeat("/x", 10_000)),
		"a path like another":   Get("/pet/" + long),
		"another in a sandbox":  Get("/sandboxes/" + long + "/pet/1"),
		"segments of another":   Get(repeat("/pets", 4_000)),
		"two long values":       Get("/pets?id=" + repeat("1", 5_000) + "," + repeat("2", 5_000)),
		"a method":              {Method: long, Path: "/pets"},
		"an id":                 Get("/pets/" + long),
		"a parameter":           Get("/pets?" + long + "=1"),
		"a broken parameter":    Get("/pets?" + long + "%zz=1"),
		"a value":               Get("/pets?limit=" + long),
		"a number":              Get("/pets?limit=" + repeat("9", 20_000)),
		"a status":              Get("/pets?status=" + long),
		"values with commas":    Get("/pets?id=" + repeat("1,", 10_000)),
		"an order":              Get("/pets?sort=" + long),
		"a sandbox":             Get("/pets").With("X-Sandbox", long),
		"a sandbox, broken":     Get("/pets").With("X-Sandbox", long+"%zz"),
		"a sandbox in a path":   Get("/sandboxes/" + long + "/pets"),
		"a tag":                 Get("/pets/1").With("If-None-Match", long),
		"an Idempotency-Key":    body.With("Idempotency-Key", long),
		"a code":                Get("/pets").With("Prefer", "code="+long),
		"a delay":               Get("/pets").With("Prefer", "delay="+long),
		"an event":              Get("/events").With("Last-Event-Id", long),
		"a media type":          body.With("Content-Type", "text/"+long),
		"a charset":             body.With("Content-Type", "application/json; charset="+long),
		"a coding":              body.With("Content-Encoding", long),
		"a host":                Get("/admin").With("Host", long),
		"an origin":             Put("/admin/clock", `{}`).With("Origin", "http://"+long),
		"a field":               Post("/pets", `{"`+long+`": 1}`),
		"a field twice":         Post("/pets", `{"`+long+`": 1, "`+long+`": 1}`),
		"an enum":               Post("/pets", `{"name": "x", "categoryId": 1, "status": "`+long+`"}`),
		"an integer":            Post("/pets", `{"name": "x", "categoryId": `+repeat("9", 20_000)+`}`),
		"a date":                Post("/store/orders", `{"shipDate": "`+long+`"}`),
		"a rule's method":       Post("/admin/faults", `{"match": {"method": "`+long+`"}}`),
		"a rule's path":         Post("/admin/faults", `{"match": {"path": "`+long+`"}}`),
		"a rule's operation":    Post("/admin/faults", `{"match": {"operationId": "`+long+`"}}`),
		"a rule's header":       Post("/admin/faults", `{"match": {"headers": {"`+long+`": 1}}}`),
		"a rule's abort":        Post("/admin/faults", `{"abort": "`+long+`"}`),
		"a rule's when":         Post("/admin/faults", `{"status": 503, "when": "`+long+`"}`),
		"a stability":           Put("/admin/operations/getPet", `{"stability": "`+long+`"}`),
		"a date of a lifecycle": Put("/admin/operations/getPet", `{"sunset": "`+long+`"}`),
		"a successor": Put("/admin/operations/getPet",
			`{"deprecated": true, "deprecatedSince": "2026-01-01", "successor": "/`+long+`"}`),
		"an operation":          Delete("/admin/operations/" + long),
		"a snapshot":            Delete("/admin/snapshots/" + long),
		"a snapshot to compare": Get("/admin/state/diff?from=" + long),
		"a time":                Put("/admin/clock", `{"now": "`+long+`"}`),
		"a duration":            Put("/admin/clock", `{"advance": "`+long+`"}`),
		"a wait":                Get("/admin/requests?wait=" + long),
		"a filter's path":       Get("/admin/requests?path=" + long),
		"a filter's operation":  Get("/admin/requests?operationId=" + long),
		"a format":              Get("/admin/report?format=" + long),
		"a part":                Post("/admin/reset?only="+long, ""),
		"parts":                 Post("/admin/reset?only="+repeat("x,", 10_000), ""),
		"a sandbox to drop":     Delete("/admin/sandboxes/" + long),
		"a fork":                Post("/admin/sandboxes/default/fork", `{"name": "`+long+`"}`),
		"a part of a state":     Put("/admin/state", `{"`+long+`": []}`),
		"a field of a record":   Put("/admin/state", `{"pets": [{"`+long+`": 1}]}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := w.Do(t, r)
			if a.Status < 400 || a.Status >= 500 {
				t.Errorf("status %d: %.300s", a.Status, a.Body)
			}
			if size := len(a.Body); size > oneError && name != "parts" || size > manyErrors {
				t.Errorf("the answer has %d bytes: %.300s", size, a.Body)
			}
			for header, values := range a.Header {
				if len(strings.Join(values, "")) > oneError {
					t.Errorf("%s has %d bytes", header, len(values[0]))
				}
			}
		})
	}
}
