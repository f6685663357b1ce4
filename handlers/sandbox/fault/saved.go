package fault

import "slices"

// Saved holds the rules of a sandbox, for an export or for another sandbox, with their ids and counts.
type Saved struct {
	Rules []Rule // in the order in which they are tried
	Base  []Rule // tried after Rules and after rules that are added later
	Next  int64  // the next id
}

// Save returns copies of the current rules.
func (f *Rules) Save() Saved {
	f.changing.Lock()
	defer f.changing.Unlock()
	saved := Saved{Next: f.lastID + 1}
	rules := counted(f.current())
	own := len(rules) - int(f.base)
	saved.Rules, saved.Base = rules[:own:own], rules[own:]
	return saved
}

// Check returns the memory that the rules use, or [ErrFull], [ErrBytes] or [ErrLarge].
func (s *Saved) Check() (bytes int64, err error) {
	return checkSize(slices.Concat(s.Rules, s.Base), 0, 0)
}

// Load replaces all rules with the saved ones, which must not be modified any more. Each rule must
// have passed [Rule.Check], and s must have passed [Saved.Check].
func (f *Rules) Load(s Saved) {
	rules := make([]*rule, 0, len(s.Rules)+len(s.Base))
	for _, r := range slices.Concat(s.Rules, s.Base) {
		rules = append(rules, r.started())
	}
	f.changing.Lock()
	defer f.changing.Unlock()
	f.lastID = s.Next - 1
	f.publishLocked(rules, len(s.Base))
}
