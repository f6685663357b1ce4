package rest

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// decoded has a field of every type that bodies of the control plane have.
type decoded struct {
	Text   string            `json:"text"`
	Count  *int64            `json:"count"`
	Size   uint64            `json:"size"`
	Share  *float64          `json:"share"`
	On     *bool             `json:"on"`
	At     *time.Time        `json:"at"`
	Inner  *inner            `json:"inner"`
	Many   []inner           `json:"many"`
	ByName map[string]string `json:"byName"`
	Odd    []odd             `json:"odd"`
}

// odd takes nothing, not even null.
type odd struct{}

func (*odd) UnmarshalJSON([]byte) error { return errors.New("is odd") }

type inner struct {
	Number int `json:"number"`
}

// check finds two faults, one of which may have been told before.
func (d *decoded) check() []Detail {
	if d.Count == nil || *d.Count != 13 {
		return nil
	}
	return []Detail{{Field: "/inner/number", Message: "is required"}, {Field: "/count", Message: "must not be 13"}}
}

func TestDecode(t *testing.T) {
	t.Parallel()
	type faults map[string]string // field to message
	tests := []struct {
		name, body string
		faults     faults
		message    string // of invalid_json
	}{
		{name: "nothing wrong", body: ` {"text": "a", "count": 1, "share": 0.5, "on": true, "at": "2026-01-31T09:30:00Z",
			"inner": {"number": 7}, "many": [{"number": 1}], "byName": {"a": "b"}} `},
		{name: "nothing at all", body: `{}`},
		{name: "null is left out", body: `{"text": null, "inner": null, "many": null, "at": null}`},
		{name: "unknown fields", body: `{"texts": 1, "Text": 2, "inner": {"a/b~c": 3}}`, faults: faults{
			"/texts": "there is no such field; did you mean text?", "/Text": "there is no such field; did you mean text?",
			"/inner/a~1b~0c": "there is no such field; leave it out",
		}},
		{name: "wrong types", body: `{"text": 1, "count": "1", "size": -1, "share": "x", "on": 0, "at": "now", "inner": [], "many": {}, "byName": {"a": 1}}`, faults: faults{
			"/text": "must be a string, not a number", "/count": "must be an integer, not a string",
			"/size": "must be from 0 to 18446744073709551615, not -1", "/share": "must be a number, not a string",
			"/on":    "must be true or false, not a number",
			"/at":    "must be a date and time such as 2026-01-31T09:30:00Z (RFC 3339)",
			"/inner": "must be an object, not an array", "/many": "must be an array, not an object",
			"/byName/a": "must be a string, not a number",
		}},
		{name: "numbers that are not whole", body: `{"count": 1.5, "inner": {"number": 9223372036854775808}}`, faults: faults{
			"/count":        "must be an integer, written without fraction or exponent, not 1.5",
			"/inner/number": "must be from -9223372036854775808 to 9223372036854775807, not 9223372036854775808",
		}},
		{name: "elements keep their places", body: `{"many": [{"number": "a"}, {"number": 1}, 2, {"number": "b"}]}`, faults: faults{
			"/many/0/number": "must be an integer, not a string", "/many/2": "must be an object, not a number",
			"/many/3/number": "must be an integer, not a string",
		}},
		{name: "a fault that stays is told once", body: `{"odd": [1]}`, faults: faults{"/odd/0": "must be an object, not a number"}},
		{name: "a check", body: `{"count": 13}`, faults: faults{"/inner/number": "is required", "/count": "must not be 13"}},
		{name: "a check is not heard about what is told", body: `{"text": 1, "inner": 2, "count": 13}`, faults: faults{
			"/text": "must be a string, not a number", "/inner": "must be an object, not a number", "/count": "must not be 13",
		}},
		{name: "empty", body: "  ", message: "line 1, column 3: the body is empty; send a JSON object"},
		{name: "broken", body: "{\"text\":\n 'a'}", message: `line 2, column 2: invalid character '\'' at start of value`},
		{name: "broken behind a wrong type", body: `{"text": 1, "count": }`, message: "line 1, column 22: missing value after object name"},
		{name: "a name twice", body: `{"text": "a", "text": "b"}`, message: `line 1, column 15: the name "text" stands twice in one object`},
		{name: "more than one value", body: `{} {}`, message: "line 1, column 4: there is more after the object; send one object alone"},
		{name: "another kind of value", body: ` []`, message: "line 1, column 2: the body is an array; send an object"},
		{name: "null", body: `null`, message: "line 1, column 1: the body is null; send an object"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var to decoded
			err := exchange(test.body).Decode(&to, to.check)
			var message string
			var found faults
			var got *Error
			if errors.As(err, &got) && got.Code == "invalid_json" {
				message = got.Message
			} else if errors.As(err, &got) && got.Code == "validation_failed" {
				found = make(faults)
				for _, d := range got.Details {
					if found[d.Field] != "" {
						t.Errorf("%s is told twice", d.Field)
					}
					found[d.Field] = d.Message
				}
			} else if err != nil {
				t.Fatal(err)
			}
			if message != test.message {
				t.Errorf("invalid_json %q, want %q", message, test.message)
			}
			if diff := cmp.Diff(test.faults, found); diff != "" {
				t.Errorf("faults, -want +got:\n%s", diff)
			}
		})
	}
}

