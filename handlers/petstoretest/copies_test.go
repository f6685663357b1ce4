package petstoretest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

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

// spoil changes every value that a rule points to.
func spoil(r *petstoretest.Rule) {
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
	spoil(&given)
	spoil(&added)
	for _, rule := range pets.Faults() {
		spoil(&rule)
	}
	want := fullRule()
	want.ID = 1
	if diff := cmp.Diff([]petstoretest.Rule{want}, pets.Faults()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}

	replacing := []petstoretest.Rule{fullRule()}
	replaced := pets.SetFaults(replacing...)
	spoil(&replacing[0])
	spoil(&replaced[0])
	want.ID = 2
	if diff := cmp.Diff([]petstoretest.Rule{want}, pets.Faults()); diff != "" {
		t.Errorf("after SetFaults, -want +got:\n%s", diff)
	}
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
