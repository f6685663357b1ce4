package handlers_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	. "example.com/petstore/handlers/internal/contracttest"
)

func TestParallelCreatesGetConsecutiveIDs(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	const n = 200
	answers := w.InParallel(t, n, func(i int) Request {
		return Post("/pets", fmt.Sprintf(`{"name": "Pet %d", "categoryId": %d}`, i, i%3+1))
	})
	var ids []int
	for i, a := range answers {
		a.Expect(t, 201, "")
		var pet struct {
			ID   int
			Name string
		}
		a.Decode(t, &pet)
		if pet.Name != fmt.Sprintf("Pet %d", i) {
			t.Errorf("request %d got the answer to another: %s", i, a.Body)
		}
		ids = append(ids, pet.ID)
	}
	slices.Sort(ids)
	for i, id := range ids {
		if id != 7+i {
			t.Fatalf("ids = %v, want %d to %d", ids, 7, 6+n)
		}
	}
	w.Get(t, "/store/inventory").ExpectHeader(t, "X-Total-Count", strconv.Itoa(5+n)) // each pet has an entry
}

// TestOneOfManyWinsAnIfMatch covers lost updates: of several clients that have read the same
// version, only one may change it.
func TestOneOfManyWinsAnIfMatch(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	const n, rounds = 12, 5
	for range rounds {
		tag := w.Get(t, "/pets/1").Header.Get("ETag")
		answers := w.InParallel(t, n, func(i int) Request {
			return Patch("/pets/1", fmt.Sprintf(`{"name": "%s by %d"}`, strings.Trim(tag, `"`), i)).With("If-Match", tag)
		})
		var won []*Answer
		for _, a := range answers {
			if a.Status == http.StatusOK {
				won = append(won, a)
				continue
			}
			a.Expect(t, 412, "precondition_failed", "If-Match")
		}
		if len(won) != 1 {
			t.Fatalf("%d of %d won", len(won), n)
		}
		w.Get(t, "/pets/1").ExpectJSON(t, string(won[0].Body))
	}
}

// TestOneOfManyHappensWithAKey sends one request many times at once. It runs once, and every
// response agrees.
func TestOneOfManyHappensWithAKey(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, a := range w.InParallel(t, 30, func(int) Request {
		return Keyed(Post("/pets", `{"name": "Bello", "categoryId": 3}`), "k1")
	}) {
		if a.Status == http.StatusConflict {
			a.Expect(t, 409, "conflict")
			continue
		}
		a.Expect(t, 201, "")
		a.ExpectHeader(t, "Location", "/pets/7")
	}
	w.Get(t, "/pets?categoryId=3").ExpectHeader(t, "X-Total-Count", "1")
}

// TestResetsDuringWrites checks that every write happens entirely before or after a reset, with a
// matching id.
func TestResetsDuringWrites(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, a := range w.InParallel(t, 60, func(i int) Request {
		if i%6 == 0 {
			return Post("/admin/reset", "")
		}
		return Post("/categories", `{"name": "Fish"}`)
	}) {
		if a.Status >= http.StatusBadRequest {
			t.Errorf("%d %s", a.Status, a.Body)
		}
	}
	var categories []struct{ ID int }
	w.Get(t, "/categories?limit=1000").Decode(t, &categories)
	for i, category := range categories[3:] {
		if category.ID != 5+i {
			t.Errorf("categories = %v, want ids without a gap from 5", categories)
		}
	}
}
