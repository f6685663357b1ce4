package field

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// FuzzObject reads an object with every type of field, in whole and in part, with every way of
// reporting problems. Nothing may panic, problems are limited, and reading is idempotent.
func FuzzObject(f *testing.F) {
	f.Add(
		[]byte(`{"text": "a", "short": "abc", "count": 1, "most": 9, "few": -1, "size": 18446744073709551615, `+
			`"share": 0.5, "on": true, "colour": "red"}`), true)
	f.Add(
		[]byte(`{"sent": "2026-01-31T09:30:00Z", "at": "2016-12-31T23:59:60Z", "inner": {"number": 1}, `+
			`"many": [{"number": 2}, {}, 0], "byName": {"x": "y"}}`), true)
	f.Add([]byte(`{"text": null, "text": 1e999, "tetx": "\ud800", "many": [[]]}`), false)
	f.Fuzz(func(t *testing.T, text []byte, strict bool) {
		if len(text) > 4<<10 {
			t.Skip("too long")
		}
		dec := jsontext.NewDecoder(bytes.NewBuffer(bytes.Clone(text)), jsontext.AllowDuplicateNames(true))
		if dec.PeekKind() != '{' {
			return
		}
		o, err := parcelFields.Scan(dec)
		if err != nil {
			return
		}
		first, second := Reading{Strict: strict}, Reading{Strict: strict}
		o.Read(new(parcel), &first)
		o.Read(new(parcel), &second)
		if len(first.Problems) > MaxProblems || len(first.Problems) != len(second.Problems) ||
			first.More != second.More || len(first.path) != 0 {
			t.Errorf("read once: %d problems, more %t; twice: %d, %t; path %v", len(first.Problems), first.More,
				len(second.Problems), second.More, first.path)
		}
		for _, problem := range first.Problems {
			if problem.Message == "" || len(problem.String()) > 2000 {
				t.Errorf("a problem: %.3000q", problem)
			}
		}
	})
}

// FuzzWords reads texts as integers and date-times. Package encoding/json must accept the same
// integers. Package time must accept the same date-times, except leap seconds.
func FuzzWords(f *testing.F) {
	for _, seed := range []string{"0", "-1", "9223372036854775807", "+1", "01", "1e2", "2026-01-31T09:30:00.5+01:00",
		"2016-12-31t23:59:60z", "2026-02-29T00:00:00Z"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var want int64
		n, wrong := ParseInteger(text, math.MinInt64, math.MaxInt64)
		fits := json.Unmarshal([]byte(text), &want) == nil && text != "null" &&
			len(bytes.TrimSpace([]byte(text))) == len(text)
		if (wrong == "") != fits || n != want && fits {
			t.Errorf("ParseInteger(%q) = %d, %q; encoding/json reads %d, %t", text, n, wrong, want, fits)
		}
		at, ok := ParseDateTime(text)
		if _, err := time.Parse(time.RFC3339, string(bytes.ToUpper([]byte(text)))); ok && err != nil &&
			!bytes.Contains([]byte(text), []byte(":60")) {
			t.Errorf("ParseDateTime(%q) = %v, which is none: %v", text, at, err)
		}
		if nearest, ok := Nearest(text, []string{"status", "sort"}); ok && distance([]rune(text), []rune(nearest)) > 3+len(text) {
			t.Errorf("Nearest(%q) = %q", text, nearest)
		}
	})
}
