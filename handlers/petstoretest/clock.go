package petstoretest

import (
	"time"

	"example.com/petstore/handlers/sandbox"
)

// Now returns the time of the sandbox's clock. The times of records, the lifecycles and the rate
// limit depend on that clock. The length of a delay does not.
func (s *Sandbox) Now() time.Time {
	s.t.Helper()
	return s.live().Clock.Now()
}

// Clock returns the time of the sandbox's clock, whether the clock is frozen, and its offset from
// the machine's clock.
func (s *Sandbox) Clock() ClockReading {
	s.t.Helper()
	return s.live().Clock.Read()
}

// SetTime sets the clock to now. Unless the clock is frozen, it continues from that time.
func (s *Sandbox) SetTime(now time.Time) {
	s.t.Helper()
	s.changeClock(sandbox.ClockChange{Now: &now})
}

// Advance moves the clock forward, or back if the duration is negative. A frozen clock stays
// frozen.
func (s *Sandbox) Advance(by time.Duration) {
	s.t.Helper()
	s.changeClock(sandbox.ClockChange{Advance: by})
}

// Freeze stops the clock at its current time. SetTime and Advance still move it, so a test can set
// exact times.
func (s *Sandbox) Freeze() {
	s.t.Helper()
	s.changeClock(sandbox.ClockChange{Frozen: new(true)})
}

// Unfreeze starts a frozen clock again, from its current time.
func (s *Sandbox) Unfreeze() {
	s.t.Helper()
	s.changeClock(sandbox.ClockChange{Frozen: new(false)})
}

// ReleaseClock sets the clock back to the machine's time and unfreezes it.
func (s *Sandbox) ReleaseClock() {
	s.t.Helper()
	s.live().Clock.Reset()
}

func (s *Sandbox) changeClock(change sandbox.ClockChange) {
	s.t.Helper()
	_, err := s.live().Clock.Change(change)
	s.must(err)
}
