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
	// ErrKeyReused means that the first request with the key had another body.
	ErrKeyReused = errors.New("idempotency key reused with another request")
	// ErrKeyInUse means that the first request with the key is still running.
	ErrKeyInUse = field.Refusal("conflict",
		"the first request with this Idempotency-Key is still running; wait for its response, then send this one again")
)

// These constants limit the responses that a sandbox keeps. Beyond the limits, it drops the oldest
// responses. The entries of running requests count toward maxAnswerBytes, but are not dropped.
const (
	maxAnswers     = 1000
	maxAnswerBytes = 4 << 20
	answerBytes    = 256 // the memory that an entry uses besides its key and its response
)

// Answer is the response to a request that created a record.
type Answer struct {
	Location string // the path of the record, without a sandbox prefix
	Body     []byte // JSON; never modified
}

// Idempotency stores the response to the first successful request with each idempotency key,
// separately for each operation. It is safe for concurrent use. The zero Idempotency is ready for
// use.
type Idempotency struct {
	mu      sync.Mutex
	entries map[entryKey]*entry // guarded by mu
	kept    []entryKey          // guarded by mu: the keys of finished entries, oldest first
	bytes   int                 // guarded by mu: the memory that all entries use
}

type entryKey struct{ operation, key string }

type entry struct {
	body   [sha256.Size]byte // the hash of the request body
	done   bool
	answer Answer
}

// bytes returns the memory that an entry and its key use.
func (e *entry) bytes(k entryKey) int {
	return answerBytes + len(k.operation) + len(k.key) + len(e.answer.Location) + cap(e.answer.Body)
}

// Do answers a request with an idempotency key. If there was no earlier request for the operation
// with the key, Do calls run, and stores the response unless run returns an error. Otherwise it
// returns the stored response and true, [ErrKeyReused] if the earlier request had another body, or
// [ErrKeyInUse] if it is still running. Requests that failed, and those whose response was dropped,
// do not count as earlier requests.
func (i *Idempotency) Do(operation, key string, body []byte, run func() (Answer, error)) (Answer, bool, error) {
	k := entryKey{operation, key}
	added := &entry{body: sha256.Sum256(body)}
	i.mu.Lock()
	if first, ok := i.entries[k]; ok {
		defer i.mu.Unlock()
		switch {
		case first.body != added.body:
			return Answer{}, false, ErrKeyReused
		case !first.done:
			return Answer{}, false, ErrKeyInUse
		}
		return first.answer, true, nil
	}
	if i.entries == nil {
		i.entries = make(map[entryKey]*entry)
	}
	k.key = strings.Clone(key) // a substring would keep the whole header value in memory
	i.entries[k] = added
	i.bytes += added.bytes(k)
	i.mu.Unlock()

	var answer Answer
	err := errors.New("run did not return") // used by finish if run panics
	defer func() { i.finish(k, added, answer, err) }()
	answer, err = run()
	return answer, false, err
}

// finish stores the response and drops the oldest responses beyond the limits. If the request
// failed, finish deletes the key instead.
func (i *Idempotency) finish(k entryKey, added *entry, answer Answer, err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.entries[k] != added {
		return // the key was deleted by a reset in the meantime
	}
	if err != nil {
		i.forgetLocked(k)
		return
	}
	i.bytes -= added.bytes(k)
	added.done, added.answer = true, answer
	i.bytes += added.bytes(k)
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

// Bytes returns the memory that the keys and responses use.
func (i *Idempotency) Bytes() int64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	return int64(i.bytes)
}

// Reset deletes all keys.
func (i *Idempotency) Reset() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.entries, i.kept, i.bytes = nil, nil, 0
}
