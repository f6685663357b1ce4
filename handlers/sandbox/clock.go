package sandbox

import "time"

// Clock tells the time as a sandbox sees it. The machine's own timeouts do not
// follow it. The zero Clock tells the machine's time.
type Clock struct {
	now func() time.Time // nil: the machine's
}

// ClockAt returns a clock that tells what now returns.
func ClockAt(now func() time.Time) Clock { return Clock{now: now} }

// Now returns the time in UTC.
func (c Clock) Now() time.Time {
	if c.now == nil {
		return Machine()
	}
	return c.now().UTC()
}

// Machine returns the machine's time in UTC, for uptimes and durations.
func Machine() time.Time { return time.Now().UTC() }
