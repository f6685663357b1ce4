package sandbox

import (
	"errors"
	"sync/atomic"
	"time"
)

// Machine returns the machine's time in UTC, for uptimes, durations and timeouts,
// none of which follow a sandbox's clock. Nothing else reads it.
func Machine() time.Time { return time.Now().UTC() }

// ErrClockRange means that a time cannot be shown: the dates of RFC 3339 have
// years of four digits.
var ErrClockRange = errors.New("the clock must stay in the years 1 to 9999")

var (
	firstMoment = time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)
	lastMoment  = time.Date(9999, time.December, 31, 23, 59, 59, 999_999_999, time.UTC)
)

// Clock tells the time as a sandbox sees it: the machine's, until it is set or
// frozen. One that reaches an end of the years 1 to 9999 stops there. Its methods may
// be called by any number of goroutines.
type Clock struct {
	source  func() time.Time
	setting atomic.Pointer[setting] // nil: the machine's time
}

// setting is a clock that was set: it showed shown when the machine's time was
// at, and has gone on since unless it is frozen.
type setting struct {
	shown, at time.Time
	frozen    bool
}

// ClockReading is what a clock shows.
type ClockReading struct {
	Now    time.Time `json:"now"`
	Frozen bool      `json:"frozen"`
	Offset float64   `json:"offsetSeconds"` // ahead of the machine's time; negative: behind
}

// ClockChange is a change of a clock. What is left out stays as it is.
type ClockChange struct {
	Now     *time.Time    // the time to show
	Advance time.Duration // moves the time on; back when it is negative
	Frozen  *bool         // stops the clock, or lets it go on
}

// NewClock returns a clock on the given time, which stands for the machine's.
func NewClock(machine func() time.Time) *Clock {
	return &Clock{source: machine}
}

// tellable returns the time in UTC, or the first or last one that a date can tell.
func tellable(t time.Time) time.Time {
	switch {
	case t.Before(firstMoment):
		return firstMoment
	case t.After(lastMoment):
		return lastMoment
	}
	return t.UTC()
}

// machine returns the machine's time as far as a date can tell it.
func (c *Clock) machine() time.Time { return tellable(c.source()) }

// Machine returns the time of the machine, on which the clock is.
func (c *Clock) Machine() time.Time { return c.machine() }

// Now returns the time in UTC.
func (c *Clock) Now() time.Time {
	s := c.setting.Load()
	if s == nil {
		return c.machine()
	}
	return s.now(c.machine())
}

// Read returns what the clock shows.
func (c *Clock) Read() ClockReading { return c.setting.Load().reading(c.machine()) }

// Change changes the clock in one step, and returns what it shows then, or
// [ErrClockRange] and has changed nothing.
func (c *Clock) Change(change ClockChange) (ClockReading, error) {
	for {
		old, machine := c.setting.Load(), c.machine()
		next := &setting{shown: old.now(machine), at: machine, frozen: old != nil && old.frozen}
		if change.Now != nil {
			next.shown = *change.Now
		}
		next.shown = next.shown.UTC().Round(0).Add(change.Advance) // Round, since the machine's monotonic clock says nothing here
		if change.Frozen != nil {
			next.frozen = *change.Frozen
		}
		if year := next.shown.Year(); year < 1 || year > lastMoment.Year() {
			return ClockReading{}, ErrClockRange
		}
		if c.setting.CompareAndSwap(old, next) {
			return next.reading(machine), nil
		}
	}
}

// Set makes the clock show a time in the years 1 to 9999, from which it goes on unless it is
// frozen.
func (c *Clock) Set(now time.Time, frozen bool) {
	c.setting.Store(&setting{shown: now.UTC().Round(0), at: c.machine(), frozen: frozen})
}

// Reset returns the clock to the machine's time.
func (c *Clock) Reset() { c.setting.Store(nil) }

// copyTo makes another clock show the same.
func (c *Clock) copyTo(other *Clock) { other.setting.Store(c.setting.Load()) }

// now returns what the clock shows at the machine's time.
func (s *setting) now(machine time.Time) time.Time {
	switch {
	case s == nil:
		return machine
	case s.frozen:
		return s.shown
	}
	return tellable(s.shown.Add(machine.Sub(s.at)))
}

func (s *setting) reading(machine time.Time) ClockReading {
	now := s.now(machine)
	if s == nil {
		return ClockReading{Now: now}
	}
	// Not by Sub, which knows no more than 292 years.
	seconds := float64(now.Unix()-machine.Unix()) + float64(now.Nanosecond()-machine.Nanosecond())/1e9
	return ClockReading{Now: now, Frozen: s.frozen, Offset: seconds}
}
