package petstoretest_test

import (
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers/petstoretest"
)

func TestSetLifecycleFillsIn(t *testing.T) {
	t.Parallel()
	pets := petstoretest.Run(t)
	pets.Freeze()
	pets.SetTime(newYear.Add(300 * time.Millisecond))
	inParis := newYear.AddDate(0, 1, 0).Add(time.Nanosecond).In(time.FixedZone("CET", 3600))
	document := pets.Lifecycle("getPet")
	for name, test := range map[string]struct {
		operation string
		set, want petstoretest.Lifecycle
	}{
		"nothing": {"createPet", petstoretest.Lifecycle{}, petstoretest.Lifecycle{}},
		"since now, in whole seconds of UTC": {
			"listPets", petstoretest.Lifecycle{Deprecated: true, Sunset: inParis},
			petstoretest.Lifecycle{Deprecated: true, DeprecatedSince: newYear, Sunset: newYear.AddDate(0, 1, 0)},
		},
		"since the document's date": {
			"getPet", petstoretest.Lifecycle{Deprecated: true},
			petstoretest.Lifecycle{Deprecated: true, DeprecatedSince: document.DeprecatedSince},
		},
		"the document's successor": {
			"getPet", petstoretest.Lifecycle{Deprecated: true, Successor: document.Successor, Advice: "mine\r\n"},
			petstoretest.Lifecycle{Deprecated: true, DeprecatedSince: document.DeprecatedSince, Successor: document.Successor, Advice: document.Advice},
		},
		"another successor": {
			"getPet", petstoretest.Lifecycle{Deprecated: true, Successor: "/v2/pets/{petId}", Advice: document.Advice},
			petstoretest.Lifecycle{Deprecated: true, DeprecatedSince: document.DeprecatedSince, Successor: "/v2/pets/{petId}", Advice: "/v2/pets/{petId}"},
		},
	} {
		pets.SetLifecycle(test.operation, test.set)
		if got := pets.Lifecycle(test.operation); got != test.want {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}

// TestChangeLifecycleEndsADeprecation checks that ending a deprecation also removes the
// fields that describe it.
func TestChangeLifecycleEndsADeprecation(t *testing.T) {
	t.Parallel()
	pets := petstoretest.Run(t)
	document := pets.Lifecycle("getPet")
	pets.ChangeLifecycle("getPet", func(l *petstoretest.Lifecycle) { l.EnforceSunset, l.Brownout = true, 0.5 })
	pets.ChangeLifecycle("getPet", func(l *petstoretest.Lifecycle) { l.Deprecated, l.Stability = false, "beta" })
	if got, want := pets.Lifecycle("getPet"), (petstoretest.Lifecycle{Stability: "beta"}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	pets.ChangeLifecycle("getPet", func(l *petstoretest.Lifecycle) { l.Deprecated, l.Stability = true, "" })
	if got, want := pets.Lifecycle("getPet"), (petstoretest.Lifecycle{Deprecated: true, DeprecatedSince: document.DeprecatedSince}); got != want {
		t.Errorf("deprecated again, %+v, want %+v", got, want)
	}
}

func TestReportOfGuardedServer(t *testing.T) {
	t.Parallel()
	pets := petstoretest.Run(t, petstoretest.WithConfig(func(c *petstoretest.Config) { c.AdminKey = "secret" })).Sandbox(t.Name())
	if file := pets.ReportJUnit(); !strings.Contains(file, `name="not used"`) {
		t.Errorf("the report is %s, want a test that passes", file)
	}
}
