package rest

import (
	"cmp"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// refused returns the response to an error. If err is not nil, it must be a small 400.
func refused(t *testing.T, err error) *Error {
	t.Helper()
	if err == nil {
		return nil
	}
	var answer *Error
	if !errors.As(err, &answer) || answer.Status != http.StatusBadRequest || len(answer.Details) > maxDetails ||
		len(answer.Message) > 4000 {
		t.Errorf("refused with %.5000v", err)
	}
	return answer
}

// FuzzQuery parses a query with every type of parameter.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{"limit=20&offset=0&sort=-id", "id=1&id=2&status=sold", "id=1,2&a;b&%zz",
		"complete=true&wait=5s&name=a%20b", "limit=&limit=1"} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, raw string, strict bool) {
		if len(raw) > 4<<10 {
			t.Skip("too long")
		}
		x := &Exchange{R: &http.Request{URL: &url.URL{RawQuery: raw}}, Strict: strict,
			Route: Route{Operation: &Operation{Query: []string{"limit", "offset", "sort", "id"}}}}
		q := x.ReadQuery()
		page := q.Paging("id", "name")
		ids := q.IDs("id")
		q.Statuses("status")
		q.Status("status")
		q.Bool("complete")
		q.OptionalInt("petId", 0, 9)
		wait := q.Duration("wait", time.Minute)
		q.Text("name")
		if refused(t, q.Err()) != nil {
			return
		}
		if page.Limit < 1 || page.Limit > MaxLimit || page.Offset < 0 || len(ids) > maxRepeats || wait < 0 ||
			wait > time.Minute {
			t.Errorf("%q: page %+v, %d ids, wait %v", raw, page, len(ids), wait)
		}
	})
}

// FuzzPath splits paths. No slash is lost or added, except for one after a name without a path.
func FuzzPath(f *testing.F) {
	for _, seed := range []string{"/pets/1", "/sandboxes/ada/pets", "/sandboxes/ada", "/sandboxes/a%2Fb%25/pets%2F1",
		"/%zz", "//sandboxes//x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := url.ParseRequestURI(raw)
		if err != nil || len(raw) > 4<<10 || u.Opaque != "" {
			t.Skip("no path of a request")
		}
		prefix, name, behind := readPath(u, PublicURL{})
		if prefix == "" && name != "" || prefix != "" &&
			(prefix != prefixed+url.PathEscape(name) || !strings.HasPrefix(behind, "/")) {
			t.Errorf("%q is %q, %q, %q", raw, prefix, name, behind)
		}
		got, want := strings.Count(prefix+behind, "/"), strings.Count(cmp.Or(u.RawPath, u.Path), "/")
		if got != want && (prefix == "" || behind != "/" || got != want+1) {
			t.Errorf("%q is %q behind %q: %d slashes, want %d", raw, behind, prefix, got, want)
		}
	})
}

// FuzzHeaders parses the preconditions, the idempotency key and the sandbox in a request's
// headers.
func FuzzHeaders(f *testing.F) {
	for _, seed := range []string{`*`, `"a", W/"b"`, `"a-gzip"`, `,`, `W/`, `"`, `8e03978e-40d5`, `ada`,
		`Ada%20L%C3%B6we`, `%ff`, `..`} {
		f.Add(seed, "default")
	}
	f.Fuzz(func(t *testing.T, value, named string) {
		if len(value)+len(named) > 4<<10 {
			t.Skip("too long")
		}
		r := &http.Request{Method: http.MethodGet, URL: &url.URL{Path: "/pets"}, Header: http.Header{
			"If-Match": {value}, "If-None-Match": {value}, "Idempotency-Key": {value}, "X-Sandbox": {value},
		}}
		x := NewExchange(new(Server), httptest.NewRecorder(), r)
		conditions, err := x.ReadPreconditions()
		if refused(t, err) == nil {
			if len(conditions.match) == 0 || len(conditions.noneMatch) == 0 {
				t.Errorf("%q has no tags", value)
			}
			_, _ = conditions.evaluate(`"a"`)
		}
		if key, err := x.idempotencyKey(); refused(t, err) == nil && (key == "" || len(key) > longestKey) {
			t.Errorf("%q is the key %q", value, key)
		}
		x.Prefix, x.named = prefixed+url.PathEscape(named), named
		if name, err := x.SandboxName(); refused(t, err) == nil && !sandbox.ValidName(name.Canonical) {
			t.Errorf("%q in %q names %q", value, named, name.Canonical)
		}
	})
}

// FuzzBody decodes a body whose fields are validated.
func FuzzBody(f *testing.F) {
	for _, seed := range []string{`{"text": "a", "count": 13, "inner": {"number": 7}}`, `{"text": "a", "text": "b"}`,
		`{} {}`, `[1]`, "\xff", `{"inner": {"number": 1.0}, "x": 1}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if len(body) > 4<<10 {
			t.Skip("too long")
		}
		_, err := Read(exchange(body), parcelFields, (*parcel).check)
		refused(t, err)
		_, err = ReadArray(exchange(body), parcelFields, 100, func([]parcel) field.Problems { return nil })
		refused(t, err)
		patch := exchange(body)
		patch.R.Method = http.MethodPatch
		o, err := ReadObject(patch, parcelFields)
		if refused(t, err) == nil {
			o.Read(new(parcel))
			refused(t, o.Err())
		}
	})
}
