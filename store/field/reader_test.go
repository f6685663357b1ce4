package field

import (
	"bytes"
	"math"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestQuotesAreHintedAt checks for a hint if superfluous or missing quotes are the only mistake.
func TestQuotesAreHintedAt(t *testing.T) {
	t.Parallel()
	text := func(v jsontext.Value, r *Reading) { AnyText[string](v, r) }
	number := func(v jsontext.Value, r *Reading) { Number(v, r) }
	for _, test := range []struct {
		read        func(jsontext.Value, *Reading)
		value, want string
	}{
		{text, `1`, "must be a string, not a number; put it in quotes"},
		{text, `true`, "must be a string, not a boolean; put it in quotes"},
		{text, `false`, "must be a string, not a boolean; put it in quotes"},
		{text, `[]`, "must be a string, not an array"},
		{text, `{}`, "must be a string, not an object"},
		{number, `"1"`, "must be a number, not a string; leave out the quotes"},
		{number, `"1x"`, "must be a number, not a string"},
		{number, `"true"`, "must be a number, not a string"},
	} {
		r := Reading{Unquoted: "; put it in quotes"}
		test.read(jsontext.Value(test.value), &r)
		if len(r.Problems) != 1 || r.Problems[0].Message != test.want {
			t.Errorf("%s: %v, want %s", test.value, r.Problems, test.want)
		}
	}
}

// TestBounds checks the limits of each reader's range, and one step beyond.
func TestBounds(t *testing.T) {
	t.Parallel()
	integer := func(v jsontext.Value, r *Reading) bool { _, ok := Integer(1, 9)(v, r); return ok }
	many := func(v jsontext.Value, r *Reading) bool { _, ok := Integer(1, math.MaxInt64)(v, r); return ok }
	moment := func(v jsontext.Value, r *Reading) bool { _, ok := Time(v, r); return ok }
	for _, test := range []struct {
		read  func(jsontext.Value, *Reading) bool
		value string
		want  string // the problem, or empty
	}{
		{integer, `0`, "must be from 1 to 9, not 0"},
		{integer, `1`, ""},
		{integer, `9`, ""},
		{integer, `10`, "must be from 1 to 9, not 10"},
		{integer, `9223372036854775808`, "must be from 1 to 9, not 9223372036854775808"},
		{many, `0`, "must be at least 1, not 0"},
		{many, `9223372036854775807`, ""},
		{many, `9223372036854775808`, "must be from 1 to 9223372036854775807, not 9223372036854775808"},
		{many, `-9223372036854775809`, "must be at least 1, not -9223372036854775809"},
		{many, `1.5`, "must be an integer, written without a fraction or exponent, not 1.5"},
		{many, `"7"`, "must be an integer, not a string; leave out the quotes"},
		{moment, `"0000-01-01T00:00:00+00:01"`, "must be in the years 0000 to 9999 in UTC"},
		{moment, `"0000-01-01T00:00:00Z"`, ""},
		{moment, `"9999-12-31T23:59:59Z"`, ""},
		{moment, `"9999-12-31T23:59:59-00:01"`, "must be in the years 0000 to 9999 in UTC"},
	} {
		var r Reading
		ok := test.read(jsontext.Value(test.value), &r)
		switch {
		case ok != (test.want == ""), ok && r.Problems != nil:
			t.Errorf("%s is taken: %t, with %v", test.value, ok, r.Problems)
		case !ok && (len(r.Problems) != 1 || r.Problems[0].Message != test.want):
			t.Errorf("%s: %v, want %s", test.value, r.Problems, test.want)
		}
	}
}

// TestEachFieldOnce checks that the path of a duplicate field is reported.
func TestEachFieldOnce(t *testing.T) {
	t.Parallel()
	fields := Fields[parcel]{parcelFields[1], parcelFields[3]}
	for text, want := range map[string]string{
		`{"text": "a", "count": 1, "x": 1, "x": 1}`: "/x",
		`{"text": "a", "count": 1, "": 1}`:          "",
		`{"text": "a", "count": 1, "text": ""}`:     "/text",
		`{"text": "a", "count": 1, "count": 1}`:     "/count",
	} {
		o, err := fields.Scan(jsontext.NewDecoder(bytes.NewBufferString(text), jsontext.AllowDuplicateNames(true)))
		if err != nil {
			t.Fatal(err)
		}
		var p parcel
		var r Reading
		o.Read(&p, &r)
		if got := r.Repeated.Pointer(); got != want {
			t.Errorf("%s: %q is repeated, want %q", text, got, want)
		}
	}
}
