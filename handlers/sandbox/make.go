package sandbox

import "fmt"

// sandboxBytes is what a new sandbox may need, its first requests' journal included.
const sandboxBytes = 8 << 10

// Wish is what a sandbox is to be.
type Wish struct {
	Baseline *Baseline // to be like new with; nil: as it is, or as new ones start
	Fresh    bool      // whether one that is there becomes as new ones start, without snapshots and webhooks
}

// Make makes the sandbox that the text names unless it is there, and reports whether
// it did; one that is there is claimed. With a baseline the sandbox has that one and is
// like new, either way. The error is [ErrBadName], [ErrLimit] or [memory.ErrFull].
func (r *Registry) Make(text string, w Wish) (sb *Sandbox, made bool, err error) {
	sb, made, _, err = r.MakeOwned(text, w, Ownership{})
	return sb, made, err
}

// MakeOwned is Make for a sandbox that has a key of its own from its first moment, or
// another one from now on. It returns that key, which nobody is told again; empty: it has
// none, or the one that it had.
func (r *Registry) MakeOwned(text string, w Wish, o Ownership) (sb *Sandbox, made bool, key string, err error) {
	name, err := r.options.Shard.parse(text)
	if err != nil {
		return nil, false, "", err
	}
	if err := r.reserveUnlessThere(name); err != nil {
		return nil, false, "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if sb, made, err = r.makeLocked(name, w); err != nil {
		return nil, false, "", err
	}
	return sb, made, r.ownLocked(sb, o), nil
}

func (r *Registry) makeLocked(name Name, w Wish) (sb *Sandbox, made bool, err error) {
	sb, ok := r.sandboxes[name.Canonical]
	if !ok {
		sb, err = r.addLocked(name, func(name Name) *Sandbox {
			sb := r.likeNew(name)
			if w.Baseline != nil {
				sb.setBaseline(*w.Baseline)
				sb.Store.Reset()
			}
			return sb
		})
		return sb, err == nil, err
	}
	sb.Claim()
	sb.Touch()
	if w.Fresh {
		template := r.templateOf(name.Canonical)
		sb.start.Store(template)
		sb.Snapshots.Reset()
		sb.Webhooks.Reset()
		if w.Baseline == nil {
			w.Baseline = template.baseline.Load()
		}
	}
	if w.Baseline != nil {
		sb.Rebase(*w.Baseline)
	}
	return sb, false, nil
}

// Fork makes a sandbox that is a copy of another at this moment: its data,
// baseline, snapshots, clock, faults, lifecycles and what a reset returns them to, not its journal, report, keys
// and history; its draws begin anew. Its cost does not depend on the data. The error is [ErrUnknown],
// [ErrExists], [ErrBadName], [ErrLimit] or [memory.ErrFull].
func (r *Registry) Fork(from, to string) (*Sandbox, error) {
	fromName, err := r.options.Shard.parse(from)
	if err != nil {
		return nil, err
	}
	toName, err := r.options.Shard.parse(to)
	if err != nil {
		return nil, err
	}
	if err := r.reserve(); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	source, err := r.findLocked(fromName)
	if err != nil {
		return nil, err
	}
	if _, ok := r.sandboxes[toName.Canonical]; ok {
		return nil, fmt.Errorf("%w: %q", ErrExists, to)
	}
	source.hold() // so that it does not make the room
	defer source.Release()
	return r.addLocked(toName, source.fork)
}

// likeNew makes a sandbox as those of the name start.
func (r *Registry) likeNew(name Name) *Sandbox {
	template := r.templateOf(name.Canonical)
	sb := template.fork(name)
	sb.start.Store(template)
	return sb
}

// addLocked makes a sandbox of a name that is not taken.
func (r *Registry) addLocked(name Name, make func(Name) *Sandbox) (*Sandbox, error) {
	if r.door != nil && r.door.Ended {
		return nil, ErrEnded
	}
	if !r.makeRoomLocked() {
		return nil, ErrLimit
	}
	sb := make(name.clone())
	if r.closed {
		sb.finish(ErrStopped) // as the others were
	}
	sb.registered.Store(true)
	r.sandboxes[sb.Name] = sb
	r.NoteChange()
	r.events.Gather(sb.Journal, sb.Name)
	r.scheduleLocked()
	return sb, nil
}

// reserve promises the memory of a new sandbox, or returns [memory.ErrFull]. Not under mu,
// since it may have to look for room.
func (r *Registry) reserve() error {
	if err := r.options.Memory.Reserve(sandboxBytes); err != nil {
		return err
	}
	r.options.Memory.Release(sandboxBytes) // what is made of it counts until it is found
	return nil
}

// reserveUnlessThere is reserve for a sandbox that may be there already.
func (r *Registry) reserveUnlessThere(name Name) error {
	r.mu.RLock()
	_, ok := r.sandboxes[name.Canonical]
	r.mu.RUnlock()
	if ok {
		return nil
	}
	return r.reserve()
}
