package fault

import "slices"

// Saved are the rules of a sandbox at one moment, each with its id and how often it was
// applied.
type Saved struct {
	Rules []Rule // in the order in which they are tried
	Base  []Rule // that come after them, also after those that are added
	Next  int64  // the id of the next one
}

// Save returns the rules as they are.
func (f *Rules) Save() Saved {
	f.changing.Lock()
	defer f.changing.Unlock()
	saved := Saved{Next: f.lastID + 1}
	for _, r := range f.current() {
		if r.base {
			saved.Base = append(saved.Base, r.counted())
		} else {
			saved.Rules = append(saved.Rules, r.counted())
		}
	}
	return saved
}

// Check returns the bytes that the rules take, or [ErrFull], [ErrBytes] or [ErrLarge].
func (s *Saved) Check() (bytes int64, err error) {
	return bounded(slices.Concat(s.Rules, s.Base), 0, 0)
}

// Load replaces all rules by saved ones, each of which has passed [Rule.Check], and which
// have passed [Saved.Check] together.
func (f *Rules) Load(s Saved) {
	var rules []*rule
	load := func(saved []Rule, base bool) {
		for _, r := range saved {
			loaded := &rule{Rule: r.clone(), matcher: newMatcher(r.Match), base: base}
			loaded.applied.Store(r.Applied)
			rules = append(rules, loaded)
		}
	}
	load(s.Rules, false)
	load(s.Base, true)
	f.changing.Lock()
	defer f.changing.Unlock()
	f.lastID = s.Next - 1
	f.publishLocked(rules)
}
