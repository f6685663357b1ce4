package sandbox

import (
	"container/heap"
	"time"
)

// How long a sandbox must have been idle before it makes room for another.
const (
	minIdle        = 10 * time.Second
	minIdleChanged = time.Minute // that writes of the service have changed
)

func (r *Registry) sweepLocked() {
	now := r.options.Machine()
	if r.ttl == 0 || now.Before(r.idleFrom) {
		return // a full server looks here with every sandbox that it refuses
	}
	longest := time.Duration(0)
	for _, sb := range r.sandboxes {
		switch idle := sb.idleFor(now); {
		case sb == r.def:
		case idle < r.ttl:
			longest = max(longest, idle)
		case sb.held():
			longest = max(longest, r.ttl-r.sweepEvery()) // it may be let go of at any time
		default:
			r.dropLocked(sb)
			r.evicted.idle++
		}
	}
	r.idleFrom = now.Add(r.ttl - longest)
}

// sweepEvery bounds how much too long an idle sandbox may stay.
func (r *Registry) sweepEvery() time.Duration { return max(r.ttl/4, time.Millisecond) }

// scheduleLocked sees to it that idle sandboxes go although nobody asks for them.
func (r *Registry) scheduleLocked() {
	if r.ttl == 0 || r.sweeper != nil || r.closed || len(r.sandboxes) < 2 {
		return
	}
	r.sweeper = time.AfterFunc(r.sweepEvery(), func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.sweeper = nil
		r.sweepLocked()
		r.scheduleLocked()
	})
}

// makeRoomLocked drops what has been idle for too long, or else one sandbox that may go, and
// reports whether there is room then.
func (r *Registry) makeRoomLocked() bool {
	if len(r.sandboxes) < r.max {
		return true
	}
	r.sweepLocked()
	if len(r.sandboxes) < r.max {
		return true
	}
	sb := r.disposableLocked()
	if sb == nil {
		return false
	}
	r.dropLocked(sb)
	r.evicted.room++
	return true
}

// evictions counts the sandboxes that were dropped, by reason.
type evictions struct{ room, idle uint64 }

// Evicted returns how many sandboxes were dropped to make room for others, and how many because
// they were idle.
func (r *Registry) Evicted() (room, idle uint64) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.evicted.room, r.evicted.idle
}

// disposableLocked returns the sandbox that goes next on a full server: the least recently used
// one that was never changed and is idle for [minIdle], or else the least recently used one that
// only the service has changed and that is idle for [minIdleChanged]. It is nil if there is
// none. A sandbox that is claimed or held never goes.
func (r *Registry) disposableLocked() *Sandbox {
	now := r.options.Machine()
	if sb := r.unchanged.oldest(now, minIdle, &r.changed); sb != nil {
		return sb
	}
	return r.changed.oldest(now, minIdleChanged, &r.changed)
}

// byUse is a heap of sandboxes by when each was seen to be used last.
type byUse []*Sandbox

// oldest returns the sandbox that was used longest ago, of those that are neither claimed nor
// held, if it is idle for long enough. It moves those that were changed to their heap. One that
// is claimed stays until it comes to the top.
//
// The heap is in the order of when each was seen to be used last, which is never later
// than it was: so its top is looked at again until it is as it was seen. That is one
// step for each sandbox that was used since, and none for the others.
func (u *byUse) oldest(now time.Time, idle time.Duration, changed *byUse) *Sandbox {
	for len(*u) > 0 {
		sb := (*u)[0]
		if now.Sub(time.UnixMicro(sb.seen)) < idle {
			return nil
		}
		used := sb.lastUsed.Load()
		if sb.held() {
			used = now.UnixMicro()
		}
		switch {
		case sb.claimed.Load():
			heap.Pop(u)
		case u != changed && sb.Writes() > 0:
			heap.Pop(u)
			changed.add(sb)
		case used > sb.seen:
			sb.seen = used
			heap.Fix(u, sb.place)
		default:
			return sb
		}
	}
	return nil
}

func (u *byUse) add(sb *Sandbox) {
	sb.seen = sb.lastUsed.Load()
	heap.Push(u, sb)
}

// unlistLocked takes the sandbox out of the heap that it is in.
func (s *Sandbox) unlistLocked() {
	if s.heap != nil {
		heap.Remove(s.heap, s.place)
	}
}

// Len, Less, Swap, Push and Pop are for package heap.
func (u byUse) Len() int           { return len(u) }
func (u byUse) Less(i, j int) bool { return u[i].seen < u[j].seen }

func (u byUse) Swap(i, j int) {
	u[i], u[j] = u[j], u[i]
	u[i].place, u[j].place = i, j
}

func (u *byUse) Push(sb any) {
	s := sb.(*Sandbox)
	s.heap, s.place = u, len(*u)
	*u = append(*u, s)
}

func (u *byUse) Pop() any {
	last := len(*u) - 1
	sb := (*u)[last]
	(*u)[last] = nil // a sandbox that is gone must not stay in memory
	*u = (*u)[:last]
	sb.heap = nil
	return sb
}
