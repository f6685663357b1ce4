package handlers_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "example.com/petstore/handlers/internal/contracttest"
)

// TestLinks checks the targets of the links of a list.
func TestLinks(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, test := range []struct {
		path                    string
		first, prev, next, last string // offset of each, empty if the link is missing
	}{
		{"/pets", "0", "", "", "0"},
		{"/pets?limit=2", "0", "", "2", "4"},
		{"/pets?limit=2&offset=2", "0", "0", "4", "4"},
		{"/pets?limit=2&offset=4", "0", "2", "", "4"},
		{"/pets?limit=5", "0", "", "", "0"},
		{"/pets?limit=4", "0", "", "4", "4"},
		{"/pets?limit=2&offset=1", "0", "0", "3", "3"}, // following next ends on the last page
		{"/pets?limit=2&offset=3", "0", "1", "", "3"},
		{"/pets?limit=2&offset=100", "0", "4", "", "4"}, // beyond the end, prev is the last page
		{"/pets?limit=2&offset=9223372036854775807", "0", "3", "", "3"},
		{"/pets?limit=1&status=sold", "0", "", "", "0"},
		{"/pets?id=99", "0", "", "", "0"},
	} {
		t.Run(test.path, func(t *testing.T) {
			t.Parallel()
			got := make(map[string]string)
			for rel, address := range w.Get(t, test.path).Links() {
				u, err := url.Parse(address)
				if err != nil {
					t.Fatal(err)
				}
				got[rel] = u.Query().Get("offset")
			}
			want := map[string]string{"first": test.first, "last": test.last}
			if test.prev != "" {
				want["prev"] = test.prev
			}
			if test.next != "" {
				want["next"] = test.next
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("offsets, -want +got:\n%s", diff)
			}
		})
	}
}

// TestLongQueriesAreNotLinked checks that a response's headers stay small, however long the query
// is.
func TestLongQueriesAreNotLinked(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	long := make([]byte, 6000)
	for i := range long {
		long[i] = 'x'
	}
	a := w.Get(t, "/pets?limit=1&utm="+string(long))
	a.Expect(t, 200, "")
	a.ExpectHeader(t, "Link")
}

// TestLinksKeepTheQuery checks that links keep every other parameter as it was written.
func TestLinksKeepTheQuery(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	query := "status=available&status=sold&sort=-name&name=%C3%A4%26r&limit=1&mine=a+b"
	for rel, address := range w.Get(t, "/pets?"+query).Links() {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		got := u.Query()
		got.Del("offset")
		want := url.Values{"status": {"available", "sold"}, "sort": {"-name"}, "name": {"ä&r"}, "limit": {"1"}, "mine": {"a b"}}
		if diff := cmp.Diff(want, got); diff != "" || u.Path != "/pets" {
			t.Errorf("%s leads to %s, -want +got:\n%s", rel, u.Path, diff)
		}
	}
}

// TestFollowingNextSeesEveryRecordOnce pages through lists by their links alone,
// there and back.
func TestFollowingNextSeesEveryRecordOnce(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for i := range 40 {
		w.Must(t, Post("/pets", fmt.Sprintf(`{"name": "Pet %d", "categoryId": %d}`, i%7, i%3+1)))
	}
	for _, query := range []string{"limit=7", "limit=7&sort=-name", "limit=1&status=available", "limit=9&name=pet&sort=categoryId", "limit=5&offset=3"} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			all := w.Get(t, "/pets?"+regexp.MustCompile(`limit=\d+|offset=\d+`).ReplaceAllString(query, "")+"&limit=1000")
			want := idsOf(t, all)
			if _, shift, ok := strings.Cut(query, "offset="); ok {
				skipped, err := strconv.Atoi(shift)
				if err != nil {
					t.Fatal(err)
				}
				want = want[skipped:]
			}
			var forth []int
			page := w.Get(t, "/pets?"+query)
			for {
				forth = append(forth, idsOf(t, page)...)
				next, ok := page.Links()["next"]
				if !ok {
					break
				}
				page = w.Get(t, next)
			}
			if diff := cmp.Diff(want, forth); diff != "" {
				t.Errorf("by next, -want +got:\n%s", diff)
			}
			last := w.Get(t, page.Links()["last"])
			if diff := cmp.Diff(idsOf(t, page), idsOf(t, last)); diff != "" {
				t.Errorf("last is not where next ends, -next +last:\n%s", diff)
			}
			pages := 1
			for prev, ok := page.Links()["prev"]; ok && pages <= 100; prev, ok = page.Links()["prev"] {
				page = w.Get(t, prev)
				pages++
			}
			first := w.Get(t, page.Links()["first"])
			if diff := cmp.Diff(idsOf(t, first), idsOf(t, page)); diff != "" {
				t.Errorf("first is not where prev ends, -first +prev:\n%s", diff)
			}
		})
	}
}
