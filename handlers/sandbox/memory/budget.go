package memory

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
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
	// collectEvery limits how often a full server collects to check whether it is still full.
	collectEvery = 250 * time.Millisecond
	// collectShare limits the time that a nearly full server spends on collections to
	// 1/collectShare.
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

	running  atomic.Int64 // reserved and not released, in bytes
	promised atomic.Int64 // reserved since the last collection or still reserved then, in bytes
	use      atomic.Pointer[measured]

	measuring  sync.Mutex
	collected  time.Time     // guarded by measuring: when makeRoom last collected
	collectFor time.Duration // guarded by measuring: how long that took
	foundNone  bool          // guarded by measuring: it found no room
}

// Use is the memory that a process uses.
type Use struct {
	Live   int64  // bytes in use after the last collection, plus those outside the heap
	Made   int64  // bytes that may be in use, including garbage
	Cycles uint64 // the number of collections so far
}

type measured struct {
	Use
	at time.Time
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
		most: int64(float64(limit) * usable), answers: int64(float64(limit) * answers), limit: limit, measure: measure, collect: collect, now: now,
	}
	first := measure()
	first.Live = max(first.Live, first.Made) // the last collection may have been long ago
	b.use.Store(&measured{first, now()})
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
	return b.refresh().Live + b.promised.Load()
}

// Reserve reserves n bytes until [Budget.Release], or returns a [Full]. The caller promises to use
// at most n bytes more while it runs, and at most half of them afterwards.
func (b *Budget) Reserve(n int64) error {
	if b == nil {
		return nil
	}
	return b.reserve(n, 0, b.most)
}

// ReserveMore is Reserve for a request that has already reserved n bytes. The [Full] reports all
// that the request needs.
func (b *Budget) ReserveMore(more, n int64) error {
	if b == nil {
		return nil
	}
	return b.reserve(more, n, b.most)
}

// CanHold returns a [Full] if n bytes cannot be reserved even after all other requests have ended.
// It reserves nothing.
func (b *Budget) CanHold(n int64) error {
	if b == nil || b.fits(n, b.most) {
		return nil
	}
	err := b.reserve(n, 0, b.most)
	if err == nil {
		b.running.Add(-n)
		b.promised.Add(-n)
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
	b.running.Add(n) // before the check, so that concurrent callers do not see the same room
	b.promised.Add(n)
	if b.fits(0, most) || b.makeRoom(n, most) {
		return nil
	}
	b.running.Add(-n)
	b.promised.Add(-n)
	// Of the live memory, the other requests may use all that they have reserved.
	used, stays := b.Used(), b.use.Load().Live-(b.running.Load()-own)
	return Full{Needs: own + n, Free: max(0, most-used+own), Most: min(most, max(0, most-stays)), Limit: LeastLimit(used + n + varies)}
}

// Keep is Reserve for memory that stays, which is not released. It does not collect garbage, so it
// may be called under a lock.
func (b *Budget) Keep(n int64) bool {
	if b == nil {
		return true
	}
	b.promised.Add(n)
	if b.fits(0, b.most) {
		return true
	}
	b.promised.Add(-n)
	return false
}

// Release ends a reservation. Half is freed at once, half when the next garbage collection has
// measured what stayed.
func (b *Budget) Release(n int64) {
	if b != nil {
		b.running.Add(-n)
		b.promised.Add(-n / 2)
	}
}

// ReleaseAnswer ends a reservation of ReserveAnswer, all of it at once.
func (b *Budget) ReleaseAnswer(n int64) {
	if b != nil {
		b.running.Add(-n)
		b.promised.Add(-n)
	}
}

// Full reports whether n bytes do not fit, without collecting garbage.
func (b *Budget) Full(n int64) bool { return b != nil && !b.fits(n, b.most) }

func (b *Budget) fits(n, most int64) bool {
	return b.refresh().Live+b.promised.Load()+n <= most
}

// refresh returns the memory in use, measured a moment ago at most.
func (b *Budget) refresh() *measured {
	last := b.use.Load()
	now := b.now()
	if now.Sub(last.at) < measureEvery || !b.measuring.TryLock() {
		return last
	}
	defer b.measuring.Unlock()
	return b.measureLocked(now)
}

func (b *Budget) measureLocked(now time.Time) *measured {
	next, last := &measured{b.measure(), now}, b.use.Load()
	if next.Cycles == last.Cycles {
		next.Live = max(next.Live, last.Live)
	} else {
		// The collection has found what stayed of earlier reservations. Running requests may not
		// have used theirs yet.
		b.promised.Store(b.running.Load())
	}
	b.use.Store(next)
	return next
}

// makeRoom collects garbage to see whether the n bytes just reserved fit, unless that was done a
// moment ago. Concurrent callers wait for the result.
func (b *Budget) makeRoom(n, most int64) bool {
	if n > most {
		return false
	}
	b.measuring.Lock()
	defer b.measuring.Unlock()
	if b.fitsLocked(most) {
		return true
	}
	pause := collectShare * b.collectFor
	if b.foundNone {
		pause = max(pause, collectEvery)
	}
	if begin := b.now(); begin.Sub(b.collected) >= pause {
		b.collect()
		b.collected = b.now()
		b.collectFor = b.collected.Sub(begin)
		b.measureLocked(b.collected)
		b.foundNone = !b.fitsLocked(most)
	}
	return b.fitsLocked(most)
}

func (b *Budget) fitsLocked(most int64) bool { return b.use.Load().Live+b.promised.Load() <= most }
