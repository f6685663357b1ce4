package field

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// parcel has a field of every type.
type parcel struct {
	Text   string
	Short  string
	Count  *int64
	Most   int64
	Few    int
	Size   uint64
	Share  *float64
	On     bool
	Colour colour
	Sent   string
	At     time.Time
	Inner  *inner
	Many   []inner
	ByName map[string]string
}

type colour string

type inner struct{ Number int }

var parcelFields = Fields[parcel]{
	Ignored[parcel]("id"),
	Required("text", func(p *parcel) *string { return &p.Text }, AnyText),
	Optional("short", func(p *parcel) *string { return &p.Short }, Text(1, 3), "none"),
	Pointer("count", func(p *parcel) **int64 { return &p.Count }, AnyInteger),
	Optional("most", func(p *parcel) *int64 { return &p.Most }, Integer(1, 9), 0),
	Optional("few", func(p *parcel) *int { return &p.Few }, Int, 0),
	Optional("size", func(p *parcel) *uint64 { return &p.Size }, Unsigned, 0),
	Pointer("share", func(p *parcel) **float64 { return &p.Share }, Number),
	Optional("on", func(p *parcel) *bool { return &p.On }, Boolean, false),
	Optional("colour", func(p *parcel) *colour { return &p.Colour }, OneOf([]colour{"red", "green", "blue"}), "red"),
	Optional("sent", func(p *parcel) *string { return &p.Sent }, DateTime, ""),
	Optional("at", func(p *parcel) *time.Time { return &p.At }, Time, time.Time{}),
	Pointer("inner", func(p *parcel) **inner { return &p.Inner }, Nested(innerFields)),
	Custom("many", func(p *parcel, v jsontext.Value, r *Reading) {
		Each(innerFields, v, r, func(i *inner, _ bool) { p.Many = append(p.Many, *i) })
	}),
	Optional("byName", func(p *parcel) *map[string]string { return &p.ByName }, Texts, nil),
}

var innerFields = Fields[inner]{Required("number", func(i *inner) *int { return &i.Number }, Int)}

