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
			w.Must(t, put("/admin/snapshots/before", ""))
			create := post("/pets", newPet)
			create.Header = http.Header{"Idempotency-Key": {"k"}}
			w.Must(t, create)
			w.Must(t, takeBack)
			a := w.Must(t, create)
			a.ExpectHeader(t, "Idempotency-Replayed")
			w.Do(t, request{Method: "GET", Path: a.Header.Get("Location")}).Expect(t, 200, "")
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
	a := w.Get(t, "/pets?limit=1&utm="+string(long))
	a.Expect(t, 200, "")
	a.ExpectHeader(t, "Link")
}
