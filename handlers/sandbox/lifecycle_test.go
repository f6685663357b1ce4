package sandbox

import (
	"math"
	"slices"
	"testing"
	"time"
)

func TestLifecycleCheck(t *testing.T) {
	t.Parallel()
	day := time.Date(2030, time.December, 31, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name  string
		l     Lifecycle
		wrong []string // the fields
	}{
		{"stable", Lifecycle{}, nil},
		{"deprecated without a sunset", Lifecycle{Deprecated: true, DeprecatedSince: day}, nil},
		{"sunset at the deprecation", Lifecycle{Deprecated: true, DeprecatedSince: day, Sunset: day}, nil},
		{"sunset before the deprecation", Lifecycle{Deprecated: true, DeprecatedSince: day, Sunset: day.Add(-1)}, []string{"/sunset"}},
		{"sunset without a deprecation", Lifecycle{Sunset: day}, []string{"/sunset"}},
		{"nothing without a deprecation", Lifecycle{DeprecatedSince: day, Sunset: day, Successor: "/", Brownout: 1},
			[]string{"/deprecatedSince", "/sunset", "/successor", "/brownout"}},
		{"stabilities", Lifecycle{Stability: Stable}, nil},
		{"no stability", Lifecycle{Stability: "alpha"}, []string{"/stability"}},
		{"no share", Lifecycle{Deprecated: true, Brownout: math.NaN()}, []string{"/brownout"}},
		{"more than all", Lifecycle{Deprecated: true, Brownout: 1.1}, []string{"/brownout"}},
		{"the last day", Lifecycle{Deprecated: true, Sunset: time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)}, nil},
		{"years that no date has", Lifecycle{Deprecated: true, DeprecatedSince: day.AddDate(-3000, 0, 0), Sunset: day.AddDate(9000, 0, 0)},
			[]string{"/deprecatedSince", "/sunset"}},
	} {
		var wrong []string
		for _, flaw := range test.l.Check() {
			wrong = append(wrong, flaw.Field)
		}
		if !slices.Equal(wrong, test.wrong) {
			t.Errorf("%s: %v at fault, want %v", test.name, wrong, test.wrong)
		}
	}
}

func TestLifecyclePast(t *testing.T) {
	t.Parallel()
	sunset := time.Date(2030, time.December, 31, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		l    Lifecycle
		now  time.Time
		past bool
	}{
		{Lifecycle{Sunset: sunset}, sunset.Add(-1), false},
		{Lifecycle{Sunset: sunset}, sunset, true},
		{Lifecycle{Sunset: sunset}, sunset.Add(1), true},
		{Lifecycle{}, sunset, false},
	} {
		if got := test.l.Past(test.now); got != test.past {
			t.Errorf("%+v past at %s: %t", test.l, test.now, got)
		}
	}
}

// TestComplete wants the document's lifecycle, given as it is, to stay as it is, and
// what is left out filled in.
func TestComplete(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	now := day.AddDate(0, 6, 0).Add(time.Millisecond)
	document := Lifecycle{Deprecated: true, DeprecatedSince: day, Sunset: day.AddDate(4, 0, 0), Successor: "/pets?id={petId}", Advice: "listPets with ?id="}
	old, plain := &Operation{ID: "getPet", Path: "/pets/{petId}", Lifecycle: document}, &Operation{ID: "createPet", Path: "/pets"}
	for name, test := range map[string]struct {
		op         *Operation
		give, want Lifecycle
	}{
		"the document's":    {old, document, document},
		"its own successor": {old, Lifecycle{Deprecated: true, Successor: document.Successor, Advice: "mine"}, Lifecycle{Deprecated: true, DeprecatedSince: day, Successor: document.Successor, Advice: document.Advice}},
		"another successor": {old, Lifecycle{Deprecated: true, Successor: "/v2/pets/{petId}", Advice: "mine"}, Lifecycle{Deprecated: true, DeprecatedSince: day, Successor: "/v2/pets/{petId}", Advice: "/v2/pets/{petId}"}},
		"since now":         {plain, Lifecycle{Deprecated: true}, Lifecycle{Deprecated: true, DeprecatedSince: day.AddDate(0, 6, 0)}},
		"stable":            {plain, Lifecycle{Stability: Stable}, Lifecycle{}},
	} {
		if got, flaws := test.op.Complete(test.give, now); got != test.want || len(flaws) > 0 {
			t.Errorf("%s: %+v %v, want %+v", name, got, flaws, test.want)
		}
	}
	health := &Operation{ID: "getHealth", Path: "/healthz", Permanent: true}
	if _, flaws := health.Complete(Lifecycle{Deprecated: true, EnforceSunset: true, Brownout: 0.5, Successor: "/{petId}"}, now); len(flaws) != 3 ||
		flaws[0].Field != "/successor" || flaws[1].Field != "/enforceSunset" || flaws[2].Field != "/brownout" {
		t.Errorf("of health, %+v is wrong", flaws)
	}
}
