package handlers_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestIfMatch(t *testing.T) {
	t.Parallel()
	current := newWorld(t).Get(t, "/pets/2").Header.Get("ETag")
	zipped := strings.TrimSuffix(current, `"`) + `-gzip"`
	for _, test := range []struct {
		name   string
		values []string
		passes bool
	}{
		{"the tag", []string{current}, true},
		{"any", []string{" * "}, true},
		{"the tag of the compressed answer", []string{zipped}, true},
		{"a list with the tag", []string{`"a",` + current + `,"b"`}, true},
		{"lines with the tag", []string{`"a"`, current}, true},
		{"the tag, weak", []string{"W/" + current}, false}, // strong comparison
		{"another tag", []string{`"a"`}, false},
		{"another list", []string{`"a", W/"b"`}, false},
		{"the tag in part", []string{current[:10] + `"`}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for _, r := range []request{
				{Method: "PUT", Path: "/pets/2", Body: `{"name": "Tom", "categoryId": 1}`},
				{Method: "PATCH", Path: "/pets/2", Body: `{"status": "sold"}`},
				{Method: "DELETE", Path: "/pets/2"},
			} {
				w := newWorld(t)
				r.Header = http.Header{"If-Match": test.values}
				before, a := w.State(t), w.Do(t, r)
				if test.passes {
					if a.Status >= 300 {
						t.Errorf("%s = %d %s", r.Method, a.Status, a.Body)
					}
					continue
				}
				a.Expect(t, 412, "precondition_failed", "If-Match")
				if !strings.Contains(a.Problem(t).Message, strings.Trim(current, `"`)) {
					t.Errorf("message = %q, which does not tell the current tag", a.Problem(t).Message)
				}
				if w.State(t) != before {
					t.Errorf("%s changed what it refused to change", r.Method)
				}
			}
		})
	}
}

// TestPreconditions has them in the order of RFC 9110, section 13.2.2, for each
// method. NOW stands for the tag that there is.
func TestPreconditions(t *testing.T) {
	t.Parallel()
	const passes = 0
	for _, test := range []struct {
		name, match, noneMatch string
		read, write            int // status; 0: as without conditions
		field                  string
	}{
		{"the tag", "NOW", "", passes, passes, ""},
		{"any", "*", "", passes, passes, ""},
		{"another tag", `"a"`, "", 412, 412, "If-Match"},
		{"the tag, weak", "W/NOW", "", 412, 412, "If-Match"},
		{"none of any", "", "*", 304, 412, "If-None-Match"},
		{"none of the tag", "", "NOW", 304, 412, "If-None-Match"},
		{"none of the tag, weak", "", `"a", W/NOW`, 304, 412, "If-None-Match"},
		{"none of another tag", "", `"a"`, passes, passes, ""},
		{"both pass", "NOW", `"a"`, passes, passes, ""},
		{"the second fails", "NOW", "NOW", 304, 412, "If-None-Match"},
		{"both fail", `"a"`, "NOW", 412, 412, "If-Match"},
	} {
		for _, r := range []request{
			{Method: "GET", Path: "/categories/3"}, {Method: "HEAD", Path: "/categories/3"}, {Method: "GET", Path: "/categories"}, {Method: "HEAD", Path: "/categories"},
			put("/categories/3", `{"name": "Fowl"}`), {Method: "PATCH", Path: "/categories/3", Body: `{"name": "Fowl"}`}, drop("/categories/3"),
		} {
			t.Run(test.name+" "+r.Method+" "+r.Path, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				now := w.Get(t, r.Path).Header.Get("ETag")
				before, plain := w.State(t), newWorld(t).Do(t, r)
				r.Header = http.Header{}
				for name, value := range map[string]string{"If-Match": test.match, "If-None-Match": test.noneMatch} {
					if value != "" {
						r.Header.Set(name, strings.ReplaceAll(value, "NOW", now))
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
						t.Errorf("message = %q, which does not tell the current tag", a.Problem(t).Message)
					}
					if changes := strings.Contains(a.Problem(t).Message, "change it"); changes == reads {
						t.Errorf("message = %q for a %s", a.Problem(t).Message, r.Method)
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

func TestPreconditionsOfReads(t *testing.T) { runScenarios(t, preconditionScenarios()) }

// preconditionScenarios are of every read that has an entity tag.
func preconditionScenarios() []scenario {
	var all []scenario
	for _, path := range []string{
		"/pets", "/pets/1", "/categories", "/categories/1", "/store/orders", "/store/orders/1",
		"/store/inventory", "/store/inventory/1", "/messages", "/messages/1",
	} {
		stale := authorization("Bearer demo-key")
		stale["If-Match"] = []string{`"stale"`}
		all = append(all, scenario{
			Name: "read of another tag at " + path, Request: request{Method: "GET", Path: path, Header: stale},
			Status: 412, Code: "precondition_failed", Fields: []string{"If-Match"},
		})
	}
	return all
}

// TestPreconditionsThatAreNone has those that are for no one here: POST makes what is
// not there yet, and no record says when it was changed.
func TestPreconditionsThatAreNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, header := range []http.Header{
		{"If-Match": {`"a"`}}, {"If-Match": {"no tag"}}, {"If-None-Match": {"*"}}, {"If-None-Match": {"no tag"}},
	} {
		w.Do(t, request{Method: "POST", Path: "/categories", Body: `{"name": "Fish"}`, Header: header}).Expect(t, 201, "")
	}
	const early, late = "Mon, 01 Jan 2001 00:00:00 GMT", "Thu, 01 Jan 2099 00:00:00 GMT"
	dates := http.Header{"If-Modified-Since": {late}, "If-Unmodified-Since": {early}, "If-Range": {late}, "Range": {"bytes=0-1"}}
	w.Do(t, request{Method: "GET", Path: "/categories/1", Header: dates}).Expect(t, 200, "")
	w.Do(t, request{Method: "GET", Path: "/categories", Header: dates}).Expect(t, 200, "")
	w.Do(t, request{Method: "PATCH", Path: "/categories/1", Body: `{}`, Header: dates}).Expect(t, 200, "")
}

// TestIfMatchOfNone wants 404, not 412: there is nothing to compare with.
func TestIfMatchOfNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	any := http.Header{"If-Match": {"*"}}
	w.Do(t, request{Method: "DELETE", Path: "/pets/99", Header: any}).Expect(t, 404, "not_found")
	w.Do(t, request{Method: "PATCH", Path: "/pets/99", Header: any, Body: `{}`}).Expect(t, 404, "not_found")
	w.Do(t, request{Method: "GET", Path: "/pets/99", Header: any}).Expect(t, 404, "not_found")
	none := http.Header{"If-None-Match": {"*"}}
	w.Do(t, request{Method: "GET", Path: "/pets/99", Header: none}).Expect(t, 404, "not_found")
	w.Do(t, request{Method: "PUT", Path: "/pets/99", Header: none, Body: newPet}).Expect(t, 404, "not_found")
	w.Do(t, request{Method: "DELETE", Path: "/pets/99", Header: none}).Expect(t, 404, "not_found")
}
