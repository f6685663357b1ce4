package handlers_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	. "example.com/petstore/handlers/internal/contracttest"
)

// TestConcurrentIfMatch covers lost updates: of several clients that have read the same
// version, only one may change it.
func TestConcurrentIfMatch(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	const n, rounds = 12, 5
	for range rounds {
		tag := w.Get(t, "/pets/1").Header.Get("ETag")
		answers := w.InParallel(t, n, func(i int) Request {
			return Patch("/pets/1", fmt.Sprintf(`{"name": "%s by %d"}`, strings.Trim(tag, `"`), i)).
				With("If-Match", tag)
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

// TestConcurrentIdempotencyKey sends one request many times at once. It runs once, and every
// response agrees.
func TestConcurrentIdempotencyKey(t *testing.T) {
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
