package fault

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func newRules(base ...Rule) *Rules { return NewRules(base) }

// coded returns a rule that its code identifies.
func coded(code string) Rule { return Rule{Status: new(503), Code: code} }

func mustAdd(t testing.TB, f *Rules, r Rule) Rule {
	t.Helper()
	added, err := f.Add(r)
	if err != nil {
		t.Fatal(err)
	}
	return added
}

// summary formats the rules as id, code and count.
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
