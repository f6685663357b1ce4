package memory

import (
	"errors"
	"runtime"
	"sync"
	"time"
)

// The shares of the budget that may be in use: by everything, and additionally by responses, so
// that reads go on when nothing more can be written. The rest is for garbage; with less, the
// collector would run all the time.
const (
	usable  = 0.65
	answers = 0.05
)

// varies is by how much the memory in use varies on an idle server. What a [Full] reports to be
// enough has this much to spare.
const varies = 4 << 20

const (
	measureEvery = 5 * time.Millisecond
	// collectShare limits the time that a nearly full server spends on collections to
	// 1/(collectShare+1).
	collectShare = 4
)

// Budget bounds the memory of the process. Before memory is used, it must be reserved by
// [Budget.Reserve]. The memory in use is what the last garbage collection found, plus everything
// reserved since, because it is unknown how much of that stays.
//
// A nil Budget has no bound. A Budget is safe for concurrent use.
type Budget struct {
	most    int64 // bytes that may be in use
	answers int64 // bytes that responses may use in addition
	limit   int64 // bytes of the process
	measure func() Use
	collect func()
	now     func() time.Time

	mu       sync.Mutex
	running  int64     // guarded by mu: reserved and not released, in bytes
	promised int64     // guarded by mu: reserved since the last collection or still reserved then, in bytes
	use      Use       // guarded by mu
	measured time.Time // guarded by mu: the time of use

	collecting chan struct{} // holds an element while a request waits or collects
	began      time.Time     // guarded by collecting: the start of the last collection
	ended      time.Time     // guarded by collecting: its end
}

// Use is the memory that a process uses.
type Use struct {
	Live   int64  // bytes in use after the last collection, plus those outside the heap
	Made   int64  // bytes that may be in use, including garbage
	Cycles uint64 // the number of collections so far
}

// New returns a budget of limit bytes for the whole process, or nil if limit is 0. now returns the
// machine's time.
func New(limit int64, now func() time.Time) *Budget {
	if limit == 0 {
		return nil
	}
	return newBudget(limit, use, runtime.GC, now)
}

func newBudget(limit int64, measure func() Use, collect func(), now func() time.Time) *Budget {
	b := &Budget{
		most: int64(float64(limit) * usable), answers: int64(float64(limit) * answers), limit: limit,
		measure: measure, collect: collect, now: now,
		use: measure(), measured: now(), collecting: make(chan struct{}, 1),
	}
	b.use.Live = max(b.use.Live, b.use.Made) // the last collection may have been long ago
	return b
}

// LeastLimit returns the least limit with which n bytes may be in use, in whole MiB.
func LeastLimit(n int64) int64 {
	const mib = 1 << 20
	return (int64(float64(n)/usable)/mib + 1) * mib
}

// Limit returns the bytes that the process may use. 0 means no limit.
func (b *Budget) Limit() int64 {
	if b == nil {
		return 0
	}
	return b.limit
}

// Used returns the bytes that are in use or reserved.
func (b *Budget) Used() int64 {
	if b == nil {
		return use().Live
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.usedLocked()
}

// Reserve reserves n bytes until [Budget.Release], or returns a [Full]. The caller promises to use
// at most n bytes more while it runs, and at most half of them afterwards.
//
// Reserve refuses only after a garbage collection that began after the call. It may wait for one.
func (b *Budget) Reserve(n int64) error { return b.ReserveMore(n, 0) }

// ReserveMore is Reserve for a request that has already reserved n bytes. The [Full] reports all
// that the request needs.
func (b *Budget) ReserveMore(more, n int64) error {
	if b == nil {
		return nil
	}
	return b.reserve(more, n, b.most)
}

// ReserveNow is Reserve without waiting, for a caller that can do without. It reports whether the
// bytes are reserved.
func (b *Budget) ReserveNow(n int64) bool { return b == nil || b.take(n, 0, b.most) == nil }

// CanHold returns a [Full] if n bytes cannot be reserved even after all other requests have ended.
// It reserves nothing.
func (b *Budget) CanHold(n int64) error {
	err := b.Reserve(n)
	if err == nil {
		b.ReleaseAnswer(n)
		return nil
	}
	if full, ok := errors.AsType[Full](err); ok && !full.Never() {
		return nil
	}
	return err
}

// ReserveAnswer reserves what a response holds until its client has received it, until
// [Budget.ReleaseAnswer]. Responses have their own share.
func (b *Budget) ReserveAnswer(n int64) error {
	if b == nil {
		return nil
	}
	return b.reserve(n, 0, b.most+b.answers)
}

// reserve reserves n bytes out of most for a request that has already reserved own bytes.
func (b *Budget) reserve(n, own, most int64) error {
	if b.take(n, own, most) == nil {
		return nil
	}
	b.collectAfter(b.now())
	if full := b.take(n, own, most); full != nil {
		return *full
	}
	return nil
}

// take is reserve without a collection.
func (b *Budget) take(n, own, most int64) *Full {
	b.mu.Lock()
	defer b.mu.Unlock()
	used := b.usedLocked()
	if used+n <= most {
		b.running += n
		b.promised += n
		return nil
	}
	// Of the live memory, the other requests may use all that they have reserved.
	stays := b.use.Live - (b.running - own)
	return &Full{Needs: own + n, Free: max(0, most-used+own), Most: min(most, max(0, most-stays)), Limit: LeastLimit(used + n + varies)}
}

// Keep is Reserve for memory that stays, which is not released. It does not wait, so it may be
// called under a lock. It reports whether the bytes fit.
func (b *Budget) Keep(n int64) bool {
	if b == nil {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	fits := b.usedLocked()+n <= b.most
	if fits {
		b.promised += n
	}
	return fits
}

// Release ends a reservation. Half is freed at once, half when the next garbage collection has
// measured what stayed.
func (b *Budget) Release(n int64) { b.release(n, n/2) }

// ReleaseAnswer ends a reservation of ReserveAnswer, all of it at once.
func (b *Budget) ReleaseAnswer(n int64) { b.release(n, n) }

// release ends a reservation of n bytes, of which some are free at once.
func (b *Budget) release(n, free int64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running -= n
	b.promised -= free
}

// usedLocked returns the bytes in use or reserved, measured a moment ago at most.
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
		// The collection has found what stayed of earlier reservations. Running requests may not
		// have used theirs yet.
		b.promised = b.running
	}
	b.use, b.measured = next, now
}

// collectAfter returns when a collection that began after the given time has ended. Requests that
// wait at the same time share one. There is a pause after each, so that a full server does not
// collect all the time.
func (b *Budget) collectAfter(came time.Time) {
	b.collecting <- struct{}{}
	defer func() { <-b.collecting }()
	if !b.began.Before(came) {
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
