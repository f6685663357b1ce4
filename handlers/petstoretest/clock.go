package petstoretest

import (
	"time"

	"example.com/petstore/handlers/sandbox"
)

// Now returns the time as the sandbox sees it. It sets the times of records and
// drives the lifecycles and the rate limit, but never how long a response is delayed.
func (s *Sandbox) Now() time.Time {
	s.t.Helper()
	return s.live().Clock.Now()
}

// Clock returns the clock's time, whether it is frozen, and its offset from the machine's.
func (s *Sandbox) Clock() ClockReading {
	s.t.Helper()
	return s.live().Clock.Read()
}

// SetTime sets the clock, which runs on from there unless it is frozen.
func (s *Sandbox) SetTime(now time.Time) {
	s.t.Helper()
	s.changeClock(sandbox.ClockChange{Now: &now})
}

// Advance moves the clock on, or back by a negative duration. A frozen clock stays
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

// Unfreeze lets a frozen clock run on from its current time.
func (s *Sandbox) Unfreeze() {
	s.t.Helper()
	s.changeClock(sandbox.ClockChange{Frozen: new(false)})
}

// ReleaseClock returns the clock to the machine's time.
func (s *Sandbox) ReleaseClock() {
	s.t.Helper()
	s.live().Clock.Reset()
}

func (s *Sandbox) changeClock(change sandbox.ClockChange) {
	s.t.Helper()
	_, err := s.live().Clock.Change(change)
	s.must(err)
}
