package sandbox

import "errors"

// maxTemplateTries bounds the attempts to change the template while others change it too. Losing
// every race means that change replaces the template itself, because each round of concurrent
// changes has a winner.
const maxTemplateTries = 100

// ErrTemplateChanges reports that the template was replaced during every attempt to change it.
var ErrTemplateChanges = errors.New("the template was replaced or changed again and again while a change of it was being made: " +
	"a change may change nothing but the sandbox that it is given")

// Template returns the template of new sandboxes other than the default one. Its name is that of
// the sandbox it was copied from, or empty for the server's initial state. A template never
// changes; another one replaces it.
func (r *Registry) Template() *Sandbox { return r.template.Load() }

// TakeTemplate makes a copy of the named sandbox the template, with its current data as the
// baseline and without its snapshots. Existing sandboxes do not change. The error is [ErrBadName],
// [ErrUnknown] or a [memory.Full].
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

// DropTemplate returns the template to the initial one.
func (r *Registry) DropTemplate() { r.setTemplate(r.first) }

// ChangeTemplate replaces the template by a copy that change has modified. If change returns an
// error, ChangeTemplate returns it and replaces nothing. Sandboxes made from the old template, or
// from what earlier changes made of it, reset to the new one. A list of the sandboxes that is read
// afterwards contains all that were made from an earlier template.
//
// No lock is held during change, so it may take long. If the template was replaced meanwhile,
// change is called again on a copy of the new one. [ErrTemplateChanges] means that this happened
// too often.
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

// replaceTemplate replaces the template, unless it is no longer now.
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
	r.mu.Lock() // sandboxes are created from it under this lock
	defer r.mu.Unlock()
	r.template.Store(to)
}

// templateOf returns the template for the canonical name. The default sandbox always has the
// server's initial state.
func (r *Registry) templateOf(name string) *Sandbox {
	if name == Default {
		return r.fresh
	}
	return r.template.Load()
}
