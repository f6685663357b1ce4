package registry

import (
	"fmt"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store"
)

// TestPage sorts three sandboxes, two of which have mostly equal fields, by each field in both
// directions.
func TestPage(t *testing.T) {
	t.Parallel()
	r, m := newTestRegistry(t, 10, time.Hour)
	for _, text := range []string{"zoe", "Ada", "bob"} {
		m.pass(time.Minute)
		visit(t, r, text)
	}
	ada, zoe := visit(t, r, "Ada"), visit(t, r, "zoe")
	for range 2 {
		must(createPet(ada))
		zoe.Journal.Add(&journal.Request{Method: "GET", Path: "/pets", Status: 200})
	}
	for _, status := range []int{404, 0, 500} {
		ada.Journal.Add(&journal.Request{Method: "PUT", Path: "/pets/7", Status: status})
	}
	m.pass(time.Minute)
	zoe.Touch(sandbox.Machine())
	for sort, want := range map[string][]string{
		"":           {ada.Name, "bob", "default", "zoe"},
		"name":       {ada.Name, "bob", "default", "zoe"},
		"title":      {ada.Name, "bob", "default", "zoe"},
		"createdAt":  {"default", "zoe", ada.Name, "bob"},
		"lastUsedAt": {"default", ada.Name, "bob", "zoe"},
		"writes":     {"bob", "default", "zoe", ada.Name},
		"requests":   {"bob", "default", "zoe", ada.Name},
		"errors":     {"bob", "default", "zoe", ada.Name},
	} {
		p := store.Paging{Limit: 10, Sort: store.Sort{Field: sort}}
		if diff := gocmp.Diff(want, names(r.Page(store.NameFilter{}, p))); diff != "" {
			t.Errorf("by %s, -want +got:\n%s", sort, diff)
		}
	}
	for sort, want := range map[string][]string{
		"name": {"zoe", "default", "bob", ada.Name}, "requests": {ada.Name, "zoe", "bob", "default"},
		"writes": {ada.Name, "bob", "default", "zoe"},
	} {
		p := store.Paging{Limit: 10, Sort: store.Sort{Field: sort, Desc: true}}
		if diff := gocmp.Diff(want, names(r.Page(store.NameFilter{}, p))); diff != "" {
			t.Errorf("by %s, descending, -want +got:\n%s", sort, diff)
		}
	}
	for _, p := range []store.Paging{{Limit: 2}, {Limit: 2, Offset: 2}, {Limit: 2, Offset: 3}, {Limit: 2, Offset: 4},
		{Limit: 2, Offset: 1 << 62}} {
		all := []string{ada.Name, "bob", "default", "zoe"}
		begin := min(p.Offset, len(all))
		page := r.Page(store.NameFilter{}, p)
		if diff := gocmp.Diff(all[begin:min(begin+2, len(all))], names(page)); diff != "" || page.Total != 4 {
			t.Errorf("%+v of %d, -want +got:\n%s", p, page.Total, diff)
		}
	}
}

func names(page store.Page[*Entry]) []string {
	names := make([]string, 0, len(page.Items))
	for _, sb := range page.Items {
		names = append(names, sb.Name)
	}
	return names
}

// BenchmarkPage measures a page of 20 of 10,000 sandboxes.
func BenchmarkPage(b *testing.B) {
	const sandboxes = 10_000
	r := New(fullOptions(new(machine), testBaseline(10)), sandboxes, time.Hour)
	defer r.Close()
	for i := range sandboxes - 1 {
		visit(b, r, fmt.Sprint("sandbox-", i))
	}
	fields := SortFields()
	slices.Sort(fields)
	for _, field := range fields {
		b.Run(field, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r.Page(store.NameFilter{}, store.Paging{Limit: 20, Sort: store.Sort{Field: field, Desc: true}})
			}
		})
	}
	b.Run("of a name", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r.Page(store.NewNameFilter("box-99"), store.Paging{Limit: 20})
		}
	})
}
