package fault

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/internal/must"
)

// decide returns the code of the rule that hits a request, or "" if none does.
func decide(f *Rules, c Call, number uint64) string {
	rule, _ := f.Decide(&c, &Draws{Seed: 1, Number: number})
	if rule == nil {
		return ""
	}
	return rule.Code
}

func TestDecideFirstMatch(t *testing.T) {
	t.Parallel()
	f := newRules(coded("base"))
	for _, r := range []Rule{
		{Code: "operation", Match: &Match{OperationID: "getPet"}},
		{Code: "all of it",
			Match: &Match{Method: "POST", Path: "/pets/*", Headers: map[string]string{"x-client": "web", "X-B": "1"}}},
		{Code: "method", Match: &Match{Method: "POST"}},
		{Code: "path", Match: &Match{Path: "/store/**"}},
		{Code: "hidden", Match: &Match{Path: "/store/orders"}},
	} {
		mustAdd(t, f, r)
	}
	both := map[string][]string{"X-Client": {"app", "web"}, "X-B": {"1"}}
	tests := []struct {
		want string
		call Call
	}{
		{"operation", Call{OperationID: "getPet", Method: "POST"}},
		{"all of it", Call{Method: "POST", Path: "/pets/7", Header: both}},
		{"method", Call{Method: "POST", Path: "/pets/7", Header: map[string][]string{"X-Client": {"web"}}}},
		{"method",
			Call{Method: "POST", Path: "/pets/7", Header: map[string][]string{"X-Client": {"Web"}, "X-B": {"1"}}}},
		{"method", Call{Method: "POST", Path: "/pets", Header: both}},
		{"path", Call{Method: "PUT", Path: "/store/orders"}},
		{"base", Call{Method: "PUT", Path: "/pets/7", Header: both}},
	}
	for _, test := range tests {
		if got := decide(f, test.call, 1); got != test.want {
			t.Errorf("%+v: rule %q, want %q", test.call, got, test.want)
		}
	}
	expectRules(t, f, "2 operation 1", "3 all of it 1", "4 method 3", "5 path 1", "6 hidden 0", "1 base 1")
}

// TestDecideTimes makes many concurrent requests. Each rule in turn hits exactly as many as its
// Times allows.
func TestDecideTimes(t *testing.T) {
	t.Parallel()
	rules := make([]Rule, MaxRules) // so that requests often race for the last hit of a rule
	want := 0
	for i := range rules {
		rules[i].Times = new(1 + i%2)
		want += 1 + i%2
	}
	f := newRules(rules...)
	var hit atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range want / 4 {
				if rule, _ := f.Decide(&Call{}, &Draws{Seed: 1, Number: 1}); rule != nil {
					hit.Add(1)
				}
			}
		})
	}
	all.Wait()
	if int(hit.Load()) != want {
		t.Errorf("%d requests were hit, want %d", hit.Load(), want)
	}
	for i, r := range f.List() {
		if r.Applied != int64(*rules[i].Times) {
			t.Errorf("rule %d was applied %d times, want %d", r.ID, r.Applied, *rules[i].Times)
		}
	}
}

// outcomes returns the rule that hits each of 1,000 requests, with its delay.
func outcomes(f *Rules, seed uint64) []string {
	var all []string
	for number := range uint64(1000) {
		rule, delay := f.Decide(&Call{}, &Draws{Seed: seed, Number: number + 1})
		if rule == nil {
			all = append(all, "")
			continue
		}
		all = append(all, fmt.Sprint(rule.Code, delay))
	}
	return all
}

