package sandbox

import (
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
