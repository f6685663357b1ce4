package registry

import (
	"cmp"
	"strings"
	"time"
)

// These are the idle times after which a full server may evict a sandbox.
const (
	minIdle        = 10 * time.Second
	minIdleChanged = time.Minute // for sandboxes whose data has changed
)

// sweepLocked drops the sandboxes that have been idle for the ttl. It returns the sandbox to evict
// next from a full server, or nil. It prefers unchanged sandboxes that have been idle for [minIdle]
// to changed ones that have been idle for [minIdleChanged]. Of several such sandboxes, it chooses
// the least recently used. It never drops or chooses the default sandbox or one that is in use, nor
// chooses a claimed one.
func (r *Registry) sweepLocked() *Entry {
	now := r.Now()
	var unchanged, changed leastRecent
	for _, sb := range r.sandboxes {
		switch idle := sb.idleFor(now); {
		case sb == r.def || sb.holders.Load() > 0:
		case r.ttl > 0 && idle >= r.ttl:
			r.dropLocked(sb)
			r.expired++
		case sb.claimed.Load() || idle < minIdle:
		case sb.unchanged():
			unchanged.add(sb, idle)
		case idle >= minIdleChanged:
			changed.add(sb, idle)
		}
	}
	return cmp.Or(unchanged.Entry, changed.Entry)
}

// scheduleLocked starts the timer that drops idle sandboxes, unless it runs already or is not
// needed. A sandbox that is idle for the ttl is dropped at the next sweep.
func (r *Registry) scheduleLocked() {
	if r.ttl == 0 || r.sweeper != nil || r.closed || len(r.sandboxes) < 2 {
		return
	}
	r.sweeper = time.AfterFunc(max(r.ttl/4, time.Millisecond), func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.sweeper = nil
		r.sweepLocked()
		r.scheduleLocked()
	})
}

// HasRoom reports whether the maximum number of sandboxes allows a new one now, after an eviction
// if necessary.
func (r *Registry) HasRoom() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok := r.roomLocked()
	return ok
}

// roomLocked reports whether there is room for a new sandbox. If evict is not nil, the caller must
// first drop it. On a full server, roomLocked drops the sandboxes that have been idle for the ttl.
func (r *Registry) roomLocked() (evict *Entry, ok bool) {
	if len(r.sandboxes) >= r.max {
		evict = r.sweepLocked()
	}
	if len(r.sandboxes) < r.max {
		return nil, true
	}
	return evict, evict != nil
}

// Evicted returns how many sandboxes were dropped to make room, and how many because they were
// idle.
func (r *Registry) Evicted() (room, idle uint64) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.evicted, r.expired
}

// leastRecent is the added sandbox that has been idle longest, or nil. Of several such sandboxes,
// it is the one whose name sorts first.
type leastRecent struct {
	*Entry
	idle time.Duration
}

func (l *leastRecent) add(sb *Entry, idle time.Duration) {
	if l.Entry == nil || cmp.Or(cmp.Compare(l.idle, idle), strings.Compare(sb.Name, l.Name)) < 0 {
		*l = leastRecent{sb, idle}
	}
}

// unchanged reports whether the sandbox has the data of its baseline, and no write has changed it
// since the last reset of the data, import of a world, or restart.
func (e *Entry) unchanged() bool {
	return e.Writes() == 0 && e.Store.View() == e.Store.Baseline()
}
