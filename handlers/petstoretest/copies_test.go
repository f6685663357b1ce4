package petstoretest_test

import (
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/petstoretest"
)

func fullRule() petstoretest.Rule {
	return petstoretest.Rule{
		Match:       &petstoretest.Match{Path: "/pets/*", Headers: map[string]string{"X-Client": "web"}},
		Probability: new(0.5),
		Times:       new(2),
		Delay:       &petstoretest.Delay{P50Ms: new(1), P99Ms: new(2)},
		Status:      new(503),
		Headers:     map[string]string{"X-Why": "test"},
	}
}

// changeAll changes every value that a rule points to.
func changeAll(r *petstoretest.Rule) {
	r.Match.Path, r.Match.Headers["X-Client"] = "/", "other"
	*r.Probability, *r.Times, *r.Status = 0, 9, 200
	*r.Delay.P50Ms, *r.Delay.P99Ms = 600_000, 600_000
	r.Headers["X-Why"] = "other"
}

// TestRulesAreCopies changes every rule that it passed to the sandbox or received from it,
// and checks that the sandbox's own rules do not change.
func TestRulesAreCopies(t *testing.T) {
	t.Parallel()
	pets := petstoretest.Run(t)
	given := fullRule()
	added := pets.Fault(given)
	changeAll(&given)
	changeAll(&added)
	for _, rule := range pets.Faults() {
		changeAll(&rule)
	}
	want := fullRule()
	want.ID = 1
	must.Equal(t, []petstoretest.Rule{want}, pets.Faults(), "rules")

	replacing := []petstoretest.Rule{fullRule()}
	replaced := pets.SetFaults(replacing...)
	changeAll(&replacing[0])
	changeAll(&replaced[0])
	want.ID = 2
	must.Equal(t, []petstoretest.Rule{want}, pets.Faults(), "after SetFaults")
}

func TestBaselineIsACopy(t *testing.T) {
	t.Parallel()
	sizes := petstoretest.Sizes{Pets: 3, Categories: 1}
	srv := petstoretest.Run(t, petstoretest.WithConfig(func(c *petstoretest.Config) { c.Sizes = &sizes }))
	sizes.Pets = 7
	ada, eve := srv.Sandbox("ada"), srv.Sandbox("eve")
	ada.Baseline().Sizes.Pets = 9
	for _, pets := range []*petstoretest.Sandbox{ada, eve, srv.Sandbox("default")} {
		if n := pets.Baseline().Sizes.Pets; n != 3 {
			t.Errorf("%s: %d pets by its baseline, want 3", pets.Name, n)
		}
	}
}

// TestSnapshotsAreCopies checks that changing the result of Snapshots does not change the sandbox.
func TestSnapshotsAreCopies(t *testing.T) {
	t.Parallel()
	srv := petstoretest.Run(t)
	srv.Snapshot("mine")
	list := srv.Snapshots()
	list[0].Name = "yours"
	if again := srv.Snapshots(); len(again) != 1 || again[0].Name != "mine" {
		t.Errorf("the snapshots are %+v", again)
	}
}

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
		"since now, in whole seconds of UTC": {
			"listPets", petstoretest.Lifecycle{Deprecated: true, Sunset: inParis},
			petstoretest.Lifecycle{Deprecated: true, DeprecatedSince: newYear, Sunset: newYear.AddDate(0, 1, 0)},
		},
		"since the document's date": {
			"getPet", petstoretest.Lifecycle{Deprecated: true},
			petstoretest.Lifecycle{Deprecated: true, DeprecatedSince: document.DeprecatedSince},
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
	if got, want := pets.Lifecycle("getPet"), (petstoretest.Lifecycle{Deprecated: true,
		DeprecatedSince: document.DeprecatedSince}); got != want {
		t.Errorf("deprecated again, %+v, want %+v", got, want)
	}
}

func TestReportOfGuardedServer(t *testing.T) {
	t.Parallel()
	pets := petstoretest.Run(t, petstoretest.WithConfig(func(c *petstoretest.Config) { c.AdminKey = "secret" })).
		Sandbox(t.Name())
	if file := pets.ReportJUnit(); !strings.Contains(file, `name="not used"`) {
		t.Errorf("the report is %s, want a test that passes", file)
	}
}
