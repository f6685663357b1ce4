package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	. "example.com/petstore/handlers/internal/contracttest"
)

// TestPreconditions covers preconditions in the order of RFC 9110, section 13.2.2, for each
// method. NOW stands for the current tag, ZIPPED for the tag of the compressed response.
func TestPreconditions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ match, noneMatch, fails string }{
		{"NOW", "", ""},
		{" * ", "", ""},
		{`"a",NOW,"b"`, "", ""},
		{"ZIPPED", "", ""},
		{`"a", W/"b"`, "", "If-Match"},
		{"W/NOW", "", "If-Match"},
		{"", "*", "If-None-Match"},
		{"", "NOW", "If-None-Match"},
		{"", `"a", W/NOW`, "If-None-Match"},
		{"", `,,"a",,NOW,`, "If-None-Match"},
		{"", "ZIPPED", "If-None-Match"},
		{"", `"a,b"`, ""},
		{"", `""`, ""},
		{"NOW", `"a"`, ""},
		{"NOW", "NOW", "If-None-Match"},
		{`"a"`, "NOW", "If-Match"},
	} {
		for _, r := range []Request{
			Get("/categories/3"), {Method: "HEAD", Path: "/categories/3"}, Get("/categories"),
			{Method: "HEAD", Path: "/categories"}, Put("/categories/3", `{"name": "Fowl"}`),
			Patch("/categories/3", `{"name": "Fowl"}`), Delete("/categories/3"),
		} {
			t.Run(strings.Join([]string{r.Method, r.Path, test.match, test.noneMatch}, " "), func(t *testing.T) {
				t.Parallel()
				w := NewWorld(t)
				now := w.Get(t, r.Path).Header.Get("ETag")
				tags := strings.NewReplacer("NOW", now, "ZIPPED", strings.TrimSuffix(now, `"`)+`-gzip"`)
				r.Header = http.Header{}
				for name, value := range map[string]string{"If-Match": test.match, "If-None-Match": test.noneMatch} {
					if value != "" {
						r.Header.Set(name, tags.Replace(value))
					}
				}
				before, a := w.State(t), w.Do(t, r)
				reads := r.Method == "GET" || r.Method == "HEAD"
				switch {
				case test.fails == "If-None-Match" && reads:
					a.Expect(t, 304, "")
				case test.fails != "" && r.Method != "HEAD":
					a.Expect(t, 412, "precondition_failed", test.fails)
				case test.fails != "":
					a.Expect(t, 412, "")
				case a.Status >= 300:
					t.Errorf("%d %s", a.Status, a.Body)
				}
				if changed := w.State(t) != before; changed != (!reads && test.fails == "") {
					t.Errorf("it changed something: %t", changed)
				}
			})
		}
	}
}
