package field

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

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

func TestParseInteger(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"0": 0, "-0": 0, "7": 7, "-7": -7, "10": 10, "9223372036854775807": math.MaxInt64,
		"-9223372036854775808": math.MinInt64,
	} {
		if n, wrong := ParseInteger(text, math.MinInt64, math.MaxInt64); n != want || wrong != "" {
			t.Errorf("%q = %d, %q, want %d", text, n, wrong, want)
		}
	}
	const (
		none    = "must be an integer such as 7"
		written = "must be an integer, written without "
		bounds  = "must be from -9223372036854775808 to 9223372036854775807"
	)
	for text, want := range map[string]string{
		"": none, " ": none, "-": none, "--1": none, "x": none, "1x": none, " 1": none, "1 ": none, "0x1": none,
		"1_000": none, "1,2": none,
		"NaN": none, "Inf": none, "null": none, "\u0661": none, "1\n": none,
		"+1": written + "a plus sign or leading zeros", "01": written + "a plus sign or leading zeros",
		"-01": written + "a plus sign or leading zeros",
		"00":  written + "a plus sign or leading zeros", "+0": written + "a plus sign or leading zeros",
		"1.0": written + "a fraction or exponent", "1e2": written + "a fraction or exponent",
		"-1E+2":               written + "a fraction or exponent",
		"1e999":               written + "a fraction or exponent",
		"9223372036854775808": bounds, "-9223372036854775809": bounds, strings.Repeat("9", 1000): bounds,
	} {
		if n, wrong := ParseInteger(text, math.MinInt64, math.MaxInt64); n != 0 || wrong != want {
			t.Errorf("%q = %d, %q, want %q", text, n, wrong, want)
		}
	}
}

func TestParseDateTime(t *testing.T) {
	t.Parallel()
	at := func(text string) time.Time {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	for text, want := range map[string]time.Time{
		"2026-03-14T09:30:00Z":           at("2026-03-14T09:30:00Z"),
		"2026-03-14t09:30:00z":           at("2026-03-14T09:30:00Z"),
		"2026-03-14T09:30:00.25z":        at("2026-03-14T09:30:00.25Z"),
		"2026-03-14t09:30:00+05:45":      at("2026-03-14T09:30:00+05:45"),
		"2026-03-14T09:30:00-00:00":      at("2026-03-14T09:30:00Z"),
		"0000-01-01T00:00:00Z":           at("0000-01-01T00:00:00Z"),
		"2016-12-31T23:59:60Z":           at("2017-01-01T00:00:00Z"),
		"1990-06-30t23:59:60.5z":         at("1990-07-01T00:00:00.5Z"),
		"1990-12-31T15:59:60-08:00":      at("1991-01-01T00:00:00Z"), // RFC 3339, section 5.8
		"2017-01-01T05:44:60+05:45":      at("2017-01-01T00:00:00Z"),
		"9999-12-31T23:59:59.999999999Z": at("9999-12-31T23:59:59.999999999Z"),
	} {
		if got, ok := ParseDateTime(text); !ok || !got.Equal(want) {
			t.Errorf("%s = %v, %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{
		"", "2026-03-14", "2026-03-14T09:30:00", "2026-03-14 09:30:00Z", "2026-3-14T09:30:00Z", "2026-03-14T9:30:00Z",
		"2026-03-14T09:30Z", "2026-13-14T09:30:00Z", "2026-02-29T09:30:00Z", "2026-03-14T24:00:00Z",
		"2026-03-14T09:60:00Z", "2026-03-14T09:30:00,5Z", "2026-03-14T09:30:00.Z", "2026-03-14T09:30:00+24:00",
		"2026-03-14T09:30:00+01:60", "2026-03-14T09:30:00+0100", "2026-03-14T09:30:00Z ", "\u0662026-03-14T09:30:00Z",
		"2016-12-31T23:59:61Z", "2016-12-31T12:59:60Z", "2016-12-31T23:58:60Z", "2016-12-31T23:59:60+01:00",
		"2016-12-31T23:59:60-08:00",
	} {
		if got, ok := ParseDateTime(text); ok {
			t.Errorf("%s = %v", text, got)
		}
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"only", "operationId", "limit", "order", "orders", "status", "id"}
	tests := []struct{ text, want string }{
		{"onyl", "only"},               // two letters swapped
		{"opreationId", "operationId"}, // likewise
		{"statuss", "status"},          // one too many
		{"limt", "limit"},              // one left out
		{"lemit", "limit"},             // one replaced
		{"OPERATIONID", "operationId"}, // case alone
		{"ID", "id"},
		{"orderss", "orders"}, // the nearer of two
		{"ordre", "order"},
		{"oeprtionid", "operationId"}, // a swap and one left out
		{"from", ""},
		{"xy", ""},
		{"x", ""},
		{"", ""},
		{"olny-not", ""},
		{"ilmix", ""}, // two mistakes in five letters
		{"xlimt", ""},
		{strings.Repeat("only", 1<<18), ""},
		{strings.Repeat("o", 201), ""},
	}
	for _, test := range tests {
		got, ok := Nearest(test.text, names)
		if got != test.want || ok != (test.want != "") {
			t.Errorf("Nearest(%.20q) = %q, %t, want %q", test.text, got, ok, test.want)
		}
	}
	if got, _ := Nearest(strings.Repeat("o", 200), []string{strings.Repeat("o", 199)}); got == "" {
		t.Error("Nearest finds none for a text of 200 bytes")
	}
	if got, ok := Nearest("cat", []string{"bat", "hat", "cat"}); got != "cat" || !ok {
		t.Errorf("Nearest = %q, %t; want the equal text", got, ok)
	}
	if got, _ := Nearest("cat", []string{"bat", "hat"}); got != "bat" {
		t.Errorf("Nearest = %q; of equals the first counts", got)
	}
}
