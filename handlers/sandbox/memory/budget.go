package memory

import (
	"errors"
	"runtime"
	"sync"
	"time"
)

// usable is the fraction of the limit that may be in use. answers is the fraction that responses
// may use in addition, so that reads still succeed when writes no longer do. The rest is for
// garbage. If the rest were smaller, the garbage collector would run all the time.
const (
	usable  = 0.65
	answers = 0.05
)

// variation is the number of bytes by which the memory in use varies on an idle server. The limit
// that a [Full] recommends includes that number.
const variation = 4 << 20

const (
	measureEvery = 5 * time.Millisecond
	// collectShare limits the fraction of its time that a nearly full server spends on collections
	// to 1/(collectShare+1).
	collectShare = 4
)

// Budget limits the memory of the process. Memory must be reserved with [Budget.Reserve] before it
// is used. The memory in use is an estimate: what the last garbage collection measured, plus all
// running reservations, plus a part of those released since then. Until the next collection, it is
// unknown how much of the released memory is still in use.
//
// A nil Budget has no limit. A Budget is safe for concurrent use.
type Budget struct {
	limit   int64 // the limit of the process, in bytes
	measure func() Use
	collect func()
	now     func() time.Time

	mu       sync.Mutex
	running  int64     // guarded by mu: the bytes that are reserved and not released
	promised int64     // guarded by mu: running, plus released bytes that count until the next collection
	use      Use       // guarded by mu
	measured time.Time // guarded by mu: when use was measured

	collecting chan struct{} // a lock, held during a collection and the pause before it
	began      time.Time     // guarded by collecting: the start of the last collection
	ended      time.Time     // guarded by collecting: the end of the last collection
}

// Use is the memory that a process uses.
type Use struct {
	Live   int64  // bytes in use after the last collection, plus those outside the heap
	Heap   int64  // bytes of all objects in the heap, including garbage
	Cycles uint64 // the number of collections so far
}

// New returns a budget of limit bytes for the whole process. It returns nil if limit is 0. now
// returns the machine's time.
func New(limit int64, now func() time.Time) *Budget {
	if limit == 0 {
		return nil
	}
	return newBudget(limit, use, runtime.GC, now)
}

func newBudget(limit int64, measure func() Use, collect func(), now func() time.Time) *Budget {
	b := &Budget{
		limit: limit, measure: measure, collect: collect, now: now,
		use: measure(), measured: now(), collecting: make(chan struct{}, 1),
	}
	b.use.Live = max(b.use.Live, b.use.Heap) // the last collection may have been long ago
	return b
}

// LeastLimit returns the smallest limit with which n bytes may be in use. The limit is in bytes and
// a multiple of 1 MiB.
func LeastLimit(n int64) int64 {
	const mib = 1 << 20
	return (int64(float64(n)/usable)/mib + 1) * mib
}

// Limit returns the limit of the process, in bytes. 0 means no limit.
func (b *Budget) Limit() int64 {
	if b == nil {
		return 0
	}
	return b.limit
}

// Used returns the number of bytes that are in use or reserved.
func (b *Budget) Used() int64 {
	if b == nil {
		return use().Live
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.usedLocked()
}

// Reserve reserves n bytes until [Budget.Release], or returns a [Full]. The caller may use at most
// n bytes until Release, and keep at most half of them afterwards. own is the number of bytes that
// the request has reserved already. A [Full] reports the sum of both.
//
// Before Reserve returns a Full, it waits for a garbage collection that began after the call.
func (b *Budget) Reserve(n, own int64) error { return b.reserve(n, own, usable) }

// ReserveNow is like Reserve, but does not wait. It is for optional reservations, and reports
// whether it reserved the bytes.
func (b *Budget) ReserveNow(n int64) bool { return b.take(n, 0, usable) == nil }

// CanHold returns a [Full] if n bytes could not be reserved even after all other requests have
// ended. Like [Budget.Reserve], it may wait, but it keeps no reservation.
func (b *Budget) CanHold(n int64) error {
	err := b.Reserve(n, 0)
	if err == nil {
		b.ReleaseAnswer(n)
		return nil
	}
	if full, ok := errors.AsType[Full](err); ok && !full.Never() {
		return nil
	}
	return err
}

// ReserveAnswer is like [Budget.Reserve], but for the memory that a response needs until the client
// has received the response. [Budget.ReleaseAnswer] ends the reservation. Responses may use more of
// the limit than other reservations.
func (b *Budget) ReserveAnswer(n int64) error { return b.reserve(n, 0, usable+answers) }

// reserve is like [Budget.Reserve]. share is the fraction of the limit that may be in use.
func (b *Budget) reserve(n, own int64, share float64) error {
	if b.take(n, own, share) == nil {
		return nil
	}
	b.collectAfter(b.now())
	return b.take(n, own, share)
}

// take is like reserve, but does not start a collection.
func (b *Budget) take(n, own int64, share float64) error {
	if b == nil {
		return nil
	}
	most := int64(float64(b.limit) * share)
	b.mu.Lock()
	defer b.mu.Unlock()
	used := b.usedLocked()
	if used+n <= most {
		b.running += n
		b.promised += n
		return nil
	}
	// Assume that the other requests use all the memory that they have reserved, and free it when
	// they end.
	retained := b.use.Live - (b.running - own)
	return Full{Needs: own + n, Free: max(0, most-used+own), Most: min(most, max(0, most-retained)),
		Limit: LeastLimit(used + n + variation)}
}

// Keep is like [Budget.ReserveNow], but for memory that stays in use, without a Release. It does
// not wait, so it may be called while a lock is held.
func (b *Budget) Keep(n int64) bool {
	fits := b.ReserveNow(n)
	if fits {
		b.release(n, 0)
	}
	return fits
}

// Release ends a reservation of n bytes. Half of them count as free immediately. The other half
// count as used until the next garbage collection, which measures what is still in use.
func (b *Budget) Release(n int64) { b.release(n, n/2) }

// ReleaseAnswer ends a reservation of n bytes by [Budget.ReserveAnswer]. All of them count as free
// immediately.
func (b *Budget) ReleaseAnswer(n int64) { b.release(n, n) }

// release ends a reservation of n bytes. freed is the number of bytes that count as free
// immediately.
func (b *Budget) release(n, freed int64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running -= n
	b.promised -= freed
}

// usedLocked returns the number of bytes that are in use or reserved. It measures again if the last
// measurement is older than measureEvery.
func (b *Budget) usedLocked() int64 {
	if now := b.now(); now.Sub(b.measured) >= measureEvery {
		b.measureLocked(now)
	}
	return b.use.Live + b.promised
}

func (b *Budget) measureLocked(now time.Time) {
	next := b.measure()
	if next.Cycles == b.use.Cycles {
		next.Live = max(next.Live, b.use.Live)
	} else {
		// The collection has measured how much memory of earlier reservations is still in use.
		// Running requests may not have used their reservations yet.
		b.promised = b.running
	}
	b.use, b.measured = next, now
}

// collectAfter waits for a collection that began after the given time. Concurrent callers share one
// collection. There is a pause between collections, so that a full server does not collect all the
// time.
func (b *Budget) collectAfter(after time.Time) {
	b.collecting <- struct{}{}
	defer func() { <-b.collecting }()
	if !b.began.Before(after) {
		return
	}
	<-time.After(collectShare*b.ended.Sub(b.began) - b.now().Sub(b.ended))
	b.began = b.now()
	b.collect()
	b.ended = b.now()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.measureLocked(b.ended)
}
