package handlers_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	. "example.com/petstore/handlers/internal/contracttest"
)

var strongTag = regexp.MustCompile(`^"[0-9a-f]{16}"$`)

// TestListsHaveTags checks that a list's tag depends on the records of the page and on the total
// count.
func TestListsHaveTags(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/pets?limit=1", "/categories", "/store/orders?limit=1", "/store/inventory?limit=1",
		"/messages"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			w := NewWorld(t)
			read := func(method string, tags ...string) *Answer {
				t.Helper()
				header := Authorization("Bearer demo-key")
				if tags != nil {
					header["If-None-Match"] = tags
				}
				return w.Do(t, Request{Method: method, Path: path, Header: header})
			}
			first := read("GET")
			tag := first.Header.Get("ETag")
			if !strongTag.MatchString(tag) {
				t.Errorf("ETag = %s, want a strong one", tag)
			}
			for _, method := range []string{"GET", "HEAD"} {
				a := read(method, `"a"`, "W/"+tag)
				a.Expect(t, 304, "")
				a.ExpectHeader(t, "ETag", tag)
				if len(a.Body) > 0 {
					t.Errorf("a 304 with the body %q", a.Body)
				}
			}
			read("GET", `"a"`).Expect(t, 200, "")
			for _, r := range []Request{
				Post("/pets", NewPet), Post("/categories", `{"name": "Fish"}`), Post("/store/orders", `{}`),
				Post("/messages", `{"message": "Hello"}`).WithKey("demo-key"),
			} {
				w.Must(t, r)
			}
			next := read("GET", tag)
			next.Expect(t, 200, "")
			if next.Header.Get("ETag") == tag {
				t.Error("another total has the same ETag")
			}
			if strings.Contains(path, "limit") && string(next.Body) != string(first.Body) {
				t.Errorf("the page has become %s, so that this shows nothing", next.Body)
			}
		})
	}
	w := NewWorld(t)
	tag := w.Get(t, "/categories").Header.Get("ETag")
	w.Must(t, Patch("/categories/1", `{"name": "Fish"}`))
	if w.Get(t, "/categories").Header.Get("ETag") == tag {
		t.Error("another record has the same ETag")
	}
}

// TestPreconditions covers preconditions in the order of RFC 9110, section 13.2.2, for each
// method. NOW stands for the current tag, ZIPPED for the tag of the compressed response.
func TestPreconditions(t *testing.T) {
	t.Parallel()
	const passes = 0
	for _, test := range []struct {
		name, match, noneMatch string
		read, write            int // status; 0 means the status without conditions
		field                  string
	}{
		{"the tag", "NOW", "", passes, passes, ""},
		{"any", " * ", "", passes, passes, ""},
		{"a list with the tag", `"a",NOW,"b"`, "", passes, passes, ""},
		{"the tag of the compressed response", "ZIPPED", "", passes, passes, ""},
		{"another list", `"a", W/"b"`, "", 412, 412, "If-Match"},
		{"another tag", `"a"`, "", 412, 412, "If-Match"},
		{"the tag, weak", "W/NOW", "", 412, 412, "If-Match"},
		{"If-None-Match: *", "", "*", 304, 412, "If-None-Match"},
		{"If-None-Match with the tag", "", "NOW", 304, 412, "If-None-Match"},
		{"If-None-Match with the weak tag", "", `"a", W/NOW`, 304, 412, "If-None-Match"},
		{"If-None-Match with empty elements", "", `,,"a",,NOW,`, 304, 412, "If-None-Match"},
		{"If-None-Match with the tag of the compressed response", "", "ZIPPED", 304, 412, "If-None-Match"},
		{"If-None-Match with another tag", "", `"a"`, passes, passes, ""},
		{"If-None-Match with a comma in a tag", "", `"a,b"`, passes, passes, ""},
		{"If-None-Match with an empty tag", "", `""`, passes, passes, ""},
		{"both pass", "NOW", `"a"`, passes, passes, ""},
		{"the second fails", "NOW", "NOW", 304, 412, "If-None-Match"},
		{"both fail", `"a"`, "NOW", 412, 412, "If-Match"},
	} {
		for _, r := range []Request{
			Get("/categories/3"), {Method: "HEAD", Path: "/categories/3"}, Get("/categories"),
			{Method: "HEAD", Path: "/categories"},
			Put("/categories/3", `{"name": "Fowl"}`), Patch("/categories/3", `{"name": "Fowl"}`),
			Delete("/categories/3"),
		} {
			t.Run(test.name+" "+r.Method+" "+r.Path, func(t *testing.T) {
				t.Parallel()
				w := NewWorld(t)
				now := w.Get(t, r.Path).Header.Get("ETag")
				before, plain := w.State(t), NewWorld(t).Do(t, r)
				r.Header = http.Header{}
				for name, value := range map[string]string{"If-Match": test.match, "If-None-Match": test.noneMatch} {
					if value != "" {
						r.Header.Set(name,
							strings.NewReplacer("NOW", now, "ZIPPED", strings.TrimSuffix(now, `"`)+`-gzip"`).
								Replace(value))
					}
				}
				status, reads := test.write, r.Method == "GET" || r.Method == "HEAD"
				if reads {
					status = test.read
				}
				if status == passes {
					status = plain.Status
				}
				a := w.Do(t, r)
				if status == 412 && r.Method != "HEAD" {
					a.Expect(t, 412, "precondition_failed", test.field)
					if !strings.Contains(a.Problem(t).Message, strings.Trim(now, `"`)) {
						t.Errorf("message = %q, which lacks the current tag", a.Problem(t).Message)
					}
					if changes := strings.Contains(a.Problem(t).Message, "change it"); changes == reads {
						t.Errorf("message = %q for a %s", a.Problem(t).Message, r.Method)
					}
					if weak := strings.Contains(a.Problem(t).Message, "leave out W/"); weak != (test.match == "W/NOW") {
						t.Errorf("message = %q for If-Match: %s", a.Problem(t).Message, test.match)
					}
				} else if a.Status != status {
					t.Errorf("status = %d, want %d; body %s", a.Status, status, a.Body)
				}
				if changed := w.State(t) != before; changed != (!reads && status < 300) {
					t.Errorf("it changed something: %t", changed)
				}
			})
		}
	}
}

// TestIgnoredPreconditions covers preconditions that the server ignores: POST creates a new
// record, and records have no modification time.
func TestIgnoredPreconditions(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, header := range []http.Header{
		{"If-Match": {`"a"`}}, {"If-Match": {"no tag"}}, {"If-None-Match": {"*"}}, {"If-None-Match": {"no tag"}},
	} {
		w.Do(t, Request{Method: "POST", Path: "/categories", Body: `{"name": "Fish"}`, Header: header}).
			Expect(t, 201, "")
	}
	const early, late = "Mon, 01 Jan 2001 00:00:00 GMT", "Thu, 01 Jan 2099 00:00:00 GMT"
	dates := http.Header{"If-Modified-Since": {late}, "If-Unmodified-Since": {early}, "If-Range": {late},
		"Range": {"bytes=0-1"}}
	w.Do(t, Request{Method: "GET", Path: "/categories/1", Header: dates}).Expect(t, 200, "")
	w.Do(t, Request{Method: "GET", Path: "/categories", Header: dates}).Expect(t, 200, "")
	w.Do(t, Request{Method: "PATCH", Path: "/categories/1", Body: `{}`, Header: dates}).Expect(t, 200, "")
}
