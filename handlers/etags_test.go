package handlers_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

var strongTag = regexp.MustCompile(`^"[0-9a-f]{32}"$`)

// TestTagsNameContent wants one tag for one content, whichever operation tells it.
func TestTagsNameContent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	created := w.must(t, request{method: "POST", path: "/categories", body: `{"name": "Fish"}`})
	first := created.header.Get("ETag")
	if !strongTag.MatchString(first) {
		t.Errorf("ETag = %s, want a strong one", first)
	}
	w.get(t, "/categories/5").expectHeader(t, "ETag", first)
	changed := w.must(t, request{method: "PATCH", path: "/categories/5", body: `{"name": "Fishes"}`})
	if changed.header.Get("ETag") == first {
		t.Error("another content has the same ETag")
	}
	w.get(t, "/categories/5").expectHeader(t, "ETag", changed.header.Get("ETag"))
	w.must(t, request{method: "PUT", path: "/categories/5", body: `{"name": "Fish"}`}).expectHeader(t, "ETag", first)
	if other := w.get(t, "/categories/2").header.Get("ETag"); other == first {
		t.Error("another record has the same ETag")
	}
}

func TestIfNoneMatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tag := w.get(t, "/categories/1").header.Get("ETag")
	zipped := strings.TrimSuffix(tag, `"`) + `-gzip"`
	for _, test := range []struct {
		name   string
		values []string
		status int
		tag    string // answered
	}{
		{"the tag", []string{tag}, 304, tag},
		{"the tag, weak", []string{"W/" + tag}, 304, tag},
		{"any", []string{"*"}, 304, tag},
		{"the tag of the compressed answer", []string{zipped}, 304, zipped},
		{"a list with the tag", []string{`"a", W/"b" ,` + tag}, 304, tag},
		{"a list with empty elements", []string{`,,"a",,` + tag + `,`}, 304, tag},
		{"lines with the tag", []string{`"a"`, tag}, 304, tag},
		{"a tag with a comma", []string{`"a,` + strings.Trim(tag, `"`) + `"`}, 200, tag},
		{"another tag", []string{`"a"`}, 200, tag},
		{"an empty tag", []string{`""`}, 200, tag},
		{"another list", []string{`"a", "b"`}, 200, tag},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for _, method := range []string{"GET", "HEAD"} {
				a := w.do(t, request{method: method, path: "/categories/1", header: http.Header{"If-None-Match": test.values}})
				a.expect(t, test.status, "")
				a.expectHeader(t, "ETag", test.tag)
				if test.status == http.StatusNotModified && len(a.body) > 0 {
					t.Errorf("a 304 with the body %q", a.body)
				}
			}
		})
	}
}

func TestIfMatch(t *testing.T) {
	t.Parallel()
	current := newWorld(t).get(t, "/pets/2").header.Get("ETag")
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
				{method: "PUT", path: "/pets/2", body: `{"name": "Tom", "categoryId": 1}`},
				{method: "PATCH", path: "/pets/2", body: `{"status": "sold"}`},
				{method: "DELETE", path: "/pets/2"},
			} {
				w := newWorld(t)
				r.header = http.Header{"If-Match": test.values}
				before, a := w.state(t), w.do(t, r)
				if test.passes {
					if a.status >= 300 {
						t.Errorf("%s = %d %s", r.method, a.status, a.body)
					}
					continue
				}
				a.expect(t, 412, "precondition_failed", "If-Match")
				if !strings.Contains(a.problem(t).Message, strings.Trim(current, `"`)) {
					t.Errorf("message = %q, which does not tell the current tag", a.problem(t).Message)
				}
				if w.state(t) != before {
					t.Errorf("%s changed what it refused to change", r.method)
				}
			}
		})
	}
}

// TestListsHaveTags wants a list's tag to name what the page shows and how many match.
func TestListsHaveTags(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/pets?limit=1", "/categories", "/store/orders?limit=1", "/store/inventory?limit=1", "/messages"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			read := func(method string, tags ...string) *answer {
				t.Helper()
				header := authorization("Bearer demo-key")
				if tags != nil {
					header["If-None-Match"] = tags
				}
				return w.do(t, request{method: method, path: path, header: header})
			}
			first := read("GET")
			tag := first.header.Get("ETag")
			if !strongTag.MatchString(tag) {
				t.Errorf("ETag = %s, want a strong one", tag)
			}
			for _, method := range []string{"GET", "HEAD"} {
				a := read(method, `"a"`, "W/"+tag)
				a.expect(t, 304, "")
				a.expectHeader(t, "ETag", tag)
				if len(a.body) > 0 {
					t.Errorf("a 304 with the body %q", a.body)
				}
			}
			read("GET", `"a"`).expect(t, 200, "")
			for _, r := range []request{
				post("/pets", newPet), post("/categories", `{"name": "Fish"}`), post("/store/orders", `{}`),
				{method: "POST", path: "/messages", body: `{"message": "Hello"}`, header: authorization("Bearer demo-key")},
			} {
				w.must(t, r)
			}
			next := read("GET", tag)
			next.expect(t, 200, "")
			if next.header.Get("ETag") == tag {
				t.Error("another total has the same ETag")
			}
			if strings.Contains(path, "limit") && string(next.body) != string(first.body) {
				t.Errorf("the page has become %s, so that this shows nothing", next.body)
			}
		})
	}
}

