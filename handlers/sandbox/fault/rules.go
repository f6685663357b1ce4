package fault

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"example.com/petstore/store/field"
)

// These constants limit the fault rules of a sandbox. Rules that all sandboxes share do not count
// towards MaxBytes.
const (
	MaxRules = 1000
	MaxBytes = 1 << 20
	MaxRule  = 64 << 10 // the maximum size of one rule, in bytes
)

// Errors of [Rules].
var (
	ErrUnknown = field.Refusal("not_found", "there is no such fault rule")
	ErrTaken   = field.Refusal("conflict", "another fault rule has just got this id; try again")
	ErrFull    = field.Refusal("sandbox_full", "a sandbox can have at most %d fault rules; delete some first", MaxRules)
	ErrBytes   = field.Refusal("sandbox_full",
		"the fault rules of a sandbox can take at most %d KiB together; delete some first, or use shorter texts",
		MaxBytes>>10)
	ErrLarge = field.Refusal("payload_too_large",
		"a fault rule can take at most %d KiB; use shorter texts or fewer headers", MaxRule>>10)
)

// Rules are the fault rules of a sandbox. The rules are tried in the order of their creation. The
// rules that every sandbox starts with come last, so that added rules override them.
type Rules struct {
	rules atomic.Pointer[[]*rule] // nil if there are none; a published slice is never modified, except for the counters

	changing sync.Mutex // serializes changes
	lastID   int64      // guarded by changing

	bytes atomic.Int64 // see [Rules.Bytes]
}

// rule is a Rule prepared for matching.
type rule struct {
	Rule    // the field Applied is not used; see applied
	applied atomic.Int64
	matcher matcher
	base    bool // one of the initial rules, which are tried after all others
	shared  bool // shared by all sandboxes, so its bytes do not count
}

// Decision is the effect of the rules on one request.
type Decision struct {
	Rule  *Rule         // the rule to apply, without its count; nil if none applies
	Delay time.Duration // the delay drawn for the request
}

// NewRules returns Rules with base as the initial rules. base must never be modified.
func NewRules(base []Rule) *Rules {
	f := &Rules{}
	f.changing.Lock()
	defer f.changing.Unlock()
	f.publishLocked(f.prepareLocked(base, true))
	return f
}

// List returns the rules in the order in which they are tried.
func (f *Rules) List() []Rule {
	list := []Rule{}
	for _, r := range f.current() {
		list = append(list, r.withCount())
	}
	return list
}

// InForce returns the number of rules that can still be applied.
func (f *Rules) InForce() int {
	n := 0
	for _, r := range f.current() {
		if r.Times == nil || r.applied.Load() < int64(*r.Times) {
			n++
		}
	}
	return n
}

// Bytes returns the memory used by the rules, except the rules that all sandboxes share, in bytes.
func (f *Rules) Bytes() int64 { return f.bytes.Load() }

// Add adds a rule and returns it with its id. The rule must be valid; see [Rule.Check]. The error
// is [ErrFull], [ErrBytes] or [ErrLarge].
func (f *Rules) Add(r Rule) (Rule, error) { return f.AddAs(r, 0) }

// AddAs is like Add, but the rule gets an id that was reserved by [Rules.Reserve]. If id is 0, the
// rule gets the next id. The error may also be [ErrTaken], if another rule has the id.
func (f *Rules) AddAs(r Rule, id int64) (Rule, error) {
	f.changing.Lock()
	defer f.changing.Unlock()
	old := f.current()
	if slices.ContainsFunc(old, func(r *rule) bool { return r.ID == id }) {
		return Rule{}, fmt.Errorf("%w: %d", ErrTaken, id)
	}
	if _, err := checkSize([]Rule{r}, len(old), f.bytes.Load()); err != nil {
		return Rule{}, err
	}
	lastID := f.lastID
	r.ID = 0
	added := f.prepareLocked([]Rule{r}, false)
	if id != 0 {
		added[0].ID, f.lastID = id, max(lastID, id)
	}
	next := make([]*rule, 0, len(old)+1)
	for i, r := range old {
		if r.base {
			next = append(append(next, added...), old[i:]...)
			f.publishLocked(next)
			return added[0].withCount(), nil
		}
		next = append(next, r)
	}
	f.publishLocked(append(next, added...))
	return added[0].withCount(), nil
}

// LastID returns the largest id assigned so far.
func (f *Rules) LastID() int64 {
	f.changing.Lock()
	defer f.changing.Unlock()
	return f.lastID
}

// Reserve reserves n ids, from first on, for [Rules.AddAs] and [Rules.Replace]. It returns false if
// one of them or a larger id was assigned or reserved before.
func (f *Rules) Reserve(first int64, n int) bool {
	f.changing.Lock()
	defer f.changing.Unlock()
	free := f.lastID < first
	f.lastID = max(f.lastID, first+int64(n)-1)
	return free
}

