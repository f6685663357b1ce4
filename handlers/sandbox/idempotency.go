package sandbox

import (
	"crypto/sha256"
	"errors"
	"strings"
	"sync"

	"example.com/petstore/store/field"
)

// Errors of [Idempotency.Do] (draft-ietf-httpapi-idempotency-key-header, section 2.7).
var (
	// ErrKeyReused reports that the key was first used with another body.
	ErrKeyReused = errors.New("idempotency key reused with another request")
	// ErrKeyInUse reports that the first request with the key is still running.
	ErrKeyInUse = field.Refusal("conflict", "the first request with this Idempotency-Key is still running; wait for its response, then send this one again")
)

// Bounds of the responses that a sandbox keeps. The oldest are dropped first. Requests that are
// running count but are not dropped.
const (
	maxAnswers     = 1000
	maxAnswerBytes = 4 << 20
	answerBytes    = 256 // the size of a response without its texts
)

// Answer is the response to a request that created a record.
type Answer struct {
	Location string // the path of the new record, without a sandbox prefix
	Body     []byte // JSON; never changes
}

// Idempotency keeps the first responses to requests with an idempotency key. It is safe for
// concurrent use. The zero value is ready for use.
type Idempotency struct {
	mu      sync.Mutex
	entries map[entryKey]*entry // guarded by mu
	kept    []entryKey          // guarded by mu: keys of finished entries, oldest first
	bytes   int                 // guarded by mu: the size of all entries
}

type entryKey struct{ operation, key string }

type entry struct {
	body   [sha256.Size]byte // of the request body
	done   bool
	answer Answer
}

// bytes returns the size of an entry and its key.
func (e *entry) bytes(k entryKey) int {
	return answerBytes + len(k.operation) + len(k.key) + len(e.answer.Location) + cap(e.answer.Body)
}

// Do returns the response kept for the operation and the key, and true, if the body is the same as
// before. Otherwise it calls run, and keeps its result unless run returns an error. The error is
// [ErrKeyReused], [ErrKeyInUse] or run's.
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
	k.key = strings.Clone(key) // a substring keeps the whole request in memory
	i.entries[k] = mine
	i.bytes += mine.bytes(k)
	i.mu.Unlock()

	var answer Answer
	err := errors.New("run did not return") // what finish sees if run panics
	defer func() { i.finish(k, mine, answer, err) }()
	answer, err = run()
	return answer, false, err
}

// finish keeps the response, or forgets the key after an error.
func (i *Idempotency) finish(k entryKey, mine *entry, answer Answer, err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.entries[k] != mine {
		return // a reset has forgotten the key in the meantime
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

// Bytes returns the size of the keys and responses.
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
