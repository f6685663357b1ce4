package registry

import (
	"testing"
	"time"
)

// TestJoinDuringFirstRequest lets the attendee of the vacant seat make the first request after
// Join has found the seat to be vacant.
func TestJoinDuringFirstRequest(t *testing.T) {
	t.Parallel()
	m := new(machine)
	o := testOptions(m)
	read := func() {} // called when the time is read
	o.Machine = func() time.Time { read(); return m.now() }
	r := New(o, 3, 0)
	t.Cleanup(r.Close)
	r.OpenDoor()
	r.ChangeDoor(DoorChange{Limit: new(1)})
	late, _, err := r.Join("late")
	if err != nil {
		t.Fatal(err)
	}
	m.pass(vacantAfter)
	reads := 0
	read = func() {
		if reads++; reads == 2 { // the first read is not about a seat
			late.Use()
		}
	}
	if _, _, err := r.Join("next"); err != nil || !late.used.Load() {
		t.Errorf("joining: %v, and the other attendee has made a request: %v", err, late.used.Load())
	}
	wantNames(t, r, "default", "next")
}
