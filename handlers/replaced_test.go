package handlers_test

import (
	"net/http"
	"testing"
)

// TestReplacedDataForgetsKeys wants no answer given again that tells of a record
// which an undo, a restore, an import or a reset has taken back.
func TestReplacedDataForgetsKeys(t *testing.T) {
	t.Parallel()
	for name, takeBack := range map[string]request{
		"undo":    post("/admin/undo", ""),
		"restore": post("/admin/snapshots/before/restore", ""),
		"import":  put("/admin/state", baselineText),
		"reset":   post("/admin/reset?only=data", ""),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.must(t, put("/admin/snapshots/before", ""))
			create := post("/pets", newPet)
			create.header = http.Header{"Idempotency-Key": {"k"}}
			w.must(t, create)
			w.must(t, takeBack)
			a := w.must(t, create)
			a.expectHeader(t, "Idempotency-Replayed")
			w.do(t, request{method: "GET", path: a.header.Get("Location")}).expect(t, 200, "")
		})
	}
}

// TestLongQueriesAreNotLinked keeps an answer's headers small, whatever was asked.
func TestLongQueriesAreNotLinked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	long := make([]byte, 6000)
	for i := range long {
		long[i] = 'x'
	}
	a := w.get(t, "/pets?limit=1&utm="+string(long))
	a.expect(t, 200, "")
	a.expectHeader(t, "Link")
}
