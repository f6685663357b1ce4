package sandbox

import (
	"math"
	"sync"
	"testing"
	"time"
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
	got, err := c.Change(change)
	if err != nil {
		t.Fatal(err)
	}
	if got != c.Read() {
		t.Errorf("Change = %v, but the clock shows %v", got, c.Read())
	}
}

func TestClock(t *testing.T) {
	t.Parallel()
	m := new(machine)
	c := NewClock(m.now)
	wantReading(t, c, start, false, 0)
	m.pass(time.Second)
	wantReading(t, c, start.Add(time.Second), false, 0)

	then := time.Date(2031, time.January, 1, 1, 0, 0, 0, time.FixedZone("", 3600))
	ahead := then.Sub(m.now()).Seconds()
	mustChange(t, c, ClockChange{Now: &then})
	wantReading(t, c, then, false, ahead)
	m.pass(time.Second)
	wantReading(t, c, then.Add(time.Second), false, ahead)

	mustChange(t, c, ClockChange{Frozen: new(true)})
	m.pass(time.Second)
	wantReading(t, c, then.Add(time.Second), true, ahead-1)
	mustChange(t, c, ClockChange{Advance: -90 * time.Minute})
	m.pass(time.Second)
	wantReading(t, c, then.Add(time.Second-90*time.Minute), true, ahead-2-90*60)
	mustChange(t, c, ClockChange{Now: &then})
	m.pass(time.Second)
	wantReading(t, c, then, true, ahead-4)
	mustChange(t, c, ClockChange{Now: &then, Frozen: new(false)})
	m.pass(time.Second)
	wantReading(t, c, then.Add(time.Second), false, ahead-4)

	c.Reset()
	wantReading(t, c, start.Add(6*time.Second), false, 0)
	mustChange(t, c, ClockChange{Frozen: new(true)})
	m.pass(time.Second)
	wantReading(t, c, start.Add(6*time.Second), true, -1)
}

// TestClockIsUTC wants UTC of a machine whose time is told in another zone.
func TestClockIsUTC(t *testing.T) {
	t.Parallel()
	c := NewClock(func() time.Time { return start.In(time.FixedZone("", -5*3600)) })
	wantReading(t, c, start, false, 0)
	mustChange(t, c, ClockChange{Advance: time.Hour})
	wantReading(t, c, start.Add(time.Hour), false, 3600)
	before := Machine()
	if got := NewClock(Machine).Now(); got.Before(before) || got.After(Machine()) || got.Location() != time.UTC {
		t.Errorf("Now = %v, want the machine's time in UTC", got)
	}
}

func TestClockRange(t *testing.T) {
	t.Parallel()
	m := new(machine)
	c := NewClock(m.now)
	first, last := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), lastMoment
	mustChange(t, c, ClockChange{Now: &first})
	_, err := c.Change(ClockChange{Advance: -1})
	wantErr(t, "Advance before the year 1", err, ErrClockRange)
	wantReading(t, c, first, false, float64(first.Unix()-start.Unix()))
	early := first.In(time.FixedZone("", 3600)).Add(-time.Hour)
	_, err = c.Change(ClockChange{Now: &early})
	wantErr(t, "Set to a time whose year is 0 in UTC", err, ErrClockRange)

	mustChange(t, c, ClockChange{Now: &last, Frozen: new(true)})
	_, err = c.Change(ClockChange{Advance: 1, Frozen: new(false)})
	wantErr(t, "Advance behind the year 9999", err, ErrClockRange)
	_, err = c.Change(ClockChange{Advance: math.MaxInt64})
	wantErr(t, "Advance by 292 years", err, ErrClockRange)
	wantReading(t, c, last, true, float64(last.Unix()-start.Unix())+0.999999999)

	mustChange(t, c, ClockChange{Frozen: new(false)})
	m.pass(time.Hour) // it stops at the end of what a date can tell
	if now := c.Now(); !now.Equal(last) {
		t.Errorf("Now = %v, want %v", now, last)
	}
	if _, err := c.Read().Now.MarshalJSON(); err != nil {
		t.Error(err)
	}
}

// TestClockChangesAreAtomic advances a clock by many goroutines, while others
// freeze it and let it go, and loses nothing.
func TestClockChangesAreAtomic(t *testing.T) {
	t.Parallel()
	c := NewClock(new(machine).now)
	const movers, steps = 8, 500
	var running sync.WaitGroup
	for i := range movers {
		running.Go(func() {
			for range steps {
				mustChangeQuietly(c, ClockChange{Advance: time.Second})
				mustChangeQuietly(c, ClockChange{Frozen: new(i%2 == 0)})
			}
		})
		running.Go(func() {
			for range steps {
				if r := c.Read(); r.Now.Sub(start).Seconds() != r.Offset {
					t.Errorf("Read = %v: its parts are of two moments", r)
					return
				}
			}
		})
	}
	running.Wait()
	if want := start.Add(movers * steps * time.Second); !c.Now().Equal(want) {
		t.Errorf("Now = %v, want %v", c.Now(), want)
	}
}

// TestClockChangeInTheMiddleOfAnother makes a change while another looks at the
// machine's time: both count.
func TestClockChangeInTheMiddleOfAnother(t *testing.T) {
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

// mustChangeQuietly is mustChange for goroutines that others interfere with.
func mustChangeQuietly(c *Clock, change ClockChange) {
	if _, err := c.Change(change); err != nil {
		panic(err)
	}
}

func TestClockOnTimesThatDatesCannotTell(t *testing.T) {
	t.Parallel()
	for machine, want := range map[time.Time]time.Time{
		time.Date(10000, time.January, 1, 0, 0, 0, 0, time.UTC):                 lastMoment,
		time.Date(10000, time.January, 1, 0, 0, 0, 0, time.FixedZone("", 3600)): lastMoment.Add(1 - time.Hour),
		time.Date(0, time.December, 31, 0, 0, 0, 0, time.UTC):                   firstMoment,
		time.Date(1, time.January, 1, 0, 0, 0, 0, time.FixedZone("", 3600)):     firstMoment,
		time.Date(math.MinInt16, time.January, 1, 0, 0, 0, 0, time.UTC):         firstMoment,
		time.Date(1, time.January, 1, 0, 0, 0, 0, time.FixedZone("", -3600)):    firstMoment.Add(time.Hour),
	} {
		c := NewClock(func() time.Time { return machine })
		wantReading(t, c, want, false, 0)
		mustChange(t, c, ClockChange{Frozen: new(true)})
		wantReading(t, c, want, true, 0)
	}
}

// TestClockBehindAMachineThatGoesBack wants the running clock to stop at the first
// moment too.
func TestClockBehindAMachineThatGoesBack(t *testing.T) {
	t.Parallel()
	m := new(machine)
	c := NewClock(m.now)
	mustChange(t, c, ClockChange{Now: &firstMoment})
	m.pass(-time.Hour)
	if now := c.Now(); !now.Equal(firstMoment) {
		t.Errorf("Now = %v, want %v", now, firstMoment)
	}
}
