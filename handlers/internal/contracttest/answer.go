package contracttest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"testing"

	"example.com/petstore/handlers/internal/must"
)

// Answer is a response with its body, uncompressed.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Problem is the Error object in the OpenAPI documents.
type Problem struct {
	Code    string   `json:"code"`
	Message string   `json:"message"`
	Status  int      `json:"status"`
	Details []Detail `json:"details"`
}

// Detail describes one invalid field.
type Detail struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Problem decodes the body, which must be an Error object.
func (a *Answer) Problem(t *testing.T) Problem {
	t.Helper()
	var p Problem
	a.Decode(t, &p)
	return p
}

// Fields returns the names of the invalid fields, or nil.
func (p *Problem) Fields() []string {
	var fields []string
	for _, d := range p.Details {
		fields = append(fields, d.Field)
	}
	return fields
}

// Decode decodes the JSON body into to, a pointer.
func (a *Answer) Decode(t *testing.T, to any) {
	t.Helper()
	if err := json.Unmarshal(a.Body, to); err != nil {
		t.Fatalf("%v in %s", err, a.Body)
	}
}

// Expect fails the test unless the answer has the status and, if code is not empty, the error code
// and exactly the given invalid fields.
func (a *Answer) Expect(t *testing.T, status int, code string, fields ...string) {
	t.Helper()
	if a.Status != status {
		t.Fatalf("status = %d, want %d; body %s", a.Status, status, a.Body)
	}
	if code == "" {
		return
	}
	p := a.Problem(t)
	if p.Code != code {
		t.Errorf("code = %q, want %q; body %s", p.Code, code, a.Body)
	}
	must.Equal(t, fields, p.Fields(), "fields at fault of %s", a.Body)
}

// ExpectJSON fails the test unless the body and want are the same JSON value.
func (a *Answer) ExpectJSON(t *testing.T, want string) {
	t.Helper()
	must.Equal(t, JSONValue(t, []byte(want)), JSONValue(t, a.Body), "body")
}

// JSONValue decodes JSON, with numbers as [json.Number].
func JSONValue(t *testing.T, text []byte) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // a float64 cannot hold every int64
	var v any
	if err := decoder.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

// ExpectHeader fails the test unless the header has exactly the given values. Without values, the
// header must be absent.
func (a *Answer) ExpectHeader(t *testing.T, name string, want ...string) {
	t.Helper()
	must.Equal(t, want, a.Header.Values(name), "%s", name)
}

// ExpectReadableBy fails the test unless the CORS headers let pages from the origin read the
// answer. For an origin other than "*", they must allow credentials too. If origin is empty, no
// page may read the answer.
func (a *Answer) ExpectReadableBy(t *testing.T, origin string) {
	t.Helper()
	switch origin {
	case "":
		a.ExpectHeader(t, "Access-Control-Allow-Origin")
		a.ExpectHeader(t, "Access-Control-Allow-Credentials")
	case "*":
		a.ExpectHeader(t, "Access-Control-Allow-Origin", "*")
		a.ExpectHeader(t, "Access-Control-Allow-Credentials")
	default:
		a.ExpectHeader(t, "Access-Control-Allow-Origin", origin)
		a.ExpectHeader(t, "Access-Control-Allow-Credentials", "true")
	}
}

var linkValue = regexp.MustCompile(`<([^>]*)>; rel="([^"]*)"`)

// Links returns the URLs in the Link header, by relation.
func (a *Answer) Links() map[string]string {
	links := make(map[string]string)
	for _, match := range linkValue.FindAllStringSubmatch(a.Header.Get("Link"), -1) {
		links[match[2]] = match[1]
	}
	return links
}
