package sandbox

import (
	"errors"
	"sync/atomic"
	"time"
)

// Machine returns the machine's time in UTC. It is for uptimes, durations and timeouts, which do
// not follow a sandbox's clock. No other code reads the machine's clock.
func Machine() time.Time { return time.Now().UTC() }

// ErrClockRange reports a time that RFC 3339, with its four-digit years, cannot express.
var ErrClockRange = errors.New("the clock must stay in the years 1 to 9999")

var (
	firstMoment = time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)
	lastMoment  = time.Date(9999, time.December, 31, 23, 59, 59, 999_999_999, time.UTC)
)

// Clock is the clock of a sandbox: the machine's, until it is set or frozen. It stops at the ends
// of the years 1 to 9999. It is safe for concurrent use.
type Clock struct {
	source  func() time.Time        // nil means Machine
	setting atomic.Pointer[setting] // nil means the machine's time
}

// setting is a clock that was set. It showed shown when the machine's time was at, and has advanced
// since unless it is frozen.
type setting struct {
	shown, at time.Time
	frozen    bool
}

// ClockReading is the state of a clock at one moment.
type ClockReading struct {
	Now    time.Time `json:"now"`
	Frozen bool      `json:"frozen"`
	Offset float64   `json:"offsetSeconds"` // relative to the machine's time
}

// ClockChange is a change of a clock. Zero fields leave it as it is.
type ClockChange struct {
	Now     *time.Time    // sets the time
	Advance time.Duration // moves the time forward, or back if negative
	Frozen  *bool         // stops or starts the clock
}

// NewClock returns a clock that follows machine. Nil means [Machine].
func NewClock(machine func() time.Time) *Clock {
	return &Clock{source: machine}
}

// expressible returns the time in UTC, limited to the range that a date can express.
func expressible(t time.Time) time.Time {
	switch {
	case t.Before(firstMoment):
		return firstMoment
	case t.After(lastMoment):
		return lastMoment
	}
	return t.UTC()
}

// machine returns the machine's time within the range that a date can express.
func (c *Clock) machine() time.Time { return c.MachineAt(Machine()) }

// MachineAt is the time in UTC, on which the clock is based, at a moment of [Machine]. If the clock
// follows another source, it is that source's current time.
func (c *Clock) MachineAt(moment time.Time) time.Time {
	if c.source != nil {
		moment = c.source()
	}
	return expressible(moment)
}

// Now returns the time in UTC.
func (c *Clock) Now() time.Time { return c.setting.Load().now(c.machine()) }

// At is Now at a moment of [Machine], as for [Clock.MachineAt].
func (c *Clock) At(moment time.Time) time.Time { return c.setting.Load().now(c.MachineAt(moment)) }

// Read returns the state of the clock.
func (c *Clock) Read() ClockReading { return c.setting.Load().reading(c.machine()) }

// Change changes the clock in one step and returns its new state. If it returns [ErrClockRange],
// the clock is unchanged.
func (c *Clock) Change(change ClockChange) (ClockReading, error) {
	for {
		old, machine := c.setting.Load(), c.machine()
		next := &setting{shown: old.now(machine), at: machine, frozen: old != nil && old.frozen}
		if change.Now != nil {
			next.shown = *change.Now
		}
		next.shown = next.shown.UTC().Round(0).Add(change.Advance) // Round removes the monotonic clock reading.
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

// Set sets the clock to a time in the years 1 to 9999, from which it advances unless frozen.
func (c *Clock) Set(now time.Time, frozen bool) {
	c.setting.Store(&setting{shown: now.UTC().Round(0), at: c.machine(), frozen: frozen})
}

// Reset returns the clock to the machine's time.
func (c *Clock) Reset() { c.setting.Store(nil) }

// copyTo copies the setting to another clock.
func (c *Clock) copyTo(other *Clock) { other.setting.Store(c.setting.Load()) }

// now returns the time of the clock at the given machine time.
func (s *setting) now(machine time.Time) time.Time {
	switch {
	case s == nil:
		return machine
	case s.frozen:
		return s.shown
	}
	return expressible(s.shown.Add(machine.Sub(s.at)))
}

func (s *setting) reading(machine time.Time) ClockReading {
	now := s.now(machine)
	if s == nil {
		return ClockReading{Now: now}
	}
	// time.Time.Sub is limited to 292 years.
	seconds := float64(now.Unix()-machine.Unix()) + float64(now.Nanosecond()-machine.Nanosecond())/1e9
	return ClockReading{Now: now, Frozen: s.frozen, Offset: seconds}
}
