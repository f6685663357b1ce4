package sandbox

import (
	"testing"
	"time"

	"example.com/petstore/handlers/internal/must"
)

func wantReading(t *testing.T, c *Clock, now time.Time, frozen bool, offset float64) {
	t.Helper()
	got := c.Read()
	if !got.Now.Equal(now) || got.Now.Location() != time.UTC || got.Frozen != frozen || got.Offset != offset {
		t.Errorf("Read = %v, want %v, frozen %t, %gs ahead", got, now, frozen, offset)
	}
	if !c.Now().Equal(now) || c.Now().Location() != time.UTC {
		t.Errorf("Now = %v, want %v in UTC", c.Now(), now)
	}
}

func mustChange(t *testing.T, c *Clock, change ClockChange) {
	t.Helper()
	got := must.Get(c.Change(change))(t)
	if got != c.Read() {
		t.Errorf("Change = %v, but the clock shows %v", got, c.Read())
	}
}

// TestClockChangeDuringAnother changes the clock while another change reads the machine's
// time. Both take effect.
func TestClockChangeDuringAnother(t *testing.T) {
	t.Parallel()
	var c *Clock
	inTheMiddle := 1
	c = NewClock(func() time.Time {
		if inTheMiddle > 0 {
			inTheMiddle--
			mustChangeQuietly(c, ClockChange{Advance: time.Second})
		}
		return start
	})
	mustChange(t, c, ClockChange{Advance: time.Minute})
	wantReading(t, c, start.Add(time.Minute+time.Second), false, 61)
}

// mustChangeQuietly is mustChange for goroutines whose changes race with others.
func mustChangeQuietly(c *Clock, change ClockChange) {
	if _, err := c.Change(change); err != nil {
		panic(err)
	}
}

// TestClockWhenMachineTimeGoesBack checks that a running clock stops at the earliest time too.
func TestClockWhenMachineTimeGoesBack(t *testing.T) {
	t.Parallel()
	m := new(machine)
	c := NewClock(m.now)
	mustChange(t, c, ClockChange{Now: &firstMoment})
	m.pass(-time.Hour)
	if now := c.Now(); !now.Equal(firstMoment) {
		t.Errorf("Now = %v, want %v", now, firstMoment)
	}
}