// Replace replaces all rules with the given ones and returns them with their ids. The rules must be
// valid; see [Rule.Check]. A rule keeps its id if the sandbox has assigned that id before, so a
// client can send back a list of rules. The error is [ErrFull], [ErrBytes] or [ErrLarge].
func (f *Rules) Replace(rules []Rule) ([]Rule, error) {
	if _, err := checkSize(rules, 0, 0); err != nil {
		return nil, err
	}
	f.changing.Lock()
	defer f.changing.Unlock()
	next := f.prepareLocked(rules, false)
	f.publishLocked(next)
	list := make([]Rule, len(next))
	for i, r := range next {
		list[i] = r.withCount()
	}
	return list, nil
}

// Clear removes all rules, including the initial ones.
func (f *Rules) Clear() {
	f.changing.Lock()
	defer f.changing.Unlock()
	f.publishLocked(nil)
}

// Delete removes the rule with the id, or returns [ErrUnknown].
func (f *Rules) Delete(id int64) error {
	f.changing.Lock()
	defer f.changing.Unlock()
	old := f.current()
	for i, r := range old {
		if r.ID == id {
			next := append([]*rule(nil), old[:i]...)
			f.publishLocked(append(next, old[i+1:]...))
			return nil
		}
	}
	return fmt.Errorf("%w: %d", ErrUnknown, id)
}

// Decide returns the effect of the rules on a request, and counts the application of the rule. For
// each matching rule with a probability, up to the rule that it applies, it draws one number, even
// if the rule can no longer be applied. So the number for a rule depends only on the rules, the
// request, the seed and the number of the request, and not on other requests.
func (f *Rules) Decide(c *Call, draws *Draws) Decision {
	for _, r := range f.current() {
		if !r.matcher.matches(c) {
			continue
		}
		if r.Probability != nil && draws.Float64() >= *r.Probability {
			continue
		}
		if r.take() {
			return Decision{Rule: &r.Rule, Delay: r.Delay.draw(draws)}
		}
	}
	return Decision{}
}

// Fork returns a copy of the rules, including their counts, for another sandbox.
func (f *Rules) Fork() *Rules {
	fork := &Rules{}
	fork.CopyFrom(f)
	return fork
}

// CopyFrom replaces all rules with those of another sandbox, including their counts and the next
// id.
func (f *Rules) CopyFrom(other *Rules) {
	other.changing.Lock()
	lastID := other.lastID
	var copies []*rule
	for _, r := range other.current() {
		c := &rule{Rule: r.Rule, matcher: r.matcher, base: r.base, shared: r.shared}
		c.applied.Store(r.applied.Load())
		copies = append(copies, c)
	}
	other.changing.Unlock()
	f.changing.Lock()
	defer f.changing.Unlock()
	f.lastID = lastID
	f.publishLocked(copies)
}

func (f *Rules) current() []*rule {
	if rules := f.rules.Load(); rules != nil {
		return *rules
	}
	return nil
}

func (f *Rules) publishLocked(rules []*rule) {
	bytes := 0
	for _, r := range rules {
		if !r.shared {
			bytes += r.bytes()
		}
	}
	f.bytes.Store(int64(bytes))
	if len(rules) == 0 {
		f.rules.Store(nil)
		return
	}
	f.rules.Store(&rules)
}

// prepareLocked prepares rules and assigns their ids. It does not copy base rules, because they
// never change.
func (f *Rules) prepareLocked(rules []Rule, base bool) []*rule {
	rules = slices.Clone(rules)
	f.lastID = AssignIDs(rules, f.lastID)
	prepared := make([]*rule, len(rules))
	for i, r := range rules {
		if !base {
			r = r.clone()
		}
		prepared[i] = &rule{Rule: r, matcher: newMatcher(r.Match), base: base, shared: base}
	}
	return prepared
}

// AssignIDs assigns ids to rules in place. The first rule with a given id from 1 to last keeps its
// id. All other rules get new ids, from last+1 on. AssignIDs returns the last id.
func AssignIDs(rules []Rule, last int64) int64 {
	kept, lastKept := make(map[int64]bool), last
	for i := range rules {
		if id := rules[i].ID; 0 < id && id <= lastKept && !kept[id] {
			kept[id] = true
			continue
		}
		last++
		rules[i].ID = last
	}
	return last
}

// take counts an application of the rule. If the rule can no longer be applied, take counts nothing
// and returns false.
func (r *rule) take() bool {
	if r.Times == nil {
		r.applied.Add(1)
		return true
	}
	for {
		n := r.applied.Load()
		if n >= int64(*r.Times) {
			return false
		}
		if r.applied.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (r *rule) withCount() Rule {
	counted := r.Rule.clone()
	counted.Applied = r.applied.Load()
	return counted
}
