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
	w.get(t, "/categories").expectHeader(t, "ETag") // a list has none
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

// TestIfMatchOfNone wants 404, not 412: there is nothing to compare with.
func TestIfMatchOfNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	any := http.Header{"If-Match": {"*"}}
	w.do(t, request{method: "DELETE", path: "/pets/99", header: any}).expect(t, 404, "not_found")
	w.do(t, request{method: "PATCH", path: "/pets/99", header: any, body: `{}`}).expect(t, 404, "not_found")
	w.do(t, request{method: "GET", path: "/pets/99", header: http.Header{"If-None-Match": {"*"}}}).expect(t, 404, "not_found")
}
