package handlers_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

var strongTag = regexp.MustCompile(`^"[0-9a-f]{16}"$`)

// TestTagsNameContent wants one tag for one content, whichever operation tells it.
func TestTagsNameContent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	created := w.Must(t, request{Method: "POST", Path: "/categories", Body: `{"name": "Fish"}`})
	first := created.Header.Get("ETag")
	if !strongTag.MatchString(first) {
		t.Errorf("ETag = %s, want a strong one", first)
	}
	w.Get(t, "/categories/5").ExpectHeader(t, "ETag", first)
	changed := w.Must(t, request{Method: "PATCH", Path: "/categories/5", Body: `{"name": "Fishes"}`})
	if changed.Header.Get("ETag") == first {
		t.Error("another content has the same ETag")
	}
	w.Get(t, "/categories/5").ExpectHeader(t, "ETag", changed.Header.Get("ETag"))
	w.Must(t, request{Method: "PUT", Path: "/categories/5", Body: `{"name": "Fish"}`}).ExpectHeader(t, "ETag", first)
	if other := w.Get(t, "/categories/2").Header.Get("ETag"); other == first {
		t.Error("another record has the same ETag")
	}
}

func TestIfNoneMatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tag := w.Get(t, "/categories/1").Header.Get("ETag")
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
				a := w.Do(t, request{Method: method, Path: "/categories/1", Header: http.Header{"If-None-Match": test.values}})
				a.Expect(t, test.status, "")
				a.ExpectHeader(t, "ETag", test.tag)
				if test.status == http.StatusNotModified && len(a.Body) > 0 {
					t.Errorf("a 304 with the body %q", a.Body)
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
				return w.Do(t, request{Method: method, Path: path, Header: header})
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
			for _, r := range []request{
				post("/pets", newPet), post("/categories", `{"name": "Fish"}`), post("/store/orders", `{}`),
				{Method: "POST", Path: "/messages", Body: `{"message": "Hello"}`, Header: authorization("Bearer demo-key")},
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
}

// TestListsHaveTagsCompressed has a client that gives back the tag that it got.
func TestListsHaveTagsCompressed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 8 { // so that the list is worth compressing
		w.Must(t, request{Method: "POST", Path: "/pets", Body: `{"categoryId": 1, "name": "` + repeat("x", 200) + `"}`})
	}
	header := http.Header{"Accept-Encoding": {"gzip"}}
	first := w.Must(t, request{Method: "GET", Path: "/pets", Header: header})
	tag := first.Header.Get("ETag")
	if plain := w.Get(t, "/pets").Header.Get("ETag"); tag != strings.TrimSuffix(plain, `"`)+`-gzip"` {
		t.Errorf("ETag = %s, that of the plain list %s", tag, plain)
	}
	header.Set("If-None-Match", tag)
	again := w.Must(t, request{Method: "GET", Path: "/pets", Header: header})
	again.Expect(t, 304, "")
	again.ExpectHeader(t, "ETag", tag)
}
