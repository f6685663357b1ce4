package registry

import (
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// maxTemplateTries limits the attempts to change the template while other calls replace it. Of
// several concurrent changes, one always succeeds. So if all attempts fail, the change function
// probably replaces the template itself.
const maxTemplateTries = 100

// ErrTemplateChanges means that the template was replaced during every attempt to change it.
var ErrTemplateChanges = field.Refusal("conflict", "the template was replaced during each attempt to change it; "+
	"change only the sandbox that is given to the function")

// Template returns the template for new sandboxes other than the default one. A template has the
// name of the sandbox from which it was captured; the origin has no name. A template is immutable,
// but can be replaced.
func (r *Registry) Template() *sandbox.Sandbox { return r.template.Load() }

// TakeTemplate makes a copy of the named sandbox the template. The copy has the current data as its
// baseline, and no snapshots. Existing sandboxes do not change. The error is [sandbox.ErrBadName],
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
	r.UseTemplate(template)
	return template, nil
}

// DropTemplate makes the origin the template.
func (r *Registry) DropTemplate() { r.UseTemplate(r.origin) }

// ChangeTemplate calls change with a copy of the template and replaces the template with that copy.
// If change returns an error, ChangeTemplate returns it and replaces nothing. Otherwise, a later
// reset of an existing sandbox restores the new template if the sandbox was created after an
// earlier change of the template. If the sandbox was created before any change, a reset still
// restores the template as it was captured. Once ChangeTemplate has returned, the registry adds no
// more sandboxes that were created from an earlier template.
//
// ChangeTemplate holds no lock while it calls change, so change may take long. If the template is
// replaced in the meantime, ChangeTemplate calls change again with a copy of the new template. If
// that happens too often, it returns [ErrTemplateChanges].
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

// replaceTemplate replaces the template old with next. If old is no longer the template, it does
// nothing and returns false.
func (r *Registry) replaceTemplate(old, next *sandbox.Sandbox) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.template.Load() != old {
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

// UseTemplate makes template the template for new sandboxes.
func (r *Registry) UseTemplate(template *sandbox.Sandbox) {
	r.mu.Lock() // so that no sandbox is registered with the old template afterwards
	defer r.mu.Unlock()
	r.template.Store(template)
}

// templateOf returns the template for the sandbox with the canonical name. For the default sandbox,
// that is always the origin.
func (r *Registry) templateOf(name string) *sandbox.Sandbox {
	if name == sandbox.Default {
		return r.origin
	}
	return r.template.Load()
}

// StartWith makes the world the origin: the world's data becomes the baseline, and its clock,
// lifecycles and faults become the initial ones. The default sandbox also gets the world's
// snapshots. The server must not have served any request yet. The error comes from
// [sandbox.Sandbox.Load].
func (r *Registry) StartWith(w *sandbox.NewWorld) error {
	for _, sb := range []*sandbox.Sandbox{r.origin, r.def.Sandbox} {
		if err := sb.Load(w); err != nil {
			return err
		}
		// A reset restores this state.
		sb.SetBaseline(sandbox.Baseline{State: sb.Store.View(), Seed: sb.Baseline().Seed})
	}
	r.origin.Snapshots.Reset()
	return nil
}
