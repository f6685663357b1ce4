package registry

import (
	"testing"
	"time"

	"example.com/petstore/handlers/sandbox"
)

// TestChangedSandboxesGoLast checks that sandboxes which only the service has changed are evicted
// after a minute, and only if there is no unchanged sandbox to evict.
func TestChangedSandboxesGoLast(t *testing.T) {
	t.Parallel()
	r, m := newTestRegistry(t, 4, time.Hour)
	for _, name := range []string{"ada", "bob", "eve"} {
		if err := createPet(visit(t, r, name)); err != nil {
			t.Fatal(err)
		}
		m.pass(time.Second)
	}
	m.pass(57*time.Second - 1) // just before ada has been idle for a minute
	_, err := enter(r, "dan")
	wantErr(t, "a request a moment too early", err, ErrLimit)
	m.pass(1)
	if !r.HasRoom() {
		t.Error("HasRoom is false")
	}
	visit(t, r, "dan") // stays unchanged
	wantNames(t, r, "bob", "dan", "default", "eve")
	m.pass(minIdle)
	visit(t, r, "zoe") // evicts dan, though bob was used less recently
	wantNames(t, r, "bob", "default", "eve", "zoe")
	visit(t, r, "fay")
	visit(t, r, "gil")
	wantNames(t, r, "default", "fay", "gil", "zoe")
	_, err = enter(r, "ida")
	wantErr(t, "a request to a server without another idle one", err, ErrLimit)
}

// TestIdlenessInFarYears uses a clock beyond the range of an int64 of nanoseconds.
func TestIdlenessInFarYears(t *testing.T) {
	t.Parallel()
	for _, year := range []int{1, 2262, 2263, 9998} {
		now := time.Date(year, time.June, 1, 0, 0, 0, 0, time.UTC)
		sb := newEntry(sandbox.NewOrigin(&sandbox.Options{Origin: testBaseline(0), Machine: func() time.Time { return now }}))
		if used := sb.LastUsed(); !used.Equal(now) {
			t.Errorf("in %d it was used at %v", year, used)
		}
		if idle := sb.idleFor(now.Add(time.Hour)); idle != time.Hour {
			t.Errorf("in %d it is idle for %v after an hour", year, idle)
		}
	}
}
