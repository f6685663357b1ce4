package fault

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"example.com/petstore/store/field"
)

// These constants limit the fault rules of a sandbox.
const (
	MaxRules = 1000
	MaxBytes = 1 << 20
	MaxRule  = 64 << 10 // the maximum size of one rule, in bytes
)

// MaxCount is the largest count, and the largest id from a file, that a rule keeps. A server that
// counts on from there would need far too long to pass the largest integer of JSON, so the files
// that it writes can always be read.
const MaxCount = 1<<52 - 1

// Errors of [Rules].
var (
	ErrUnknown = field.Refusal("not_found", "there is no such fault rule")
	ErrFull    = field.Refusal("sandbox_full", "a sandbox can have at most %d fault rules; delete some first", MaxRules)
	ErrBytes   = field.Refusal("sandbox_full",
		"the fault rules of a sandbox can take at most %d KiB together; delete some first, or use shorter texts",
		MaxBytes>>10)
	ErrLarge = field.Refusal("payload_too_large",
		"a fault rule can take at most %d KiB; use shorter texts or fewer headers", MaxRule>>10)
)

// Rules are the fault rules of a sandbox, in the order in which they are tried. The rules that
// every sandbox starts with come last, so that added rules override them. Rules must be created by
// [NewRules], or filled by [Rules.Load] before any other use.
type Rules struct {
	rules atomic.Pointer[[]*rule] // a published slice is never modified, except for the counters

	changing sync.Mutex // serializes changes, and guards the fields below
	lastID   int64
	base     uint16 // how many of the last rules are initial ones; small, as every sandbox has one

	bytes atomic.Int32 // see [Rules.Bytes]
}

// rule is a Rule in use.
type rule struct {
	Rule    // the field Applied is not used; see applied
	applied *atomic.Int64
}

// NewRules returns Rules with base as the initial rules, which get the ids from 1 on. The values
// that the rules in base point to must never be modified.
func NewRules(base []Rule) *Rules {
	base = slices.Clone(base)
	for i := range base {
		base[i].ID = int64(i) + 1
	}
	f := &Rules{}
	f.Load(Saved{Base: base, Next: int64(len(base)) + 1})
	return f
}

// List returns the rules in the order in which they are tried.
func (f *Rules) List() []Rule { return counted(f.current()) }

// InForce returns the number of rules that can still be applied.
func (f *Rules) InForce() int {
	n := 0
	for _, r := range f.current() {
		off := r.Off || r.Probability != nil && *r.Probability == 0
		if !off && (r.Times == nil || r.applied.Load() < int64(*r.Times)) {
			n++
		}
	}
	return n
}

// Bytes returns the memory used by the rules, in bytes.
func (f *Rules) Bytes() int64 { return int64(f.bytes.Load()) }

// Add adds a rule with the given id, which must be reserved, or with the next id if id is 0. It
// returns the rule with its id. The rule must be valid; see [Rule.Check]. The error is [ErrFull],
// [ErrBytes] or [ErrLarge].
func (f *Rules) Add(r Rule, id int64) (Rule, error) {
	f.changing.Lock()
	defer f.changing.Unlock()
	old := f.current()
	if _, err := checkSize([]Rule{r}, len(old), f.Bytes()); err != nil {
		return Rule{}, err
	}
	added := &rule{Rule: r.clone(), applied: &atomic.Int64{}}
	added.ID = cmp.Or(id, f.lastID+1)
	f.lastID = max(f.lastID, added.ID)
	f.publishLocked(slices.Insert(slices.Clone(old), len(old)-int(f.base), added), int(f.base))
	return added.withCount(), nil
}

// LastID returns the largest id assigned or reserved so far.
func (f *Rules) LastID() int64 {
	f.changing.Lock()
	defer f.changing.Unlock()
	return f.lastID
}

// Reserve reserves n ids, from first on, for [Rules.Add] and [Rules.Replace]. It reports whether first
// was larger than every id assigned or reserved before. If it was not, the caller must not use the
// ids. In either case, ids assigned later are larger than these.
func (f *Rules) Reserve(first int64, n int) bool {
	f.changing.Lock()
	defer f.changing.Unlock()
	free := f.lastID < first
	f.lastID = max(f.lastID, first+int64(n)-1)
	return free
}

