package sandbox

import "errors"

// maxTemplateTries is how often a change of the template is made anew where others have
// changed it meanwhile. Whoever is late each time has been in the way of itself: of those who
// change it at once, each time one is done.
const maxTemplateTries = 100

// ErrTemplateChanges means that the template was another one whenever a change of it was made.
var ErrTemplateChanges = errors.New("the template was replaced or changed again and again while a change of it was being made: " +
	"a change may change nothing but the sandbox that it is given")

// Template returns the sandbox of which new ones, other than the default one, are forks. Its
// name is that of the sandbox that it is a copy of; empty: of a fresh one. A template never
// changes: another takes its place.
func (r *Registry) Template() *Sandbox { return r.template.Load() }

// TakeTemplate makes a copy of the sandbox that the text names the template, with its data
// now as the baseline and without its snapshots. Sandboxes that are there stay as they are.
// The error is [ErrBadName], [ErrUnknown] or a [memory.Full].
func (r *Registry) TakeTemplate(from string) (*Sandbox, error) {
	source, err := r.Find(from)
	if err != nil {
		return nil, err
	}
	if err := r.reserve(); err != nil {
		return nil, err
	}
	template := source.asTemplate(Name{source.Name, source.Title})
	r.setTemplate(template)
	return template, nil
}

// asTemplate returns a copy with the data as the baseline and without snapshots.
func (s *Sandbox) asTemplate(name Name) *Sandbox {
	template := s.fork(name)
	template.start.Store(template)
	template.Snapshots.Reset()
	if now := template.Store.View(); now != template.baseline.Load().State {
		template.setBaseline(Baseline{State: now, Seed: template.baseline.Load().Seed})
	}
	return template
}

// DropTemplate makes new sandboxes fresh again.
func (r *Registry) DropTemplate() { r.setTemplate(r.first) }

// ChangeTemplate makes the next template of this one by change, unless that returns an
// error, which is returned as it is. Whoever lists the sandboxes afterwards has all that
// were made of an earlier one. Those that were made of what changes had made of it follow: a
// reset returns them to the next one.
//
// Nothing is locked while change runs, so that it may take its time; where the template has
// become another one meanwhile, it is called again with the next of that. The error is then
// [ErrTemplateChanges] if that does not end.
func (r *Registry) ChangeTemplate(change func(next *Sandbox) error) error {
	for range maxTemplateTries {
		now := r.template.Load()
		next := now.fork(Name{now.Name, now.Title})
		if err := change(next); err != nil {
			return err
		}
		if r.replaceTemplate(now, next) {
			return nil
		}
	}
	return ErrTemplateChanges
}

// replaceTemplate makes next the template, unless it is not now any more.
func (r *Registry) replaceTemplate(now, next *Sandbox) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.template.Load() != now {
		return false
	}
	r.template.Store(next)
	taken := next.start.Load()
	for _, sb := range r.sandboxes {
		if of := sb.start.Load(); of != taken && of.start.Load() == taken {
			sb.start.Store(next)
		}
	}
	return true
}

func (r *Registry) setTemplate(to *Sandbox) {
	r.mu.Lock() // under which sandboxes are made of it
	defer r.mu.Unlock()
	r.template.Store(to)
}

// templateOf returns the template of sandboxes of the canonical name. The default one is as
// the server was started.
func (r *Registry) templateOf(name string) *Sandbox {
	if name == Default {
		return r.fresh
	}
	return r.template.Load()
}
