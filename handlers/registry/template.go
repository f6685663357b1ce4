package registry

import (
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// maxTemplateTries bounds the attempts to change the template while others change it too. Losing
// every race means that change replaces the template itself, because each round of concurrent
// changes has a winner.
const maxTemplateTries = 100

// ErrTemplateChanges reports that the template was replaced during every attempt to change it.
var ErrTemplateChanges = field.Refusal("conflict", "the template was replaced or changed again and again while a change of it was being made: "+
	"a change may change nothing but the sandbox that it is given")

// Template returns the template of new sandboxes other than the default one. Its name is that of
// the sandbox it was copied from, or empty for the origin. A template never
// changes; another one replaces it.
func (r *Registry) Template() *sandbox.Sandbox { return r.template.Load() }

// TakeTemplate makes a copy of the named sandbox the template, with its current data as the
// baseline and without its snapshots. Existing sandboxes do not change. The error is [sandbox.ErrBadName],
// [ErrUnknown] or a [memory.Full].
func (r *Registry) TakeTemplate(from string) (*sandbox.Sandbox, error) {
	source, err := r.Find(from)
	if err != nil {
		return nil, err
	}
	if err := r.reserve(); err != nil {
		return nil, err
	}
	template := source.AsTemplate(sandbox.Name{Canonical: source.Name, Title: source.Title})
	r.setTemplate(template)
	return template, nil
}

// DropTemplate returns the template to the origin.
func (r *Registry) DropTemplate() { r.setTemplate(r.origin) }

// ChangeTemplate replaces the template by a copy that change has modified. If change returns an
// error, ChangeTemplate returns it and replaces nothing. Sandboxes made from the old template, or
// from what earlier changes made of it, reset to the new one. A list of the sandboxes that is read
// afterwards contains all that were made from an earlier template.
//
// No lock is held during change, so it may take long. If the template was replaced meanwhile,
// change is called again on a copy of the new one. [ErrTemplateChanges] means that this happened
// too often.
func (r *Registry) ChangeTemplate(change func(next *Entry) error) error {
	for range maxTemplateTries {
		now := r.template.Load()
		next := newEntry(now.Fork(sandbox.Name{Canonical: now.Name, Title: now.Title}))
		if err := change(next); err != nil {
			return err
		}
		if r.replaceTemplate(now, next.Sandbox) {
			return nil
		}
	}
	return ErrTemplateChanges
}

// replaceTemplate replaces the template, unless it is no longer now.
func (r *Registry) replaceTemplate(now, next *sandbox.Sandbox) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.template.Load() != now {
		return false
	}
	r.template.Store(next)
	taken := next.Template()
	for _, sb := range r.sandboxes {
		if of := sb.Template(); of != taken && of.Template() == taken {
			sb.SetTemplate(next)
		}
	}
	return true
}

func (r *Registry) setTemplate(to *sandbox.Sandbox) {
	r.mu.Lock() // sandboxes are created from it under this lock
	defer r.mu.Unlock()
	r.template.Store(to)
}

// templateOf returns the template for the canonical name. That of the default sandbox is always the
// origin.
func (r *Registry) templateOf(name string) *sandbox.Sandbox {
	if name == sandbox.Default {
		return r.origin
	}
	return r.template.Load()
}

// StartWith makes the world the origin: its data as the baseline, its clock, lifecycles and faults.
// Only the default sandbox gets its snapshots. The server must not have served any request yet. The
// error is as for [sandbox.Sandbox.Load].
func (r *Registry) StartWith(w *sandbox.NewWorld) error {
	for _, sb := range []*sandbox.Sandbox{r.origin, r.def.Sandbox} {
		if err := sb.Load(w); err != nil {
			return err
		}
		sb.SetBaseline(sandbox.Baseline{State: sb.Store.View(), Seed: sb.Baseline().Seed}) // so that a reset returns to the start
	}
	r.origin.Snapshots.Reset()
	return nil
}
