package sandbox

import (
	"container/heap"
	"time"
)

// The idle time after which a sandbox may be evicted.
const (
	minIdle        = 10 * time.Second
	minIdleChanged = time.Minute // for sandboxes changed by writes of the service
)

func (r *Registry) sweepLocked() {
	now := r.options.Machine()
	if r.ttl == 0 || now.Before(r.idleFrom) {
		return // cheap, because a full server calls this for each sandbox that it refuses
	}
	longest := time.Duration(0)
	for _, sb := range r.sandboxes {
		switch idle := sb.idleFor(now); {
		case sb == r.def:
		case idle < r.ttl:
			longest = max(longest, idle)
		case sb.held():
			longest = max(longest, r.ttl-r.sweepEvery()) // a held sandbox may be released at any time
		default:
			r.dropLocked(sb)
			r.evicted.idle++
		}
	}
	r.idleFrom = now.Add(r.ttl - longest)
}

// sweepEvery returns the interval of sweeps, which bounds how long an idle sandbox stays beyond its
// TTL.
func (r *Registry) sweepEvery() time.Duration { return max(r.ttl/4, time.Millisecond) }

// scheduleLocked starts the timer that drops idle sandboxes without a request.
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

// makeRoomLocked drops the sandboxes that have been idle too long, or else evicts one, and reports
// whether there is room afterwards.
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

// evictions counts dropped sandboxes by reason.
type evictions struct{ room, idle uint64 }

// Evicted returns how many sandboxes were dropped to make room, and how many because they were
// idle.
func (r *Registry) Evicted() (room, idle uint64) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.evicted.room, r.evicted.idle
}

// disposableLocked returns the sandbox to evict next from a full server: the least recently used
// one that was never changed and has been idle for [minIdle], or else the least recently used one
// that only the service has changed and that has been idle for [minIdleChanged]. It returns nil if
// there is none. Claimed and held sandboxes are never evicted.
func (r *Registry) disposableLocked() *Sandbox {
	now := r.options.Machine()
	if sb := r.unchanged.oldest(now, minIdle, &r.changed); sb != nil {
		return sb
	}
	return r.changed.oldest(now, minIdleChanged, &r.changed)
}

// byUse is a heap of sandboxes ordered by the last use that was seen.
type byUse []*Sandbox

// oldest returns the least recently used sandbox that is neither claimed nor held, if it has been
// idle long enough. It moves changed sandboxes to their heap. A claimed one stays until it reaches
// the top.
//
// The heap is ordered by the last use that was seen, which is never later than the actual one. So
// oldest updates the top until it is current, one step for each sandbox used since.
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
			heap.Fix(u, sb.heapIndex)
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

// unlistLocked removes the sandbox from its heap.
func (s *Sandbox) unlistLocked() {
	if s.heap != nil {
		heap.Remove(s.heap, s.heapIndex)
	}
}

// Len, Less, Swap, Push and Pop implement heap.Interface.
func (u byUse) Len() int           { return len(u) }
func (u byUse) Less(i, j int) bool { return u[i].seen < u[j].seen }

func (u byUse) Swap(i, j int) {
	u[i], u[j] = u[j], u[i]
	u[i].heapIndex, u[j].heapIndex = i, j
}

func (u *byUse) Push(sb any) {
	s := sb.(*Sandbox)
	s.heap, s.heapIndex = u, len(*u)
	*u = append(*u, s)
}

func (u *byUse) Pop() any {
	last := len(*u) - 1
	sb := (*u)[last]
	(*u)[last] = nil // so that a dropped sandbox is not kept in memory
	*u = (*u)[:last]
	sb.heap = nil
	return sb
}
