package handlers_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
)

// idsOf returns the ids of a list, in its order.
func idsOf(t *testing.T, a *Answer) []int {
	t.Helper()
	var items []struct {
		ID, PetID *int
	}
	a.Decode(t, &items)
	if items == nil {
		t.Error("the list is null, which many clients mishandle")
	}
	ids := []int{}
	for _, item := range items {
		if item.ID == nil {
			item.ID = item.PetID // an inventory entry is identified by its pet
		}
		ids = append(ids, *item.ID)
	}
	return ids
}

// TestLists checks the ids that a query finds, in order, besides those of the transcript lists.txt.
func TestLists(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, test := range []struct {
		path  string
		ids   []int
		total int // of all pages
	}{
		{"/pets?limit=1000&offset=4", []int{5}, 5},
		{"/pets?sort=-id", []int{5, 4, 3, 2, 1}, 5},
		{"/pets?sort=-id&limit=2&offset=1", []int{4, 3}, 5},
		{"/pets?sort=-name", []int{3, 4, 1, 2, 5}, 5},
		{"/pets?sort=categoryId", []int{1, 3, 5, 2, 4}, 5},
		{"/pets?sort=-status", []int{3, 2, 1, 4, 5}, 5},
		{"/pets?sort=-status&offset=2&limit=2", []int{1, 4}, 5},
		{"/pets?id=-1&id=0", []int{}, 0},
		{"/pets?status=sold&status=sold", []int{3}, 1},
		{"/pets?categoryId=2", []int{2, 4}, 2},
		{"/pets?categoryId=2&categoryId=1&sort=-id", []int{5, 4, 3, 2, 1}, 5},
		{"/pets?categoryId=77", []int{}, 0},
		{"/pets?categoryId=1&status=available&sort=-id&limit=1", []int{5}, 2},
		{"/pets?categoryId=1&status=available&id=5&id=2", []int{5}, 1},
		{"/pets?name=RE", []int{1, 4}, 2},
		{"/pets?name=is&categoryId=1", []int{5}, 1},
		{"/pets?name=+", []int{}, 0},
		{"/categories?sort=-name", []int{1, 2, 3}, 3},
		{"/categories?name=zebra", []int{}, 0},
		{"/categories?sort=name", []int{3, 2, 1}, 3},
		{"/categories?sort=-description", []int{1, 3, 2}, 3},
		{"/categories?name=S&offset=1", []int{2, 3}, 3},
		{"/store/orders?petId=6", []int{2}, 1},
		{"/store/orders?petId=0", []int{}, 0},
		{"/store/orders?complete=false", []int{2, 3, 4}, 3},
		{"/store/orders?sort=-petId", []int{2, 1, 4, 3}, 4},
		{"/store/orders?sort=quantity", []int{2, 3, 1, 4}, 4},
		{"/store/orders?sort=-quantity", []int{4, 1, 2, 3}, 4},
		{"/store/orders?sort=shipDate", []int{4, 1, 2, 3}, 4},
		{"/store/orders?sort=complete", []int{2, 3, 4, 1}, 4},
		{"/store/orders?sort=-complete", []int{1, 2, 3, 4}, 4},
		{"/store/inventory?sort=petId&limit=1", []int{1}, 5},
		{"/store/inventory?sort=-petId", []int{5, 4, 3, 2, 1}, 5},
		{"/store/inventory?sort=quantity", []int{2, 3, 1, 5, 4}, 5},
		{"/store/inventory?sort=-status", []int{3, 2, 1, 4, 5}, 5},
		{"/store/inventory?offset=99", []int{}, 5},
		{"/messages?sort=-createdAt", []int{1}, 1},
		{"/messages?sort=message&offset=1", []int{}, 1},
	} {
		t.Run(test.path, func(t *testing.T) {
			t.Parallel()
			a := w.Must(t, Get(test.path).WithKey("demo-key"))
			must.Equal(t, test.ids, idsOf(t, a), "ids")
			a.ExpectHeader(t, "X-Total-Count", strconv.Itoa(test.total))
		})
	}
}

// TestLongQueriesAreNotLinked checks that a response's headers stay small, however long the query
// is.
func TestLongQueriesAreNotLinked(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	a := w.Get(t, "/pets?limit=1&utm="+strings.Repeat("x", 6000))
	a.Expect(t, 200, "")
	a.ExpectHeader(t, "Link")
}

// TestPagingVisitsEachRecordOnce pages through lists by their links alone,
// there and back.
func TestPagingVisitsEachRecordOnce(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for i := range 40 {
		w.Must(t, Post("/pets", fmt.Sprintf(`{"name": "Pet %d", "categoryId": %d}`, i%7, i%3+1)))
	}
	for _, query := range []string{"limit=7", "limit=7&sort=-name", "limit=1&status=available",
		"limit=9&name=pet&sort=categoryId", "limit=5&offset=3"} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			all := w.Get(t,
				"/pets?"+regexp.MustCompile(`limit=\d+|offset=\d+`).ReplaceAllString(query, "")+"&limit=1000")
			want := idsOf(t, all)
			if _, shift, ok := strings.Cut(query, "offset="); ok {
				skipped := must.Get(strconv.Atoi(shift))(t)
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
			must.Equal(t, want, forth, "by next")
			if len(idsOf(t, page)) == 0 {
				t.Error("next leads to an empty page")
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
