package memory

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// The shares of the budget that may be in use: by all that there is, and by answers besides,
// so that what only reads goes on when nothing can be written any more. The rest is for what
// the garbage collector has not collected yet: with less it would run all the time.
const (
	usable  = 0.65
	answers = 0.05
)

const (
	measureEvery = 5 * time.Millisecond
	// collectEvery bounds what a server that is full spends on looking whether it still is.
	collectEvery = 250 * time.Millisecond
	// collectShare bounds the same of one that is nearly full: one part in so many of its time.
	collectShare = 4
)

// Budget bounds the memory of the process. Who is about to use more promises it first,
// by [Budget.Reserve]. What is in use is what the garbage collector last found, and all
// that was promised since, since nobody knows yet what of it stays.
//
// A nil Budget has room for everything. The methods may be called by any number of
// goroutines.
type Budget struct {
	most    int64 // bytes; what may be in use
	answers int64 // bytes; what answers may use besides
	limit   int64 // bytes; of the process
	measure func() Use
	collect func()
	now     func() time.Time

	running  atomic.Int64 // bytes that are promised and not released
	promised atomic.Int64 // bytes that were promised since the last collection, those running before it included
	use      atomic.Pointer[measured]

	measuring  sync.Mutex
	collected  time.Time     // guarded by measuring: when room was last looked for by a collection
	collectFor time.Duration // guarded by measuring: how long that took
	foundNone  bool          // guarded by measuring: whether it found none
}

// Use is what a process holds.
type Use struct {
	Live   int64  // bytes that the last collection found in use, and those outside of the heap
	Made   int64  // bytes that may be in use, since nothing has collected them
	Cycles uint64 // collections so far
}

type measured struct {
	Use
	at time.Time
}

// New returns a budget of limit bytes for the whole process; nil when limit is 0, for no
// bound. now is the machine's time.
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

// LeastLimit returns the least limit of a budget in which n bytes may be in use, in whole MiB.
func LeastLimit(n int64) int64 {
	const mib = 1 << 20
	return (int64(float64(n)/usable)/mib + 1) * mib
}

// Limit returns the bytes that the process may have; 0: any number.
func (b *Budget) Limit() int64 {
	if b == nil {
		return 0
	}
	return b.limit
}

// Used returns the bytes that are in use or promised.
func (b *Budget) Used() int64 {
	if b == nil {
		return use().Live
	}
	return b.refresh().Live + b.promised.Load()
}

// Reserve promises n bytes until [Budget.Release], or returns a [Full] and promises nothing.
// Whoever reserves keeps to it: at most n bytes more are in use because of it while it
// runs, and at most half of them afterwards.
func (b *Budget) Reserve(n int64) error {
	if b == nil {
		return nil
	}
	return b.reserve(n, 0, b.most)
}

// ReserveMore is Reserve for a request that n bytes were promised to before. The [Full] is
// about all that the request needs.
func (b *Budget) ReserveMore(more, n int64) error {
	if b == nil {
		return nil
	}
	return b.reserve(more, n, b.most)
}

// CanHold returns a [Full] if n bytes cannot be promised even once all other requests have
// ended. It promises nothing.
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

// ReserveAnswer is Reserve for what an answer holds while its client takes it, until
// [Budget.ReleaseAnswer]. There is room of its own for answers.
func (b *Budget) ReserveAnswer(n int64) error {
	if b == nil {
		return nil
	}
	return b.reserve(n, 0, b.most+b.answers)
}

// reserve promises n bytes, of most, to a request that has own ones already.
func (b *Budget) reserve(n, own, most int64) error {
	b.running.Add(n) // first, so that of those who ask at once none sees the same room
	b.promised.Add(n)
	if b.fits(0, most) || b.makeRoom(n, most) {
		return nil
	}
	b.running.Add(-n)
	b.promised.Add(-n)
	// Of what is live, the other requests may have all that they were promised.
	used, stays := b.Used(), b.use.Load().Live-(b.running.Load()-own)
	return Full{Needs: own + n, Free: max(0, most-used+own), Most: min(most, max(0, most-stays)), Limit: LeastLimit(used + n)}
}

// Keep is Reserve for what stays: it needs no release. It does not look hard for room, so
// that it may be called under a lock.
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

// Release ends what Reserve began. The half that may stay in use counts until the next
// collection, which finds what did.
func (b *Budget) Release(n int64) {
	if b != nil {
		b.running.Add(-n)
		b.promised.Add(-n / 2)
	}
}

// ReleaseAnswer ends what ReserveAnswer began: nothing of it stays in use.
func (b *Budget) ReleaseAnswer(n int64) {
	if b != nil {
		b.running.Add(-n)
		b.promised.Add(-n)
	}
}

// Full reports whether not even n bytes would fit, without looking hard for them.
func (b *Budget) Full(n int64) bool { return b != nil && !b.fits(n, b.most) }

func (b *Budget) fits(n, most int64) bool {
	return b.refresh().Live+b.promised.Load()+n <= most
}

// refresh returns what is in use, measured a moment ago at most.
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
		// The collection has found what was promised before and stayed. What is running may
		// not have used its share yet.
		b.promised.Store(b.running.Load())
	}
	b.use.Store(next)
	return next
}

// makeRoom looks by a collection whether the n bytes that were just promised fit, unless
// that was done a moment ago. Who comes meanwhile waits for its outcome.
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
