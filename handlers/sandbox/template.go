package sandbox

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
	r.changing.Lock()
	defer r.changing.Unlock()
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
func (r *Registry) DropTemplate() {
	r.changing.Lock()
	defer r.changing.Unlock()
	r.setTemplate(r.first)
}

// ChangeTemplate makes the next template of this one by change, unless that returns an
// error, which is returned as it is. Whoever lists the sandboxes afterwards has all that
// were made of an earlier one. Those that were made of what changes had made of it follow: a
// reset returns them to the next one.
func (r *Registry) ChangeTemplate(change func(next *Sandbox) error) error {
	r.changing.Lock()
	defer r.changing.Unlock()
	now := r.template.Load()
	next := now.fork(Name{now.Name, now.Title})
	if err := change(next); err != nil {
		return err
	}
	r.setTemplate(next)
	taken := next.start.Load()
	for _, sb := range r.List() {
		if of := sb.start.Load(); of != taken && of.start.Load() == taken {
			sb.start.Store(next)
		}
	}
	return nil
}

// setTemplate is called by who holds changing.
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
