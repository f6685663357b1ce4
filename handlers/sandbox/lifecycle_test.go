package sandbox

import (
	"fmt"
	"testing"
	"time"
)

func TestLifecycleCheck(t *testing.T) {
	t.Parallel()
	day := time.Date(2030, time.December, 31, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name string
		l    Lifecycle
		ok   bool
	}{
		{"stable", Lifecycle{}, true},
		{"deprecated without a sunset", Lifecycle{Deprecated: true, DeprecatedSince: day}, true},
		{"sunset at the deprecation", Lifecycle{Deprecated: true, DeprecatedSince: day, Sunset: day}, true},
		{"sunset before the deprecation", Lifecycle{Deprecated: true, DeprecatedSince: day, Sunset: day.Add(-1)}, false},
		{"sunset without a deprecation", Lifecycle{Sunset: day}, false},
	} {
		if err := test.l.Check(); (err == nil) != test.ok {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestLifecycleGone(t *testing.T) {
	t.Parallel()
	sunset := time.Date(2030, time.December, 31, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		l    Lifecycle
		now  time.Time
		gone bool
	}{
		{Lifecycle{EnforceSunset: true, Sunset: sunset}, sunset.Add(-1), false},
		{Lifecycle{EnforceSunset: true, Sunset: sunset}, sunset, true},
		{Lifecycle{EnforceSunset: true, Sunset: sunset}, sunset.Add(1), true},
		{Lifecycle{Sunset: sunset}, sunset.Add(1), false},
		{Lifecycle{EnforceSunset: true}, sunset, false},
	} {
		if got := test.l.Gone(test.now); got != test.gone {
			t.Errorf("%+v gone at %s: %t", test.l, test.now, got)
		}
	}
}

// TestCallersAreBounded fills the memory of callers: who comes then is not new, so
// that the log does not grow without end.
func TestCallersAreBounded(t *testing.T) {
	t.Parallel()
	var c callers
	for n := range maxCallers {
		if caller := fmt.Sprint(n); !c.first("getPet", caller) || c.first("getPet", caller) {
			t.Errorf("caller %d is not new once", n)
		}
	}
	if c.first("getPet", "one more") || len(c.seen) != maxCallers {
		t.Errorf("%d callers remembered", len(c.seen))
	}
	c.reset()
	if !c.first("getPet", "0") || !c.first("updatePet", "0") {
		t.Error("after a reset nobody is new")
	}
}

func TestClock(t *testing.T) {
	t.Parallel()
	local := time.Date(2026, time.July, 1, 12, 0, 0, 0, time.FixedZone("", 7200))
	if got := ClockAt(func() time.Time { return local }).Now(); !got.Equal(local) || got.Location() != time.UTC {
		t.Errorf("now = %s, want %s in UTC", got, local)
	}
	before := Machine()
	if got := (Clock{}).Now(); got.Before(before) || got.After(Machine()) || got.Location() != time.UTC {
		t.Errorf("now = %s, want the machine's time in UTC", got)
	}
}