func scanned(t *testing.T, text string) *Object[parcel] {
	t.Helper()
	o, err := parcelFields.Scan(jsontext.NewDecoder(bytes.NewBufferString(text), jsontext.AllowDuplicateNames(true)))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestRead(t *testing.T) {
	t.Parallel()
	var got parcel
	var r Reading
	scanned(t,
		`{"id": [], "text": "\u00e9\n", "short": "äöü", "count": -1, "most": 9, "few": 7, "size": 18446744073709551615, "share": 1e-1, "on": true,
		"\u0063olour": "blue", "sent": "2026-01-31t09:30:00z", "at": "2026-01-31T09:30:00+01:00", "inner": {"number": 1}, "many": [{"number": 2}, {"number": 3}],
		"by\u004eame": {"": "x"}, "more": {}}`).Read(&got, &r)
	want := parcel{
		Text: "é\n", Short: "äöü", Count: new(int64(-1)), Most: 9, Few: 7, Size: 1<<64 - 1, Share: new(0.1), On: true,
		Colour: "blue",
		Sent:   "2026-01-31t09:30:00z", At: time.Date(2026, 1, 31, 8, 30, 0, 0, time.UTC), Inner: &inner{1},
		Many:   []inner{{2}, {3}},
		ByName: map[string]string{"": "x"},
	}
	if diff := cmp.Diff(want, got); diff != "" || r.Problems != nil {
		t.Errorf("problems %v, -want +got:\n%s", r.Problems, diff)
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	const dateTime = "must be a date and time such as 2026-01-31T09:30:00Z (RFC 3339), not "
	for _, test := range []struct {
		text string
		want Problems
	}{
		{`{}`, Problems{wrong("/text", "is required")}},
		{`{"text": null}`, Problems{wrong("/text", "must not be null")}},
		{`{"text": 1, "short": "", "most": 10, "few": 1.5, "size": -1, "on": "x", "colour": "pink", "at": true}`,
			Problems{
				wrong("/text", "must be a string, not a number"),
				wrong("/short", "must be 1 to 3 characters long, not 0"), wrong("/most", "must be from 1 to 9, not 10"),
				wrong("/few", "must be an integer, written without a fraction or exponent, not 1.5"),
				wrong("/size", "must be from 0 to 18446744073709551615, not -1"),
				wrong("/on", "must be true or false, not a string"),
				wrong("/colour", `must be red, green or blue, not "pink"`),
				wrong("/at", "must be a string, not a boolean"),
			}},
		{`{"text": "a", "short": "four", "count": 9223372036854775808, "most": -9223372036854775809, "few": "1", ` +
			`"size": 1e2, "share": "x", "sent": "now", "at": 1}`, Problems{
			wrong("/short", "must be 1 to 3 characters long, not 4"),
			wrong("/count", "must be from -9223372036854775808 to 9223372036854775807, not 9223372036854775808"),
			wrong("/most", "must be from 1 to 9, not -9223372036854775809"),
			wrong("/few", "must be an integer, not a string; leave out the quotes"),
			wrong("/size", "must be an integer, written without a fraction or exponent, not 1e2"),
			wrong("/share", "must be a number, not a string"),
			wrong("/sent", dateTime+`"now"`), wrong("/at", "must be a string, not a number"),
		}},
		{`{"text": "a", "share": "1e2", "on": "true", "size": "1e2", "most": "", "count": "\"1"}`, Problems{
			wrong("/count", "must be an integer, not a string"), wrong("/most", "must be an integer, not a string"),
			wrong("/size", "must be an integer, not a string"),
			wrong("/share", "must be a number, not a string; leave out the quotes"),
			wrong("/on", "must be true or false, not a string; leave out the quotes"),
		}},
		{`{"text": "a", "share": 1e999, "at": "0000-01-01T00:00:00+01:00", "inner": [], "many": {}, "byName": 1}`,
			Problems{
				wrong("/share", "must be from -1.7976931348623157e+308 to 1.7976931348623157e+308, not 1e999"),
				wrong("/at", "must be in the years 0000 to 9999 in UTC"),
				wrong("/inner", "must be an object, not an array"), wrong("/many", "must be an array, not an object"),
				wrong("/byName", "must be an object, not a number"),
			}},
		{`{"text": "a", "most": 1.0, "size": "7", "inner": {}, "many": [{"number": 1}, 2, null, {"number": "x"}], ` +
			`"byName": {"a/b~c": 1, "d": null}}`, Problems{
			wrong("/most", "must be an integer, written without a fraction or exponent, not 1.0"),
			wrong("/size", "must be an integer, not a string; leave out the quotes"),
			wrong("/inner/number", "is required"), wrong("/many/1", "must be an object, not a number"),
			wrong("/many/2", "must be an object, not null"),
			wrong("/many/3/number", "must be an integer, not a string"),
			wrong("/byName/a~1b~0c", "must be a string, not a number"),
			wrong("/byName/d", "must be a string, not null"),
		}},
		{`{"x": 1, "inner": {"Number": 1}, "text": "a", "": 2}`, Problems{
			wrong("/inner/number", "is required"),
			wrong("/inner/Number", "there is no such field; did you mean number?"),
			wrong("/x", "there is no such field; leave it out"), wrong("/", "there is no such field; leave it out"),
		}},
	} {
		r := Reading{Strict: true}
		scanned(t, test.text).Read(new(parcel), &r)
		if diff := cmp.Diff(test.want, r.Problems); diff != "" {
			t.Errorf("%s, -want +got:\n%s", test.text, diff)
		}
	}
}

// TestReadingStops checks that reading stops after a hundred problems, and that a last problem
// reports that there are more.
func TestReadingStops(t *testing.T) {
	t.Parallel()
	for _, repeated := range []struct{ begin, again, end string }{
		{`{"text": "a", "many": [{"number": 1}`, `, 0`, `]}`},
		{`{"text": "a", "many": [{"number": 1}`, `, {}`, `]}`},
		{`{"text": "a", "byName": {"": ""`, `, "x%d": 1`, `}}`},
		{`{"text": "a"`, `, "x%d": 1`, `}`},
	} {
		for times, more := range map[int]bool{MaxProblems: false, MaxProblems + 1: true, 100 * MaxProblems: true} {
			r := Reading{Strict: true}
			var got parcel
			text := repeated.begin
			for i := range times {
				text += strings.ReplaceAll(repeated.again, "%d", strconv.Itoa(i))
			}
			text += repeated.end
			scanned(t, text).Read(&got, &r)
			if len(r.Problems) != MaxProblems || r.More != more {
				t.Errorf("%d times %s: %d problems, more %t; want %d, %t", times, repeated.again, len(r.Problems),
					r.More, MaxProblems, more)
			}
			if len(got.Many) > MaxProblems+2 {
				t.Errorf("%d times %s: %d elements are kept", times, repeated.again, len(got.Many))
			}
		}
	}
}

// TestLongNamesAreCut checks that a problem quotes only the beginning of a long name.
func TestLongNamesAreCut(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("é", 1<<18)
	r := Reading{Strict: true}
	scanned(t, `{"text": "a", "`+name+`": 1, "colour": "`+name+`", "most": 1`+strings.Repeat("0", 1<<18)+`}`).
		Read(new(parcel), &r)
	if len(r.Problems) != 3 || r.Problems[2].Field != "/"+strings.Repeat("é", 100)+"…" {
		t.Errorf("%.2000v", r.Problems)
	}
	for _, problem := range r.Problems {
		if len(problem.String()) > 400 {
			t.Errorf("a problem of %d bytes", len(problem.String()))
		}
	}
}

// TestObjectReportsProblems checks that problems caused by another problem are not reported.
func TestObjectReportsProblems(t *testing.T) {
	t.Parallel()
	var r Reading
	for _, place := range []string{"/inner", "/inner/number", "/innermost", "/many/1", "/many/1", "/many/10"} {
		r.AddUnlessKnown(Problem{Field: place})
	}
	if diff := cmp.Diff(Problems{{Field: "/inner"}, {Field: "/innermost"}, {Field: "/many/1"}, {Field: "/many/10"}},
		r.Problems); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	r := Reading{Unquoted: "; put it in quotes", Strict: true}
	scanned(t, `{"text": true, "colour": 1, "on": 1}`).Read(new(parcel), &r)
	r.Within("inner", func(r *Reading) {
		r.Wrong("is odd")
		r.WrongAt("/number", "is %d", 7)
	})
	r.Add(wrong("line 7", "is broken"))
	want := Problems{
		wrong("/text", "must be a string, not a boolean; put it in quotes"),
		wrong("/on", "must be true or false, not a number"),
		wrong("/colour", "must be a string, not a number; put it in quotes"), wrong("/inner", "is odd"),
		wrong("/inner/number", "is 7"), wrong("line 7", "is broken"),
	}
	if diff := cmp.Diff(want, r.Problems); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func wrong(field, message string) Problem { return Problem{Field: field, Message: message} }
