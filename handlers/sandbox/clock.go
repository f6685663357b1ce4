package sandbox

import (
	"errors"
	"sync/atomic"
	"time"

	"example.com/petstore/handlers/sandbox/lifecycle"
)

// Machine returns the machine's time in UTC. It is for uptimes, durations and timeouts, which do
// not use a sandbox's clock. Outside tests and handlers/command, no other code reads the machine's
// clock.
func Machine() time.Time { return time.Now().UTC() }

// ErrClockRange is the error for a time outside the years 2 to 9999. RFC 3339 has only years of
// four digits. The zero time, which stands for no time, is in the year 1.
var ErrClockRange = errors.New("the clock must stay in the years 2 to 9999")

var (
	firstMoment = time.Date(lifecycle.FirstYear, time.January, 1, 0, 0, 0, 0, time.UTC)
	lastMoment  = time.Date(9999, time.December, 31, 23, 59, 59, 999_999_999, time.UTC)
)

// Clock is the clock of a sandbox. It shows the machine's time until it is set or frozen. It stops
// at either end of the years 2 to 9999. It is safe for concurrent use.
type Clock struct {
	source  func() time.Time        // the machine's clock; nil means Machine
	setting atomic.Pointer[setting] // nil while the clock shows the machine's time
}

// setting is the state of a clock that was set or frozen. Unless frozen is true, the clock
// continues from the time in shown.
type setting struct {
	shown  time.Time // the clock's time when the setting was made
	at     time.Time // the machine's time when the setting was made
	frozen bool
}

// ClockReading is the state of a clock at one moment.
type ClockReading struct {
	Now    time.Time `json:"now"`
	Frozen bool      `json:"frozen"`
	Offset float64   `json:"offsetSeconds"` // the difference from the machine's time, in seconds
}

// ClockChange describes a change to a clock. A zero field changes nothing.
type ClockChange struct {
	Now     *time.Time    // sets the time
	Advance time.Duration // moves the time forward, or back if negative
	Frozen  *bool         // true stops the clock, false starts it
}

// NewClock returns a clock that shows the time that machine returns. A nil machine means [Machine].
func NewClock(machine func() time.Time) *Clock {
	return &Clock{source: machine}
}

// clamp returns the time in UTC, limited to the years 2 to 9999.
func clamp(t time.Time) time.Time {
	switch {
	case t.Before(firstMoment):
		return firstMoment
	case t.After(lastMoment):
		return lastMoment
	}
	return t.UTC()
}

// machine returns the current time of the clock's source; see [Clock.MachineAt].
func (c *Clock) machine() time.Time { return c.MachineAt(Machine()) }

// MachineAt returns moment, which must come from [Machine]. If the clock has another source,
// MachineAt returns that source's current time instead, in UTC and limited to the years 2 to 9999.
func (c *Clock) MachineAt(moment time.Time) time.Time {
	if c.source != nil {
		return clamp(c.source())
	}
	return moment
}

// Now returns the time in UTC.
func (c *Clock) Now() time.Time { return c.setting.Load().now(c.machine()) }

// At is like [Clock.Now], but for a moment that [Machine] returned; see [Clock.MachineAt].
func (c *Clock) At(moment time.Time) time.Time { return c.setting.Load().now(c.MachineAt(moment)) }

// Read returns the state of the clock.
func (c *Clock) Read() ClockReading { return c.setting.Load().reading(c.machine()) }

// Change changes the clock in one step and returns its new state. On [ErrClockRange], it leaves the
// clock unchanged.
func (c *Clock) Change(change ClockChange) (ClockReading, error) {
	for {
		old, machine := c.setting.Load(), c.machine()
		next := &setting{shown: old.now(machine), at: machine, frozen: old != nil && old.frozen}
		if change.Now != nil {
			next.shown = *change.Now
		}
		next.shown = next.shown.UTC().Round(0).Add(change.Advance) // Round removes the monotonic clock reading
		if change.Frozen != nil {
			next.frozen = *change.Frozen
		}
		if year := next.shown.Year(); year < lifecycle.FirstYear || year > lastMoment.Year() {
			return ClockReading{}, ErrClockRange
		}
		if c.setting.CompareAndSwap(old, next) {
			return next.reading(machine), nil
		}
	}
}

// Set sets the clock to a time in the years 2 to 9999. The clock advances from that time, unless
// frozen is true.
func (c *Clock) Set(now time.Time, frozen bool) {
	c.setting.Store(&setting{shown: now.UTC().Round(0), at: c.machine(), frozen: frozen})
}

// Reset makes the clock show the machine's time.
func (c *Clock) Reset() { c.setting.Store(nil) }

// copyTo copies the setting to another clock.
func (c *Clock) copyTo(other *Clock) { other.setting.Store(c.setting.Load()) }

// now returns the time that the clock shows at the given machine time.
func (s *setting) now(machine time.Time) time.Time {
	switch {
	case s == nil:
		return machine
	case s.frozen:
		return s.shown
	}
	return clamp(s.shown.Add(machine.Sub(s.at)))
}

func (s *setting) reading(machine time.Time) ClockReading {
	now := s.now(machine)
	if s == nil {
		return ClockReading{Now: now}
	}
	// Do not use time.Time.Sub, whose result cannot exceed 292 years.
	seconds := float64(now.Unix()-machine.Unix()) + float64(now.Nanosecond()-machine.Nanosecond())/1e9
	return ClockReading{Now: now, Frozen: s.frozen, Offset: seconds}
}
