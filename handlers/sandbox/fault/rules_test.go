package fault

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func newRules(base ...Rule) *Rules { return NewRules(base) }

// coded returns a rule that is told by its code.
func coded(code string) Rule { return Rule{Status: new(503), Code: code} }

func mustAdd(t testing.TB, f *Rules, r Rule) Rule {
	t.Helper()
	added, err := f.Add(r)
	if err != nil {
		t.Fatal(err)
	}
	return added
}

// summary tells the rules as id, code and count.
func summary(f *Rules) []string {
	var all []string
	for _, r := range f.List() {
		all = append(all, fmt.Sprintf("%d %s %d", r.ID, r.Code, r.Applied))
	}
	return all
}

func expectRules(t *testing.T, f *Rules, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, summary(f)); diff != "" {
		t.Errorf("rules, -want +got:\n%s", diff)
	}
}

func TestRulesAreKept(t *testing.T) {
	t.Parallel()
	f := newRules(coded("base"))
	expectRules(t, f, "1 base 0")
	if got := mustAdd(t, f, Rule{ID: 77, Applied: 88, Code: "a"}); got.ID != 2 || got.Applied != 0 {
		t.Errorf("added = %+v", got)
	}
	mustAdd(t, f, coded("b"))
	expectRules(t, f, "2 a 0", "3 b 0", "1 base 0")

	if err := f.Delete(3); err != nil {
		t.Error(err)
	}
	if err := f.Delete(3); !errors.Is(err, ErrUnknown) {
		t.Errorf("second Delete = %v", err)
	}
	mustAdd(t, f, coded("c")) // no id comes back
	expectRules(t, f, "2 a 0", "4 c 0", "1 base 0")

	replaced, err := f.Replace([]Rule{coded("d"), coded("e")})
	if err != nil || len(replaced) != 2 || replaced[0].ID != 5 {
		t.Errorf("Replace = %v %v", replaced, err)
	}
	expectRules(t, f, "5 d 0", "6 e 0")
	mustAdd(t, f, coded("f"))
	expectRules(t, f, "5 d 0", "6 e 0", "7 f 0")

	f.Clear()
	expectRules(t, f)
	if got := decide(f, Call{}, 1); got != "" {
		t.Errorf("cleared, but %s", got)
	}
	f.CopyFrom(newRules(coded("base")))
	expectRules(t, f, "1 base 0")
	mustAdd(t, f, coded("g")) // the same calls after a reset get the same ids
	expectRules(t, f, "2 g 0", "1 base 0")
}

func TestReplacedRulesKeepTheirIDs(t *testing.T) {
	t.Parallel()
	f := newRules(coded("base"))
	mustAdd(t, f, coded("a"))
	decide(f, Call{}, 1)
	named := func(id int64, code string) Rule { return Rule{ID: id, Code: code, Status: new(503)} }
	if _, err := f.Replace([]Rule{coded("new"), named(2, "a"), named(2, "again"), named(9, "unknown"), named(1, "base")}); err != nil {
		t.Fatal(err)
	}
	expectRules(t, f, "3 new 0", "2 a 0", "4 again 0", "5 unknown 0", "1 base 0")
	listed := f.List()
	f.Clear()
	if _, err := f.Replace(listed); err != nil {
		t.Fatal(err)
	}
	expectRules(t, f, "3 new 0", "2 a 0", "4 again 0", "5 unknown 0", "1 base 0")
}

func TestRulesFork(t *testing.T) {
	t.Parallel()
	f := newRules(coded("base"))
	mustAdd(t, f, Rule{Code: "a", Times: new(2), Match: &Match{Path: "/a"}})
	decide(f, Call{Path: "/a"}, 1)
	fork := f.Fork()
	expectRules(t, fork, "2 a 1", "1 base 0")
	decide(fork, Call{Path: "/a"}, 1)
	decide(fork, Call{Path: "/a"}, 1)
	mustAdd(t, fork, coded("b"))
	expectRules(t, fork, "2 a 2", "3 b 0", "1 base 1")
	expectRules(t, f, "2 a 1", "1 base 0")
	if f.InForce() != 2 || fork.InForce() != 2 {
		t.Errorf("%d and %d rules are in force, want 2 and, of 3, 2", f.InForce(), fork.InForce())
	}
}
