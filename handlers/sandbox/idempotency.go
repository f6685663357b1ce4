package sandbox

import (
	"crypto/sha256"
	"errors"
	"strings"
	"sync"
)

// What [Idempotency.Do] refuses (draft-ietf-httpapi-idempotency-key-header,
// section 2.7).
var (
	// ErrKeyReused means that the key came first with another body.
	ErrKeyReused = errors.New("idempotency key reused with another request")
	// ErrKeyInUse means that the first request with the key is still running.
	ErrKeyInUse = errors.New("first request with the idempotency key still running")
)

// Bounds of the answers that a sandbox keeps; the oldest go first. What still runs does
// not go, but counts.
const (
	maxAnswers     = 1000
	maxAnswerBytes = 4 << 20
	answerBytes    = 256 // what an answer costs besides its texts
)

// Answer is what a request that made a record answered.
type Answer struct {
	Location string // path of the new record, without a sandbox prefix
	Body     []byte // its JSON; never changed
}

// Idempotency keeps the first answers of requests that carry an idempotency key.
// Its methods may be called by any number of goroutines. The zero value is ready.
type Idempotency struct {
	mu      sync.Mutex
	entries map[entryKey]*entry // guarded by mu
	kept    []entryKey          // guarded by mu: the keys of finished entries, oldest first
	bytes   int                 // guarded by mu: what all entries cost
}

type entryKey struct{ operation, key string }

type entry struct {
	body   [sha256.Size]byte // of the request
	done   bool
	answer Answer
}

// bytes returns what an entry costs under its key.
func (e *entry) bytes(k entryKey) int {
	return answerBytes + len(k.operation) + len(k.key) + len(e.answer.Location) + cap(e.answer.Body)
}

// Do returns the answer kept for the key of the operation, and true, where the
// same body came with it before; else it calls run and keeps what that returns
// without an error. It returns [ErrKeyReused], [ErrKeyInUse] or run's error.
func (i *Idempotency) Do(operation, key string, body []byte, run func() (Answer, error)) (Answer, bool, error) {
	k := entryKey{operation, key}
	mine := &entry{body: sha256.Sum256(body)}
	i.mu.Lock()
	if first, ok := i.entries[k]; ok {
		defer i.mu.Unlock()
		switch {
		case first.body != mine.body:
			return Answer{}, false, ErrKeyReused
		case !first.done:
			return Answer{}, false, ErrKeyInUse
		}
		return first.answer, true, nil
	}
	if i.entries == nil {
		i.entries = make(map[entryKey]*entry)
	}
	k.key = strings.Clone(key) // which is a part of the whole request's memory
	i.entries[k] = mine
	i.bytes += mine.bytes(k)
	i.mu.Unlock()

	var answer Answer
	err := errors.New("run did not return") // what finish sees if it panics
	defer func() { i.finish(k, mine, answer, err) }()
	answer, err = run()
	return answer, false, err
}

// finish keeps the answer, or forgets the key where there is none.
func (i *Idempotency) finish(k entryKey, mine *entry, answer Answer, err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.entries[k] != mine {
		return // forgotten by a reset while it ran
	}
	if err != nil {
		i.forgetLocked(k)
		return
	}
	i.bytes -= mine.bytes(k)
	mine.done, mine.answer = true, answer
	i.bytes += mine.bytes(k)
	i.kept = append(i.kept, k)
	for len(i.kept) > maxAnswers || len(i.kept) > 0 && i.bytes > maxAnswerBytes {
		i.forgetLocked(i.kept[0])
		i.kept = i.kept[1:]
	}
}

func (i *Idempotency) forgetLocked(k entryKey) {
	i.bytes -= i.entries[k].bytes(k)
	delete(i.entries, k)
}

// Bytes returns what the keys and their answers hold.
func (i *Idempotency) Bytes() int64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	return int64(i.bytes)
}

// Reset forgets every key.
func (i *Idempotency) Reset() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.entries, i.kept, i.bytes = nil, nil, 0
}