func TestDecideIsReplayed(t *testing.T) {
	t.Parallel()
	rules := []Rule{
		{Code: "a", Probability: new(0.3), Delay: &Delay{FixedMs: new(1), JitterMs: new(1000)}},
		{Code: "b", Probability: new(0.5), Delay: &Delay{P50Ms: new(10), P99Ms: new(1000)}},
	}
	first := outcomes(newRules(rules...), 1)
	if diff := cmp.Diff(first, outcomes(newRules(rules...), 1)); diff != "" {
		t.Errorf("another run of the seed differs:\n%s", diff)
	}
	if cmp.Equal(first, outcomes(newRules(rules...), 2)) {
		t.Error("another seed draws alike")
	}
	if distinct := slices.Compact(slices.Sorted(slices.Values(first))); len(distinct) < 500 {
		t.Errorf("1,000 requests draw only %d delays", len(distinct))
	}
	hits := map[byte]int{}
	for _, outcome := range first {
		if outcome == "" {
			outcome = "-"
		}
		hits[outcome[0]]++
	}
	for rule, want := range map[byte]int{'a': 300, 'b': 350, '-': 350} {
		if got := hits[rule]; got < want-50 || got > want+50 {
			t.Errorf("%c %d times, want about %d", rule, got, want)
		}
	}
	// A used-up rule still draws, so that the draws of the others do not change.
	usedUp := rules[0]
	usedUp.Times = new(1)
	f := newRules(usedUp, rules[1])
	f.Decide(&Call{}, &Draws{Seed: 1, Number: firstHit(first, 'a')})
	for i, outcome := range outcomes(f, 1) {
		if first[i] != "" && first[i][0] == 'b' && outcome != first[i] {
			t.Fatalf("request %d: %q, want %q", i+1, outcome, first[i])
		}
	}
}

func firstHit(outcomes []string, rule byte) uint64 {
	for i, outcome := range outcomes {
		if outcome != "" && outcome[0] == rule {
			return uint64(i + 1)
		}
	}
	return 0
}

func TestDecideCertainRules(t *testing.T) {
	t.Parallel()
	f := newRules()
	mustAdd(t, f, Rule{Code: "never", Probability: new(0.0)})
	mustAdd(t, f, Rule{Code: "off", Off: true})
	mustAdd(t, f, Rule{Code: "always", Probability: new(1.0)})
	if n := f.InForce(); n != 1 {
		t.Errorf("%d rules are in force, want the one that can be applied", n)
	}
	for number := range uint64(1000) {
		if got := decide(f, Call{}, number); got != "always" {
			t.Fatalf("request %d: %q", number, got)
		}
	}
}

// TestReplaceKeepsCounts replaces the rules by an earlier list of them: a rule with a count continues from its current
// one, and a rule without a count starts again. A rule that was deleted, or has a lower count, gets the count of the
// list.
func TestReplaceKeepsCounts(t *testing.T) {
	t.Parallel()
	f := newRules()
	mustAdd(t, f, Rule{Code: "kept", Match: &Match{Method: "GET"}, Times: new(3)})
	mustAdd(t, f, Rule{Code: "again", Times: new(1)})
	for _, method := range []string{"GET", "POST"} {
		decide(f, Call{Method: method}, 1)
	}
	list := f.List()
	decide(f, Call{Method: "GET"}, 1) // after the client has read the list
	list[1].Applied = 0
	must.Get(f.Replace([]Rule{list[1], list[0], {ID: 7, Code: "new", Applied: 2}}, 0))(t)
	expectRules(t, f, "2 again 0", "1 kept 2", "3 new 0")
	list = f.List()
	f.Clear()
	must.Get(f.Replace(list, 0))(t)
	expectRules(t, f, "2 again 0", "1 kept 2", "3 new 0")
	list[2].Applied = 2
	must.Get(f.Replace(list, 0))(t)
	expectRules(t, f, "2 again 0", "1 kept 2", "3 new 2")
	list[2].Applied = math.MaxInt64
	must.Get(f.Replace(list, 0))(t)
	expectRules(t, f, "2 again 0", "1 kept 2", fmt.Sprint("3 new ", MaxCount))
}

// TestReplaceKeepsInitialRules sends back a list of rules. Those that every sandbox starts with still come after rules
// that are added later, unless they are no longer the last ones or are deleted.
func TestReplaceKeepsInitialRules(t *testing.T) {
	t.Parallel()
	f := newRules(coded("initial"))
	mustAdd(t, f, coded("own"))
	must.Get(f.Replace(f.List(), 0))(t)
	mustAdd(t, f, coded("later"))
	expectRules(t, f, "2 own 0", "3 later 0", "1 initial 0")
	list := f.List()
	slices.Reverse(list)
	must.Get(f.Replace(list, 0))(t)
	mustAdd(t, f, coded("last"))
	expectRules(t, f, "1 initial 0", "3 later 0", "2 own 0", "4 last 0")

	f = newRules(coded("initial"))
	must.Succeed(t, f.Delete(1))
	mustAdd(t, f, coded("only"))
	expectRules(t, f, "2 only 0")
}