// TestListsHaveTagsCompressed has a client that gives back the tag that it got.
func TestListsHaveTagsCompressed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 8 { // so that the list is worth compressing
		w.must(t, request{method: "POST", path: "/pets", body: `{"categoryId": 1, "name": "` + repeat("x", 200) + `"}`})
	}
	header := http.Header{"Accept-Encoding": {"gzip"}}
	first := w.must(t, request{method: "GET", path: "/pets", header: header})
	tag := first.header.Get("ETag")
	if plain := w.get(t, "/pets").header.Get("ETag"); tag != strings.TrimSuffix(plain, `"`)+`-gzip"` {
		t.Errorf("ETag = %s, that of the plain list %s", tag, plain)
	}
	header.Set("If-None-Match", tag)
	again := w.must(t, request{method: "GET", path: "/pets", header: header})
	again.expect(t, 304, "")
	again.expectHeader(t, "ETag", tag)
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
			{method: "GET", path: "/categories/3"}, {method: "HEAD", path: "/categories/3"}, {method: "GET", path: "/categories"}, {method: "HEAD", path: "/categories"},
			put("/categories/3", `{"name": "Fowl"}`), {method: "PATCH", path: "/categories/3", body: `{"name": "Fowl"}`}, drop("/categories/3"),
		} {
			t.Run(test.name+" "+r.method+" "+r.path, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				now := w.get(t, r.path).header.Get("ETag")
				before, plain := w.state(t), newWorld(t).do(t, r)
				r.header = http.Header{}
				for name, value := range map[string]string{"If-Match": test.match, "If-None-Match": test.noneMatch} {
					if value != "" {
						r.header.Set(name, strings.ReplaceAll(value, "NOW", now))
					}
				}
				status, reads := test.write, r.method == "GET" || r.method == "HEAD"
				if reads {
					status = test.read
				}
				if status == passes {
					status = plain.status
				}
				a := w.do(t, r)
				if status == 412 && r.method != "HEAD" {
					a.expect(t, 412, "precondition_failed", test.field)
					if !strings.Contains(a.problem(t).Message, strings.Trim(now, `"`)) {
						t.Errorf("message = %q, which does not tell the current tag", a.problem(t).Message)
					}
				} else if a.status != status {
					t.Errorf("status = %d, want %d; body %s", a.status, status, a.body)
				}
				if changed := w.state(t) != before; changed != (!reads && status < 300) {
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
			name: "read of another tag at " + path, request: request{method: "GET", path: path, header: stale},
			status: 412, code: "precondition_failed", fields: []string{"If-Match"},
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
		w.do(t, request{method: "POST", path: "/categories", body: `{"name": "Fish"}`, header: header}).expect(t, 201, "")
	}
	const early, late = "Mon, 01 Jan 2001 00:00:00 GMT", "Thu, 01 Jan 2099 00:00:00 GMT"
	dates := http.Header{"If-Modified-Since": {late}, "If-Unmodified-Since": {early}, "If-Range": {late}, "Range": {"bytes=0-1"}}
	w.do(t, request{method: "GET", path: "/categories/1", header: dates}).expect(t, 200, "")
	w.do(t, request{method: "GET", path: "/categories", header: dates}).expect(t, 200, "")
	w.do(t, request{method: "PATCH", path: "/categories/1", body: `{}`, header: dates}).expect(t, 200, "")
}

// TestIfMatchOfNone wants 404, not 412: there is nothing to compare with.
func TestIfMatchOfNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	any := http.Header{"If-Match": {"*"}}
	w.do(t, request{method: "DELETE", path: "/pets/99", header: any}).expect(t, 404, "not_found")
	w.do(t, request{method: "PATCH", path: "/pets/99", header: any, body: `{}`}).expect(t, 404, "not_found")
	w.do(t, request{method: "GET", path: "/pets/99", header: any}).expect(t, 404, "not_found")
	none := http.Header{"If-None-Match": {"*"}}
	w.do(t, request{method: "GET", path: "/pets/99", header: none}).expect(t, 404, "not_found")
	w.do(t, request{method: "PUT", path: "/pets/99", header: none, body: newPet}).expect(t, 404, "not_found")
	w.do(t, request{method: "DELETE", path: "/pets/99", header: none}).expect(t, 404, "not_found")
}