// Replace replaces all rules with the given ones and returns them with their ids. The rules must be
// valid; see [Rule.Check]. A rule keeps its id if the sandbox has assigned or reserved that id
// before and no earlier rule in the list has it, so a client can send back a list of rules. If Applied
// is over 0, it also keeps the count of the rule that has its id. If there is none, or if its count
// is lower, the rule starts at Applied, or at [MaxCount] if that is larger. Initial rules at the end
// of the list remain initial ones. Other rules get ids from first on, which must be reserved, or the
// next ids if first is 0. The error is [ErrFull], [ErrBytes] or [ErrLarge].
func (f *Rules) Replace(rules []Rule, first int64) ([]Rule, error) {
	if _, err := checkSize(rules, 0, 0); err != nil {
		return nil, err
	}
	f.changing.Lock()
	defer f.changing.Unlock()
	last := cmp.Or(first, f.lastID+1) - 1
	next := last + 1
	old := make(map[int64]*rule)
	for _, r := range f.current() {
		old[r.ID] = r
	}
	kept := make(map[int64]bool)
	prepared := make([]*rule, len(rules))
	for i, r := range rules {
		prepared[i] = r.clone().started()
		if 0 < r.ID && r.ID <= last && !kept[r.ID] {
			kept[r.ID] = true
			if was := old[r.ID]; was != nil && 0 < r.Applied && r.Applied <= was.applied.Load() {
				prepared[i].applied = was.applied // requests are counted meanwhile
			}
			continue
		}
		prepared[i].applied.Store(0)
		prepared[i].ID = next
		next++
	}
	before, base := f.current(), 0
	initial := before[len(before)-int(f.base):]
	for base < len(prepared) && slices.Contains(initial, old[prepared[len(prepared)-1-base].ID]) {
		base++
	}
	f.lastID = max(f.lastID, next-1)
	f.publishLocked(prepared, base)
	return counted(prepared), nil
}

// Clear removes all rules, including the initial ones.
func (f *Rules) Clear() {
	f.changing.Lock()
	defer f.changing.Unlock()
	f.publishLocked(nil, 0)
}

// Delete removes the rule with the id, or returns [ErrUnknown].
func (f *Rules) Delete(id int64) error {
	f.changing.Lock()
	defer f.changing.Unlock()
	old := f.current()
	at := slices.IndexFunc(old, func(r *rule) bool { return r.ID == id })
	if at < 0 {
		return fmt.Errorf("%w: %d", ErrUnknown, id)
	}
	base := int(f.base)
	if at >= len(old)-base {
		base--
	}
	f.publishLocked(slices.Delete(slices.Clone(old), at, at+1), base)
	return nil
}

// Decide returns the rule that applies to a request, without its count, and the delay of the
// request. It counts the application. If no rule applies, Decide returns nil. Decide draws one
// random number for each matching rule with a probability, in order, until a rule applies. It draws
// even for a rule that can no longer be applied, so that a rule's random number depends only on the
// rules, the request, the seed and the request's draw number, and not on other requests.
func (f *Rules) Decide(c *Call, draws *Draws) (*Rule, time.Duration) {
	for _, r := range f.current() {
		if r.Match.matches(c) && (r.Probability == nil || draws.Rand().Float64() < *r.Probability) && r.take() {
			return &r.Rule, r.Delay.draw(draws)
		}
	}
	return nil, 0
}

// started returns the rule in use, with a count that starts at Applied.
func (r Rule) started() *rule {
	started := &rule{Rule: r, applied: &atomic.Int64{}}
	started.applied.Store(min(max(0, r.Applied), MaxCount))
	return started
}

func (f *Rules) current() []*rule { return *f.rules.Load() }

// publishLocked replaces the rules. The last base of them are initial ones.
func (f *Rules) publishLocked(rules []*rule, base int) {
	f.base = uint16(base) // at most MaxRules
	bytes := 0
	for _, r := range rules {
		bytes += r.bytes()
	}
	f.bytes.Store(int32(bytes)) // at most MaxBytes
	f.rules.Store(&rules)
}

// take counts an application of the rule. If the rule is off or can no longer be applied, take counts
// nothing and returns false.
func (r *rule) take() bool {
	if r.Off {
		return false
	}
	if n := r.applied.Add(1); r.Times != nil && n > int64(*r.Times) {
		r.applied.Add(-1)
		return false
	}
	return true
}

func (r *rule) withCount() Rule {
	copied := r.Rule.clone()
	copied.Applied = r.applied.Load()
	return copied
}

// counted returns copies of the rules with their counts.
func counted(rules []*rule) []Rule {
	list := make([]Rule, len(rules))
	for i, r := range rules {
		list[i] = r.withCount()
	}
	return list
}
