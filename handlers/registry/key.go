package registry

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync/atomic"

	"example.com/petstore/handlers/sandbox/journal"
)

// maxKey is the maximum length of a sandbox's key, in characters.
const maxKey = 200

// ErrBadKey means that a text cannot be a sandbox's key.
var ErrBadKey = fmt.Errorf("must have 1 to %d visible ASCII characters without spaces, since it is sent in a header",
	maxKey)

// ErrOwner is the error of a request that is aborted because its sandbox's key or privacy changed.
var ErrOwner = errors.New("the key or the privacy of the sandbox changed")

// Digest is the stored form of a key, so that a memory dump does not reveal the key. [Digest.Is]
// compares in constant time.
type Digest [sha256.Size]byte

// DigestOf returns the digest of a key.
func DigestOf(key string) Digest { return sha256.Sum256([]byte(key)) }

// MarshalText returns the digest in hexadecimal.
func (d Digest) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, d[:]), nil }

// UnmarshalText sets the digest to the one in text, in hexadecimal.
func (d *Digest) UnmarshalText(text []byte) error {
	digest, err := hex.DecodeString(string(text))
	if err != nil || len(digest) != len(d) {
		return errors.New("must be a SHA-256 in hexadecimal")
	}
	copy(d[:], digest)
	return nil
}

// Is reports whether two digests belong to the same key.
func (d *Digest) Is(other *Digest) bool { return subtle.ConstantTimeCompare(d[:], other[:]) == 1 }

// Owner is the key and the privacy of a sandbox. It is immutable: a change of either makes a new
// Owner.
type Owner struct {
	key     Digest
	private bool // see [Entry.Private]
}

// ValidKey reports whether a key can be sent as a bearer token: whether it consists of one or more
// visible ASCII characters.
func ValidKey(key string) bool {
	return key != "" && !strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' })
}

// CheckKey returns [ErrBadKey] if the text cannot be a sandbox's key.
func CheckKey(key string) error {
	if !ValidKey(key) || len(key) > maxKey {
		return ErrBadKey
	}
	return nil
}

// Private reports whether the service requires the sandbox's own key or the admin key.
func (e *Entry) Private() bool {
	o := e.owner.Load()
	return o != nil && o.private
}

// OpenedBy reports whether the digest belongs to the sandbox's key.
func (e *Entry) OpenedBy(d *Digest) bool {
	o := e.owner.Load()
	return o != nil && o.key.Is(d)
}

// KnowsKey reports whether the digest belongs to the key of any sandbox.
func (r *Registry) KnowsKey(d *Digest) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.keys[*d] > 0
}

// lengths is a set of key lengths. The last element stands for all lengths above [maxKey].
type lengths [maxKey + 2]atomic.Bool

func (l *lengths) add(n int)      { l[min(n, maxKey+1)].Store(true) }
func (l *lengths) has(n int) bool { return l[min(n, maxKey+1)].Load() }

// keyFinder returns a function that reports whether a text is one of the given keys or the key of a
// sandbox, possibly percent-encoded.
func (r *Registry) keyFinder(keys []string) journal.Keys {
	known := make(map[Digest]bool)
	for _, key := range keys {
		if key != "" {
			known[DigestOf(key)] = true
			r.lengths.add(len(key))
		}
	}
	isKey := func(text string) bool {
		if !r.lengths.has(len(text)) || !ValidKey(text) {
			return false // without computing the digest, which is slow
		}
		digest := DigestOf(text)
		return known[digest] || r.KnowsKey(&digest)
	}
	return func(text string) bool {
		if len(known) == 0 && r.keyed.Load() == 0 {
			return false // do not search the text, because the journal asks many times for each request
		}
		if strings.Contains(text, "%") {
			if plain, err := url.PathUnescape(text); err == nil && isKey(plain) {
				return true
			}
		}
		return isKey(text)
	}
}

// setKeyLocked changes the key and the privacy, and returns the key that it sets, or "".
func (r *Registry) setKeyLocked(sb *Entry, o CreateOptions) (key string) {
	before := sb.owner.Load()
	next := Owner{}
	if before != nil {
		next = *before
	}
	if o.Private != nil {
		next.private = *o.Private
	}
	switch {
	case o.Key != nil && *o.Key == "":
		r.setOwnerLocked(sb, nil)
		return ""
	case o.Key != nil:
		key = *o.Key
	case before == nil && !next.private:
		return ""
	case before == nil:
		key = rand.Text()
	}
	if key != "" {
		next.key = DigestOf(key)
		r.lengths.add(len(key))
	}
	r.setOwnerLocked(sb, &next)
	return key
}

// Owner returns the sandbox's current owner, or nil if the sandbox has no key.
func (e *Entry) Owner() *Owner { return e.owner.Load() }

// OwnerChange returns a channel that is closed by the next change of the owner.
func (e *Entry) OwnerChange() <-chan struct{} {
	e.ownerChange.CompareAndSwap(nil, new(make(chan struct{})))
	return *e.ownerChange.Load()
}

// setOwnerLocked sets the owner, or removes it if owner is nil. If the owner changes,
// setOwnerLocked closes the channel of [Entry.OwnerChange] to end the sandbox's waiting requests
// and event streams.
func (r *Registry) setOwnerLocked(sb *Entry, owner *Owner) {
	before := sb.owner.Load()
	if before == owner || before != nil && owner != nil && *before == *owner {
		return
	}
	if owner != nil {
		r.keys[owner.key]++
		r.keyed.Add(1)
	}
	sb.owner.Store(owner) // key and privacy in one step, so that a private sandbox is never public in between
	r.removeKeyLocked(before)
	if change := sb.ownerChange.Load(); change != nil {
		sb.ownerChange.Store(new(make(chan struct{})))
		close(*change)
	}
}

// removeKeyLocked removes a sandbox's key from the known keys, unless another sandbox has the same
// key.
func (r *Registry) removeKeyLocked(o *Owner) {
	if o == nil {
		return
	}
	r.keyed.Add(-1)
	if r.keys[o.key]--; r.keys[o.key] == 0 {
		delete(r.keys, o.key)
	}
}