// TestDecodeFills checks that what the caller set stays unless the body says else.
func TestDecodeFills(t *testing.T) {
	t.Parallel()
	got := decoded{Text: "preset", Size: 7}
	if err := exchange(`{"size": 8, "byName": {"a": "b"}, "many": [{"number": 1}]}`).Decode(&got); err != nil {
		t.Fatal(err)
	}
	want := decoded{Text: "preset", Size: 8, ByName: map[string]string{"a": "b"}, Many: []inner{{1}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	var list []inner
	if err := exchange(`[{"number": 1}, {"number": 2}]`).Decode(&list); err != nil || len(list) != 2 {
		t.Errorf("Decode = %v %v", list, err)
	}
	if err := exchange(`[null, {"number": 1}]`).Decode(&list); err == nil || err.Error() != "0: must be an object, not null" {
		t.Errorf("Decode = %v", err)
	}
	if err := exchange(`{}`).Decode(&list); err == nil || err.Error() != "line 1, column 1: the body is an object; send an array" {
		t.Errorf("Decode = %v", err)
	}
}

func TestDecodeOptional(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, body, contentType string
		chunked                 bool
		present                 bool
		status                  int
	}{
		{name: "none"},
		{name: "none, though curl -d '' names a type", contentType: "application/x-www-form-urlencoded"},
		{name: "none, chunked", chunked: true},
		{name: "one", body: `{"text": "a"}`, contentType: typeJSON, present: true},
		{name: "one, chunked", body: `{"text": "a"}`, contentType: typeJSON, chunked: true, present: true},
		{name: "not JSON by its type", body: `{"text": "a"}`, present: true, status: http.StatusUnsupportedMediaType},
		{name: "not JSON by its type, chunked", body: `{"text": "a"}`, chunked: true, present: true, status: http.StatusUnsupportedMediaType},
		{name: "blank", body: ` `, contentType: typeJSON, present: true, status: http.StatusBadRequest},
		{name: "too large, chunked", body: strings.Repeat(" ", MaxBody+1), contentType: typeJSON, chunked: true, present: true, status: http.StatusRequestEntityTooLarge},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			x := exchange(test.body)
			x.R.Header.Set("Content-Type", test.contentType)
			if test.chunked {
				x.R.ContentLength = -1
			}
			var to decoded
			present, err := x.DecodeOptional(&to)
			if present != test.present {
				t.Errorf("present = %t", present)
			}
			var refused *Error
			switch {
			case errors.As(err, &refused) && refused.Status == test.status:
			case err != nil || test.status != 0:
				t.Errorf("error = %v, want status %d", err, test.status)
			case test.present && to.Text != "a":
				t.Errorf("text = %q", to.Text)
			}
		})
	}
}

func exchange(body string) *Exchange {
	r := httptest.NewRequest(http.MethodPut, "/", strings.NewReader(body))
	r.Header.Set("Content-Type", typeJSON)
	return NewExchange(httptest.NewRecorder(), r)
}
