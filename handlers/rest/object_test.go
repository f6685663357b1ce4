package rest

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/internal/testmain"
	"example.com/petstore/store/field"
)

type inner struct{ number int }

var innerFields = field.Fields[inner]{
	field.Optional("number", func(i *inner) *int { return &i.number }, field.Int, 0),
}

func TestReadArray(t *testing.T) {
	t.Parallel()
	none := func([]inner) field.Problems { return nil }
	list, err := ReadArray(exchange(`[{"number": 1}, {"number": 2}]`), innerFields, 2, none)
	if want := []inner{{1}, {2}}; err != nil || !slices.Equal(list, want) {
		t.Errorf("ReadArray = %v %v, want %v", list, err, want)
	}
	list, err = ReadArray(exchange(`[{"number": 1}, {"number": 2}, {"number": 3}, {"number": 4}]`),
		innerFields, 2, none)
	if want := []inner{{1}, {2}, {3}}; err != nil || !slices.Equal(list, want) {
		t.Errorf("ReadArray of more than two = %v %v, want one more than two: %v", list, err, want)
	}
	for body, want := range map[string]string{
		`[null, {"number": 1}]`: "0: must be an object, not null",
		`{}`:                    "line 1, column 1: the body is an object; send an array",
		`[] []`:                 "line 1, column 4: there is more text after the array; remove it",
		`null null`:             "line 1, column 6: there is more text after the null; remove it",
		` `:                     "line 1, column 2: the body is empty; send a JSON array",
	} {
		if _, err := ReadArray(exchange(body), innerFields, 2, none); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
	}
}

func exchange(body string) *Exchange {
	r := httptest.NewRequest(http.MethodPut, "/", strings.NewReader(body))
	r.Header.Set("Content-Type", typeJSON)
	x := NewExchange(new(Server), httptest.NewRecorder(), r)
	x.Strict = true
	return x
}

func TestParsePublicURL(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]PublicURL{
		"":                                     {},
		"https://shop.example":                 {Origin: "https://shop.example"},
		"https://shop.example/":                {Origin: "https://shop.example"},
		"HTTPS://Shop.Example:443/petstore/":   {Origin: "https://shop.example", Path: "/petstore"},
		"http://shop.example:80/a/b-c_d.e~f":   {Origin: "http://shop.example", Path: "/a/b-c_d.e~f"},
		"http://shop.example:443":              {Origin: "http://shop.example:443"},
		"https://[2001:db8::7]:8443/petstore":  {Origin: "https://[2001:db8::7]:8443", Path: "/petstore"},
		"https://shop.example:8443/Petstore/v": {Origin: "https://shop.example:8443", Path: "/Petstore/v"},
	} {
		got, err := ParsePublicURL(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		must.Equal(t, want, got, "%q", text)
	}
	for _, text := range []string{
		"shop.example", "//shop.example", "ftp://shop.example", "https://", "https:///petstore",
		"https://shop.example?x=1", "https://shop.example/?", "https://shop.example/#top", "https://me@shop.example",
		"https://shop.example//petstore", "https://shop.example/petstore//", "https://shop.example/..",
		"https://shop.example/.", "https://shop.example/a%2Fb", "https://shop.example/a b", "https://shop.example/ä",
		"https://shop.example/{x}", "https://shop.example:", "https://shop.example:0", "https://shop.example:65536",
		"https://shop.example:x", "https:shop.example",
	} {
		if got, err := ParsePublicURL(text); err == nil {
			t.Errorf("%q is taken for %+v", text, got)
		}
	}
}

// TestReadChangedPath checks that a changed Path takes precedence: a program that
// embeds the server may have changed it without RawPath.
func TestReadChangedPath(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"/old%2F", "/%zz"} {
		if _, _, behind := readPath(&url.URL{Path: "/pets/1", RawPath: raw}, PublicURL{}); behind != "/pets/1" {
			t.Errorf("behind RawPath %s: %s", raw, behind)
		}
	}
}

func TestMain(m *testing.M) { testmain.Run(m) }
